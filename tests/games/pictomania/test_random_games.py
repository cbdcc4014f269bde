"""Random games of Pictomania and what holds in all of them; corrections in one test only."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings

from companion.api import ConsolePress, Move, Seat
from companion.gallery.fixtures import play_moves
from companion.games.pictomania import GAME, Pictomania
from companion.games.pictomania.samples import new_game
from companion.games.pictomania.state import Phase
from companion.testing.checks import correct_at_random
from tests.games.pictomania.positions import NAMES, NO_VISIBILITY, any_move, steps, tables

# Tokens, cards, rounds -------------------------------------------------------------------------------------------


@given(tables)
@settings(max_examples=20, deadline=None)
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
@settings(max_examples=20, deadline=None)
def test_rounds_follow_one_another_to_the_last(table):
    markers = [1]
    for before, move, after in steps(*table):
        if move.kind != "next_round":
            assert after.round_number == before.round_number
        elif after.phase is not Phase.OVER:
            markers.append(after.round_number)
        assert (after.compute_outcome() is not None) == (not after.list_moves())
    assert markers == list(range(1, table[1].rounds + 1))


# Inputs ----------------------------------------------------------------------------------------------------------


@given(tables)
@settings(max_examples=20, deadline=None)
def test_ok_held_stops_and_only_a_wrong_clue_is_asked_about(table):
    """P26, P31."""
    for game, _, _ in steps(*table):
        for offer in GAME.list_offers(game, NAMES, NO_VISIBILITY):
            is_held = offer.action == Move("stop") or (game.phase is Phase.SCORING and offer.label == "Hold: empty")
            assert (offer.input is ConsolePress.HOLD_OK) == is_held
            assert bool(offer.confirm_question) == (offer.action.kind == "misdrawn")
            assert len(offer.label) <= 15


# Corrections -----------------------------------------------------------------------------------------------------


@given(tables)
@settings(max_examples=30, deadline=None)
def test_no_correction_loses_a_token_a_player_or_another_correction(table):
    players, rules, seed = table
    random = Random(seed)
    game = Pictomania.create(players, Seat(0), rules)
    for _ in range(300):
        if game.compute_outcome() is not None:
            break
        corrected = correct_at_random(GAME, NAMES, game, random) if random.random() < 0.25 else None
        game = corrected.game if corrected else game.play(any_move(game, random))
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
    """By hand to depth 4: who still draws takes or all stop; then the piles are turned, 5 moves at the first."""
    game = play_moves(new_game(4), "deal, start, go")
    assert reached(game, 5) == [4 + 1, 4 * (3 + 1) + 1, 4 * (3 * (2 + 1) + 1) + 5, 24 + 12 + 4 * 5 + 23, 384]


def test_perft_of_the_scoring():
    """By hand to depth 2: go on, a wrong drawing, two guessers. The rest is regression."""
    assert reached(play_moves(new_game(), "deal, start, go, stop, score"), 4) == [1 + 1 + 2, 5 + 2 + 2 * 4, 61, 250]
