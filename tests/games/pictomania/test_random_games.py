"""Whole games, played at random: what holds in every one of them. No corrections here but in one test."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.api.game import Move, Seat, legal
from companion.games.api.offers import Console, SeatPress
from companion.games.pictomania import KIT, Pictomania, Settings
from companion.games.pictomania.offers import BY_CAMERA_ONLY
from companion.games.pictomania.state import UNKNOWN
from companion.games.pictomania.view import Phase
from tests.games.game_checks import check_means, check_refusals, check_words, put_right
from tests.games.pictomania.plain_scoring import PlainPictomania
from tests.games.pictomania.positions import BLIND, NAMES, any_move, as_tuple, new, play, steps, tables, words_of

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
            ledger = PlainPictomania(players, rules, before.first)
        ledger.play(move)
        if after.phase is Phase.ROUND:
            pages += 1
            assert [as_tuple(line) for line in after.view().lines] == ledger.page()
        if move.kind == "next_round":
            assert after.totals == tuple(ledger.totals)
            last = after
    assert pages >= rules.rounds == len(last.finished)
    outcome = last.outcome()
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
        held = tuple(stars for stars in after.bonus if stars)
        assert tuple(sorted((*held, *after.left), reverse=True)) == rules.bonus_tokens[players]
        for owner, pile in enumerate(after.piles):
            guessers = [card.guesser for card in pile]
            assert len(set(guessers)) == len(guessers), "P21: one card each"
            assert owner not in guessers
            assert not pile or not after.misdrawn[owner]
            given_away = tuple(stars for stars in after.earned(Seat(owner)) if stars)
            assert given_away == rules.scoring_tokens[players][: len(given_away)], "P32: the highest first"
            for card in pile:
                assert card.number in (UNKNOWN, *range(1, 8))
                if card.number and after.numbers[owner]:
                    assert card.right == (card.number == after.numbers[owner]), "P22"
        for guesser in range(players):
            numbers = [c.number for pile in after.piles for c in pile if c.guesser == guesser and c.number]
            assert len(set(numbers)) == len(numbers), "A13: one card of each number"
        known = [n for n in after.numbers if n]
        assert len(set(known)) == len(known), "P12"
        for line in after.view().lines:
            assert 0 <= line.minus <= sum(rules.scoring_tokens[players])
            assert line.plus >= 0
        view = after.view()
        if view.lines:
            assert sum(line.plus + line.minus for line in view.lines) == players * sum(rules.scoring_tokens[players])
        changes = tuple(now - then for now, then in zip(after.totals, before.totals, strict=True))
        assert view.changes == changes
        assert not any(changes) or move.kind in ("next", "back")


@given(tables)
@settings(max_examples=40, deadline=None)
def test_rounds_follow_one_another_to_the_last(table):
    markers = [1]
    for before, move, after in steps(*table):
        if move.kind != "next_round":
            assert after.marker == before.marker
        elif after.phase is not Phase.OVER:
            markers.append(after.marker)
        assert (after.outcome() is not None) == (not after.moves())
    assert markers == list(range(1, table[1].rounds + 1))


# Legal, illegal, offered -----------------------------------------------------------------------------------------


def some_move(random: Random) -> Move:
    value = random.choice([(), (), (random.randint(0, 8),), (1, 2)])
    seat = random.choice([None, *range(7)])
    return Move(random.choice(KINDS), None if seat is None else Seat(seat), value)


@given(tables)
@settings(max_examples=30, deadline=None)
def test_what_is_not_listed_is_refused_with_its_rule(table):
    random = Random(table[2])
    for before, _, _ in steps(*table):
        for words in check_refusals(before, [some_move(random) for _ in range(8)], r"P\d+|V\d"):
            assert "None's" not in words
            assert "the 0 " not in words


def check_offers(game: Pictomania) -> None:
    offers = KIT.offers(game, NAMES, BLIND)
    means = [offer.means for offer in offers]
    check_means(means)
    assert all(isinstance(m, SeatPress) or m in (Console.OK, Console.NO, Console.PLUS) for m in means)
    assert all(offer.words and len(offer.words) <= 15 for offer in offers)
    offered = {offer.does for offer in offers}
    assert len(offered) == len(offers)
    assert offered == {move for move in game.moves() if move.kind not in BY_CAMERA_ONLY}
    assert all(KIT.likely(game, offer) > 0 for offer in offers)
    for clock in game.clocks():
        assert clock.then is None or legal(game, clock.then)
    for offer in offers:
        assert not offer.agreed_by or offer.does == Move("stop")
        assert bool(offer.confirm) == (offer.does.kind == "misdrawn")


@given(tables)
@settings(max_examples=40, deadline=None)
def test_offers_are_the_legal_moves(table):
    for before, _, after in steps(*table):
        check_offers(before)
        check_offers(after)


@given(tables)
@settings(max_examples=20, deadline=None)
def test_words_for_every_state_and_move(table):
    for before, move, after in steps(*table):
        check_words(KIT, NAMES, before, move, after)
        assert KIT.round_of(after) == after.marker


@pytest.mark.parametrize("players", range(3, 7))
def test_virtual_players_reach_the_end(players):
    random = Random(players)
    game, pressed = new(players), 0
    while game.outcome() is None:
        offers = KIT.offers(game, NAMES, BLIND)
        game = game.play(random.choices(offers, [KIT.likely(game, o) for o in offers])[0].does)
        pressed += 1
    assert pressed < 600


# Corrections -----------------------------------------------------------------------------------------------------


@given(tables)
@settings(max_examples=60, deadline=None)
def test_no_correction_leads_into_an_impossible_state(table):
    players, rules, seed = table
    random = Random(seed)
    game = Pictomania.new(players, Seat(0), rules)
    for _ in range(300):
        if game.outcome() is not None:
            break
        if random.random() < 0.25:
            done = put_right(KIT, NAMES, game, random)
            if done is None:
                continue
            game = done.game
        else:
            game = game.play(any_move(game, random))
        assert game.moves() or game.outcome()
        assert KIT.sentence(game, NAMES)
        assert set(KIT.correctable_words(game, NAMES)) == {(c.kind, c.seat) for c in game.correctables()}
        assert len(game.seats) >= 3
        assert len(game.left) + sum(map(bool, game.bonus)) == len(game.bonus_tokens)
        assert all(game.bonus[q] == 0 for q in range(players) if q not in game.seats and game.bonus)
        if game.phase is Phase.DRAWING:
            assert game.drawing
            assert game.left
        check_offers(game)


# Secrets ---------------------------------------------------------------------------------------------------------


def check_secrets(players: int, rules: Settings, seed: int) -> None:
    """P12: the same game told with numbers and told without looks the same in every state, to the last word.

    Before a pile is turned over there is not even a move that could tell the box a number.
    """
    blind = None
    for before, move, after in steps(players, rules, seed):
        if blind is None:
            blind = before
        if before.phase not in (Phase.SCORING, Phase.ROUND):
            assert not any(before.numbers), "nothing dealt is known before the piles are turned over"
            assert not {m.kind for m in before.moves()} & set(BY_CAMERA_ONLY)
        if move.kind == "number":
            assert before.owner == move.seat, "nor a number of a pile that still lies face down"
            continue
        said = KIT.tell(before, move, after, NAMES)
        if move.kind == "card":
            blind = blind.play(Move("right", move.seat))
            if not after.card_of(move.seat).right:
                blind = blind.play(Move("wrong", move.seat))
        elif move.kind == "wrong" and before.card_of(move.seat) is None:
            blind = blind.play(Move("right", move.seat)).play(Move("wrong", move.seat))
        else:
            assert said == KIT.tell(blind, move, blind.play(move), NAMES)
            blind = blind.play(move)
        assert not any(blind.numbers)
        shown, hidden = words_of(after), words_of(blind)
        if any(after.numbers):  # where a turned card settles that somebody cannot be right, one press less is offered
            shown, hidden = (*shown[:2], *shown[3:]), (*hidden[:2], *hidden[3:])
        assert shown == hidden


@given(tables)
@settings(max_examples=40, deadline=None)
def test_no_state_shows_what_was_dealt(table):
    check_secrets(*table)


@pytest.mark.proof
@pytest.mark.parametrize("players", range(3, 7))
def test_no_state_of_many_games_shows_what_was_dealt(players):
    for seed in range(300):
        check_secrets(players, Settings(rounds=2), seed)


# Positions reachable ---------------------------------------------------------------------------------------------


def perft(game: Pictomania, depth: int) -> int:
    """Ways to play `depth` moves."""
    return 1 if depth == 0 else sum(perft(game.play(move), depth - 1) for move in game.moves())


def reached(start: Pictomania, depth: int) -> list[int]:
    return [perft(start, d) for d in range(1, depth + 1)]


def test_perft_of_the_start():
    """By hand: deal or another colour; each colour leads on to the same."""
    assert reached(new(), 4) == [2, 3, 4, 4 + 4]


def test_perft_of_the_drawing():
    """By hand to depth 3: who still draws takes or all stop; then the piles are turned, 12 moves at the first."""
    game = play(new(4), "deal, start, go")
    assert reached(game, 5) == [4 + 1, 4 * (3 + 1) + 1, 4 * (3 * (2 + 1) + 1) + 12, 317, 5487]


def test_perft_of_the_scoring():
    """By hand to depth 1: go on, a wrong drawing, seven numbers, two guessers. The rest is regression."""
    assert reached(play(new(), "deal, start, go, stop, score"), 4) == [1 + 1 + 7 + 2, 162, 1755, 12276]


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_a_game_is_a_value(seed):
    """The same moves, the same game; an earlier position is as it was."""
    rules = Settings(rounds=1)
    first = list(steps(3, rules, seed))
    second = list(steps(3, rules, seed))
    assert first == second
