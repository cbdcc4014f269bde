"""Random games of Hearts, Rummy, the cribbage board and Go, against plain scorings; the others: test_shelf."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.api import ConsolePress, IllegalMove, Move, Seat, Visibility
from companion.api.places import compute_places
from companion.api.registry import SHIPPED_GAME_FOLDER, find_game
from companion.games.game_file.definition import make_definition
from tests.games.game_file.options import draw_options
from tests.games.game_file.points.entering import new_game
from tests.games.game_file.points.plain_games import (
    PlainCribbage,
    PlainGo,
    PlainHands,
    PlainHearts,
    PlainRummy,
)
from tests.games.results import find_winners

ENTERED: dict[str, type[PlainHands]] = {"hearts": PlainHearts, "rummy": PlainRummy}
TABLES = [(name, players) for name in ENTERED for players in find_game(name).player_counts]
IMPOSSIBLE_DARTS = {163, 166, 169, 172, 173, 175, 176, 178, 179}


def draw_number(plain: PlainHands, player: int, random: Random) -> int:
    """A number as people would enter it, such that the hand can be right."""
    is_last = len(plain.waiting()) == 1
    if isinstance(plain, PlainHearts):
        left = 26 - sum(plain.hand.values())
        # All 26 seldom: where they are taken off (a house rule), the game would not end.
        return left if is_last else random.choice((0, left, *[random.randint(0, left)] * 8))
    if player in plain.hand:
        return random.randint(0, 1)
    if 0 in plain.hand.values():
        return random.choice((0, *[random.randint(1, 200)] * 9))
    return 0 if random.random() < (0.8 if is_last else 0.3) else random.randint(1, 200)


def check_scores(name: str, players: int, seed: int) -> None:
    random = Random(f"{name} {players} {seed}")
    first = random.randrange(players)
    options = draw_options(name, random)
    plain, game = ENTERED[name](players, first, options), new_game(name, players, first, **options)
    while not plain.over:
        assert {seat for seat in range(players) if game.find_next_entry(seat) is not None} == plain.waiting()
        if isinstance(plain, PlainRummy) and not plain.waiting():
            game = game.play(Move("confirm"))
            plain.end_hand()
            assert list(game.totals) == plain.points
            continue
        player = random.choice(sorted(plain.waiting()))
        number = draw_number(plain, player, random)
        before = game
        game = game.play(Move("enter", Seat(player), (number,)))
        plain.enter(player, number)
        assert list(game.totals) == plain.points, (name, seed, options, before, player, number)
        assert game.changes == tuple(b - a for a, b in zip(before.totals, game.totals, strict=True))
    outcome = game.compute_outcome()
    assert outcome is not None
    assert set(outcome.winners) == plain.winners()
    assert outcome.lowest_wins == plain.fewest_win
    assert game.places == compute_places(outcome, game.totals), "standings before the end have the same order"
    assert not game.list_moves()


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_scores_as_the_plain_game_has_them(name: str, players: int) -> None:
    for seed in range(3):
        check_scores(name, players, seed)


@pytest.mark.proof
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_three_hundred_games(name: str, players: int) -> None:
    for seed in range(300):
        check_scores(name, players, seed)


@pytest.mark.parametrize("players", find_game("cribbage_board").player_counts)
def test_the_cribbage_board_ends_with_121_or_61(players: int) -> None:
    for seed in range(20):
        random = Random(f"{players} {seed}")
        options = draw_options("cribbage_board", random)
        plain, game = PlainCribbage(players, 0, options), new_game("cribbage_board", players, **options)
        while not plain.over:
            player, number = random.randrange(players), random.choice((1, 1, 2, 3, 12, 24, 29, -2))
            move = Move("point", Seat(player)) if number == 1 else Move("add", Seat(player), (number,))
            game = game.play(move)
            plain.enter(player, number)
            assert list(game.totals) == plain.points
        assert set(find_winners(game)) == plain.winners()


def test_go_has_a_time_bank_five_periods_of_thirty_seconds_and_komi() -> None:
    lost = 0
    for seed in range(20):
        random = Random(seed)
        plain, game = PlainGo(2, 0), new_game("go", 2)
        first = random.randrange(2)
        game = game.play(Move("take", Seat(first)))
        plain.begin(first)
        for _ in range(random.choice((8, 120))):
            (clock,) = game.list_clocks()
            assert clock.seconds == pytest.approx(plain.limit())
            assert game.active_seat == plain.turn_of
            seconds = min(plain.limit(), random.choice((1.0, 12.5, 29.9, 30.0, 30.1, 45.0, 60.0, 90.1, 200.0)))
            game = game.play(Move("pass", game.active_seat, (round(seconds * 10),)))
            plain.pass_clock(round(seconds * 10) / 10)
            if plain.over:
                break
        lost += plain.over
        if not plain.over:
            for player in range(2):
                game = game.play(Move("add", Seat(player), (points := random.randint(1, 90),)))
                plain.enter(player, points)
            game = game.play(Move("end", value=(10,)))
        plain.end()
        assert list(game.totals) == plain.points
        assert set(game.compute_outcome().winners) == plain.winners()
    assert 0 < lost < 20


def test_a_hand_of_hearts_must_have_26_points() -> None:
    game = new_game("hearts", 3)
    for seat in range(2):
        game = game.play(Move("enter", Seat(seat), (10,)))
    with pytest.raises(IllegalMove, match=r"G64: The points of a hand are 26 together"):
        game.play(Move("enter", Seat(2), (7,)))
    assert game.play(Move("enter", Seat(2), (6,))).totals == (10, 10, 6)


def test_braces_in_a_sentence_of_a_file_are_not_filled_in() -> None:
    hearts = (SHIPPED_GAME_FOLDER / "hearts.toml").read_text(encoding="utf-8").partition("[translations")[0]
    text = hearts.replace('name = "hearts"', 'name = "own"').replace("The points of a hand", "{who} {x}")
    own = make_definition(text, "own.toml")
    game: Any = own.create_game(3, Seat(0), own.settings_model.model_validate({}))
    for seat in range(2):
        game = game.play(Move("enter", Seat(seat), (10,)))
    with pytest.raises(IllegalMove) as refused:
        game.play(Move("enter", Seat(2), (7,)))
    assert refused.value.describe(("Ada", "Bob", "Cleo")) == "{who} {x} are 26 together"


def enter_rummy(*numbers: int, players: int = 3) -> Any:
    """Enter what is left in the hands; whoever has nothing left did not lay all cards down at once."""
    game = new_game("rummy", players)
    for seat, number in enumerate(numbers):
        game = game.play(Move("enter", Seat(seat), (number,)))
        if number == 0:
            game = game.play(Move("enter", Seat(seat), (0,)))
    return game


@pytest.mark.parametrize("hands", [(0, 0, 30), (5, 12, 30)])
def test_a_hand_of_rummy_that_nobody_wins_is_asked_about(hands: tuple[int, ...]) -> None:
    game = enter_rummy(*hands)
    assert (game.totals, game.round_number) == ((0, 0, 0), 1)
    prompt = find_game("rummy").format_prompt(game, ("Ada", "Bob", "Cleo"))
    assert prompt == "Nobody's hand is empty, or several are. OK if it was so, or enter again"
    assert {move.kind for move in game.list_moves()} == {"again", "confirm", "end"}
    after = game.play(Move("confirm"))
    assert (after.totals, after.round_number) == ((0, 0, 0), 2)


def test_going_rummy_counts_twice() -> None:
    game = enter_rummy(12, 30)
    game = game.play(Move("enter", Seat(2), (0,))).play(Move("enter", Seat(2), (1,)))
    assert game.totals == (0, 0, 84)


def test_two_empty_hands_of_rummy_are_corrected() -> None:
    game = enter_rummy(0, 0, 30)
    wrong = next(each for each in game.list_correctables() if each.kind == "entry" and each.seat == 1)
    game = game.correct(wrong.make_correction(12))
    assert game.totals == (42, 0, 0)


def test_a_player_enters_again_before_the_round_is_over() -> None:
    game = enter_rummy(0, 0, 30)
    game = game.play(Move("again", Seat(1)))
    assert game.entered == ((0, 0), (), (30,))
    with pytest.raises(IllegalMove, match="G64: "):
        game.play(Move("confirm"))
    game = game.play(Move("enter", Seat(1), (12,)))
    assert game.totals == (42, 0, 0)
    with pytest.raises(IllegalMove, match="G61: "):
        game.play(Move("again", Seat(1)))


def test_a_question_is_answered_by_ok_or_no() -> None:
    darts = find_game("darts_501")
    game = new_game("darts_501", 2)
    for number in (180, 100, 180, 100, 141):
        game = game.play(Move("enter", game.active_seat, (number,)))
    keys = {offer.input: offer.label for offer in darts.list_offers(game, ("Ada", "Bob"), Visibility())}
    assert keys == {ConsolePress.OK: "Yes", ConsolePress.NO: "No", ConsolePress.PLUS: "End game"}
    missed = game.play(Move("enter", Seat(0), (0,)))
    assert (missed.totals, missed.active_seat) == ((141, 301), 1)
    hit = game.play(Move("enter", Seat(0), (1,)))
    assert (hit.totals, hit.compute_outcome().winners) == ((0, 301), (0,))


@pytest.mark.parametrize("number", sorted(IMPOSSIBLE_DARTS))
def test_three_darts_cannot_score_everything(number: int) -> None:
    with pytest.raises(IllegalMove, match=f"G61: .*{number} cannot be"):
        new_game("darts_501", 2).play(Move("enter", Seat(0), (number,)))
