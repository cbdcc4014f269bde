"""Random matches of Secret Number and what holds in all of them."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.api import IllegalMove, Move, Offer, Seat, Visibility
from companion.games.secret_number import GAME, SecretNumber
from companion.games.secret_number.samples import lay_cards, new_game, start_round
from companion.games.secret_number.state import REVEAL_PHASES, Phase
from companion.testing.checks import check_inputs, check_refusals, check_texts, correct_at_random
from tests.games.secret_number.plain_scoring import PlainMatch, score_by_values
from tests.games.secret_number.positions import NAMES, any_move, everything_said, play_moves, steps

KINDS = (
    *("dealt", "again", "ready", "go", "wait", "lay", "end", "right", "wrong"),
    *("fix", "insert", "remove", "earlier", "back", "bonus", "next", "dance"),
)
house_rules = st.fixed_dictionaries(
    {
        "games": st.sampled_from([1, 2, 3]),
        "show_seconds": st.sampled_from([0, 3]),
        "choose_seconds": st.sampled_from([0, 60]),
    }
)
tables = st.tuples(st.integers(2, 5), st.integers(0, 2**32 - 1), house_rules)


def check_points(players: int, seed: int, rules: dict[str, Any]) -> None:
    """By what was pressed, fixes of the pile included."""
    plain = PlainMatch(players)
    last = None
    for before, move, after in steps(players, seed, **rules):
        plain.press(move.kind, -1 if move.seat is None else move.seat, *move.value)
        if after.phase is Phase.RESULT:
            plain.pass_over_sure_ones()
            assert [tally.total for tally in after.tallies] == plain.game()
        assert after.changes == tuple(b - a for a, b in zip(before.totals, after.totals, strict=True))
        last = after
    assert last is not None
    assert list(last.totals) == plain.totals
    outcome = last.compute_outcome()
    assert outcome is not None
    assert set(outcome.winners) == plain.winners()


def deal(players: int, random: Random) -> tuple[list[list[int]], int]:
    """S2 to S5, by the rules' text: hands of number cards, and the secret."""
    while True:
        cards = [n for n in range(players + 1) for _ in range(2)]
        random.shuffle(cards)
        hands = [sorted(cards[2 * q : 2 * q + 2]) for q in range(players)]
        if [0, 0] not in hands:
            return hands, cards[-1]


def play_true(players: int, seed: int) -> None:
    """By the cards themselves: people lay values, and press right or wrong as it is."""
    random = Random(seed)
    game = new_game(players, games=random.choice([1, 2, 3]))
    totals = [0] * players
    while game.compute_outcome() is None:
        _, secret = deal(players, random)
        display = [random.randint(1, 3) for _ in range(players)]
        hands = [random.sample(range(players + 1), players + 1) for _ in range(players)]
        rounds: list[list[tuple[int, int]]] = []
        game = play_moves(game, "dealt")
        for _ in range(3):
            game = play_moves(game, "ready", "go")
            rounds.append([])
            while game.seats_able_to_lay and random.random() < 0.8:
                seat = random.choice(game.seats_able_to_lay)
                rounds[-1].append((seat, hands[seat].pop()))
                game = play_moves(game, f"lay {seat}")
            game = play_moves(game, "end")
        values = [value for cards in rounds for _, value in cards]
        while game.phase is Phase.REVEAL:
            right = values[len(game.cards_right)] == secret
            game = play_moves(game, f"{'right' if right else 'wrong'} {game.next_card[1] if game.next_card else ''}")
        assert game.cards_right == tuple(value == secret for value in values)
        while game.bonus_seat is not None:
            game = play_moves(game, f"bonus {game.bonus_seat} {display[game.bonus_seat]}")
        points = score_by_values(secret, rounds, display, players)
        assert [tally.total for tally in game.tallies] == points
        totals = [a + b for a, b in zip(totals, points, strict=True)]
        game = play_moves(game, "next")
    assert list(game.totals) == totals


@given(tables)
@settings(max_examples=100, deadline=None)
def test_points_as_the_plain_scoring_has_them(table: tuple[int, int, dict[str, Any]]) -> None:
    check_points(*table)


@pytest.mark.parametrize("players", range(2, 6))
def test_points_by_the_cards_values(players: int) -> None:
    for seed in range(50):
        play_true(players, seed)


@pytest.mark.proof
@pytest.mark.parametrize("players", range(2, 6))
def test_ten_thousand_matches(players: int) -> None:
    for seed in range(1500):
        play_true(players, seed)
    for seed in range(1000):
        check_points(players, seed, {"games": 1 + seed % 3, "show_seconds": 3 * (seed % 2)})


@given(tables)
@settings(max_examples=40, deadline=None)
def test_cards_rounds_and_phases(table: tuple[int, int, dict[str, Any]]) -> None:
    players, seed, rules = table
    for before, move, after in steps(players, seed, **rules):
        rights = Counter(seat for (_, seat), mark in zip(after.cards_in_order, after.cards_right, strict=False) if mark)
        assert all(count == 1 for count in rights.values()), "S35"
        assert all(after.count_cards_laid(Seat(q)) <= players + 1 for q in range(players)), "S22"
        assert max(tally.total for tally in after.tallies) <= 8, "S35"
        assert len(after.cards_right) <= len(after.cards_in_order)
        assert (after.game_number, after.round_number) >= (before.game_number, before.round_number)
        if move.kind == "lay":
            assert after.cards_in_order[:-1] == before.cards_in_order
            assert all(one != other for one, other in pairwise(after.current_pile)), "S21"
        if after.phase in (Phase.BONUS, Phase.RESULT):
            assert after.next_card is None
        assert (after.bonus_seat is not None) == (after.phase is Phase.BONUS)


def some_move(random: Random) -> Move:
    seat = random.choice([None, *range(6)])
    value = random.choice([(), (), (random.randint(0, 4),)])
    return Move(random.choice(KINDS), None if seat is None else Seat(seat), value)


@given(tables)
@settings(max_examples=30, deadline=None)
def test_unlisted_moves_are_refused_with_their_rule(table: tuple[int, int, dict[str, Any]]) -> None:
    players, seed, rules = table
    random = Random(seed)
    for before, _, _ in steps(players, seed, **rules):
        check_refusals(before, [some_move(random) for _ in range(8)], r"S\d+|A\d+")


# Offers ----------------------------------------------------------------------------------------------------------


def check_offers(game: SecretNumber) -> None:
    offers: list[Offer] = list(GAME.list_offers(game, NAMES, Visibility()))
    means = [offer.input for offer in offers]
    check_inputs(means)
    assert {offer.action for offer in offers} == set(game.list_moves())
    assert all(offer.label and len(offer.label) <= 22 for offer in offers)
    assert all(GAME.get_bot_weight(game, offer) > 0 for offer in offers)
    assert list(GAME.list_offers(game, NAMES, Visibility(dice=True, tokens=True))) == offers, (
        "there is nothing to be seen"
    )


@given(tables)
@settings(max_examples=40, deadline=None)
def test_offers_are_the_legal_moves(table: tuple[int, int, dict[str, Any]]) -> None:
    players, seed, rules = table
    for before, _, after in steps(players, seed, **rules):
        check_offers(before)
        check_offers(after)


@given(tables)
@settings(max_examples=30, deadline=None)
def test_a_press_without_effect_is_explained(table: tuple[int, int, dict[str, Any]]) -> None:
    players, seed, rules = table
    for before, _, _ in steps(players, seed, **rules):
        for seat in map(Seat, range(players)):
            meant = GAME.get_default_move(before, seat)
            assert meant is not None
            if meant not in before.list_moves():
                with pytest.raises(IllegalMove, match=r"^S\d+: "):
                    before.play(meant)


@given(tables)
@settings(max_examples=30, deadline=None)
def test_texts_for_every_state_and_move(table: tuple[int, int, dict[str, Any]]) -> None:
    players, seed, rules = table
    for before, move, after in steps(players, seed, **rules):
        check_texts(GAME, NAMES, before, move, after)


# Corrections -----------------------------------------------------------------------------------------------------


@given(tables)
@settings(max_examples=40, deadline=None)
def test_no_correction_leads_into_an_impossible_state(table: tuple[int, int, dict[str, Any]]) -> None:
    players, seed, rules = table
    random = Random(seed)
    game = new_game(players, **rules)
    for _ in range(400):
        if game.compute_outcome() is not None:
            break
        if random.random() < 0.2:
            done = correct_at_random(GAME, NAMES, game, random)
            if done is None:
                continue
            game = done.game
        else:
            game = game.play(any_move(game, random))
        assert game.list_moves() or game.compute_outcome()
        assert len(game.present_seats) >= 2
        assert len(game.cards_right) <= len(game.cards_in_order)
        assert len(set(game.seats_right)) == len(game.seats_right), "S35"
        assert not any(game.away[q] for q in game.seats_able_to_lay)
        assert game.cards_right == () or game.phase in REVEAL_PHASES
        check_offers(game)
    else:
        pytest.fail("no end")


# Secrets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 6))
def test_two_games_with_other_cards_look_alike_until_a_card_is_turned(players: int) -> None:
    """The same presses with other cards dealt and laid: all that leaves the rules is the same in every state."""
    for seed in range(10):
        random = Random(seed)
        seats: list[int | None] = []
        pictures: list[list[tuple[object, ...]]] = []
        for _ in range(2):
            deal(players, random)  # other hands, another secret, other values laid: the box is never told
            game = play_moves(new_game(players), "dealt")
            seen = [everything_said(game)]
            for number in range(3):
                game = play_moves(game, "ready", "go")
                for i in range(4):
                    place = number * 4 + i
                    if len(seats) <= place:
                        seats.append(random.choice(game.seats_able_to_lay) if game.seats_able_to_lay else None)
                    if seats[place] is not None:
                        game = play_moves(game, f"lay {seats[place]}")
                        seen.append(everything_said(game))
                game = play_moves(game, "end")
                seen.append(everything_said(game))
            pictures.append(seen)
        assert pictures[0] == pictures[1]


@pytest.mark.parametrize("players", range(2, 6))
def test_before_the_reveal_nothing_says_right_or_wrong(players: int) -> None:
    for before, _, _ in steps(players, players, games=2):
        if before.phase in REVEAL_PHASES or before.phase is Phase.OVER:
            continue
        assert all(card.is_right is None and card.points == 0 for card in before.laid_cards)
        assert before.fastest_seat is None
        assert before.cards_right == ()
        assert all(tally.total == 0 for tally in before.tallies)


# Positions reachable ---------------------------------------------------------------------------------------------


def perft(game: SecretNumber, depth: int) -> int:
    """Ways to play `depth` moves."""
    return 1 if depth == 0 else sum(perft(game.play(move), depth - 1) for move in game.list_moves())


PERFT = {
    "deal": (2, 3, 5, 9, 16, 28, 49),
    "round": (4, 10, 23, 53, 123, 286),
    "reveal": (3, 10, 38, 140, 494),
}


@pytest.mark.parametrize("start", PERFT)
def test_perft(start: str) -> None:
    """Regression: found by this program, counted by hand to depth 5, 3 and 2."""
    games = {"deal": new_game(2), "round": start_round(3), "reveal": lay_cards(new_game(2), "AB", "A")}
    counts = PERFT[start]
    assert tuple(perft(games[start], depth) for depth in range(1, len(counts) + 1)) == counts


def test_orders_of_laying_counted_by_hand() -> None:
    """S21: of k cards by 3 players, 3 for the first and 2 for each later one."""

    def orders(game: SecretNumber, cards: int) -> int:
        return sum(orders(play_moves(game, f"lay {q}"), cards - 1) for q in game.seats_able_to_lay) if cards else 1

    assert [orders(start_round(3), k) for k in range(6)] == [1, 3, 6, 12, 24, 48]
