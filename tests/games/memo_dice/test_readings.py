"""Memo Dice with a camera that reads the row, through the real referee and journal: moves, questions, secrets."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from companion.api import ConsolePress, Correction, NumberPress
from companion.events import Button, CupLifted, CupPlaced, DieShown, MemoColour
from companion.games.memo_dice import GAME
from companion.games.memo_dice.state import Phase
from companion.journal.die_pictures import PICTURES_FOLDER
from companion.screen_state import DiePicture
from companion.testing.table import A, TableUnderTest
from tests.games.memo_dice.positions import LETTERS

RED, BLUE, BLACK = 1, 2, 3
COLOURS = {"gold": 0, "red": RED, "blue": BLUE, "black": BLACK}
Sit = Callable[..., TableUnderTest]


@pytest.fixture
def sit(table: Callable[..., TableUnderTest]) -> Sit:
    return partial(table, 2, definition=GAME)


def picture(n: int) -> bytes:
    """Return bytes in place of a JPEG; nothing decodes them here."""
    return b"\xff\xd8\xff" + bytes([n]) * 40


def cover_row(t: TableUnderTest, letters: str) -> None:
    """Show and cover dice of these colours, one after the other; the golden cup where no other can be."""
    for place, letter in enumerate(letters, len(t.game.cup_row)):
        colour = LETTERS[letter].value
        show_die(t, place, colour)
        t.send(CupPlaced(place, colour if LETTERS[letter] in t.game.coverable_colours else 0, 0.99, t.clock.now))


def show_die(
    t: TableUnderTest, place: int, colour: int, confidence: float = 0.98, others: tuple[int, ...] = ()
) -> None:
    t.send(DieShown(place, colour, confidence, t.clock.now, others, picture(10 * place + colour)))


def happen(t: TableUnderTest, story: str) -> None:
    """Let a story happen: "row RB, die 2 blue 0.7 black, OK".

    `row` shows and covers dice; `die`, `cup` and `lift` are readings of a place, with a confidence that is certain
    unless it is given, and a die's next likeliest colours; `correct` is a correction with its value, all else a press.
    """
    for event in story.split(", "):
        match event.split():
            case "row", letters:
                cover_row(t, letters)
            case "die", place, colour, *doubt:
                others = tuple(COLOURS[other] for other in doubt[1:])
                show_die(t, int(place), COLOURS[colour], float(doubt[0]) if doubt else 0.98, others)
            case "cup", place, colour, *doubt:
                t.send(CupPlaced(int(place), COLOURS[colour], float(doubt[0]) if doubt else 0.99, t.clock.now))
            case "lift", place, *doubt:
                t.send(CupLifted(int(place), float(doubt[0]) if doubt else 0.99, t.clock.now))
            case "correct", *kind, value:
                t.saved_game.correct(Correction.from_stored(" ".join(kind), None, (int(value),)))
            case "restart", *_:
                t.restart()
            case "hold", button:
                t.hold(Button[button])
            case _:
                t.press(Button[event])


def list_what_is_there(t: TableUnderTest) -> Iterator[tuple[str, Any]]:
    """Yield what the table has and the screen shows, without what is empty."""
    names = {value: colour for colour, value in COLOURS.items()}
    letters = {colour: letter for letter, colour in LETTERS.items()}
    if t.game.cup_row:
        yield "row", "".join(letters[cup.colour] for cup in t.game.cup_row)
    if t.game.open_colour is not None:
        yield "open", names[t.game.open_colour]
    if t.game.cup_lifted:
        yield "lifted", True
    if t.state.question is not None:
        yield "title", t.state.question.title
    if t.state.notice is not None:
        yield "notice", t.state.notice
    if t.state.die_picture is not None:
        yield "face", (t.state.die_picture.cup_number, t.state.die_picture.jpeg[-1])


GOLD_IS_PLACED = "The golden cup is placed, no more dice are covered in this round"
NO_RED_CUP = "No red cup is left, the golden cup covers this die"
ONE_MISSING = "The camera saw a die more than is entered: press what is missing"
ONE_CUP = {"cups_per_colour": 1, "dice": 3}
ROUND = "row R, restart, die 0 blue, cup 0 blue, die 1 blue, cup 1 gold, OK"
"""A round of three dice with a restart within it."""
SCORED = f"{ROUND}, lift 0, OK, lift 1, OK"
"""That round, when it is scored."""

STORIES: dict[str, list[tuple[dict[str, Any], str, dict[str, Any]]]] = {
    "a reading of confidence 0.9 is certain": [
        ({}, "die 0 red 0.9 blue", {"open": "red"}),
        ({}, "die 0 red 0.89 blue", {"title": "Is it red?"}),
        ({}, "cup 0 red 0.9", {"row": "R"}),
        ({}, "cup 0 red 0.89", {}),
        ({}, "row RRRR, cup 0 black 0.9", {"row": "RRRG", "title": "Cup 1 is black?"}),
        ({}, "row RRRR, cup 0 black 0.89", {"row": "RRRG"}),
        ({}, "row RRRR, lift 0 0.9", {"row": "RRRG", "lifted": True, "face": (1, 1)}),
        ({}, "row RRRR, lift 0 0.89", {"row": "RRRG"}),
    ],
    "an uncertain colour is asked about, and closed by NO and by the cup that answers it": [
        ({}, "die 0 blue 0.7 black red, SEAT3", {"open": "black"}),
        ({}, "die 0 blue 0.7 black red, NO", {}),
        ({}, "die 0 blue 0.7 black red, cup 0 black", {"row": "K"}),
    ],
    "a misreading is corrected by one press and undone by holding NO": [
        ({}, "die 0 blue, SEAT3", {"open": "black"}),
        ({}, "die 0 blue, SEAT3, hold NO, hold NO, SEAT6", {"row": "R"}),
    ],
    "a cup of another colour than read is asked about": [
        ({}, "die 0 blue, cup 0 black", {"open": "blue", "title": "That is a black cup"}),
        ({}, "die 0 blue, cup 0 black, OK", {"row": "K"}),
        ({}, "die 0 blue, cup 0 black, PLUS", {"row": "B"}),
    ],
    "the golden cup over a die of another colour is asked about where it may stand": [
        ({"cups_per_colour": 1}, "row R, die 1 blue, cup 1 gold",
         {"row": "R", "open": "blue", "title": "That is the golden cup"}),
        ({"cups_per_colour": 1}, "row R, die 1 blue, cup 1 gold, OK", {"row": "RG"}),
        ({"cups_per_colour": 1}, "row R, die 1 blue, cup 1 gold, PLUS", {"row": "RB"}),
        ({"cups_per_colour": 1}, "row R, die 1 red, cup 1 blue, OK", {"row": "RB"}),
    ],
    "a die rolled before the one before it is covered waits": [
        ({}, "die 0 blue, die 1 red", {"open": "blue"}),
        ({}, "die 0 blue, die 1 red, cup 0 blue", {"row": "B", "open": "red"}),
        ({}, "die 0 blue, die 1 red, die 2 black, cup 0 blue, cup 1 red", {"row": "BR", "open": "black"}),
    ],
    "and so does its cup": [
        ({}, "die 0 blue, die 1 red, cup 1 red", {"open": "blue"}),
        ({}, "die 0 blue, die 1 red, cup 1 red, cup 0 blue", {"row": "BR"}),
        ({}, "die 0 blue, die 1 red, cup 1 red 0.8, cup 0 blue", {"row": "BR"}),
        ({}, "die 1 blue, cup 1 blue, SEAT3", {"row": "KB"}),
        ({}, "cup 1 blue, SEAT3, die 1 red", {"row": "K", "open": "red"}),
    ],
    "the golden cup too early is no move": [
        ({}, "die 0 blue, cup 0 gold", {"open": "blue", "notice": "A blue cup goes over this die"}),
    ],
    "a colour pressed before the reading counts": [
        ({}, "SEAT6, die 0 red, cup 0 red", {"row": "R"}),
        ({}, "SEAT6, die 0 red, cup 0 red, die 1 blue", {"row": "R", "open": "blue"}),
    ],
    "a missed die is asked for and the next one waits": [
        ({}, "die 1 blue", {"notice": ONE_MISSING}),
        ({}, "die 1 blue, SEAT3", {"row": "K", "open": "blue"}),
        ({}, "row R, die 3 blue",
         {"row": "R", "notice": "The camera saw 2 dice more than are entered: press what is missing"}),
    ],
    "a camera that starts mid-row counts on from there": [
        ({}, "row RB, restart, die 0 black", {"row": "RB", "open": "black"}),
        ({}, "row RB, restart, die 0 black, cup 0 black", {"row": "RBK"}),
        ({}, "row RB, restart, die 0 black, die 0 red",
         {"row": "RB", "open": "black", "title": "Is the die red now?"}),
        ({}, "row RB, restart, die 0 black, cup 0 black, die 2 red", {"row": "RBK", "notice": ONE_MISSING}),
    ],
    "a die rolled after the scoring begins the next round": [
        ({"dice": 3}, f"{SCORED}, die 0 black", {"open": "black"}),
        ({"dice": 3}, f"{SCORED}, die 2 black", {"row": "RBG"}),
    ],
    "a die that begins a round is asked about if it cannot be read for sure": [
        ({"dice": 3}, f"{SCORED}, die 0 black 0.6 blue", {"title": "Is it black?"}),
        ({"dice": 3}, f"{SCORED}, die 0 black 0.6 blue, cup 0 black, die 1 blue", {"row": "K", "open": "blue"}),
        ({"dice": 3}, f"{SCORED}, cup 0 black, die 1 blue", {"row": "K", "open": "blue"}),
    ],
    "in each round the camera counts from the first die": [
        ({"dice": 3}, f"{ROUND}, lift 0", {"row": "RBG", "lifted": True, "face": (2, 2)}),
        ({"dice": 3}, f"{ROUND}, lift 0, OK, lift 1", {"row": "RBG", "lifted": True, "face": (3, 12)}),
        ({"dice": 3}, f"{SCORED}, OK, die 0 black", {"open": "black"}),
    ],
    "an open die that shows another colour is asked about": [
        ({}, "die 0 blue, die 0 blue", {"open": "blue"}),
        ({}, "die 0 blue, die 0 black", {"open": "blue", "title": "Is the die black now?"}),
        ({}, "die 0 blue, die 0 black, OK", {"open": "blue"}),
        ({}, "die 0 blue, die 0 black, PLUS", {"open": "black"}),
    ],
    "an open die of a colour that has no cup left is golden now (D14)": [
        ({"cups_per_colour": 1}, "row R, die 1 blue, die 1 red",
         {"row": "R", "open": "blue", "title": "Is the die red now?"}),
        ({"cups_per_colour": 1}, "row R, die 1 blue, die 1 red, PLUS", {"row": "R", "open": "gold"}),
        ({"cups_per_colour": 1}, "row R, die 1 red, die 1 blue, PLUS", {"row": "R", "open": "blue"}),
    ],
    "the last die is golden whatever it shows (D12)": [
        ({"dice": 2}, "row R, die 1 blue, die 1 black", {"row": "R", "open": "gold"}),
    ],
    "a die entered by hand is not asked about: it lies open until the time to look is over (A8)": [
        ({"memorise_seconds": 10}, "SEAT6, die 0 blue", {"open": "red"}),
    ],
    "a die elsewhere does not change the open one": [
        ({}, "row R, die 1 blue, die 0 black", {"row": "R", "open": "blue"}),
        ({}, "row R, die 1 blue, die 2 black", {"row": "R", "open": "blue"}),
    ],
    "two colours without a cup need no question: the golden cup covers the die in both cases (D14)": [
        ({"cups_per_colour": 1}, "row RB, die 2 red 0.5 black", {"row": "RB", "title": "Is it red?"}),
        ({"cups_per_colour": 1}, "row RB, die 2 red 0.5 blue", {"row": "RB", "open": "gold"}),
    ],
    "a cup of uncertain colour is the one expected, and does not say what its die shows": [
        ({}, "die 0 blue, cup 0 black 0.5", {"row": "B"}),
        ({}, "die 0 blue 0.7 black, cup 0 blue 0.8", {"title": "Is it blue?"}),
        ({}, "die 0 blue 0.7 black, cup 0 blue 0.8, OK", {"row": "B"}),
        ({}, "die 0 blue, die 1 red 0.7 black, cup 1 red 0.8, cup 0 blue, OK", {"row": "BR"}),
    ],
    "a cup elsewhere does not cover the open die": [({}, "die 0 blue, cup 1 blue", {"open": "blue"})],
    "a cup over a die that was not read tells its colour (D13, D14), and nobody waits for the time to look (A8)": [
        ({"dice": 2}, "cup 0 blue, cup 1 gold", {"row": "BG"}),
        ({"dice": 2, "memorise_seconds": 10}, "cup 0 blue, cup 1 gold", {"row": "BG"}),
    ],
    "a cup that cannot come next is no move, and the screen says why (D12, D14)": [
        (ONE_CUP, "cup 0 gold", {"notice": "Cups of every colour are left, so the golden cup has to wait"}),
        (ONE_CUP, "row R, cup 1 red", {"row": "R", "notice": NO_RED_CUP}),
        ({}, "row RRR, cup 3 red", {"row": "RRR", "notice": NO_RED_CUP}),
    ],
    "a die or a cup after the golden one is refused, unless that cannot be read for sure (D14)": [
        (ONE_CUP, "row RBR, cup 3 blue", {"row": "RBG", "notice": GOLD_IS_PLACED}),
        (ONE_CUP, "row RBR, cup 3 gold", {"row": "RBG", "notice": GOLD_IS_PLACED}),
        (ONE_CUP, "row RBR, die 3 blue", {"row": "RBG", "notice": GOLD_IS_PLACED}),
        (ONE_CUP, "row RBR, OK, die 4 blue", {"row": "RBG", "notice": GOLD_IS_PLACED}),
        (ONE_CUP, "row RBR, cup 3 blue 0.5, die 3 blue 0.5", {"row": "RBG"}),
    ],
    "a die under a cup that is lifted is no new one": [
        (ONE_CUP, "row RBR, lift 0, die 0 red", {"row": "RBG", "lifted": True, "face": (1, 1)}),
    ],
    "the cup that is expected is named if the other one cannot be meant (D12, D14)": [
        (ONE_CUP, "row R, die 1 blue, cup 1 red",
         {"row": "R", "open": "blue", "notice": "A blue cup goes over this die"}),
        (ONE_CUP, "row RB, die 2 black, cup 2 black",
         {"row": "RB", "open": "gold", "notice": "The golden cup goes over this die"}),
    ],
    "only a cup that is down and has another colour is asked about (D40)": [
        ({"dice": 3}, "row RBR, cup 1 blue, cup 1 gold, cup 2 black", {"row": "RBG"}),
        ({"dice": 3}, "row RBR, cup 1 black", {"row": "RBG", "title": "Cup 2 is black?"}),
        ({"dice": 3}, "row RBR, cup 1 black, OK", {"row": "RBG"}),
        ({"dice": 3}, "row RBR, cup 1 black, PLUS", {"row": "RKG"}),
        ({"dice": 3}, "row RBR, OK, cup 0 black", {"row": "RBG"}),
    ],
    "cups lifted out of turn are reported and reveal nothing": [
        ({}, "row RB, lift 0", {"row": "RB", "notice": "Cup 1 was lifted too early: put it back"}),
        ({}, "row RBRRR, lift 2",
         {"row": "RBRRG", "notice": "Cup 3 was lifted, but cup 1 is next: put it back"}),
    ],
    "cups that were lifted before are no news": [
        ({"dice": 3}, "row RRR, OK, lift 0, lift 3", {"row": "RRG"}),
        ({"dice": 3}, "row RRR, OK, OK, OK, lift 1, lift 3", {"row": "RRG"}),
    ],
    "a face is shown when its cup is lifted, until it is answered": [
        ({}, "row RRRR, lift 0", {"row": "RRRG", "lifted": True, "face": (1, 1)}),
        ({}, "row RRRR, lift 0, OK", {"row": "RRRG"}),
        ({}, "row RRRR, OK", {"row": "RRRG"}),
        ({}, "row RRRR, lift 0, OK, hold NO",
         {"row": "RRRG", "lifted": True, "notice": "Undone: Bob is right about cup 1", "face": (1, 1)}),
        ({}, "row RRRR, lift 0, restart", {"row": "RRRG", "lifted": True, "face": (1, 1)}),
        ({"dice": 3}, SCORED, {"row": "RBG"}),
    ],
    "swapped cups show their own faces": [
        ({}, "row RBRRR, correct swap 1, lift 0", {"row": "BRRRG", "lifted": True, "face": (1, 12)}),
    ],
    "a die that was knocked over reveals nothing": [
        ({}, "row RRRR, correct unknown 1 1, lift 0", {"row": "RRRG", "lifted": True}),
    ],
    "a die rolled again has its new face": [
        ({}, "die 0 red, hold NO, die 0 blue, cup 0 blue, row BBB, lift 0",
         {"row": "BBBG", "lifted": True, "face": (1, 2)}),
    ],
    "a die entered by hand has no face": [
        ({"dice": 3}, "row R, SEAT6, die 2 red, cup 2 gold, lift 0", {"row": "RRG", "lifted": True, "face": (1, 1)}),
        ({"dice": 3}, "row R, SEAT6, die 2 red, cup 2 gold, OK, lift 1", {"row": "RRG", "lifted": True}),
    ],
}  # fmt: skip
"""By what they show: house rules, what happens, and what is there then."""


@pytest.mark.parametrize("name", STORIES)
def test_readings(sit: Sit, name: str) -> None:
    for rules, story, expected in STORIES[name]:
        t = sit(**rules)
        happen(t, story)
        assert dict(list_what_is_there(t)) == expected, story


@pytest.mark.parametrize("confidence", [0.98, 0.6])
def test_tables_that_wait_for_ok_lose_no_die(sit: Sit, confidence: float) -> None:
    t = sit(dice=3)
    happen(t, "row RBR, OK, OK, OK")
    t.referee.services = replace(t.referee.services, waits_for_ok=True)
    happen(t, f"die 0 black {confidence}, cup 0 black, die 1 blue")
    assert (t.game.phase, t.state.notice) == (Phase.SCORED, "Press OK first")
    happen(t, "OK")
    assert dict(list_what_is_there(t)) == {"row": "K", "open": "blue"}


def test_a_round_needs_presses_for_the_answers_only(sit: Sit) -> None:
    t = sit()
    happen(t, "row RBRRR")
    assert (t.game.phase, t.game.active_seat) == (Phase.UNCOVER, A)
    for place in range(5):
        happen(t, f"lift {place}")
        assert t.game.cup_lifted
        happen(t, "OK")
    assert t.game.round_scores == ((6, 0),)


@pytest.mark.parametrize(
    ("story", "prompt"),
    [
        ("row R", "Bob: roll a die, put it at the end of the row"),
        ("die 0 blue", "Ada: let all see the symbol, then put a blue cup over it"),
        ("row RRR, die 3 red", "Bob: let all see the symbol, then put the golden cup over it"),
    ],
)
def test_a_reading_is_announced_and_waits_for_its_cup(sit: Sit, story: str, prompt: str) -> None:
    t = sit()
    happen(t, story)
    assert t.state.prompt == prompt


def test_a_question_about_a_colour_has_one_answer_for_each_button(sit: Sit) -> None:
    t = sit()
    happen(t, "die 0 blue 0.7 blue black red")
    answers = [(offer.input, offer.label) for offer in t.referee.list_offers()]
    assert answers == [
        (ConsolePress.OK, "Blue"),
        (NumberPress(6), "Red"),
        (NumberPress(3), "Black"),
        (ConsolePress.NO, "No die"),
    ]


def test_only_the_cup_is_golden_no_die_is(sit: Sit) -> None:
    t = sit(cups_per_colour=1)
    happen(t, "row R, die 1 red, die 1 blue")
    assert t.state.question is not None
    assert t.state.question.detail == "It gets the golden cup"
    assert t.offer(Button.OK).label == "Still the golden cup"


# Secrets ----------------------------------------------------------------------------------------------------------


def test_no_face_is_shown_while_dice_are_covered(sit: Sit) -> None:
    t = sit()
    for place in range(4):
        for event in (f"die {place} red", f"cup {place} {'red' if place < 3 else 'gold'}"):
            happen(t, event)
            assert t.state.die_picture is None


def test_pictures_are_private_and_in_the_games_folder(sit: Sit) -> None:
    t = sit()
    t.send(DieShown(0, RED, 0.98, t.clock.now))
    assert t.game.open_colour is MemoColour.RED
    assert not (t.journal.path.parent / PICTURES_FOLDER).exists(), "a reading without a picture"
    happen(t, "cup 0 red, row B")
    folder = t.journal.path.parent / PICTURES_FOLDER / t.journal.get_game(t.saved_game.id).uid
    files = sorted(folder.iterdir())
    assert [f.name for f in files] == ["1-2.jpg"]
    assert {stat.S_IMODE(f.stat().st_mode) for f in files} == {0o600}
    assert {stat.S_IMODE(f.stat().st_mode) for f in (folder, folder.parent)} == {0o700}


@pytest.mark.parametrize("colour", ["blue", "black"])
def test_games_that_differ_only_under_the_golden_cup_have_equal_journals_and_screens(
    sit: Sit, colour: str, caplog: pytest.LogCaptureFixture
) -> None:
    """D12: the last die is covered with gold; neither journal nor screen reveal its face."""
    caplog.set_level(0)

    def session(last: str) -> tuple[object, ...]:
        t = sit()
        happen(t, f"row RBKRBKRB, die 8 {last}, cup 8 gold")
        lines = tuple(t.saved_game.describe_steps())
        moves = [e.what.model_dump_json() for e in t.journal.read_entries(t.saved_game.id)]
        return t.game, lines, moves, t.state.die_picture, t.state.prompt, t.state.last_move

    assert session("red") == session(colour)
    assert "JPEG" not in caplog.text
    assert repr(picture(81)) not in caplog.text


def test_the_repr_of_an_event_contains_no_picture() -> None:
    assert "xff" not in repr(DieShown(0, RED, 0.9, 0.0, (), picture(1)))
    assert "xff" not in repr(DiePicture(1, picture(1)))


def test_a_full_disk_costs_only_the_picture(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    t = sit()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    happen(t, "die 0 red")
    monkeypatch.undo()
    assert t.game.open_colour is MemoColour.RED
    assert t.state.notice == (
        "The picture of this die could not be kept (No space left on device). The game goes on without it."
    )
    happen(t, "cup 0 red, row RRR, lift 0")
    assert t.state.die_picture is None
    happen(t, "OK, lift 1")
    assert t.state.die_picture == DiePicture(2, picture(11))


def test_a_picture_stays_on_the_screen_if_its_file_is_lost(sit: Sit) -> None:
    t = sit(dice=2)
    happen(t, "row RB, lift 0")
    assert t.state.die_picture == DiePicture(1, picture(1))
    folder = t.journal.path.parent / PICTURES_FOLDER / t.journal.get_game(t.saved_game.id).uid
    for file in folder.iterdir():
        file.unlink()
    assert t.state.die_picture == DiePicture(1, picture(1))
