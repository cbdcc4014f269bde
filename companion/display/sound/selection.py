"""What is heard of a change of the screen: the sound, and what is spoken."""

from __future__ import annotations

from collections.abc import Sequence

from companion.display.scenes import scene_of
from companion.display.sound_effects import Effect
from companion.screen_state import Place, Player, Shown

LAST_SECONDS = 5
"""Of a clock that are heard, one by one."""


def effect(before: Shown | None, after: Shown) -> Effect | None:
    """What is heard when the screen goes from one state to the next; None: nothing."""
    if before is None or before.game != after.game or Place.RESUME in (before.place, after.place):
        return None
    turned = addressed(after) is not None and addressed(after) != addressed(before)
    if before.place is not after.place and after.place is not Place.RESULT:
        return Effect.TURN if turned else None
    found = {
        Effect.WON: before.place is Place.PLAY and after.place is Place.RESULT,
        Effect.STOP: _at_once(before) and not _at_once(after),
        Effect.GO: _at_once(after) and not _at_once(before),
        Effect.ROUND: _round(after) > _round(before) > 0,
        Effect.ASK: after.question is not None and before.question is None,
        Effect.NOTICE: after.notice is not None and after.notice != before.notice,
        Effect.GAIN: any(new > old for old, new in _scores(before, after)),
        Effect.MISS: any(new < old for old, new in _scores(before, after)),
        Effect.TURN: turned,
        Effect.PLAYED: after.last is not None and after.last != before.last,
        Effect.TICK: _ticks(before, after),
    }
    if before.in_game and after.in_game and (own := scene_of(after.game).effect(before.view, after.view)):
        found[own] = True
    return next((each for each in Effect if found.get(each)), None)


def addressed(shown: Shown) -> Player | None:
    """Whom the sentence addresses by name (`display.header.subject`)."""
    return next((p for p in shown.players if shown.sentence.startswith(f"{p.name}: ")), None)


def announcement(before: Shown | None, after: Shown) -> str | None:
    """What is spoken at that change: whose turn and what now, a question, who has won; None: nothing."""
    if before is None or before.game != after.game:
        return None
    if after.question is not None and before.question is None:
        return after.question.title
    if after.place is Place.RESULT and before.place is Place.PLAY:
        return after.sentence
    if after.place is not Place.PLAY or after.sentence == before.sentence:
        return None
    turned = addressed(after) != addressed(before) or _at_once(after) != _at_once(before)
    return after.sentence if turned else None


def _at_once(shown: Shown) -> bool:
    return shown.in_game and scene_of(shown.game).at_once(shown.view)


def _round(shown: Shown) -> int:
    return scene_of(shown.game).round(shown.view) if shown.in_game else 0


def _scores(before: Shown, after: Shown) -> Sequence[tuple[int, int]]:
    if before.place is not Place.PLAY or len(before.scores) != len(after.scores):
        return ()
    return tuple(zip(before.scores, after.scores, strict=True))


def _ticks(before: Shown, after: Shown) -> bool:
    left = {clock.name: clock.left for clock in before.clocks}
    return any(
        not clock.paused and 0 < clock.left <= LAST_SECONDS and left.get(clock.name, clock.left) > clock.left
        for clock in after.clocks
    )
