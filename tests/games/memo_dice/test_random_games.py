"""Random games: invariants of all of them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.api import (
    Move,
    Offer,
    Seat,
    Visibility,
)
from companion.events import MemoColour
from companion.games.memo_dice import GAME, MemoDice, Settings
from companion.games.memo_dice.state import SYMBOL_COLOURS, Phase
from companion.testing.checks import (
    correct_at_random,
    label_all,
)
from tests.games.memo_dice.positions import NAMES, any_move, states

house_rules = st.fixed_dictionaries(
    {
        "start_square": st.integers(0, 2),
        "target_square": st.sampled_from([3, 10, 20, 40]),
        "gold_value": st.integers(0, 4),
        "cup_value": st.integers(1, 3),
        "cups_per_colour": st.integers(1, 3),
        "dice": st.integers(2, 9),
        "memorise_seconds": st.sampled_from([0, 5]),
        "answer_seconds": st.sampled_from([0, 15]),
    }
)
tables = st.tuples(st.integers(2, 4), house_rules, st.integers(0, 2**32 - 1))


def begun(players, rules, random):
    return MemoDice.create(players, Seat(random.randrange(players)), Settings(**rules))


# Invariants ------------------------------------------------------------------------------------------------------


def check_invariants(players, rules, seed):
    random = Random(seed)
    game = begun(players, rules, random)
    house = game.settings
    for before, move, after in states(game, random):
        n = len(after.cup_row)
        colours = [cup.colour for cup in after.cup_row]
        for colour in SYMBOL_COLOURS:
            assert colours.count(colour) + after.free_cups[colour] == house.cups_per_colour
        assert MemoColour.GOLD not in colours[:-1]
        assert n + (after.open_colour is not None) <= house.dice
        assert all(now >= then for now, then in zip(after.totals, before.totals, strict=True))
        taken = [cup.owner is not None for cup in after.cup_row]
        assert taken == sorted(taken, reverse=True), "from the first cup on"
        if after.stage is Phase.SCORED:
            assert sum(after.round_scores[-1]) == (n - 1) * house.cup_value + house.gold_value
            assert after.round_scores[-1] == after.round_points
            assert after.active_seat == after.gold_holder
            assert n <= min(house.dice, 3 * house.cups_per_colour + 1)
            assert n >= min(house.dice, house.cups_per_colour + 1)
        elif move.kind in ("right", "miss"):
            assert after.active_seat == (before.active_seat + (move.kind == "miss")) % players
        if after.compute_outcome() is None:
            assert after.list_moves()
        else:
            assert max(after.totals) >= house.target_square
            assert after.list_moves() == ()


@given(tables)
@settings(max_examples=30, deadline=None)
def test_invariants(table):
    check_invariants(*table)


@pytest.mark.proof
@given(tables)
@settings(max_examples=3000, deadline=None)
def test_invariants_in_thousands_of_games(table):
    check_invariants(*table)


SEEN = {"show", "show gold", "lift"}
"""Moves that only the camera plays; with buttons other moves replace them."""

# Secrets ----------------------------------------------------------------------------------------------------------


class Table:
    """The dice as they lie, with the colours of their symbols, which stay secret while cups are down."""

    def __init__(self, players: int, rules: dict[str, object], first: int) -> None:
        self.game = MemoDice.create(players, Seat(first), Settings(**rules))
        self.lines: list[str] = []

    def offers(self) -> dict[object, Offer]:
        return {o.input: o for o in GAME.list_offers(self.game, NAMES, Visibility())}

    def press(self, pressed: object) -> None:
        what = self.offers()[pressed].action
        before, self.game = self.game, self.game.play(what)
        self.lines.append(GAME.describe(before, what, self.game, NAMES))

    def picture(self) -> tuple[object, ...]:
        """Return all that can be known of the state from outside."""
        game = self.game
        return (
            game,
            GAME.format_prompt(game, NAMES),
            tuple(self.lines),
            tuple(GAME.list_offers(game, NAMES, Visibility())),
            tuple(game.list_correctables()),
            tuple(label_all(GAME, game, NAMES).items()),
            tuple(game.list_clocks()),
        )


@given(tables)
@settings(max_examples=30, deadline=None)
@pytest.mark.full
def test_d14_games_that_differ_only_in_the_colour_under_the_golden_cup_look_the_same(table):
    players, rules, seed = table
    random = Random(seed)
    first = random.randrange(players)
    one, other = Table(players, rules, first), Table(players, rules, first)
    for _ in range(120):
        assert one.picture() == other.picture()
        game = one.game
        if game.compute_outcome() is not None:
            break
        offers = one.offers()
        golden = [m for m, o in offers.items() if o.action.kind == "gold"]
        if golden and random.random() < 0.5:
            one.press(random.choice(golden))
            other.press(random.choice(golden))
        else:
            pressed = random.choice(list(offers))
            one.press(pressed)
            other.press(pressed)


@given(tables)
@settings(max_examples=30, deadline=None)
def test_no_line_names_a_colour_of_the_die_under_the_golden_cup(table):
    players, rules, seed = table
    random = Random(seed)
    for before, move, after in states(begun(players, rules, random), random):
        if move.kind == "gold":
            assert move.value == ()
            line = GAME.describe(before, move, after, NAMES)
            assert not {"red", "blue", "black"} & set(line.lower().split())
        if after.phase in (Phase.UNCOVER, Phase.LOOK) and after.open_colour in (None, MemoColour.GOLD):
            # What corrects a misread die names every colour that it may have.
            offers = GAME.list_offers(after, NAMES, Visibility())
            labels = [offer.label for offer in offers if isinstance(offer.action, Move)]
            said = f"{GAME.format_prompt(after, NAMES)} {' '.join(labels)}"
            assert not {"red", "blue", "black"} & set(said.lower().split())
            assert after.cup_row[-1].colour is MemoColour.GOLD or after.open_colour is MemoColour.GOLD


# Corrections ------------------------------------------------------------------------------------------------------


def check_corrections(players, rules, seed):
    random = Random(seed)
    game = begun(players, rules, random)
    for _ in range(300):
        if game.compute_outcome() is not None and random.random() < 0.3:
            break
        if game.compute_outcome() is not None or random.random() < 0.25:
            done = correct_at_random(GAME, NAMES, game, random)
            if done is None:
                continue
            game = done.game
        else:
            game = game.play(any_move(game, random))
        assert bool(game.list_moves()) != (game.compute_outcome() is not None)
        assert not game.away[game.active_seat]
        assert game.away.count(False) >= 2
        assert min(game.totals) >= 0
        assert min(game.free_cups.values()) >= 0
        for colour in SYMBOL_COLOURS:
            assert [c.colour for c in game.cup_row].count(colour) <= game.settings.cups_per_colour


@given(tables)
@settings(max_examples=30, deadline=None)
def test_corrections_keep_players_cups_and_squares(table):
    check_corrections(*table)


@pytest.mark.proof
@given(tables)
@settings(max_examples=3000, deadline=None)
def test_thousands_of_corrections(table):
    check_corrections(*table)


# Positions reachable ----------------------------------------------------------------------------------------------


def reachable(game: MemoDice, depth: int) -> list[int]:
    """Count the positions that can be reached in 1, 2, ... moves by buttons alone."""
    found, counts = {game}, []
    for _ in range(depth):
        found = {position.play(m) for position in found for m in position.list_moves() if m.kind not in SEEN}
        counts.append(len(found))
    return counts


def test_perft_covering():
    """By hand. Rows: 3, 9, 27; of four 78 in colours and 3 with the golden cup over a fourth of its colour.

    Then 210 rows of five in colours, 24 golden ones over a row of four that has three of a colour, and 3 rows of four
    whose first cup is lifted, rightly or not.
    """
    assert reachable(MemoDice.create(3, Seat(0), Settings()), 5) == [3, 9, 27, 78 + 3, 210 + 24 + 6]


def test_perft_with_few_cups():
    """By hand to depth 5 (two dice make four different scores); the rest was found by this program."""
    game = MemoDice.create(2, Seat(0), Settings(cups_per_colour=1, dice=3, target_square=5))
    assert reachable(game, 8) == [3, 6 + 3, 6 + 6, 12 + 12, 24 + 4, 60, 40, 60]
