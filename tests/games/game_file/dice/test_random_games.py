"""Random games of the five shipped files, and what holds in all of them."""

from __future__ import annotations

from random import Random

import pytest

from companion.api import Command, IllegalMove, Move, Seat, Visibility
from companion.api.registry import find_game
from companion.games.game_file.dice import DiceGame
from companion.testing import (
    check_addressed_seat,
    check_inputs,
    check_refusals,
    check_texts,
    check_unchanged_entries,
    correct_at_random,
)
from tests.games.game_file.dice.plain_games import (
    PlainBunco,
    PlainFarkle,
    PlainGame,
    PlainPig,
    PlainTenThousand,
    PlainYacht,
)
from tests.games.game_file.dice.positions import DICE_GAMES, NAMES, draw_move, new_game, steps

PLAIN_GAMES: dict[str, type[PlainGame]] = {
    "bunco": PlainBunco,
    "farkle": PlainFarkle,
    "pig": PlainPig,
    "ten_thousand": PlainTenThousand,
    "yacht": PlainYacht,
}
KINDS = ("throw", "keep", "return", "bank", "choose", "dance")
TABLES = [(name, players) for name in DICE_GAMES for players in find_game(name).player_counts]


def play_plain(plain: PlainGame, move: Move) -> None:
    if move.kind in ("throw", "keep"):
        getattr(plain, move.kind)(move.value)
    elif move.kind == "choose":
        plain.fill(*move.value)  # type: ignore[attr-defined]
    else:
        getattr(plain, {"return": "put_back", "bank": "stop"}[move.kind])()


def check_scores(name: str, players: int, seed: int) -> None:
    random = Random(f"{name} {players} {seed}")
    first = random.randrange(players)
    plain = PLAIN_GAMES[name](players, first)
    game = after = new_game(name, players, first)
    for before, move, after in steps(game, random):
        play_plain(plain, move)
        assert list(after.totals) == plain.totals(), (name, seed, before, move)
        assert (after.compute_outcome() is not None) == plain.over
        assert plain.over or after.active_seat == plain.turn_of
        assert after.changes == tuple(b - a for a, b in zip(before.totals, after.totals, strict=True))
        if isinstance(plain, PlainFarkle | PlainTenThousand) and after.throw_count:
            assert (plain.worth_now() or 0) == (after.bank_points if after.may_bank else 0)
    outcome = after.compute_outcome()
    assert outcome is not None
    assert set(outcome.winners) == plain.winners()
    assert not after.list_moves()


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_scores_as_the_plain_game_has_them(name: str, players: int) -> None:
    for seed in range(6):
        check_scores(name, players, seed)


@pytest.mark.proof
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_hundred_games(name: str, players: int) -> None:
    for seed in range(100):
        check_scores(name, players, seed)


def some_move(random: Random) -> Move:
    seat = random.choice([None, *range(7)])
    value = tuple(random.randint(0, 7) for _ in range(random.choice((0, 1, 1, 2, 3, 5))))
    return Move(random.choice(KINDS), None if seat is None else Seat(seat), tuple(sorted(value, reverse=True)))


def check_offers(game: DiceGame, name: str) -> None:
    definition = find_game(name)
    for dice in (False, True):
        offers = definition.list_offers(game, NAMES, Visibility(dice=dice))
        check_inputs([offer.input for offer in offers])
        assert all(offer.label for offer in offers)
        offered = {offer.action for offer in offers if isinstance(offer.action, Move)}
        legal = set(game.list_moves())
        assert offered <= legal
        hidden = {move.kind for move in legal - offered}
        behind = {offer.action.name for offer in offers if isinstance(offer.action, Command)}
        assert ("choose" in hidden) <= ("boxes" in behind)
        # Without the camera the number keys enter the next throw once dice are set aside.
        assert ("keep" in hidden) <= ("mark die" in behind or (not dice and game.has_kept))


@pytest.mark.parametrize(("name", "players"), [(name, count) for name in DICE_GAMES for count in (2, 5)])
def test_refusals_offers_and_texts(name: str, players: int) -> None:
    random = Random(name)
    definition = find_game(name)
    for before, move, after in steps(new_game(name, players, 1), random):
        if random.random() < 0.5:
            continue
        check_refusals(before, [some_move(random) for _ in range(6)], r"G\d+")
        check_offers(before, name)
        check_texts(definition, NAMES, before, move, after)
        check_addressed_seat(definition, before, NAMES)
        check_unchanged_entries(before)
        for seat in map(Seat, range(players)):
            meant = definition.get_default_move(before, seat)
            assert meant is not None
            if meant not in before.list_moves():
                with pytest.raises(IllegalMove, match=r"^G\d+: "):
                    before.play(meant)


@pytest.mark.parametrize("name", DICE_GAMES)
def test_no_correction_leads_into_an_impossible_state(name: str) -> None:
    for seed in range(4):
        random = Random(seed)
        game = new_game(name, random.randint(2, 6))
        for _ in range(300):
            if game.compute_outcome() is not None:
                break
            if random.random() < 0.8:
                game = game.play(draw_move(game, random))
                continue
            done = correct_at_random(find_game(name), NAMES, game, random, 60)
            if done is None:
                continue
            game = done.game
            assert game.list_moves() or game.compute_outcome()
            assert game.present_seats
            assert game.compute_outcome() or not game.away[game.active_seat]
            check_offers(game, name)
        for _step, (_before, _move, after) in zip(range(300), steps(game, random), strict=False):
            game = after
        assert game.list_moves() or game.compute_outcome()
