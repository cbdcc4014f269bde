"""Rolled dice of saved games: corrected, undone and redone ones, per player, in the history and its commands.

In words: test_luck_sentences.py; what chance gives: tests/test_dice_statistics.py.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.api import Correction, DiceRoll, FairDice, GameDefinition, Move, Seat
from companion.cli import main
from companion.dice_statistics import compute_height
from companion.events import SEAT_BUTTONS
from companion.gallery.finished_games import play_to_end
from companion.games import macroscope, memo_dice
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.dice_luck import compute_dice_records, compute_luck, count_faces, has_rolls, summarise_dice
from companion.journal.entry import GameSetup
from companion.journal.replay import Replay
from companion.journal.saved_game import SavedGame
from tests.definitions import change
from tests.journal.play import random_move

A, B = Seat(0), Seat(1)


def begin(folder: Path, definition: GameDefinition, players: int = 2, **settings: object) -> SavedGame:
    setup = GameSetup(
        game=definition.name,
        players=("Ada", "Bob", "Cleo", "Dan")[:players],
        buttons=SEAT_BUTTONS[:players],
        settings=definition.settings_model(**settings).model_dump(mode="json"),
    )
    return SavedGame.begin(Journal(folder / JOURNAL_FILE), setup, definition)


def roll(saved_game: SavedGame, *faces: int) -> None:
    game = saved_game.game
    saved_game.play_move(next(move for move in game.list_moves() if move.kind == "roll").fill(*faces))


def end_turn(saved_game: SavedGame) -> None:
    """Take a token that the dice allow, decline, and let nobody else guess."""
    for kind in ("remove", "stop", "close"):
        saved_game.play_move(next(move for move in saved_game.game.list_moves() if move.kind == kind))


def faces_of(saved_game: SavedGame) -> list[list[int]]:
    """Sorted faces by seat."""
    return [
        sorted(face for face, count in enumerate(counts, 1) for _ in range(count))
        for counts in count_faces(saved_game.replay)
    ]


def test_each_player_has_the_dice_that_they_rolled(tmp_path: Path) -> None:
    saved_game = begin(tmp_path, macroscope.GAME)
    assert count_faces(saved_game.replay) == ()
    assert not has_rolls(saved_game.replay)
    assert summarise_dice(saved_game.replay) is None
    roll(saved_game, 2, 5)
    end_turn(saved_game)
    roll(saved_game, 6, 6)
    end_turn(saved_game)
    roll(saved_game, 1, 5)
    assert faces_of(saved_game) == [[1, 2, 5, 5], [6, 6]]
    assert has_rolls(saved_game.replay)


def test_corrected_rolls_count_as_corrected_and_undone_ones_not(tmp_path: Path) -> None:
    saved_game = begin(tmp_path, macroscope.GAME)
    roll(saved_game, 2, 5)
    saved_game.correct(Correction("dice", None, (3, 5)))
    assert faces_of(saved_game) == [[3, 5], []]
    saved_game.undo()
    assert faces_of(saved_game) == [[2, 5], []]
    saved_game.undo()
    assert count_faces(saved_game.replay) == ()
    saved_game.redo()
    saved_game.redo()
    assert faces_of(saved_game) == [[3, 5], []]
    saved_game.undo()
    saved_game.undo()
    roll(saved_game, 4, 4)
    assert faces_of(saved_game) == [[4, 4], []]
    saved_game.correct(Correction("active", None, (1,)))
    assert faces_of(saved_game) == [[], [4, 4]], "Bob had rolled them"


@pytest.mark.parametrize("seed", range(2))
def test_all_rolls_of_a_random_game_are_counted(seed: int) -> None:
    """Beside a count of the moves themselves; random play has no corrections."""
    replay = play_to_end("macroscope", 4, seed)
    rolled = Counter(
        (step.played.seat, face) for step in replay.steps if step.played.kind == "roll" for face in step.played.value
    )
    assert count_faces(replay) == tuple(tuple(rolled[q, face] for face in range(1, 7)) for q in range(4))


def test_memo_dice_count_by_colour(tmp_path: Path) -> None:
    saved_game = begin(tmp_path, memo_dice.GAME)
    for seat, colour in ((A, 1), (B, 2), (A, 1), (B, 3)):
        saved_game.play_move(Move("die", seat, (colour,)))
    assert count_faces(saved_game.replay) == ((2, 0, 0), (0, 1, 1))
    saved_game.correct(Correction("cup", None, (3,), (2,)))
    assert count_faces(saved_game.replay) == ((2, 0, 0), (0, 0, 2)), "Bob's first die"
    saved_game.play_move(Move("die", A, (1,)))
    saved_game.play_move(Move("gold", B))
    assert count_faces(saved_game.replay) == ((3, 0, 0), (1, 0, 2)), "no red cup was left, so the die was red"


def test_the_colour_of_a_golden_cups_die_is_not_guessed(tmp_path: Path) -> None:
    saved_game = begin(tmp_path, memo_dice.GAME, cups_per_colour=1)
    for seat, colour in ((A, 1), (B, 2)):
        saved_game.play_move(Move("die", seat, (colour,)))
    saved_game.play_move(Move("gold", A))
    assert count_faces(saved_game.replay) == ((1, 0, 0), (0, 1, 0)), "red or blue"


def test_an_open_die_that_is_corrected(tmp_path: Path) -> None:
    saved_game = begin(tmp_path, memo_dice.GAME)
    saved_game.play_move(Move("show", A, (1,)))
    saved_game.correct(Correction("open", None, (2,)))
    assert count_faces(saved_game.replay) == ((0, 1, 0), (0, 0, 0))
    saved_game.correct(Correction("active", None, (1,)))
    assert count_faces(saved_game.replay) == ((0, 0, 0), (0, 1, 0))
    saved_game.play_move(Move("cover", B))
    assert count_faces(saved_game.replay) == ((0, 0, 0), (0, 1, 0)), "it was rolled once"


def test_memo_dices_rounds_suspect_fair_dice_no_more_often_than_they_say() -> None:
    """Rounds end by what was rolled, which the exact distribution does not know: here is what that does to it."""
    rng, rare, evenings = Random(19), 0, 400
    dice = memo_dice.GAME.fair_dice
    assert dice is not None
    for _ in range(evenings):
        counts = Counter[int]()
        for _round in range(6):
            cups = Counter[int]()
            for _place in range(8):  # the ninth die is not known
                colour = rng.randint(1, 3)
                used_up = [c for c in (1, 2, 3) if cups[c] == 3]
                if colour in used_up:
                    counts[colour] += len(used_up) == 1
                    break
                cups[colour] += 1
                counts[colour] += 1
        luck = compute_luck((counts[1], counts[2], counts[3]), dice)
        assert luck is not None
        rare += luck.value > 0.95
    assert rare / evenings <= 0.06


def steps_of(rolls: Sequence[DiceRoll], **dice: object) -> Replay:
    """A replay of a toy whose only step reports these rolls."""
    replay = play_to_end("secret_number", 2)
    definition = change(
        replay.definition,
        fair_dice=FairDice(**dice),
        list_rolls=lambda _before, _what, _after: rolls,
    )
    return replace(replay, definition=definition, steps=replay.steps[:1])


def test_of_rolls_with_one_id_the_last_counts() -> None:
    replay = steps_of(
        [
            DiceRoll((1, 1), A, (1, 1)),
            DiceRoll((1, 2), B, (6,)),
            DiceRoll((1, 1), None, (2, 3)),
            DiceRoll((1, 2), None, ()),
            DiceRoll((7,), None, (4,)),
            DiceRoll((1, 1), None, (5, 5, 5)),
        ]
    )
    assert count_faces(replay) == ((0, 1, 1, 0, 0, 0), (0, 0, 0, 0, 0, 0)), (
        "nobody rolled 4, and two dice are not three"
    )


def test_faces_and_seats_that_cannot_be_are_left_out() -> None:
    assert count_faces(steps_of([DiceRoll((1,), A, (0, 7)), DiceRoll((2,), Seat(5), (1,))])) == ()


def test_few_dice_say_nothing() -> None:
    dice = FairDice()
    assert compute_luck((0, 0, 0, 0, 0, 11), dice) is None
    assert compute_luck((2, 2, 2, 2, 2, 2), dice) == compute_height((2,) * 6, (1, 2, 3, 4, 5, 6))


def test_records_add_up_games_of_one_kind() -> None:
    games = [
        {"game": "macroscope", "players": ["Ada", "Bob"], "dice": [[2, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 1]]},
        {"game": "macroscope", "players": ["Bob", "Ada"], "dice": [[1, 0, 0, 0, 0, 0], [0, 1, 1, 1, 1, 2]]},
        {"game": "memo_dice", "players": ["Ada", "Bob"], "dice": [[1, 2, 3], [0, 0, 0]]},
        {"game": "secret_number", "players": ["Ada", "Bob"], "dice": []},
        {"trouble": "not readable"},
    ]
    ada, bob, memo = compute_dice_records(games)
    assert (ada.game_title, ada.player, ada.counts) == ("Macroscope", "Ada", (2, 2, 2, 2, 2, 2))
    assert (bob.player, bob.counts, bob.luck) == ("Bob", (1, 0, 0, 0, 0, 1), None)
    assert (memo.game_title, memo.player, memo.counts) == ("Memo Dice", "Ada", (1, 2, 3))
    assert ada.luck is not None


def test_the_history_lists_the_dice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved_game = begin(tmp_path, macroscope.GAME, rounds=2)
    rng = Random(3)
    while saved_game.game.compute_outcome() is None:
        saved_game.play_move(random_move(rng, saved_game.game))
    saved_game.journal.close()
    counts = count_faces(saved_game.replay)
    for _reading in ("replayed", "from the cache"):
        assert main(["history", "--data", str(tmp_path), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)[0]["dice"] == [list(faces) for faces in counts]
    assert main(["history", "--data", str(tmp_path)]) == 0
    heading, *rows = capsys.readouterr().out.splitlines()[-3:]
    assert heading.split() == ["Game", "Player", "Dice", "Mean", "Fair", "Faces", "Luck"]
    for row, name, faces in zip(rows, ("Ada", "Bob"), counts, strict=True):
        mean = sum(face * count for face, count in enumerate(faces, 1)) / sum(faces)
        start = ["Macroscope", name, str(sum(faces)), f"{mean:.2f}", "3.50", *map(str, faces)]
        assert row.split()[: len(start)] == start
        assert ("of 100" in row) == (sum(faces) >= 12)
    assert main(["history", "--data", str(tmp_path), "--player", "Bob"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[1] == "Bob"
