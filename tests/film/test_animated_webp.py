"""Animated WebP: every picture is decoded back exactly, by OpenCV and by a real browser."""

from __future__ import annotations

import hashlib
import io
import json
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.film import AnimatedWebp
from companion.vision.reading import Image
from tests.chromium import needs_chromium, read_page

SIZES = [(64, 48), (63, 47), (1, 1)]
"""Even and odd ones: the format places changes at even pixels."""
PAGE = """<!doctype html><body><img src="/until-the-answer"><script>
const send = text => fetch("/answer", {method: "POST", body: text});
(async () => {
  const data = await (await fetch("/film.webp")).arrayBuffer();
  const decoder = new ImageDecoder({data, type: "image/webp"});
  await decoder.tracks.ready;
  const track = decoder.tracks.selectedTrack, pictures = [];
  for (let i = 0; i < track.frameCount; i++) {
    const {image} = await decoder.decode({frameIndex: i});
    const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", pixels));
    pictures.push([image.duration, Array.from(digest, b => b.toString(16).padStart(2, "0")).join("")]);
  }
  await send(JSON.stringify({repetitions: track.repetitionCount, pictures}));
})().catch(error => send(JSON.stringify(String(error))));
</script></body>"""
"""Decodes the film as the browser's <img> does; answers with each picture's time in µs and the digest of its pixels."""


class FilmServer(ThreadingHTTPServer):
    """Serves the page and the film on the loopback, and takes the page's answer."""

    def __init__(self, film: bytes) -> None:
        super().__init__(("127.0.0.1", 0), FilmRequest)
        self.content = {"/": PAGE.encode(), "/film.webp": film}
        self.answer = ""
        self.is_answered = threading.Event()


class FilmRequest(BaseHTTPRequestHandler):
    """A request of the browser."""

    server: FilmServer

    def do_GET(self) -> None:
        if self.path == "/until-the-answer":  # the browser ends when the page is loaded
            self.server.is_answered.wait()
        self._reply(self.server.content.get(self.path, b""))

    def do_POST(self) -> None:
        self.server.answer = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._reply(b"")
        self.server.is_answered.set()

    def _reply(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.path == "/" else "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


def make_pictures(size: tuple[int, int]) -> list[Image]:
    """Return noise, the same again, one pixel changed, a corner changed, and other noise."""
    rng = np.random.default_rng(5)
    width, height = size
    first = rng.integers(0, 256, (height, width, 3), np.uint8)
    dot, corner = first.copy(), first.copy()
    dot[height // 2, width // 2] ^= 255
    corner[-3:, -3:] ^= 1
    return [first, first.copy(), dot, corner, rng.integers(0, 256, (height, width, 3), np.uint8)]


def write(pictures: Sequence[Image]) -> bytes:
    stream = io.BytesIO()
    film = AnimatedWebp(stream, (pictures[0].shape[1], pictures[0].shape[0]))
    for i, picture in enumerate(pictures):
        film.add_picture(picture, 100 * (i + 1))
    film.finish()
    return stream.getvalue()


@pytest.mark.skipif(not hasattr(cv2, "imdecodeanimation"), reason="OpenCV 4.11 or newer reads animations")
@pytest.mark.parametrize("size", SIZES)
def test_opencv_decodes_the_same_pictures(size: tuple[int, int]) -> None:
    pictures = make_pictures(size)
    done, animation = cv2.imdecodeanimation(np.frombuffer(write(pictures), np.uint8))
    assert done
    assert [np.array_equal(a[..., :3], b) for a, b in zip(animation.frames, pictures, strict=True)] == [True] * 5
    assert list(animation.durations) == [100, 200, 300, 400, 500]
    assert animation.loop_count == 1


@needs_chromium
def test_a_browser_decodes_the_same_pictures(tmp_path: Path) -> None:
    pictures = make_pictures((63, 47))
    with FilmServer(write(pictures)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            read_page(f"http://127.0.0.1:{server.server_port}/", tmp_path)
        finally:
            server.is_answered.set()
            server.shutdown()
            thread.join()
    found = json.loads(server.answer)
    digests = [hashlib.sha256(cv2.cvtColor(each, cv2.COLOR_BGR2RGBA).tobytes()).hexdigest() for each in pictures]
    expected = [[100_000 * (i + 1), digest] for i, digest in enumerate(digests)]
    assert found == {"repetitions": 0, "pictures": expected}, "played once"


def test_only_what_changed_is_stored() -> None:
    first, same, dot, _corner, other = make_pictures((64, 48))
    one = len(write([first]))
    assert len(write([first, same])) - one < 100
    assert len(write([first, dot])) - one < 100
    assert len(write([first, other])) - one > 5_000
