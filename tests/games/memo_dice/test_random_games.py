"""Whole games, played at random: what holds in every one of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.events import SEAT_BUTTONS
from companion.games.api.game import Correction, IllegalMove, Move, Seat, legal
from companion.games.api.offers import Console, Deed, NumberPress, Offer, SeatPress, Sight
from companion.games.memo_dice import KIT, MemoDice, Settings
from companion.games.memo_dice.view import SYMBOLS, Colour, Phase
from companion.referee.buttons import button_of
from tests.games.game_checks import check_refusals, check_words, put_right
from tests.games.memo_dice.plain_scoring import NUMBERS, PlainMemoDice
from tests.games.memo_dice.positions import NAMES, any_move, states

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
    return MemoDice.new(players, Seat(random.randrange(players)), Settings(**rules))


# The plain scoring ------------------------------------------------------------------------------------------------


def press(game: MemoDice, means: object) -> MemoDice:
    (offer,) = [o for o in KIT.offers(game, NAMES, Sight()) if o.means == means]
    assert isinstance(offer.does, Move)
    return game.play(offer.does)


def check_evening(players, rules, seed):
    """Real dice are rolled, people remember some; both scorings follow, the game by the keys that people press."""
    random = Random(seed)
    game = begun(players, rules, random)
    plain_rules = {name: value for name, value in rules.items() if not name.endswith("_seconds")}
    plain = PlainMemoDice(players, game.active, **plain_rules)
    memory = random.random()
    while game.outcome() is None:
        while game.phase is Phase.COVER:
            assert game.active == plain.turn
            number = random.randint(1, 3)
            last = not game.coverable
            cup = plain.rolls(NUMBERS[number])
            game = press(game, Console.OK if last else NumberPress(number))
            if game.phase is Phase.LOOK:
                game = press(game, Console.OK)
            assert game.row[-1].colour.word == cup
        while game.phase is Phase.UNCOVER:
            assert game.active == plain.turn
            right = random.random() < memory
            plain.answers(right)
            game = press(game, Console.OK if right else Console.NO)
        assert game.squares == tuple(plain.squares)
        assert game.rounds == tuple(tuple(points) for points in plain.history)
        assert (game.outcome() is not None) == plain.over
        if not plain.over:
            assert game.active == plain.turn
            game = press(game, Console.OK)
            plain.set_out()
    assert list(game.outcome().winners) == plain.winners()


@given(tables)
@settings(max_examples=200, deadline=None)
def test_the_plain_scoring_agrees(table):
    check_evening(*table)


@given(the_box)
@settings(max_examples=200, deadline=None)
def test_the_plain_scoring_agrees_with_the_box_as_it_is(table):
    check_evening(*table)


@pytest.mark.proof
@given(st.one_of(the_box, tables))
@settings(max_examples=10_000, deadline=None)
def test_ten_thousand_games(table):
    check_evening(*table)


# What always holds ------------------------------------------------------------------------------------------------


def check_invariants(players, rules, seed):
    random = Random(seed)
    game = begun(players, rules, random)
    house = game.settings
    for before, move, after in states(game, random):
        n = len(after.row)
        colours = [cup.colour for cup in after.row]
        for colour in SYMBOLS:
            assert colours.count(colour) + after.free[colour] == house.cups_per_colour
        assert Colour.GOLD not in colours[:-1]
        assert n + after.dice_left + (after.looking is not None) == house.dice
        assert all(now >= then for now, then in zip(after.squares, before.squares, strict=True))
        taken = [cup.taker is not None for cup in after.row]
        assert taken == sorted(taken, reverse=True), "from the first cup on"
        if after.stage is Phase.SCORED:
            assert sum(after.rounds[-1]) == (n - 1) * house.cup_value + house.gold_value
            assert after.rounds[-1] == after.points
            assert after.active == after.gold_holder
            assert n <= min(house.dice, 3 * house.cups_per_colour + 1)
            assert n >= min(house.dice, house.cups_per_colour + 1)
        elif move.kind in ("right", "miss"):
            assert after.active == (before.active + (move.kind == "miss")) % players
        if after.outcome() is None:
            assert after.moves()
        else:
            assert max(after.squares) >= house.target_square
            assert after.moves() == ()


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
            assert sum(after.rounds[-1]) == len(after.row) + 1
            assert 4 <= len(after.row) <= 9


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
def test_what_is_not_listed_is_refused_with_its_rule(table):
    players, rules, seed = table
    random = Random(seed)
    for before, _, after in states(begun(players, rules, random), random):
        for game in (before, after):
            check_refusals(game, [some_move(random) for _ in range(6)], r"D\d+")


# Offers -----------------------------------------------------------------------------------------------------------


SEEN = {"show", "show gold", "lift"}
"""Moves that only the camera plays; by buttons alone others take their places."""


def check_offers(game: MemoDice, random: Random) -> None:
    for sight in (Sight(), Sight(dice=True)):
        check_offers_in(game, random, sight)


def check_offers_in(game: MemoDice, random: Random, sight: Sight) -> None:
    offers = KIT.offers(game, NAMES, sight)
    corrections = {offer.does for offer in offers if isinstance(offer.does, Correction)}
    assert all(game.correct(correction) != game for correction in corrections)
    moves = {offer.does for offer in offers} - corrections
    assert moves == {move for move in game.moves() if sight.dice or move.kind not in SEEN}
    assert all(
        isinstance(offer.means, Deed) == (offer.does.kind in SEEN or offer.means == Deed("cup")) for offer in offers
    )
    offers = [offer for offer in offers if not isinstance(offer.means, Deed)]
    means = [offer.means for offer in offers]
    assert not {Console.MINUS, Console.HOLD_NO} & set(means), "the referee's own"
    assert not {SeatPress, NumberPress} <= {type(m) for m in means}
    for _ in range(3):
        seating = random.sample(SEAT_BUTTONS, game.players)
        buttons = [button_of(m, seating) for m in means]
        assert None not in buttons
        assert len(set(buttons)) == len(buttons), "one button, one meaning"
    for offer in offers:
        assert offer.words
        assert all(len(word) <= 14 for word in offer.words.split())
        assert len(offer.words) <= 26
        assert KIT.likely(game, offer) > 0
    if game.outcome() is None:
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
def test_words_for_every_state_and_move(table):
    players, rules, seed = table
    random = Random(seed)
    for before, move, after in states(begun(players, rules, random), random):
        check_words(KIT, NAMES, before, move, after)
        for seat in range(players):
            meant = KIT.meant(before, Seat(seat))
            if not legal(before, meant):
                with pytest.raises(IllegalMove):
                    before.play(meant)


# Secrets ----------------------------------------------------------------------------------------------------------


class Table:
    """The dice as they lie, with the colours of their symbols: what people may not be told while cups are down."""

    def __init__(self, players: int, rules: dict[str, object], first: int) -> None:
        self.game = MemoDice.new(players, Seat(first), Settings(**rules))
        self.lines: list[str] = []

    def offers(self) -> dict[object, Offer]:
        return {o.means: o for o in KIT.offers(self.game, NAMES, Sight())}

    def press(self, means: object) -> None:
        what = self.offers()[means].does
        before, self.game = self.game, self.game.play(what)
        self.lines.append(KIT.tell(before, what, self.game, NAMES))

    def picture(self) -> tuple[object, ...]:
        """All that can be known of the state from outside."""
        game = self.game
        return (
            game,
            game.view(),
            KIT.sentence(game, NAMES),
            tuple(self.lines),
            tuple(KIT.offers(game, NAMES, Sight())),
            tuple(game.correctables()),
            tuple(KIT.correctable_words(game, NAMES).items()),
            tuple(game.clocks()),
        )


@given(tables)
@settings(max_examples=60, deadline=None)
def test_d14_two_evenings_that_differ_only_in_the_colour_under_the_golden_cup_look_the_same(table):
    players, rules, seed = table
    random = Random(seed)
    first = random.randrange(players)
    one, other = Table(players, rules, first), Table(players, rules, first)
    for _ in range(120):
        assert one.picture() == other.picture()
        game = one.game
        if game.outcome() is not None:
            break
        offers = one.offers()
        golden = [m for m, o in offers.items() if o.does.kind == "gold"]
        if golden and random.random() < 0.5:
            one.press(random.choice(golden))
            other.press(random.choice(golden))
        else:
            means = random.choice(list(offers))
            one.press(means)
            other.press(means)


@given(tables)
@settings(max_examples=60, deadline=None)
def test_no_line_names_a_colour_of_the_die_under_the_golden_cup(table):
    players, rules, seed = table
    random = Random(seed)
    for before, move, after in states(begun(players, rules, random), random):
        if move.kind == "gold":
            assert move.value == ()
            line = KIT.tell(before, move, after, NAMES)
            assert not {"red", "blue", "black"} & set(line.lower().split())
        if after.phase in (Phase.UNCOVER, Phase.LOOK) and after.looking in (None, Colour.GOLD):
            said = f"{KIT.sentence(after, NAMES)} {' '.join(o.words for o in KIT.offers(after, NAMES, Sight()))}"
            assert not {"red", "blue", "black"} & set(said.lower().split())
            assert after.row[-1].colour is Colour.GOLD or after.looking is Colour.GOLD


# Corrections ------------------------------------------------------------------------------------------------------


def check_corrections(players, rules, seed):
    random = Random(seed)
    game = begun(players, rules, random)
    for _ in range(300):
        if game.outcome() is not None and random.random() < 0.3:
            break
        if game.outcome() is not None or random.random() < 0.25:
            done = put_right(KIT, NAMES, game, random)
            if done is None:
                continue
            game = done.game
        else:
            game = game.play(any_move(game, random))
        assert bool(game.moves()) != (game.outcome() is not None)
        assert not game.away[game.active]
        assert game.away.count(False) >= 2
        assert min(game.squares) >= 0
        assert min(game.free.values()) >= 0
        for colour in SYMBOLS:
            assert [c.colour for c in game.row].count(colour) <= game.settings.cups_per_colour
        words = KIT.correctable_words(game, NAMES)
        assert set(words) == {(c.kind, c.seat) for c in game.correctables()}
        assert len({(c.kind, c.seat) for c in game.correctables()}) == len(game.correctables())
        check_offers(game, random)
        game.view()
        KIT.sentence(game, NAMES)


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
    """How many positions can be reached in 1, 2, ... moves by buttons alone."""
    found, counts = {game}, []
    for _ in range(depth):
        found = {position.play(m) for position in found for m in position.moves() if m.kind not in SEEN}
        counts.append(len(found))
    return counts


def test_perft_covering():
    """By hand. Rows: 3, 9, 27; of four 78 in colours and 3 with the golden cup over a fourth of its colour.

    Then 210 rows of five in colours, 24 golden ones over a row of four that has three of a colour, and 3 rows of four
    whose first cup is lifted, rightly or not.
    """
    assert reachable(MemoDice.new(3, Seat(0), Settings()), 5) == [3, 9, 27, 78 + 3, 210 + 24 + 6]


def test_perft_small_box():
    """By hand to depth 5 (two dice make four different scores); the rest was found by this program."""
    game = MemoDice.new(2, Seat(0), Settings(cups_per_colour=1, dice=3, target_square=5))
    assert reachable(game, 8) == [3, 6 + 3, 6 + 6, 12 + 12, 24 + 4, 60, 40, 60]


def test_perft_tells_positions_apart():
    game = MemoDice.new(2, Seat(0), Settings())
    assert game.play(Move("die", Seat(0), (1,))) != game.play(Move("die", Seat(0), (2,)))
    assert replace(game, active=Seat(1)) != game
