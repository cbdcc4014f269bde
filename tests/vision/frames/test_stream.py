"""Whether a frame can be compared with those before it, and whether a camera that gives frames sees anything."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.frames.motion import MotionDetector
from companion.vision.frames.stream import FrameInfo, FrameStream
from companion.vision.reading import Image

SIZE = (240, 320)


def draw_table(seed: int, level: float = 130.0, size: tuple[int, int] = SIZE) -> Image:
    """A plain table with the noise of a camera."""
    rng = np.random.default_rng(seed)
    return np.clip(rng.normal(level, 2.0, (*size, 3)), 0, 255).astype(np.uint8)


def process_frames(stream: FrameStream, images: list[Image], every: float = 1.0, begin: float = 0.0) -> list[FrameInfo]:
    return [stream.process_frame(image, begin + i * every) for i, image in enumerate(images)]


def make_settled_stream() -> FrameStream:
    stream = FrameStream(MotionDetector())
    first, *others = process_frames(stream, [draw_table(i) for i in range(5)])
    assert first.change is None
    assert first.is_resized
    assert all(sight.change is not None and not (sight.is_blind or sight.is_resized) for sight in others)
    return stream


def test_a_frame_of_another_size_cannot_be_compared() -> None:
    stream = make_settled_stream()
    (sight,) = process_frames(stream, [draw_table(9, size=(480, 640))], begin=5)
    assert (sight.change, sight.is_resized, sight.is_blind) == (None, True, False)
    assert stream.frame_size == (480, 640)


def test_the_size_from_before_a_restart_is_the_same_size() -> None:
    stream = FrameStream(MotionDetector())
    stream.frame_size = SIZE
    (sight,) = process_frames(stream, [draw_table(1)])
    assert (sight.change, sight.is_resized) == (None, False)


def test_a_covered_lens_is_blind_until_it_is_free() -> None:
    stream = make_settled_stream()
    dark = process_frames(stream, [draw_table(i, level=2.0) for i in range(20, 24)], begin=5)
    assert all(sight.is_blind for sight in dark)
    free = process_frames(stream, [draw_table(30), draw_table(31)], begin=9)
    assert [sight.is_blind for sight in free] == [False, False]
    assert free[0].change is None
    assert free[1].change is not None


@pytest.mark.parametrize(("seconds", "blind"), [(9, False), (10, True)])
def test_identical_frames_for_ten_seconds_are_a_hanging_camera(seconds: int, blind: bool) -> None:
    stream = make_settled_stream()
    still = draw_table(7)
    *_, last = process_frames(stream, [still] * (seconds + 1), begin=5)
    assert last.is_blind is blind


def test_nothing_is_compared_after_a_hanging_camera_goes_on() -> None:
    stream = make_settled_stream()
    assert process_frames(stream, [draw_table(7)] * 12, begin=5)[-1].is_blind
    (sight,) = process_frames(stream, [draw_table(8)], begin=17)
    assert (sight.change, sight.is_blind) == (None, False)
