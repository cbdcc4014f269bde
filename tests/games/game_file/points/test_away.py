"""Players who are away end no game, and are waited for where only they have something to enter (G60, G62, G77)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.api import BadCorrection, Correction, Move, Seat
from companion.games.game_file.definition import make_definition
from companion.testing.checks import check_addressed_seat

NAMES = ("Ada", "Bob", "Cy")
GOAL = """
name = "goal"
title = "Goal"
players_min = 2
players_max = 3
[points]
order = "together"
rounds = 4
[[points.entries]]
id = "steps"
name = "steps"
high = 9
when = "score < 5"
"""
KNIVES = """
name = "knives"
title = "Knives"
players_min = 2
players_max = 3
[points]
order = "turns"
end = "score >= 20"
out = "score < 0"
[[points.entries]]
id = "gained"
name = "points"
low = -9
high = 9
"""


def begin(text: str, players: int) -> tuple[Any, Any]:
    definition: Any = make_definition(text, "game.toml")
    return definition, definition.create_game(players, Seat(0), definition.settings_model())


def enter(game: Any, *numbers: tuple[int, int]) -> Any:
    for seat, number in numbers:
        game = game.play(Move("enter", Seat(seat), (number,)))
    return game


def mark(game: Any, seat: int, is_away: bool) -> Any:
    return game.correct(Correction("away", Seat(seat), (int(is_away),)))


@pytest.mark.parametrize("order", ["turns", "together"])
@pytest.mark.parametrize("limit", ["rounds = 4", 'end = "score >= 90"'])
def test_a_game_waits_for_the_only_player_who_has_something_to_enter(order: str, limit: str) -> None:
    definition, game = begin(GOAL.replace('"together"', f'"{order}"').replace("rounds = 4", limit), 2)
    game = enter(game, (0, 6), (1, 1))
    alone = mark(game, 1, True)
    assert (alone.is_over, alone.totals) == (False, (6, 1))
    assert [move.kind for move in alone.list_moves()] == ["end"]
    assert definition.format_prompt(alone, NAMES).startswith("Nobody here has anything to enter. ")
    back = mark(alone, 1, False)
    assert enter(back, (1, 2)).totals == (6, 3)
    assert alone.play(Move("end")).compute_outcome().winners == (0,)


def test_nobody_is_addressed_or_reminded_while_the_game_waits() -> None:
    definition: Any = make_definition(GOAL.replace('"together"', '"turns"'), "game.toml")
    settings = definition.settings_model.model_validate({"turn_seconds": 60})
    game = enter(definition.create_game(2, Seat(0), settings), (0, 6), (1, 1))
    assert (definition.get_addressed_seat(game), len(game.list_clocks())) == (1, 1)
    alone = mark(game, 1, True)
    assert (definition.get_addressed_seat(alone), alone.list_clocks()) == (None, ())
    check_addressed_seat(definition, alone, NAMES)


@pytest.mark.parametrize("order", ["turns", "together"])
def test_a_game_waits_for_who_is_away_when_the_others_are_done(order: str) -> None:
    _definition, game = begin(GOAL.replace('"together"', f'"{order}"'), 3)
    game = mark(game, 2, True)
    game = enter(game, (0, 6), (1, 6))
    assert (game.is_over, game.totals) == (False, (6, 6, 0))
    assert enter(mark(game, 2, False), (2, 4), (2, 1)).is_over


def test_a_question_about_the_round_is_not_asked_where_nobody_could_enter() -> None:
    check = '[[points.checks]]\nwhen = "sum(all_steps) > 0"\ntext = "Nobody has moved"\nask = true\n'
    _definition, game = begin(GOAL + check, 2)
    alone = mark(enter(game, (0, 6), (1, 1)), 1, True)
    assert [move.kind for move in alone.list_moves()] == ["end"]


def test_empty_rounds_before_the_end_add_nothing() -> None:
    text = GOAL.replace("rounds = 4", 'score = "steps + 1"\nend = "score >= 90"')
    _definition, game = begin(text, 2)
    game = enter(game, (0, 6), (1, 5))
    assert (game.is_over, game.totals, game.round_number) == (True, (7, 6), 2)


def test_who_is_away_is_left_beside_the_last_player_at_the_table() -> None:
    _definition, game = begin(KNIVES, 3)
    game = enter(game, (0, -1), (1, 3), (2, 3))
    game = enter(mark(game, 2, True), (1, 2))
    assert (game.is_over, game.active_seat) == (False, 1)
    assert enter(mark(game, 2, False), (1, 2), (2, -9)).compute_outcome().winners == (1,)


def test_a_player_who_is_away_enters_nothing_while_those_at_the_table_are_out() -> None:
    _definition, game = begin(KNIVES, 3)
    game = enter(game, (0, -1), (1, 3), (2, 3))
    game = mark(mark(game, 2, True), 1, True)
    assert (game.is_over, game.totals) == (False, (-1, 3, 3))
    assert enter(mark(game, 2, False), (2, 4)).totals == (-1, 3, 7)


def test_the_turn_of_the_player_who_is_waited_for_is_corrected_to_what_it_is() -> None:
    _definition, game = begin(KNIVES, 3)
    waiting = mark(mark(enter(game, (0, 3), (1, -1), (2, 3)), 2, True), 0, True)
    assert (waiting.active_seat, waiting.away) == (0, (True, False, True)), "Bob is here, and out"
    same = waiting.correct(Correction("active", None, (0,)))
    assert (same.active_seat, same.totals, same.list_moves()) == (0, (3, -1, 3), waiting.list_moves())
    with pytest.raises(BadCorrection, match="seat 2 is away"):
        waiting.correct(Correction("active", None, (2,)))


@pytest.mark.parametrize("order", ["turns", "together"])
def test_who_joins_a_game_that_waits_for_another_player_has_the_turn(order: str) -> None:
    text = GOAL.replace('"together"', f'"{order}"\nlate_joiners = "from_start"')
    _definition, game = begin(text, 2)
    joined = mark(enter(game, (0, 6), (1, 1)), 1, True).add_player()
    assert [move.seat for move in joined.list_moves() if move.kind == "enter"] == [2]
