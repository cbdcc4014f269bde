"""The watcher with the real readers on the rendered throws of ../shared/clips."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.commands.watch import read_frames
from companion.events import DiceRead
from companion.vision.dice.reader import DiceReader
from companion.vision.lid.reader import LidReader
from companion.vision.table.watcher import DiceAndLidWatcher


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["s011", "s013"])
def test_a_rendered_throw_is_one_event_within_400_ms_of_rest(name: str, shared: Path) -> None:
    clip = shared / "clips" / name
    truth = json.loads(clip.with_suffix(".json").read_text())
    watcher = DiceAndLidWatcher(DiceReader(), LidReader())
    reported = [
        (index, event)
        for index, at, image in read_frames(str(clip.with_suffix(".mp4")))
        for event in watcher.process_frame(image, at)
        if isinstance(event, DiceRead)
    ]
    assert [event.values for _, event in reported] == [tuple(sorted(truth["values"]))]
    assert 0 <= reported[0][0] - truth["rest_frame"] <= 0.4 * truth["fps"]
