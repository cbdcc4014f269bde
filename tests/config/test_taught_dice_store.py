"""The file of the taught dice: what it keeps, and for how long."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from companion.config.taught_dice_store import MAX_CORRECTED_FACES, MAX_TAUGHT_FACES, TAUGHT_DICE_FILE, TaughtDice

PNG = b"\x89PNG"


@pytest.mark.parametrize(
    "content",
    [
        '{"faces":[{"value":1,"png":"',
        '{"faces":[{"value":7,"png":"iVBORw=="}]}',
        '{"faces":[{"value":1,"png":"AAAA"}]}',
        "[]",
    ],
)
def test_a_torn_file_or_a_wrong_face_is_not_used_and_reported(tmp_path: Path, content: str) -> None:
    (tmp_path / TAUGHT_DICE_FILE).write_text(content)
    taught = TaughtDice(tmp_path)
    assert not taught.faces
    assert taught.store.problem is not None
    assert taught.add([(1, PNG)]) is None
    assert TaughtDice(tmp_path).faces == ((1, PNG),)


def test_the_oldest_faces_are_forgotten_when_there_are_too_many() -> None:
    taught = TaughtDice()
    taught.add([(1, PNG)] * MAX_TAUGHT_FACES)
    taught.add([(2, PNG)])
    assert len(taught.faces) == len(taught.store.value.faces) == MAX_TAUGHT_FACES
    assert (taught.faces[0], taught.faces[-1]) == ((1, PNG), (2, PNG))


def test_corrected_faces_are_kept_apart_until_their_entry_is_undone(tmp_path: Path) -> None:
    taught = TaughtDice(tmp_path)
    taught.add([(3, PNG)])
    taught.add_corrected([(1, PNG), (1, PNG + b"b")], game=5, entry=7)
    taught.add_corrected([(2, PNG)], game=5, entry=9)
    taught.add_corrected([(4, PNG)], game=6, entry=7)
    assert stat.S_IMODE((tmp_path / TAUGHT_DICE_FILE).stat().st_mode) == 0o600
    kept = TaughtDice(tmp_path)
    assert kept.corrected_faces == ((1, PNG), (1, PNG + b"b"), (2, PNG), (4, PNG))
    shown = kept.faces
    kept.forget_corrected(5, lambda entry: entry == 7)
    assert kept.faces is shown, "nobody compares them again"
    assert TaughtDice(tmp_path).corrected_faces == ((2, PNG), (4, PNG))
    assert TaughtDice(tmp_path).faces == ((3, PNG),)


def test_corrections_push_out_only_older_corrections() -> None:
    taught = TaughtDice()
    taught.add([(1, PNG)] * MAX_TAUGHT_FACES)
    for entry in range(1, MAX_CORRECTED_FACES + 2):
        taught.add_corrected([(entry % 6 + 1, PNG)], game=1, entry=entry)
    assert len(taught.faces) == MAX_TAUGHT_FACES
    assert len(taught.corrected_faces) == len(taught.store.value.corrected) == MAX_CORRECTED_FACES
    assert taught.corrected_faces[0] == (3, PNG)
