"""Random games of Pictomania and what holds in all of them; corrections in one test only."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.api import ConsolePress, Move, Seat, SeatPress
from companion.games.pictomania import GAME, Pictomania, Settings
from companion.games.pictomania.offers import UNOFFERED_MOVES
from companion.games.pictomania.state import UNKNOWN_NUMBER, Phase
from companion.testing.checks import check_inputs, check_refusals, check_texts, correct_at_random, is_legal, label_all
from tests.games.pictomania.plain_scoring import PlainPictomania
from tests.games.pictomania.positions import (
    NAMES,
    NO_VISIBILITY,
    any_move,
    as_tuple,
    new_game,
    play_moves,
    steps,
    tables,
    words_of,
)

KINDS = (
    *("colour", "deal", "start", "go", "take", "stop", "score", "next", "back", "next_round"),
    *("right", "wrong", "off", "card", "number", "misdrawn", "drawn"),
)


# Scoring ---------------------------------------------------------------------------------------------------------


def check_scores(players: int, rules: Settings, seed: int) -> None:
    """Each round's page and all totals are those of the plain implementation."""
    ledger, pages = None, 0
    for before, move, after in steps(players, rules, seed):
        if ledger is None:
            ledger = PlainPictomania(players, rules, before.first_seat)
        ledger.play(move)
        if after.phase is Phase.ROUND:
            pages += 1
            assert [as_tuple(line) for line in after.score_lines] == ledger.page()
        if move.kind == "next_round":
            assert after.totals == tuple(ledger.totals)
            last = after
    assert pages >= rules.rounds == len(last.round_scores)
    outcome = last.compute_outcome()
    assert outcome is not None
    assert set(outcome.winners) == {q for q in range(players) if last.totals[q] == max(last.totals)}


@given(tables)
@settings(max_examples=200, deadline=None)
def test_the_scores_are_those_of_the_plain_implementation(table):
    check_scores(*table)


@pytest.mark.proof
@pytest.mark.parametrize("players", range(3, 7))
def test_ten_thousand_games(players):
    for seed in range(2500):
        random = Random(seed)
        variant = random.choice(["basic", "only_green", "one_card"])
        check_scores(players, Settings(variant=variant, rounds=random.choice([1, 2, 5])), seed)


# Tokens, cards, rounds -------------------------------------------------------------------------------------------


@given(tables)
@settings(max_examples=40, deadline=None)
def test_tokens_and_guess_cards_are_conserved(table):
    players, rules, _ = table
    for before, move, after in steps(*table):
        held = tuple(stars for stars in after.bonus_stars if stars)
        assert tuple(sorted((*held, *after.tokens_left), reverse=True)) == rules.bonus_tokens[players]
        for owner, pile in enumerate(after.piles):
            guessers = [card.guesser for card in pile]
            assert len(set(guessers)) == len(guessers), "P21: one card each"
            assert owner not in guessers
            assert not pile or not after.drew_wrong_clue[owner]
            given_away = tuple(stars for stars in after.list_stars_earned(Seat(owner)) if stars)
            assert given_away == rules.scoring_tokens[players][: len(given_away)], "P32: the highest first"
            for card in pile:
                assert card.number in (UNKNOWN_NUMBER, *range(1, 8))
                if card.number and after.owner_numbers[owner]:
                    assert card.is_right == (card.number == after.owner_numbers[owner]), "P22"
        for guesser in range(players):
            numbers = [c.number for pile in after.piles for c in pile if c.guesser == guesser and c.number]
            assert len(set(numbers)) == len(numbers), "A13: one card of each number"
        known = [n for n in after.owner_numbers if n]
        assert len(set(known)) == len(known), "P12"
        for line in after.score_lines:
            assert 0 <= line.minus <= sum(rules.scoring_tokens[players])
            assert line.plus >= 0
        if after.score_lines:
            assert sum(line.plus + line.minus for line in after.score_lines) == players * sum(
                rules.scoring_tokens[players]
            )
        changes = tuple(now - then for now, then in zip(after.totals, before.totals, strict=True))
        assert after.changes == changes
        assert not any(changes) or move.kind in ("next", "back")


@given(tables)
@settings(max_examples=40, deadline=None)
def test_rounds_follow_one_another_to_the_last(table):
    markers = [1]
    for before, move, after in steps(*table):
        if move.kind != "next_round":
            assert after.round_number == before.round_number
        elif after.phase is not Phase.OVER:
            markers.append(after.round_number)
        assert (after.compute_outcome() is not None) == (not after.list_moves())
    assert markers == list(range(1, table[1].rounds + 1))


# Legal, illegal, offered -----------------------------------------------------------------------------------------


def some_move(random: Random) -> Move:
    value = random.choice([(), (), (random.randint(0, 8),), (1, 2)])
    seat = random.choice([None, *range(7)])
    return Move(random.choice(KINDS), None if seat is None else Seat(seat), value)


@given(tables)
@settings(max_examples=30, deadline=None)
def test_unlisted_moves_are_refused_with_their_rule(table):
    random = Random(table[2])
    for before, _, _ in steps(*table):
        for words in check_refusals(before, [some_move(random) for _ in range(8)], r"P\d+|V\d"):
            assert "None's" not in words
            assert "the 0 " not in words


def check_offers(game: Pictomania) -> None:
    offers = GAME.list_offers(game, NAMES, NO_VISIBILITY)
    means = [offer.input for offer in offers]
    check_inputs(means)
    assert all(
        isinstance(m, SeatPress) or m in (ConsolePress.OK, ConsolePress.HOLD_OK, ConsolePress.NO, ConsolePress.PLUS)
        for m in means
    )
    assert all(offer.label and len(offer.label) <= 15 for offer in offers)
    offered = {offer.action for offer in offers}
    assert len(offered) == len(offers)
    assert offered == {move for move in game.list_moves() if move.kind not in UNOFFERED_MOVES}
    assert all(GAME.get_bot_weight(game, offer) > 0 for offer in offers)
    for clock in game.list_clocks():
        assert clock.on_expiry is None or is_legal(game, clock.on_expiry)
    for offer in offers:
        assert (offer.input is ConsolePress.HOLD_OK) == (offer.action == Move("stop"))
        assert bool(offer.confirm_question) == (offer.action.kind == "misdrawn")


@given(tables)
@settings(max_examples=40, deadline=None)
def test_offers_are_the_legal_moves(table):
    for before, _, after in steps(*table):
        check_offers(before)
        check_offers(after)


@given(tables)
@settings(max_examples=20, deadline=None)
def test_texts_for_every_state_and_move(table):
    for before, move, after in steps(*table):
        check_texts(GAME, NAMES, before, move, after)
        assert GAME.get_round_number(after) == after.round_number


@pytest.mark.parametrize("players", range(3, 7))
def test_virtual_players_reach_the_end(players):
    random = Random(players)
    game, pressed = new_game(players), 0
    while game.compute_outcome() is None:
        offers = GAME.list_offers(game, NAMES, NO_VISIBILITY)
        game = game.play(random.choices(offers, [GAME.get_bot_weight(game, o) for o in offers])[0].action)
        pressed += 1
    assert pressed < 600


# Corrections -----------------------------------------------------------------------------------------------------


@given(tables)
@settings(max_examples=60, deadline=None)
def test_no_correction_leads_into_an_impossible_state(table):
    players, rules, seed = table
    random = Random(seed)
    game = Pictomania.create(players, Seat(0), rules)
    for _ in range(300):
        if game.compute_outcome() is not None:
            break
        if random.random() < 0.25:
            done = correct_at_random(GAME, NAMES, game, random)
            if done is None:
                continue
            game = done.game
        else:
            game = game.play(any_move(game, random))
        assert game.list_moves() or game.compute_outcome()
        assert GAME.format_prompt(game, NAMES)
        assert set(label_all(GAME, game, NAMES)) == {(c.stored_kind, c.seat) for c in game.list_correctables()}
        assert len(game.round_seats) >= 3
        assert len(game.tokens_left) + sum(map(bool, game.bonus_stars)) == len(game.bonus_tokens)
        assert all(game.bonus_stars[q] == 0 for q in range(players) if q not in game.round_seats and game.bonus_stars)
        if game.phase is Phase.DRAWING:
            assert game.seats_drawing
            assert game.tokens_left
        if game.phase is Phase.ROUND:
            assert all(line.total == game.round_scores[-1][line.seat] for line in game.score_lines)
            again = game.play(Move("back")).play(Move("next"))
            assert (again.round_scores, again.totals) == (game.round_scores, game.totals), "no correction is lost"
        check_offers(game)


# Secrets ---------------------------------------------------------------------------------------------------------


def check_secrets(players: int, rules: Settings, seed: int) -> None:
    """Check that a game entered with numbers and one without look the same in every state, to the last word (P12).

    Before a pile is turned over there is no move that could enter a number.
    """
    blind = None
    for before, move, after in steps(players, rules, seed):
        if blind is None:
            blind = before
        if before.phase not in (Phase.SCORING, Phase.ROUND):
            assert not any(before.owner_numbers), "nothing dealt is known before the piles are turned over"
            assert not {m.kind for m in before.list_moves()} & set(UNOFFERED_MOVES)
        if move.kind == "number":
            assert before.pile_owner == move.seat, "nor a number of a pile that still lies face down"
            continue
        said = GAME.describe(before, move, after, NAMES)
        if move.kind == "card":
            blind = blind.play(Move("right", move.seat))
            if not after.find_card(move.seat).is_right:
                blind = blind.play(Move("wrong", move.seat))
        elif move.kind == "wrong" and before.find_card(move.seat) is None:
            blind = blind.play(Move("right", move.seat)).play(Move("wrong", move.seat))
        else:
            assert said == GAME.describe(blind, move, blind.play(move), NAMES)
            blind = blind.play(move)
        assert not any(blind.owner_numbers)
        shown, hidden = words_of(after), words_of(blind)
        if any(
            after.owner_numbers
        ):  # where a turned card settles that somebody cannot be right, one press less is offered
            shown, hidden = (*shown[:2], *shown[3:]), (*hidden[:2], *hidden[3:])
        assert shown == hidden


@given(tables)
@settings(max_examples=40, deadline=None)
def test_no_state_shows_dealt_cards(table):
    check_secrets(*table)


@pytest.mark.proof
@pytest.mark.parametrize("players", range(3, 7))
def test_no_state_of_many_games_shows_dealt_cards(players):
    for seed in range(300):
        check_secrets(players, Settings(rounds=2), seed)


# Positions reachable ---------------------------------------------------------------------------------------------


def perft(game: Pictomania, depth: int) -> int:
    """Count the ways to play `depth` moves."""
    return 1 if depth == 0 else sum(perft(game.play(move), depth - 1) for move in game.list_moves())


def reached(start: Pictomania, depth: int) -> list[int]:
    return [perft(start, d) for d in range(1, depth + 1)]


def test_perft_of_the_start():
    """By hand: deal or another colour; each colour leads on to the same."""
    assert reached(new_game(), 4) == [2, 3, 4, 4 + 4]


def test_perft_of_the_drawing():
    """By hand to depth 3: who still draws takes or all stop; then the piles are turned, 12 moves at the first."""
    game = play_moves(new_game(4), "deal, start, go")
    assert reached(game, 5) == [4 + 1, 4 * (3 + 1) + 1, 4 * (3 * (2 + 1) + 1) + 12, 317, 5487]


def test_perft_of_the_scoring():
    """By hand to depth 1: go on, a wrong drawing, seven numbers, two guessers. The rest is regression."""
    assert reached(play_moves(new_game(), "deal, start, go, stop, score"), 4) == [1 + 1 + 7 + 2, 162, 1755, 12276]


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_a_game_is_a_value(seed):
    """The same moves give the same game; earlier positions do not change."""
    rules = Settings(rounds=1)
    first = list(steps(3, rules, seed))
    second = list(steps(3, rules, seed))
    assert first == second
