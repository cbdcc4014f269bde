"""Random games of the shipped files with dice, and what holds in all of them."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from random import Random

import pytest

from companion.api import Command, Move, Visibility
from companion.api.registry import find_game
from tests.games.game_file.dice.plain_games import (
    PlainBunco,
    PlainFarkle,
    PlainGame,
    PlainPig,
    PlainTenThousand,
    PlainYacht,
    PlainYahtzee,
)
from tests.games.game_file.dice.positions import DICE_GAMES, NAMES, new_game, steps
from tests.games.game_file.options import draw_options
from tests.games.results import find_winners

PLAIN_GAMES: dict[str, type[PlainGame]] = {
    "bunco": PlainBunco,
    "farkle": PlainFarkle,
    "pig": PlainPig,
    "ten_thousand": PlainTenThousand,
    "yacht": PlainYacht,
    "yahtzee": PlainYahtzee,
}
TABLES = [(name, players) for name in DICE_GAMES for players in find_game(name).player_counts]
FEWEST_AND_MOST = [
    (name, players)
    for name, players in TABLES
    if players in (find_game(name).player_counts[0], find_game(name).player_counts[-1])
]


@dataclass
class PlainTable:
    """A plain game at a table at which the next player may have thrown before the turn was ended (G51)."""

    plain: PlainGame
    before_throw: PlainGame | None = None
    last_throw: tuple[int, ...] = ()
    waiting_throw: tuple[int, ...] = ()

    def play(self, move: Move) -> None:
        match move.kind:
            case "throw":
                self.throw(move.value)
            case "keep":
                self.plain.keep(move.value)
            case "return":
                self.plain.put_back()
            case "bank":
                self.plain.stop()
            case "choose":
                self.plain.fill(*move.value)
                self.throw_waiting()
            case "claim":
                assert self.before_throw is not None
                self.plain = self.before_throw
                self.end_turn(self.last_throw)
            case "early throw":
                self.end_turn(move.value)

    def throw(self, dice: tuple[int, ...]) -> None:
        self.before_throw, self.last_throw = deepcopy(self.plain), dice
        self.plain.throw(dice)

    def end_turn(self, dice: tuple[int, ...]) -> None:
        self.waiting_throw = dice
        if not isinstance(self.plain, PlainYacht):
            self.plain.stop()
            self.throw_waiting()

    def throw_waiting(self) -> None:
        if self.waiting_throw:
            self.throw(self.waiting_throw)
            self.waiting_throw = ()


def check_scores(name: str, players: int, seed: int) -> None:
    random = Random(f"{name} {players} {seed}")
    first = random.randrange(players)
    options = draw_options(name, random)
    table = PlainTable(PLAIN_GAMES[name](players, first, options))
    game = after = new_game(name, players, first, **options)
    for before, move, after in steps(game, random):
        table.play(move)
        plain = table.plain
        assert list(after.totals) == plain.totals(), (name, seed, options, before, move)
        assert (after.compute_outcome() is not None) == plain.over
        assert plain.over or after.active_seat == plain.turn_of
        assert after.changes == tuple(b - a for a, b in zip(before.totals, after.totals, strict=True))
        if isinstance(plain, PlainFarkle | PlainTenThousand) and after.throw_count:
            assert (plain.worth_now() or 0) == (after.bank_points if after.list_seats("bank") else 0)
    assert set(find_winners(after)) == table.plain.winners()


@pytest.mark.sampled(6, full=2)  # the fewest players of each game
@pytest.mark.parametrize(("name", "players"), FEWEST_AND_MOST)
def test_scores_as_the_plain_game_has_them(name: str, players: int) -> None:
    check_scores(name, players, 0)


@pytest.mark.proof
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_hundred_games(name: str, players: int) -> None:
    for seed in range(100):
        check_scores(name, players, seed)


@pytest.mark.parametrize("name", DICE_GAMES)
def test_moves_without_a_key_stand_behind_a_command(name: str) -> None:
    definition = find_game(name)
    for game, _move, _after in steps(new_game(name, 2), Random(name)):
        for dice in (False, True):
            actions = {offer.action for offer in definition.list_offers(game, NAMES, Visibility(dice=dice))}
            hidden = {move.kind for move in game.list_moves() if move not in actions}
            behind = {action.name for action in actions if isinstance(action, Command)}
            assert ("choose" in hidden) <= ("boxes" in behind)
            # Without the camera the number keys enter the next throw once dice are set aside.
            assert ("keep" in hidden) <= ("mark die" in behind or (not dice and game.has_kept))
            assert ("claim" in hidden) <= (("claim" in behind) == dice)
            assert ("early throw" in hidden) <= (not dice)
            assert hidden <= {"choose", "keep", "claim", "early throw"}
