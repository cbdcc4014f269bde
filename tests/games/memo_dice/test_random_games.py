"""Random games: invariants of all of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.api import (
    ConsolePress,
    Correction,
    IllegalMove,
    Move,
    NumberPress,
    Offer,
    Seat,
    SeatPress,
    TableAction,
    Visibility,
)
from companion.events import SEAT_BUTTONS, MemoColour
from companion.games.memo_dice import GAME, MemoDice, Settings
from companion.games.memo_dice.state import COLOUR_NUMBERS, SYMBOL_COLOURS, Phase
from companion.referee.button_mapping import find_button
from companion.testing.checks import (
    check_addressed_seat,
    check_refusals,
    check_texts,
    correct_at_random,
    is_legal,
    label_all,
)
from tests.games.memo_dice.positions import NAMES, any_move, states
from tests.games.memo_dice.reference_scoring import NUMBERS, ReferenceMemoDice

KINDS = ("die", "gold", "cover", "call", "right", "miss", "next")

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
the_box = st.tuples(st.integers(2, 4), st.just({}), st.integers(0, 2**32 - 1))


def begun(players, rules, random):
    return MemoDice.create(players, Seat(random.randrange(players)), Settings(**rules))


# The plain scoring ------------------------------------------------------------------------------------------------


def press(game: MemoDice, pressed: object) -> MemoDice:
    (offer,) = [o for o in GAME.list_offers(game, NAMES, Visibility()) if o.input == pressed]
    assert isinstance(offer.action, Move)
    return game.play(offer.action)


def check_random_game(players, rules, seed):
    """Roll real dice, let people remember some; the game, played by keys, must agree with the reference."""
    random = Random(seed)
    game = begun(players, rules, random)
    plain_rules = {name: value for name, value in rules.items() if not name.endswith("_seconds")}
    plain = ReferenceMemoDice(players, game.active_seat, **plain_rules)
    memory = random.random()
    while game.compute_outcome() is None:
        while game.phase is Phase.COVER:
            assert game.active_seat == plain.turn
            number = random.randint(1, 3)
            last = not game.coverable_colours
            cup = plain.rolls(NUMBERS[number])
            game = press(game, ConsolePress.OK if last else NumberPress(COLOUR_NUMBERS[MemoColour(number)]))
            if game.phase is Phase.LOOK:
                game = press(game, ConsolePress.OK)
            assert game.cup_row[-1].colour.name.lower() == cup.replace("golden", "gold")
        while game.phase is Phase.UNCOVER:
            assert game.active_seat == plain.turn
            right = random.random() < memory
            plain.answers(right)
            game = press(game, ConsolePress.OK if right else ConsolePress.NO)
        assert game.totals == tuple(plain.squares)
        assert game.round_scores == tuple(tuple(points) for points in plain.history)
        assert (game.compute_outcome() is not None) == plain.over
        if not plain.over:
            assert game.active_seat == plain.turn
            game = press(game, ConsolePress.OK)
            plain.set_out()
    assert list(game.compute_outcome().winners) == plain.winners()


@given(tables)
@settings(max_examples=200, deadline=None)
def test_the_reference_scoring_agrees(table):
    check_random_game(*table)


@given(the_box)
@settings(max_examples=200, deadline=None)
def test_the_reference_scoring_agrees_with_the_default_rules(table):
    check_random_game(*table)


@pytest.mark.proof
@given(st.one_of(the_box, tables))
@settings(max_examples=10_000, deadline=None)
def test_ten_thousand_games(table):
    check_random_game(*table)


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
        assert n + after.dice_left + (after.open_colour is not None) == house.dice
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
@settings(max_examples=60, deadline=None)
def test_invariants(table):
    check_invariants(*table)


@given(the_box)
@settings(max_examples=60, deadline=None)
def test_cups_sum_to_n_plus_1(table):
    players, rules, seed = table
    random = Random(seed)
    for _, _, after in states(begun(players, rules, random), random):
        if after.stage is Phase.SCORED:
            assert sum(after.round_scores[-1]) == len(after.cup_row) + 1
            assert 4 <= len(after.cup_row) <= 9


@pytest.mark.proof
@given(tables)
@settings(max_examples=3000, deadline=None)
def test_invariants_in_thousands_of_games(table):
    check_invariants(*table)


def some_move(random: Random) -> Move:
    value = random.choice([(), (random.randint(0, 4),), (1, 2)])
    seat = random.choice([None, *range(5)])
    return Move(random.choice(KINDS), None if seat is None else Seat(seat), value)


@given(tables)
@settings(max_examples=40, deadline=None)
def test_unlisted_moves_are_refused_with_a_rule(table):
    players, rules, seed = table
    random = Random(seed)
    for before, _, after in states(begun(players, rules, random), random):
        for game in (before, after):
            check_refusals(game, [some_move(random) for _ in range(6)], r"D\d+")


# Offers -----------------------------------------------------------------------------------------------------------


SEEN = {"show", "show gold", "lift"}
"""Moves that only the camera plays; with buttons other moves replace them."""


def check_offers(game: MemoDice, random: Random) -> None:
    for visibility in (Visibility(), Visibility(dice=True)):
        check_offers_in(game, random, visibility)


def check_offers_in(game: MemoDice, random: Random, visibility: Visibility) -> None:
    offers = GAME.list_offers(game, NAMES, visibility)
    corrections = {offer.action for offer in offers if isinstance(offer.action, Correction)}
    assert all(game.correct(correction) != game for correction in corrections)
    moves = {offer.action for offer in offers} - corrections
    assert moves == {move for move in game.list_moves() if visibility.dice or move.kind not in SEEN}
    assert all(
        isinstance(offer.input, TableAction) == (offer.action.kind in SEEN or offer.input == TableAction("cup"))
        for offer in offers
    )
    offers = [offer for offer in offers if not isinstance(offer.input, TableAction)]
    inputs = [offer.input for offer in offers]
    assert not {ConsolePress.MINUS, ConsolePress.HOLD_NO} & set(inputs), "the referee's own"
    assert not {SeatPress, NumberPress} <= {type(m) for m in inputs}
    for _ in range(3):
        seating = random.sample(SEAT_BUTTONS, game.player_count)
        buttons = [find_button(m, seating) for m in inputs]
        assert None not in buttons
        assert len(set(buttons)) == len(buttons), "one button, one meaning"
    for offer in offers:
        assert offer.label
        assert all(len(word) <= 14 for word in offer.label.split())
        assert len(offer.label) <= 26
        assert GAME.get_bot_weight(game, offer) > 0
    if game.compute_outcome() is None:
        assert any(offer.awaited for offer in offers)


@given(tables)
@settings(max_examples=40, deadline=None)
def test_offers_are_the_legal_moves(table):
    players, rules, seed = table
    random = Random(seed)
    for before, _, after in states(begun(players, rules, random), random):
        check_offers(before, random)
        check_offers(after, random)


@given(tables)
@settings(max_examples=40, deadline=None)
def test_texts_for_every_state_and_move(table):
    players, rules, seed = table
    random = Random(seed)
    for before, move, after in states(begun(players, rules, random), random):
        check_texts(GAME, NAMES, before, move, after)
        check_addressed_seat(GAME, after, NAMES)
        for seat in range(players):
            meant = GAME.get_default_move(before, Seat(seat))
            if not is_legal(before, meant):
                with pytest.raises(IllegalMove):
                    before.play(meant)


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
@settings(max_examples=60, deadline=None)
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
@settings(max_examples=60, deadline=None)
def test_no_line_names_a_colour_of_the_die_under_the_golden_cup(table):
    players, rules, seed = table
    random = Random(seed)
    for before, move, after in states(begun(players, rules, random), random):
        if move.kind == "gold":
            assert move.value == ()
            line = GAME.describe(before, move, after, NAMES)
            assert not {"red", "blue", "black"} & set(line.lower().split())
        if after.phase in (Phase.UNCOVER, Phase.LOOK) and after.open_colour in (None, MemoColour.GOLD):
            labels = [offer.label for offer in GAME.list_offers(after, NAMES, Visibility())]
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
        words = label_all(GAME, game, NAMES)
        assert set(words) == {(c.stored_kind, c.seat) for c in game.list_correctables()}
        assert len({(c.stored_kind, c.seat) for c in game.list_correctables()}) == len(game.list_correctables())
        check_offers(game, random)
        GAME.format_prompt(game, NAMES)


@given(tables)
@settings(max_examples=80, deadline=None)
def test_no_correction_leads_into_an_impossible_state(table):
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


def test_perft_distinguishes_positions():
    game = MemoDice.create(2, Seat(0), Settings())
    assert game.play(Move("die", Seat(0), (1,))) != game.play(Move("die", Seat(0), (2,)))
    assert replace(game, active_seat=Seat(1)) != game
