"""Each reason for which a game of ours refuses a move is met in random games in which people also try wrong moves."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import companion.games
from companion.api import BadCorrection, IllegalMove, Move, Seat, registry
from tests.games.differential.comparisons import ALL
from tests.games.differential.driver import Differential, draw_value

GAMES, STEPS, WRONG_MOVES = 60, 200, 4
"""Most random games, moves in a game, and wrong moves tried at each step."""
CORRECTION_SHARE = 0.1
RARE = {
    "the dice allow no second token, not a {n}",
    "the windows are being covered",
    "{who} is away",
    "the pile is empty and no tile is left on the board",
}
"""Reasons that random games hardly meet; they stand in the games' own tests of refusals."""


def list_reasons(name: str) -> Iterator[str]:
    """Yield the messages that stand behind a rule's number in the code of a game's moves."""
    paths = Path(companion.games.__path__[0], name).glob("*.py")
    for path in [path for path in paths if path.stem != "corrections"]:  # their reasons are of another kind
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Tuple([ast.Constant(str(_)), ast.Call(ast.Name("N_"), [ast.Constant(str(text))])]) | ast.Call(
                    ast.Name("Unmet"), [_, ast.Call(ast.Name("N_"), [ast.Constant(str(text))]), *_]
                ):
                    yield text


def try_wrong_moves(game: Any, random: Random, moves: list[Move]) -> Iterator[str]:
    """Yield why moves that were legal some time, by other seats or with other values too, are refused now."""
    for move in random.sample(moves, min(WRONG_MOVES, len(moves))):
        seat = None if move.seat is None else random.choice((move.seat, Seat(random.randrange(game.player_count))))
        value = random.choice((move.value, tuple(number + random.randint(-1, 2) for number in move.value)))
        try:
            game.play(Move(move.kind, seat, value))
        except IllegalMove as refusal:
            yield refusal.message


def step(differential: Differential, game: Any, random: Random) -> Any:
    """Correct something or play a legal move, drawn by its kind."""
    if random.random() < CORRECTION_SHARE and (entries := game.list_correctables()):
        entry = random.choice(entries)
        try:
            return game.correct(entry.make_correction(*draw_value(random, entry.value_range, entry.current_value[0])))
        except BadCorrection:
            return game
    moves = game.list_moves()
    kinds = list(dict.fromkeys(move.kind for move in moves))
    (kind,) = random.choices(kinds, [differential.weights.get(kind, 1.0) for kind in kinds])
    move = random.choice([move for move in moves if move.kind == kind])
    return game.play(move if move.value_range is None else move.fill(*draw_value(random, move.value_range)))


@pytest.mark.full
@pytest.mark.parametrize("differential", ALL, ids=lambda each: each.name)
def test_each_reason_is_met(differential: Differential) -> None:
    definition = registry.find_game(differential.name)
    missing = set(list_reasons(differential.name)) - RARE
    assert len(missing) > 10
    legal_once: dict[Move, None] = {}
    for seed in range(GAMES):
        random = Random(f"{differential.name} {seed}")
        settings = definition.settings_model.model_validate(differential.draw_settings(random))
        count = random.choice(definition.player_counts)
        game: Any = definition.create_game(count, Seat(random.randrange(count)), settings)
        for _ in range(STEPS):
            legal_once |= dict.fromkeys(game.list_moves())
            missing -= set(try_wrong_moves(game, random, list(legal_once)))
            if not missing:
                return
            if game.compute_outcome() is not None:
                break
            game = step(differential, game, random)
    pytest.fail(f"not met: {sorted(missing)}")
