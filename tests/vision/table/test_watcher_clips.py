"""The watcher with the real readers on the rendered throws of ../shared/clips, and on a video of real ones."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from companion.commands.watch import read_frames
from companion.events import DiceRead
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.dice.reader import DiceReader
from companion.vision.lid.reader import LidReader
from companion.vision.table.watcher import DiceAndLidWatcher


def list_throws(video: Path) -> list[tuple[int, DiceRead]]:
    """Return the dice that are reported, each with the number of its frame."""
    watcher = DiceAndLidWatcher(DiceReader(), LidReader())
    return [
        (index, event)
        for index, at, image in read_frames(str(video))
        for event in watcher.process_frame(image, at)
        if isinstance(event, DiceRead)
    ]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["s011", "s012", "s013"])
def test_a_rendered_throw_is_one_event_within_400_ms_of_rest(name: str, shared: Path) -> None:
    clip = shared / "clips" / name
    truth = json.loads(clip.with_suffix(".json").read_text())
    reported = list_throws(clip.with_suffix(".mp4"))
    assert [event.values for _, event in reported] == [tuple(sorted(truth["values"]))]
    assert 0 <= reported[0][0] - truth["rest_frame"] <= 0.4 * truth["fps"]


@pytest.mark.full
def test_real_rolls_before_a_handheld_camera_are_read(shared: Path) -> None:
    """Each lies still for 5 to 13 frames; reported are those that are certain, while they lie or just after."""
    folder = shared / "photos" / "dice" / "videos"
    rows = list(csv.DictReader((folder / "labels.csv").read_text().splitlines()))
    reported = list_throws(folder / "rw_dice-video-1.mp4")
    assert [event.values for _, event in reported] == [tuple(map(int, row["values"].split())) for row in rows]
    for (index, event), row in zip(reported, rows, strict=True):
        assert event.confidence >= MIN_PLAY_CONFIDENCE
        assert int(row["first_frame"]) <= index <= int(row["last_frame"]) + 2
