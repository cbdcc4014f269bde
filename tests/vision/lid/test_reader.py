"""The lid reader on drawn lids: learning, turning, taking, hiding, a new round, a restart, and odd frames."""

from __future__ import annotations

import base64
import json
import struct
import zlib

import cv2
import numpy as np
import pytest

from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.lid.markers import find_tags
from companion.vision.lid.pose import PoseFinder
from companion.vision.lid.reader import LidReader
from companion.vision.reading import Image, Lid
from tests.vision.lid.drawn_lid import BLANK, NUMBERS, RADIUS, DrawnLid, learn_lid, needs_detector, read_lid

LIDS = {
    "grid": DrawnLid("grid"),
    "staggered": DrawnLid("staggered", lid=(60, 110, 70), token=(220, 225, 228), digit=(30, 28, 28)),
    "ring": DrawnLid("ring", lid=(160, 120, 60), token=(46, 44, 44)),
    "loose": DrawnLid("loose", lid=(60, 56, 170), token=(168, 104, 48)),
    "tokens nearly of the lid's colour": DrawnLid("staggered", lid=(62, 60, 60), token=(48, 46, 46)),
}


OPEN = (5, None, None, None, 3, 4, 4, 6, None, 5, 2, 3)


def mirror(picture: Image) -> Image:
    """The same as in a mirror."""
    return np.ascontiguousarray(picture[:, ::-1])


def check_windows(read: Lid | None, centers: np.ndarray, numbers: tuple[int | None, ...]) -> Lid:
    """Every window is where it was drawn, in the drawn order, covered or open as drawn; numbers are right."""
    assert read is not None
    away = np.linalg.norm(np.array([w.center for w in read.windows]) - centers, axis=1)
    assert away.max() < 6
    assert [w.covered for w in read.windows] == [n is not None for n in numbers]
    assert [w.number for w in read.windows] == list(numbers)
    return read


def sort_by_place(read: Lid, centers: np.ndarray) -> list[int]:
    """The index of the drawn window that each read window is."""
    return [int(np.linalg.norm(centers - np.array(w.center), axis=1).argmin()) for w in read.windows]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", LIDS)
def test_a_covered_lid_is_learnt_and_read(name: str) -> None:
    drawn = LIDS[name]
    picture, centers = drawn.draw()
    reader = LidReader()
    assert reader.export_layout() is None
    read = reader.calibrate(picture)
    assert read is not None
    assert reader.is_learnt
    order = sort_by_place(read, centers)
    assert sorted(order) == list(range(12))
    assert [w.number for w in read.windows] == [NUMBERS[i] for i in order]
    assert all(w.covered for w in read.windows)
    assert np.abs(np.array(read.corners) - drawn.corners()).max() < 8


@pytest.mark.full
@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", LIDS)
def test_mirrored_numbers_are_recognised_and_uncertain(name: str) -> None:
    drawn = LIDS[name]
    picture, _ = drawn.draw()
    assert not learn_lid(drawn)[1].mirrored
    reader = LidReader()
    read = reader.calibrate(mirror(picture))
    assert read is not None
    assert read.mirrored
    assert all(w.confidence < MIN_PLAY_CONFIDENCE for w in read.windows)
    fresh = LidReader()
    fresh.restore_layout(json.loads(json.dumps(reader.export_layout())))
    for open_ in (OPEN, NUMBERS):  # in mid-round there may be too few tokens to decide again
        again = read_lid(fresh, mirror(drawn.draw(open_, angle=20)[0]))
        assert again.mirrored
        assert all(w.confidence < MIN_PLAY_CONFIDENCE for w in again.windows if w.covered)


def test_numbers_that_are_no_longer_mirrored_are_certain() -> None:
    reader = LidReader()
    picture, _ = DrawnLid("even", arrow=False).draw(tilt=0.0)  # it fits in a mirror, too
    assert reader.calibrate(mirror(picture)) is not None
    read = read_lid(reader, picture)
    assert not read.mirrored
    assert all(w.confidence >= MIN_PLAY_CONFIDENCE for w in read.windows)


def test_windows_are_ordered_row_by_row_with_the_arrow_up() -> None:
    drawn = DrawnLid("staggered")
    picture, centers = drawn.draw(angle=130)
    read = LidReader().read(picture)
    check_windows(read, centers, NUMBERS)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", LIDS)
def test_windows_keep_their_index_however_the_lid_is_turned(name: str) -> None:
    drawn = LIDS[name]
    reader, first = learn_lid(drawn)
    order = sort_by_place(first, drawn.draw()[1])
    numbers: tuple[int | None, ...] = (5, None, 6, 1, 3, 4, None, 6, None, 5, 2, 3)
    for angle, shift in ((74, (30, -20)), (180, (0, 10)), (300, (-25, 5))):
        picture, centers = drawn.draw(numbers, angle=angle, shift=shift)
        read = check_windows(reader.read(picture), centers[order], tuple(numbers[i] for i in order))
        assert np.abs(np.array(read.corners) - drawn.corners(angle, shift)).max() < 14
        assert all(w.confidence >= MIN_PLAY_CONFIDENCE for w in read.windows if not w.covered)


@needs_detector
def test_tags_are_reported_where_they_are() -> None:
    drawn = DrawnLid("staggered", tags=True)
    reader, lid = learn_lid(drawn)
    assert len(lid.tags) == 4
    picture, _ = drawn.draw(angle=70)
    turned = read_lid(reader, picture)
    seen = find_tags(picture)
    assert len(seen) == 4
    for at in seen.values():
        assert min(np.abs(np.array(tag) - at).max() for tag in turned.tags) < 3


def test_windows_below_a_hand_are_hidden_until_it_leaves() -> None:
    drawn = LIDS["staggered"]
    reader, _ = learn_lid(drawn)
    numbers = (5, 2, 6, None, 3, 4, None, 6, 1, 5, 2, 3)
    read = read_lid(reader, drawn.draw(numbers, hand=(10, 0))[0])
    hidden = [i for i, w in enumerate(read.windows) if w.covered is None]
    assert hidden
    for i, (window, number) in enumerate(zip(read.windows, numbers, strict=True)):
        if i not in hidden and window.confidence >= MIN_PLAY_CONFIDENCE:
            assert (window.covered, window.number) == (number is not None, number)
    picture, centers = drawn.draw(numbers)
    check_windows(reader.read(picture), centers, numbers)


@pytest.mark.parametrize("light", [0.6, 0.3])
def test_shadows_on_a_turned_lid_hide_no_window(light: float) -> None:
    def lit(angle: float, numbers: tuple[int | None, ...]) -> Image:
        """The lid in a lamp's light: each token throws its shadow to the frame's lower right."""
        picture, centers = DrawnLid("grid").draw(numbers, angle=angle)
        shadows, tokens = np.zeros((2, *picture.shape[:2]), np.uint8)
        for (x, y), number in zip(centers, numbers, strict=True):
            if number is not None:
                cv2.circle(shadows, (round(x + 0.3 * RADIUS), round(y + 0.3 * RADIUS)), round(RADIUS), 1, -1)
                cv2.circle(tokens, (round(x), round(y)), round(1.04 * RADIUS), 1, -1)
        share = np.where((shadows > 0) & (tokens == 0), light, 1.0)
        return np.asarray(picture * cv2.GaussianBlur(share, (5, 5), 0)[..., None], np.uint8)

    reader = LidReader()
    assert reader.calibrate(lit(0.0, NUMBERS)) is not None
    numbers = (None,) * 4 + NUMBERS[4:]
    read = read_lid(reader, lit(180.0, numbers))
    assert [w.number for w in read.windows] == list(numbers)
    assert sum(w.confidence >= MIN_PLAY_CONFIDENCE for w in read.windows) >= 11


def test_print_on_dark_cards_is_no_number() -> None:
    token = (140, 130, 150)
    drawn = DrawnLid("grid", lid=(52, 58, 70), token=token)
    reader, _ = learn_lid(drawn)
    numbers = (None,) * 6 + NUMBERS[6:]
    picture, centers = drawn.draw(numbers)
    hook = 0.8 * RADIUS * np.array([[0.0, 0.8], [0.05, -0.7], [-0.4, -0.3]])  # like a 1
    for i, (x, y) in enumerate(centers[:6]):
        cos, sin = np.cos(1.1 * i), np.sin(1.1 * i)
        line = hook @ np.array([[cos, sin], [-sin, cos]]) + (x, y)
        dark, light = (tuple(share * c for c in token) for share in (0.5, 0.9))
        cv2.circle(picture, (round(x), round(y)), round(0.9 * RADIUS), dark, -1, cv2.LINE_AA)
        cv2.polylines(picture, [np.rint(line).astype(np.int32)], isClosed=False, color=light, lineType=cv2.LINE_AA)
    kept = reader.export_layout()
    assert kept is not None
    fresh = LidReader()
    fresh.restore_layout({**kept, "numbers": [None] * 12})  # what is remembered of the tokens does not help
    read = read_lid(fresh, picture)
    assert all(not w.covered or w.confidence < MIN_PLAY_CONFIDENCE for w in read.windows[:6])
    assert [w.number for w in read.windows[6:]] == list(numbers[6:])


def test_a_new_round_forgets_the_known_numbers() -> None:
    drawn = LIDS["grid"]
    reader, _ = learn_lid(drawn)
    for numbers in (
        (2, 5, *NUMBERS[2:]),  # two tokens have changed places, and clear new numbers win over the remembered ones
        (5, None, 6, 1, 3, 4, None, 6, 1, 5, 2, 3),
        (3, 2, 5, 1, 6, 4, 4, 3, 1, 2, 5, 6),
    ):
        picture, centers = drawn.draw(numbers)
        check_windows(reader.read(picture), centers, numbers)


def test_a_still_lid_is_not_searched_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = LIDS["ring"]
    reader, first = learn_lid(drawn)

    def searched(self: PoseFinder) -> None:
        raise AssertionError("the lid was searched for")

    monkeypatch.setattr(PoseFinder, "search", searched)
    assert reader.read(drawn.draw(noise=4.0)[0]) == first
    taken = list(NUMBERS)
    order = sort_by_place(first, drawn.draw()[1])
    taken[order[3]] = None
    read = read_lid(reader, drawn.draw(tuple(taken))[0])
    assert [i for i, w in enumerate(read.windows) if not w.covered] == [3]


def test_windows_open_by_colour_are_not_classified(asked: list[int]) -> None:
    drawn = LIDS["staggered"]
    reader, _ = learn_lid(drawn)
    asked.clear()
    picture, centers = drawn.draw(OPEN, angle=60)
    check_windows(reader.read(picture), centers, OPEN)
    assert asked == [sum(n is not None for n in OPEN)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", LIDS)
def test_a_token_turned_over_is_covered_and_has_no_number(name: str) -> None:
    drawn, reader = LIDS[name], LidReader()
    assert reader.calibrate(drawn.draw()[0]) is not None
    numbers = (BLANK, None, *NUMBERS[2:5], BLANK, *NUMBERS[6:])
    picture, centers = drawn.draw(numbers)
    read = reader.read(picture)
    assert read is not None
    for i, window in zip(sort_by_place(read, centers), read.windows, strict=True):
        assert window.covered is (numbers[i] is not None)
        assert window.number == (numbers[i] or None)
        assert numbers[i] == BLANK or window.confidence >= MIN_PLAY_CONFIDENCE
    again = reader.read(drawn.draw()[0])
    assert again is not None
    assert [w.number for w in again.windows] == [NUMBERS[i] for i in sort_by_place(again, centers)]


def test_a_layout_survives_a_restart_in_mid_round() -> None:
    drawn = LIDS["ring"]
    before, first = learn_lid(drawn)
    order = sort_by_place(first, drawn.draw()[1])
    plain = json.loads(json.dumps(before.export_layout()))
    after = LidReader()
    after.restore_layout(plain)
    assert after.export_layout() is not None
    assert after.export_layout() == before.export_layout()
    numbers = (5, 2, None, 1, None, 4, 4, None, 1, 5, 2, 3)
    picture, centers = drawn.draw(numbers, angle=215)
    check_windows(after.read(picture), centers[order], tuple(numbers[i] for i in order))


def test_a_layout_holds_for_frames_of_another_size() -> None:
    drawn = LIDS["grid"]
    reader, _ = learn_lid(drawn)
    picture, centers = drawn.draw(angle=40)
    smaller = cv2.resize(picture, (960, 540), interpolation=cv2.INTER_AREA)
    check_windows(reader.read(np.asarray(smaller, np.uint8)), centers * 0.75, NUMBERS)


def make_huge_png() -> str:
    """Return a PNG, in base64, whose header claims 100,000 x 100,000 pixels."""

    def make_chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + make_chunk(b"IHDR", header) + make_chunk(b"IEND", b"")
    return base64.b64encode(data).decode()


@pytest.mark.parametrize("plain", [{}, {"points": [[0, 0]]}, {"points": [], "looks": ""}, {"looks": make_huge_png()}])
def test_an_invalid_layout_is_refused(plain: dict[str, object]) -> None:
    reader = LidReader()
    with pytest.raises((KeyError, ValueError)):
        reader.restore_layout(plain)
    assert reader.export_layout() is None


@pytest.mark.parametrize(
    ("key", "shape"),
    [("points", (24,)), ("points", (2, 12)), ("corners", (2, 4)), ("camera", (9,)), ("around", (3, 576))],
)
def test_a_layout_of_another_nesting_is_refused(key: str, shape: tuple[int, ...]) -> None:
    reader, _ = learn_lid(LIDS["grid"])
    plain = reader.export_layout()
    assert plain is not None
    LidReader().restore_layout(plain)
    with pytest.raises(ValueError, match="not a lid's layout"):
        LidReader().restore_layout({**plain, key: np.array(plain[key]).reshape(shape).tolist()})


def make_odd_frames() -> list[Image]:
    rng = np.random.default_rng(3)
    frames = [
        rng.integers(0, 256, shape, np.uint8) for shape in ((720, 1280, 3), (48, 64, 3), (16, 16, 3), (20, 400, 3))
    ]
    frames += [np.zeros((720, 1280, 3), np.uint8), np.full((480, 640, 3), 255, np.uint8)]
    return frames


@pytest.mark.parametrize("knows", [False, True])
def test_frames_without_a_lid_give_none(knows: bool) -> None:
    reader = learn_lid(LIDS["grid"])[0] if knows else LidReader()
    for frame in make_odd_frames():
        assert reader.read(frame) is None
    picture, centers = LIDS["grid"].draw()
    check_windows(reader.read(picture), centers, NUMBERS)


def test_another_lid_is_learnt_after_a_while() -> None:
    reader, _ = learn_lid(LIDS["grid"])
    picture = DrawnLid("ring").draw()[0]
    reads = [reader.read(picture) for _ in range(25)]
    assert reads[-1] is not None
    assert sorted(w.number or 0 for w in reads[-1].windows) == sorted(NUMBERS)
