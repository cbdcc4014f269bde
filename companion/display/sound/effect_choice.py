"""Sound selection: which sound effect, and which sound of a seat, belongs to a change of the screen."""

from companion.display.scenes import load_game_scene
from companion.display.sound.sound_effects import SeatSound, Sound, SoundEffect, SoundFile
from companion.screen_state import ScreenKind, ScreenState

TICKING_SECONDS = 5
"""The last seconds of a clock, which tick one by one."""


def choose_sound(before: ScreenState | None, after: ScreenState) -> Sound | None:
    """Choose the sound of a change of the screen.

    Args:
        before: the state before; None: nothing was shown yet.
        after: the state after.

    Returns:
        The most important effect that fits, or the game's own sound of that importance; None: no sound, as for the
        first state, another game and a resumed game.

    Raises:
        Exception: any error of the scene's methods is passed on.
    """
    kinds = (before.kind if before else None, after.kind)
    if before is None or before.game_name != after.game_name or ScreenKind.RESUME in kinds:
        return None
    # A correction, an undo or a redo is no success: it sounds like any other change.
    is_played = after.played is not None
    is_next_player = after.addressed is not None and after.addressed != before.addressed
    if before.kind is not after.kind and after.kind is not ScreenKind.RESULT:
        return SoundEffect.NEXT_PLAYER if is_next_player else None
    was_common, is_common = is_simultaneous(before), is_simultaneous(after)
    is_comparable = before.kind is ScreenKind.PLAY and len(before.scores) == len(after.scores)
    is_scored = is_comparable and is_played
    changes = [new - old for old, new in zip(before.scores, after.scores, strict=True)] if is_scored else []
    fitting = {
        SoundEffect.WON: is_played and kinds == (ScreenKind.PLAY, ScreenKind.RESULT),
        SoundEffect.STOP: was_common and not is_common,
        SoundEffect.START: is_common and not was_common,
        SoundEffect.ROUND_OVER: is_played and find_round(after) > find_round(before) > 0,
        SoundEffect.QUESTION: is_newly_asked(before, after),
        SoundEffect.NOTICE: after.notice is not None and after.notice != before.notice,
        SoundEffect.POINTS_GAINED: max(changes, default=0) > 0,
        SoundEffect.POINTS_LOST: min(changes, default=0) < 0,
        SoundEffect.NEXT_PLAYER: is_next_player,
        SoundEffect.PLAYED: after.last_move is not None and after.last_move != before.last_move,
        SoundEffect.TICK: _has_clock_ticked(before, after),
    }
    if before.in_game and after.in_game and is_played:
        own = load_game_scene(after.game_name).choose_sound(before.view, after.view)
        if own:
            rank = own.importance if isinstance(own, SoundFile) else own
            first = next(effect for effect in SoundEffect if fitting.get(effect) or effect is rank)
            return own if first is rank else first
    return next((effect for effect in SoundEffect if fitting.get(effect)), None)


def choose_seat_sound(before: ScreenState | None, after: ScreenState) -> SeatSound | None:
    """Choose the sound of who is to act, or of the keys to act with, if that has changed; None: it has not.

    Args:
        before: the state before; None: nothing was shown yet.
        after: the state after.
    """
    sound = _find_seat_sound(after)
    return None if before is not None and sound is _find_seat_sound(before) else sound


def _find_seat_sound(state: ScreenState) -> SeatSound | None:
    is_asked = state.question is not None or state.menu is not None
    if state.addressed is not None and not is_asked:
        return SeatSound(state.players[state.addressed].button)
    awaited = [key for key in state.soft_keys if key.awaited and key.label]
    seats = [key for key in awaited if key.button.seat_number]
    if len(seats) == 1 and not seats[0].is_number:
        return SeatSound(seats[0].button)
    if seats:
        return SeatSound.NUMBERS if seats[0].is_number else SeatSound.EVERYBODY
    return SeatSound.CONSOLE if awaited else None


def is_newly_asked(before: ScreenState, after: ScreenState) -> bool:
    """Return whether another question is asked than before; one whose title is the name being written is the same."""
    old, new = before.question, after.question
    return new is not None and (old is None or (old.title != new.title and not after.asks_for_text))


def is_simultaneous(state: ScreenState) -> bool:
    """Return whether all players act at the same time now."""
    return state.in_game and load_game_scene(state.game_name).is_simultaneous(state.view)


def find_round(state: ScreenState) -> int:
    """Return the number of the present round, from 1; 0: there is none."""
    return load_game_scene(state.game_name).current_round(state.view) if state.in_game else 0


def _has_clock_ticked(before: ScreenState, after: ScreenState) -> bool:
    """Return whether one of the last seconds of a clock has passed."""
    left = {clock.name: clock.seconds_left for clock in before.clocks}
    return any(
        not clock.paused
        and 0 < clock.seconds_left <= TICKING_SECONDS
        and left.get(clock.name, clock.seconds_left) > clock.seconds_left
        for clock in after.clocks
    )
