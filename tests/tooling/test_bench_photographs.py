"""The rows of photographs: each change by itself, what was seen nowhere, and what was played."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import bench_photographs
import numpy as np
import pytest
from bench_reading import HitCount
from train_dice.photographs import Photograph

from companion.vision.dice.die_probability import FEATURES
from companion.vision.reading import Die, Image

ONE = Photograph(Path("a"), "dice", "a", "a", "", (3,), (), "overhead")
READINGS = {3: [Die(3, (0, 0, 40, 40), 0.95)], 4: [Die(4, (0, 0, 40, 40), 0.95)], 0: []}
"""By the value that is read; 0: nothing is seen."""


class ScriptedReader(bench_photographs.PhotographReader):
    """Reads in each photograph the value that its name says."""

    def read(self, photograph: Photograph, image: Image) -> tuple[Die, ...]:
        return tuple(READINGS[int(photograph.path.name)])


def test_each_change_has_rows_of_its_own() -> None:
    changes = {"noise of 20 levels": Counter(right=8, asked=2), "gamma 0.5": Counter(right=5, asked=2, wrong=3)}
    rows = bench_photographs.list_rows(bench_photographs.PhotographResults({}, Counter(), [], changes))
    figures = {row.name: row.figure for row in rows}
    assert figures["distorted"] == HitCount(13, 20)
    assert figures["gamma 0.5 right"] == HitCount(5, 10)
    assert figures["gamma 0.5 wrong"] == HitCount(3, 10)


def test_a_photograph_in_which_nothing_is_seen_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_photographs, "load_image", lambda _path: np.zeros((60, 60, 3), np.uint8))
    photographs = [replace(ONE, path=Path(name)) for name in ("3", "4", "0")]
    results = bench_photographs.measure(photographs, ScriptedReader(), distort=False)
    figures = {row.name: row.figure for row in bench_photographs.list_rows(results)}
    assert figures["ok"] == figures["wrong"] == HitCount(1, 3)
    assert figures["silent"] == HitCount(1, 1)
    assert figures["played"] == HitCount(1, 2)


def test_a_photograph_is_read_with_the_decision_of_its_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"weights": dict.fromkeys(FEATURES, 0.0), "slope": 1.0, "offset": 0.0}
    (file := tmp_path / "left_out.json").write_text(json.dumps({"a": known | {"bias": 1}, "b": known | {"bias": 2}}))
    monkeypatch.setattr(bench_photographs, "DiceReader", recorder := Mock())
    reader, image = bench_photographs.PhotographReader(left_out=file), np.zeros((60, 60, 3), np.uint8)
    for source in ("a", "b"):
        reader.read(replace(ONE, source=source), image)
    assert [call.kwargs["decision"].bias for call in recorder.call_args_list] == [1, 2]
    reader.read(replace(ONE, source="c", folder="train"), image)
    assert recorder.call_args.kwargs["decision"] is None, "it trained the networks: no decision was fitted without it"
    with pytest.raises(KeyError, match="unknown"):
        reader.read(replace(ONE, source="unknown"), image)
