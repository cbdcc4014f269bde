"""Parts of the screen state that the referee shows."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache

from companion.api import AnyGameDefinition, CommonCorrection, Game, Offer, Seat, Visibility
from companion.events import SEAT_BUTTONS, Button, CameraState
from companion.journal.entry import EntryKind
from companion.journal.replay import Replay
from companion.journal.saved_game import SavedGame
from companion.journal.statistics import compute_rounds
from companion.referee.button_mapping import build_soft_keys
from companion.screen_state import CameraView, PlayedMove, Player, ScreenKind, ScreenState

NO_CAMERA_VIEW = CameraView()
"""The camera view of games in which the camera does not play."""


def build_players(
    definition: AnyGameDefinition, names: Sequence[str], buttons: Sequence[Button], away: Sequence[Seat] = ()
) -> tuple[Player, ...]:
    """Build the players for the screen, by seat.

    Args:
        definition: the game; it gives the colours of the pieces ("" for a player that has none).
        buttons: the players' buttons, by seat.
        away: seats of those who have left the table.

    Raises:
        ValueError: there are not as many buttons as names.
    """
    colours = _choose_piece_colours(definition.piece_colours, buttons)
    return tuple(
        Player(Seat(i), name, button, colour, i in away)
        for i, (name, button, colour) in enumerate(zip(names, buttons, colours, strict=True))
    )


def _choose_piece_colours(colours: Sequence[str], buttons: Sequence[Button]) -> list[str]:
    """Return the colour of each player's pieces: that of the number of the button if it is free, else another one."""
    by_button = dict(zip(SEAT_BUTTONS, colours, strict=False))
    chosen: list[str] = []
    for button in buttons:
        colour = by_button.get(button, "")
        chosen.append("" if colour in chosen else colour)
    left = [colour for colour in dict.fromkeys(colours) if colour not in chosen]
    return [colour or (left.pop(0) if left else "") for colour in chosen]


def choose_prompt(definition: AnyGameDefinition, visibility: Visibility) -> Callable[[Game, Sequence[str]], str]:
    """Choose what formats a game's prompt: by a simulated table, a camera that sees the table, or neither."""
    if visibility.is_table_virtual:
        return definition.format_virtual_prompt
    return definition.format_camera_prompt if visibility.dice else definition.format_prompt


def build_game_state(
    definition: AnyGameDefinition,
    game: Game,
    names: Sequence[str],
    buttons: Sequence[Button],
    offers: Sequence[Offer],
    visibility: Visibility,
) -> ScreenState:
    """Build the part of the screen state that follows from the game alone.

    Args:
        definition: the game's definition.
        game: its state now.
        buttons: the players' buttons, by seat.
        offers: all that is open now, the referee's own offers included.
        visibility: what the camera can see now; it decides which prompt is shown.

    Raises:
        ValueError: there are not as many buttons as names.
        IndexError: the game, or an offer, concerns a seat that has no name or button.
        Exception: a game of another package may raise any error.
    """
    outcome = game.compute_outcome()
    away = [
        c.seat
        for c in game.list_correctables()
        if c.kind == CommonCorrection.AWAY and c.seat is not None and c.current_value == (1,)
    ]
    return ScreenState(
        kind=ScreenKind.PLAY if outcome is None else ScreenKind.RESULT,
        game_name=definition.name,
        title=definition.translated_title,
        uses_camera=definition.uses_camera,
        is_table_virtual=visibility.is_table_virtual,
        prompt=choose_prompt(definition, visibility)(game, names),
        addressed=definition.get_addressed_seat(game),
        view=game,
        players=build_players(definition, names, buttons, away),
        outcome=outcome,
        scores=game.totals,
        soft_keys=build_soft_keys(offers, buttons),
    )


@cache
def hide_picture(state: CameraState) -> CameraView:
    """Return a camera view with the camera's state and no picture, for a game that keeps it secret.

    The same object for the same state: the display compares by identity.

    Args:
        state: the camera's state now.
    """
    return CameraView(state)


@lru_cache(maxsize=1)
def summarise_ended_game(
    saved_game: SavedGame, _last_seq: int, _language: str
) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """Describe all moves of a finished game, and compute the points of each round.

    The result of the last call is cached.

    Args:
        saved_game: the finished game.
        _last_seq: number of its last journal entry; only part of the cache's key.
        _language: code of the current language; only part of the cache's key.

    Returns:
        One line per move in the current language, and the points of each round as a tuple by seat.
        Both are empty if nothing was played; the points also if the game has no rounds.

    Raises:
        Exception: a game of another package may raise any error.
    """
    return saved_game.describe_steps(), compute_rounds(saved_game.replay)


@lru_cache(maxsize=1)
def describe_played_move(
    saved_game: SavedGame, _last_seq: int, _language: str, visibility: Visibility
) -> PlayedMove | None:
    """Describe the move that was just played; the result of the last call is cached.

    Args:
        saved_game: the game at the table.
        _last_seq: number of its last journal entry; only part of the cache's key.
        _language: code of the current language; only part of the cache's key.
        visibility: what the camera can see now; it decides which prompt was shown.

    Returns:
        The move; None: the last journal entry is something else.

    Raises:
        Exception: a game of another package may raise any error.
    """
    entry, step = saved_game.replay.history[-1] if saved_game.replay.history else (None, None)
    if entry is None or step is None or entry.what.kind is not EntryKind.MOVE:
        return None
    return build_played_move(saved_game.replay, entry.seq, visibility)


def build_played_move(replay: Replay, number: int, visibility: Visibility) -> PlayedMove:
    """Build what the display needs to know of the last step of a game, which is a move.

    Args:
        number: number of its journal entry.
        visibility: what the camera can see now.

    Raises:
        Exception: a game of another package may raise any error.
    """
    step, definition = replay.steps[-1], replay.definition
    before, names = step.before, step.seating_before.players
    return PlayedMove(
        number,
        before,
        replay.describe(step),
        choose_prompt(definition, visibility)(before, names),
        definition.get_addressed_seat(before),
        *_find_round_start(replay),
    )


def _find_round_start(replay: Replay) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Find scores and places before the round that the last move has ended; empty: it has ended none."""
    *earlier, last = replay.steps
    number_of = replay.definition.get_round_number
    number = number_of(last.before)
    if number_of(last.after) == number and last.after.compute_outcome() is None:
        return (), ()
    start = next((step.after for step in reversed(earlier) if number_of(step.before) != number), replay.start)
    # Who joined during the round has won nothing in it.
    joined = slice(start.player_count, None)
    return (*start.totals, *last.after.totals[joined]), (*start.places, *last.after.places[joined])
