"""What is heard of a change of the screen: the sound, and what is spoken."""

from __future__ import annotations

from collections.abc import Sequence

from companion.display.scenes import load_game_scene
from companion.display.sound_effects import SoundEffect
from companion.screen_state import Player, ScreenKind, ScreenState

TICKING_SECONDS = 5
"""Of a clock that are heard, one by one."""


def choose_effect(before: ScreenState | None, after: ScreenState) -> SoundEffect | None:
    """What is heard when the screen goes from one state to the next; None: nothing."""
    if before is None or before.game_name != after.game_name or ScreenKind.RESUME in (before.kind, after.kind):
        return None
    turned = addressed(after) is not None and addressed(after) != addressed(before)
    if before.kind is not after.kind and after.kind is not ScreenKind.RESULT:
        return SoundEffect.NEXT_PLAYER if turned else None
    found = {
        SoundEffect.WON: before.kind is ScreenKind.PLAY and after.kind is ScreenKind.RESULT,
        SoundEffect.STOP: _is_simultaneous(before) and not _is_simultaneous(after),
        SoundEffect.START: _is_simultaneous(after) and not _is_simultaneous(before),
        SoundEffect.ROUND_OVER: _current_round(after) > _current_round(before) > 0,
        SoundEffect.QUESTION: after.question is not None and before.question is None,
        SoundEffect.NOTICE: after.notice is not None and after.notice != before.notice,
        SoundEffect.POINTS_GAINED: any(new > old for old, new in _score_pairs(before, after)),
        SoundEffect.POINTS_LOST: any(new < old for old, new in _score_pairs(before, after)),
        SoundEffect.NEXT_PLAYER: turned,
        SoundEffect.PLAYED: after.last_move is not None and after.last_move != before.last_move,
        SoundEffect.TICK: _has_clock_ticked(before, after),
    }
    if (
        before.in_game
        and after.in_game
        and (own := load_game_scene(after.game_name).choose_sound(before.view, after.view))
    ):
        found[own] = True
    return next((each for each in SoundEffect if found.get(each)), None)


def addressed(shown: ScreenState) -> Player | None:
    """Whom the sentence addresses by name (`display.header.subject`)."""
    return next((p for p in shown.players if shown.prompt.startswith(f"{p.name}: ")), None)


def choose_announcement(before: ScreenState | None, after: ScreenState) -> str | None:
    """What is spoken at that change: whose turn and what now, a question, who has won; None: nothing."""
    if before is None or before.game_name != after.game_name:
        return None
    if after.question is not None and before.question is None:
        return after.question.title
    if after.kind is ScreenKind.RESULT and before.kind is ScreenKind.PLAY:
        return after.prompt
    if after.kind is not ScreenKind.PLAY or after.prompt == before.prompt:
        return None
    turned = addressed(after) != addressed(before) or _is_simultaneous(after) != _is_simultaneous(before)
    return after.prompt if turned else None


def _is_simultaneous(state: ScreenState) -> bool:
    return state.in_game and load_game_scene(state.game_name).is_simultaneous(state.view)


def _current_round(state: ScreenState) -> int:
    return load_game_scene(state.game_name).current_round(state.view) if state.in_game else 0


def _score_pairs(before: ScreenState, after: ScreenState) -> Sequence[tuple[int, int]]:
    if before.kind is not ScreenKind.PLAY or len(before.scores) != len(after.scores):
        return ()
    return tuple(zip(before.scores, after.scores, strict=True))


def _has_clock_ticked(before: ScreenState, after: ScreenState) -> bool:
    left = {clock.name: clock.seconds_left for clock in before.clocks}
    return any(
        not clock.paused
        and 0 < clock.seconds_left <= TICKING_SECONDS
        and left.get(clock.name, clock.seconds_left) > clock.seconds_left
        for clock in after.clocks
    )
