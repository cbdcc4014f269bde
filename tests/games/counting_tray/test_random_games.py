"""Random games of the counting tray, beside a second counting written from the rules alone."""

from __future__ import annotations

from random import Random

import pytest

from companion.api import BadCorrection, Correction, IllegalMove, Move, Seat
from companion.gallery.fixtures import play_moves
from companion.games.counting_tray import GAME
from companion.games.counting_tray.game import Phase
from companion.games.counting_tray.samples import new_game
from companion.testing.checks import (
    check_unchanged_entries,
    correct_at_random,
)

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")


class PlainTray:
    """The dice as a list of values, as people have them before them."""

    def __init__(self, players: int) -> None:
        self.kept, self.who, self.least = [0] * players, 0, 4
        self.dice: list[int] = []

    def hits(self) -> list[int]:
        now = sum(die >= self.least for die in self.dice)
        return [n + now * (i == self.who) for i, n in enumerate(self.kept)]

    def do(self, kind: str, value: tuple[int, ...]) -> None:
        new = [face for face, n in enumerate(value, 1) for _ in range(n)]
        if kind == "threshold":
            self.least = value[0]
        elif kind == "again":
            self.dice = sorted(self.dice)[len(new) :] + new
        else:
            self.kept = self.hits()
            self.dice = new if kind == "throw" else []
            if kind == "next":
                self.who = (self.who + 1) % len(self.kept)


@pytest.mark.parametrize("players", range(1, 7))
def test_hits_as_the_plain_counting_has_them(players: int) -> None:
    for seed in range(40):
        random, plain, game = Random(seed), PlainTray(players), new_game(players)
        for step in range(60):
            moves = [move for move in game.list_moves() if move.kind != "end" or step > 20]
            move = random.choice(moves)
            if move.value_range is not None:
                move = move.fill(*(random.randint(0, 7) for _ in range(6)))
            game = game.play(move)
            plain.do(move.kind, move.value)
            assert (list(game.totals), game.dice_count) == (plain.hits(), len(plain.dice))
            if outcome := game.compute_outcome():
                assert set(outcome.winners) == {q for q, n in enumerate(plain.kept) if n == max(plain.kept)}
                break


def test_corrections_at_random() -> None:
    random, game = Random(1), new_game(3)
    for _ in range(300):
        moves = [move for move in game.list_moves() if move.kind != "end"]
        move = random.choice(moves)
        game = game.play(move if move.value_range is None else move.fill(1, 2, 0, 3, 0, 1))
        check_unchanged_entries(game)
        done = correct_at_random(GAME, NAMES, game, random)
        game = done.game if done is not None else game


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        (Move("threshold", None, (4,)), "T3"),
        (Move("again", Seat(0), (1, 0, 0, 0, 0, 0)), "T5"),
        (Move("next", Seat(0)), "T6"),
        (Move("dance"), "T1"),
    ],
)
def test_refusals(move: Move, rule: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        new_game(1).play(move)
    assert refused.value.rule == rule


def test_who_leaves_ends_the_throw() -> None:
    game = new_game(2).play(Move("throw", Seat(0), (0, 0, 0, 2, 0, 1)))
    game = game.correct(Correction("away", Seat(0), (1,)))
    assert (game.totals, game.active_seat, game.phase) == ((3, 0), 1, Phase.THROW)
    with pytest.raises(BadCorrection):
        game.correct(Correction("away", Seat(1), (1,)))


@pytest.mark.parametrize(
    ("moves", "prompt"),
    [
        (("throw 0 5 5 4 6 7 3", "next 0", "throw 1 0 0 0 0 0 1", "next 1", "end"), "Ada wins with 16"),
        (
            ("throw 0 0 0 0 1 0 0", "next 0", "throw 1 0 0 0 1 0 0", "next 1", "end"),
            "Ada and Bob share the victory with 1",
        ),
        (("throw 0 1 0 0 0 0 0", "next 0", "end"), "Nobody has scored"),
    ],
)
def test_the_result_is_said_once_as_in_other_games(moves: tuple[str, ...], prompt: str) -> None:
    over = play_moves(new_game(2), *moves)
    assert GAME.format_prompt(over, ("Ada", "Bob")) == prompt
    outcome = over.compute_outcome()
    assert outcome is not None
    assert outcome.reason == "The most hits win."
