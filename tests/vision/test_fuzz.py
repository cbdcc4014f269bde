"""Fuzz tests: the readers read any frame or file, or refuse it with a message; they never crash."""

from __future__ import annotations

import contextlib
import json
import math
import warnings
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.commands.see.readings import format_json, format_line, read_each
from companion.events import DiceRead, TokenPlaced, TokenTaken
from companion.vision.dice.reader import DiceReader
from companion.vision.frames.image_io import UnreadableImage, normalise_frame
from companion.vision.lid.digit_reader import DigitClassifier
from companion.vision.lid.reader import LidReader
from companion.vision.reading import Die, Image, Lid, Reading
from companion.vision.table.single_images import ImageSequence, read_single_image
from companion.vision.table.watcher import DiceAndLidWatcher
from companion.vision.view_check.checks import check_view, draw_problems
from companion.vision.view_check.partial_lid import find_tokens
from tests.vision.fuzzing import Array, file, frame, stream
from tests.vision.lid.drawn_lid import DrawnLid, learn_lid

BATCHES = 40
"""Number of batches of the proof, each of 250 frames, so that a failing frame is found quickly."""


@cache
def dice_reader() -> DiceReader:
    return DiceReader()


@cache
def net() -> DigitClassifier:
    return DigitClassifier()


def check_dice(dice: tuple[Die, ...]) -> None:
    for die in dice:
        assert die.value in range(1, 7)
        assert die.alternative in (None, *range(1, 7))
        assert 0 <= die.confidence <= 1
        assert all(map(math.isfinite, die.box))


def check_lid(lid: Lid | None) -> None:
    if lid is None:
        return
    assert len(lid.windows) == 12
    for window in lid.windows:
        assert window.number in (None, *range(1, 7))
        assert window.covered or window.number is None
        assert 0 <= window.confidence <= 1
        assert all(map(math.isfinite, (*window.center, window.radius)))
    assert all(math.isfinite(v) for corner in lid.corners for v in corner)


def check_reading(reading: Reading) -> None:
    check_dice(reading.dice)
    check_lid(reading.lid)
    reported = json.loads(format_json(Path("f"), reading), parse_constant=pytest.fail)
    assert set(reported) == {"file", "dice", "lid", "ms"}
    assert format_line(Path("f"), reading).startswith("f: ")


def region(rng: np.random.Generator) -> tuple[float, float, float, float] | None:
    if rng.random() < 0.6:
        return None
    x0, y0, x1, y1 = rng.uniform(-100, 700, 4)
    return float(x0), float(y0), float(x1), float(y1)


def read(image: Array, rng: np.random.Generator, lid: LidReader) -> str:
    """Run all readers on one frame; return "refused", "read" or "empty"."""
    try:
        plain = normalise_frame(image)
    except UnreadableImage:
        readers: tuple[Callable[[Array], object], ...] = (dice_reader().read, lid.read, lid.calibrate, check_view)
        for refuse in readers:
            with pytest.raises(UnreadableImage):
                refuse(image)
        return "refused"
    assert plain.dtype == np.uint8
    assert plain.shape[2] == 3
    dice = dice_reader().read(image, region(rng))
    check_dice(dice)
    seen = lid.read(image)
    check_lid(seen)
    tokens = find_tokens(plain, net()) if rng.random() < 0.05 else ()
    assert draw_problems(plain, check_view(image, seen, dice, tokens)).shape == plain.shape
    return "read" if dice or seen else "empty"


def watch(frames: list[Array]) -> None:
    """Process a stream as `companion watch` and the camera do, with a restart in the middle."""
    watcher, sitting = (
        DiceAndLidWatcher(dice_reader(), LidReader()),
        ImageSequence(dice_reader(), LidReader()),
    )
    for index, image in enumerate(frames):
        if index == len(frames) // 2:
            memory = json.loads(json.dumps(watcher.snapshot(), allow_nan=False))
            watcher = DiceAndLidWatcher(dice_reader(), LidReader())
            watcher.restore(memory)
        try:
            plain = normalise_frame(image)
            events = watcher.process_frame(image, index / 15)
        except UnreadableImage:
            continue
        for event in events:
            match event:
                case DiceRead(values=values, confidence=confidence):
                    assert all(value in range(1, 7) for value in values)
                    assert 0 <= confidence <= 1
                case TokenTaken(window=window, number=number) | TokenPlaced(window=window, number=number):
                    assert window in range(12)
                    assert number in (None, *range(1, 7))
        if watcher.reading is not None:
            check_reading(watcher.reading)
        if index % 4 == 0:
            check_reading(sitting.read_next(plain))


def fuzz(seed: int, count: int, folder: Path) -> Counter[str]:
    """Process `count` frames: most singly, some as streams, some from files; count the outcomes."""
    rng = np.random.default_rng([seed, 2026])
    fates: Counter[str] = Counter()
    lid = learn_lid(DrawnLid())[0] if seed % 2 else LidReader()
    done = 0
    with np.errstate(all="ignore"):  # casting NaN is what these tests do
        while done < count:
            kind = rng.random()
            if kind < 0.015:
                frames = stream(rng, min(24, count - done))
                watch(frames)
                fates["streamed"] += len(frames)
                done += len(frames)
            elif kind < 0.25:
                data, ending = file(rng)
                path = folder / f"f{ending}"
                path.write_bytes(data)
                read_image = partial(read_single_image, dice_reader=dice_reader(), lid_reader=LidReader())
                ((_, seen),) = read_each([path], read_image)
                if isinstance(seen, UnreadableImage):
                    assert set(json.loads(format_json(path, seen))) == {"file", "error"}
                else:
                    check_reading(seen)
                fates["file refused" if isinstance(seen, UnreadableImage) else "file read"] += 1
                done += 1
            else:
                fates[read(frame(rng), rng, lid)] += 1
                done += 1
    return fates


@pytest.mark.full
@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", [1001, 1002])
def test_no_crash_on_fuzzed_frames(seed: int, tmp_path: Path) -> None:
    fates = fuzz(seed, 100, tmp_path)
    assert {"refused", "empty", "file refused", "file read"} <= set(fates), "the fuzz must reach all of them"


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(BATCHES))
def test_no_crash_on_ten_thousand_fuzzed_frames(seed: int, tmp_path: Path) -> None:
    fuzz(seed, 10_000 // BATCHES, tmp_path)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("width", "turns"), [(4000, 1), (8000, 0)])
def test_photos_of_phones_are_read(width: int, turns: int) -> None:
    image = cv2.resize(DrawnLid().draw()[0], (width, width * 9 // 16), interpolation=cv2.INTER_CUBIC)
    reading = read_single_image(np.rot90(image, turns).astype(np.uint8), dice_reader(), LidReader())
    check_reading(reading)
    assert reading.lid is not None
    assert all(window.covered for window in reading.lid.windows)


def memories() -> list[dict[str, Any]]:
    """Return snapshots of a watcher, each with one value replaced."""
    watcher = DiceAndLidWatcher(dice_reader(), LidReader())
    image, _ = DrawnLid().draw()
    for index in range(30):
        watcher.process_frame(cv2.add(image, (index % 2, 0, 0, 0)).astype(np.uint8), index / 15)
    plain = json.dumps(watcher.snapshot())
    assert json.loads(plain)["layout"] is not None

    def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        inner = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
        return [path, *(place for key, part in inner for place in places(part, (*path, key)))]

    spoilt = []
    for place in places(json.loads(plain))[1:]:
        for wrong in (None, [], {}, "x", -1, 0, 1e300, True, [[]]):
            kept = json.loads(plain)
            at = kept
            for key in place[:-1]:
                at = at[key]
            at[place[-1]] = wrong
            spoilt.append(kept)
    return spoilt


def restart(memory: dict[str, Any], image: Image) -> None:
    """Start a watcher with this snapshot."""
    watcher = DiceAndLidWatcher(dice_reader(), LidReader())
    # What `companion.camera.camera_reader` takes for a damaged memory.
    damaged = contextlib.suppress(ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
    with damaged, np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # sums of nothing, as odd numbers make
        watcher.restore(memory)
        for step in range(4):
            watcher.process_frame(image, step / 15)


@pytest.mark.full
def test_any_snapshot_is_refused_or_harmless() -> None:
    image, _ = DrawnLid().draw()
    everything = memories()
    for index in np.random.default_rng(9).permutation(len(everything))[:16]:
        restart(everything[index], image)


@pytest.mark.proof
@pytest.mark.parametrize("part", range(8))
def test_every_snapshot_with_one_damaged_value_is_refused_or_harmless(part: int) -> None:
    image, _ = DrawnLid().draw()
    for memory in memories()[part::8]:
        restart(memory, image)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [(640, 360), (960, 720)])
def test_a_snapshot_of_another_camera_is_used_or_replaced(size: tuple[int, int]) -> None:
    before = DiceAndLidWatcher(dice_reader(), LidReader())
    image, _ = DrawnLid().draw()
    rng = np.random.default_rng(5)

    def show(watcher: DiceAndLidWatcher, picture: Array, begin: float) -> None:
        for step in range(20):
            noise = rng.integers(-2, 3, picture.shape, dtype=np.int16)
            watcher.process_frame(np.clip(picture + noise, 0, 255).astype(np.uint8), begin + step / 15)

    show(before, image, 0.0)
    assert before.reading is not None
    assert before.reading.lid is not None
    after = DiceAndLidWatcher(dice_reader(), LidReader())
    after.restore(json.loads(json.dumps(before.snapshot())))
    show(after, cv2.resize(image, size, interpolation=cv2.INTER_AREA), 100.0)
    assert after.reading is not None
    if size != (960, 720):  # the same view; this one is squeezed
        assert after.reading.lid is not None
        assert all(window.covered for window in after.reading.lid.windows)
