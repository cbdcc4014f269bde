"""`companion rules --try FILE`: play a game's file once with random numbers, and print each round and its scores."""

from collections.abc import Callable
from random import Random

from companion.api import Move, Seat, format_number
from companion.commands import CommandError
from companion.games.game_file.definition import make_definition
from companion.games.game_file.points.definition import PointsGameDefinition
from companion.games.game_file.points.game import PointsGame
from companion.games.game_file.points.moves import Confirm, EnterAgain, EnterNumber
from companion.games.game_file.points.simulator.player import think_of_number

USUAL_PLAYERS = 3
"""Players of the game, if it is for as many."""
MAX_TRIED_MOVES = 2_000
"""Numbers, with repeated ones, after which the game is left: its end may never come."""
CONFIRM_SHARE = 0.5
"""Probability that an unusual round was so, and that nobody enters again."""


def try_game(name: str, text: str, rng: Random | None = None, say: Callable[[str], None] = print) -> None:
    """Play a game of entered points once, and print each round as docs/game-files.md writes it: numbers and scores.

    Args:
        name: of the game.
        text: its file, which has been checked.
        rng: draws the numbers; None: others each time.
        say: prints a line.

    Raises:
        CommandError: it is a game of another kind (status 2).
    """
    definition, rng = make_definition(text, name), rng or Random()
    if not isinstance(definition, PointsGameDefinition):
        raise CommandError(
            f"Only games with entered points are tried. Import {name}, then: companion run --headless --game {name}",
            status=2,
        )
    counts = definition.player_counts
    game = definition.create_game(min(max(USUAL_PLAYERS, counts[0]), counts[-1]), Seat(0), definition.settings_model())
    names = tuple(f"Player {q + 1}" for q in range(game.player_count))
    say(f"{definition.title}, {game.player_count} players, each enters: {'; '.join(_list_entries(game))}")
    numbers, mistake = _make_empty_round(game), ""
    for _ in range(MAX_TRIED_MOVES):
        if game.is_over:  # perhaps at once, where nobody has anything to enter (G62)
            break
        move, before = _choose_move(game, rng), game
        game = game.play(move)
        if move.kind == EnterNumber.kind:
            entry = before.find_next_entry(move.player)
            assert entry is not None, "it has been entered"
            numbers[move.player][entry] = format_number(move.value[0])
        elif move.kind == EnterAgain.kind:
            kept, mistake = len(game.entered[move.player]), before.find_mistake()
            numbers[move.player][kept:] = _make_empty_round(game)[0][kept:]
        if game.is_over or (game.restart_count, game.round_number) != (before.restart_count, before.round_number):
            again = "; everybody begins again" if game.restart_count > before.restart_count else ""
            line = " | ".join(map(" ".join, numbers))
            say(f"{before.round_number}: {line} -> {', '.join(_list_scores(game))}{again}")
            numbers = _make_empty_round(game)
    if not game.is_over:
        reason = f" Often wrong: {mistake}." if mistake else ""
        say(f"It is not over after {MAX_TRIED_MOVES} numbers, in round {game.round_number}: does it ever end?{reason}")
        return
    outcome = game.compute_outcome()
    assert outcome is not None, "it is over"
    say(f"{definition.format_result(game, names)}. {outcome.reason}")


def _make_empty_round(game: PointsGame) -> list[list[str]]:
    """Return by seat and entry what stands for a number that was not asked for."""
    return [["."] * len(game.rules.model.entries) for _seat in range(game.player_count)]


def _list_entries(game: PointsGame) -> list[str]:
    return [entry.name for entry in game.rules.model.entries]


def _list_scores(game: PointsGame) -> list[str]:
    """Return by seat the score with the numbers that are kept: "5 (Phase 3)"."""
    kept = [", ".join(game.list_shown_memory(Seat(q))) for q in range(game.player_count)]
    return [f"{format_number(score)}{f' ({own})' if own else ''}" for score, own in zip(game.totals, kept, strict=True)]


def _choose_move(game: PointsGame, rng: Random) -> Move:
    if game.seats_to_enter:
        seat = rng.choice(game.seats_to_enter)
        return Move(EnterNumber.kind, seat, (think_of_number(game, seat, rng),))
    if game.can_be_confirmed and rng.random() < CONFIRM_SHARE:
        return Move(Confirm.kind)
    return rng.choice([move for move in game.list_moves() if move.kind == EnterAgain.kind])
