"""Limits of what a journal or an exported file may hold: at each limit, and just beyond it."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from companion.api import Correction, Move, Seat
from companion.events import SEAT_BUTTONS, Button
from companion.journal.entry import (
    EntryContent,
    EntryKind,
    GameSetup,
    InvalidSavedGame,
    JournalEntry,
    StoredMove,
    Timestamp,
)

Fields = list[tuple[str, list[object], list[object]]]
"""Names of fields, with values at their limits and beyond them."""

STAMP = Timestamp(wall=0.0, monotonic=0.0, boot="")
MOVE = StoredMove(kind="add", seat=0, value=(1,))


def setup(count: int = 2, **more: Any) -> GameSetup:
    names = tuple(f"Player {n}" for n in range(count))
    return GameSetup(**{"game": "toy", "players": names, "buttons": SEAT_BUTTONS[:count], **more})


SETUP_FIELDS: Fields = [
    ("game", ["t", "t" * 40], ["", "t" * 41, "a\nb", "\x7f", "\x9f", "\x00"]),
    (
        "players",
        [("A", "B"), ("Zoë", "李" * 40), ("a b", "B")],
        [("", "B"), ("A" * 41, "B"), ("A\t", "B"), ("A", "\xa0"), ()],
    ),
    ("seed", [None, 0, 10**9, -(10**9)], [10**9 + 1, -(10**9) - 1, 1.0, "1"]),
    ("first", [0, 1], [-1, 2, 6]),
    ("buttons", [(Button.SEAT6, Button.SEAT1)], [(Button.SEAT1, Button.OK), (Button.SEAT1,) * 2, SEAT_BUTTONS[:3]]),
    ("settings", [{}, {"goal": [1, {"a": None}]}], [[], {"goal": {1, 2}}]),
]
TIMESTAMP_FIELDS: Fields = [
    ("wall", [0.0, 250e9], [-0.001, 250e9 + 1, float("nan"), float("inf"), "0"]),
    ("monotonic", [-1e300, 0.0, 1e300], [float("inf"), float("nan"), None]),
    ("boot", ["", "b" * 64], ["b" * 65, None]),
]
MOVE_FIELDS: Fields = [
    ("kind", ["a", "round 3"], ["", "a\x1b"]),
    ("seat", [None, 0, 5], [-1, 6]),
    ("value", [(), (10**9, -(10**9)), (0,) * 40], [(0,) * 41, (10**9 + 1,), (-(10**9) - 1,), [1], (1.0,)]),
]


@pytest.mark.parametrize(
    ("valid", "fields"),
    [(setup(), SETUP_FIELDS), (STAMP, TIMESTAMP_FIELDS), (MOVE, MOVE_FIELDS)],
    ids=["setup", "timestamp", "move"],
)
def test_limits_of_each_field(valid: BaseModel, fields: Fields) -> None:
    for field, inside, outside in fields:
        for value in inside:
            assert getattr(type(valid)(**dict(valid) | {field: value}), field) == value
        for value in outside:
            with pytest.raises(ValidationError):
                type(valid)(**dict(valid) | {field: value})


def test_one_to_six_players() -> None:
    for players in range(1, 7):
        assert len(setup(players, first=players - 1).players) == players
        with pytest.raises(ValidationError, match=f"seat {players} cannot begin, there are {players} players|first"):
            setup(players, first=players)
    with pytest.raises(ValidationError, match="players"):
        setup(7, buttons=SEAT_BUTTONS)


@pytest.mark.parametrize("seat", [None, Seat(0), Seat(5)])
def test_moves_and_corrections_come_back_as_they_were(seat: Seat | None) -> None:
    move, correction = Move("add", seat, (3, 4)), Correction("round", seat, (5,), (2,))
    assert StoredMove.from_played(move).to_move() == move
    assert StoredMove.from_played(correction).to_correction() == correction


@pytest.mark.parametrize("kind", [kind for kind in EntryKind if kind is not EntryKind.SEATED])
def test_each_kind_has_what_it_needs_and_nothing_else(kind: EntryKind) -> None:
    needs_move, needs_number = kind in ("move", "correction"), kind == "cut"
    for played in (None, MOVE):
        for after in (None, 0, 3):
            if ((played is not None), (after is not None)) == (needs_move, needs_number):
                assert EntryContent(kind=kind, played=played, after=after).after == after
            else:
                with pytest.raises(ValidationError, match=r"moves and corrections need|a cut needs"):
                    EntryContent(kind=kind, played=played, after=after)


def test_entries_are_numbered_from_one_and_a_cut_may_leave_none() -> None:
    undo = EntryContent(kind=EntryKind.UNDO)
    assert JournalEntry(seq=1, what=undo, stamp=STAMP).seq == 1
    with pytest.raises(ValidationError):
        JournalEntry(seq=0, what=undo, stamp=STAMP)
    with pytest.raises(ValidationError):
        EntryContent(kind=EntryKind.TRUNCATED, after=-1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"wall": 0, "monotonic": 0, "boot": ""', "Invalid JSON"),
        ('{"wall": "0", "monotonic": "0", "boot": ""}', "^wall: Input should be a valid number$"),
        ('{"wall": 0, "monotonic": 0, "boot": "", "zone": 1}', "^zone: Extra inputs are not permitted$"),
        ("{}", "^wall: Field required$"),
    ],
)
def test_the_first_fault_is_reported_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InvalidSavedGame, match=message):
        Timestamp.from_json(text)
