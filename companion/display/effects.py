"""Which sound belongs to which change of the screen. Every sound has a visible twin; none tells what is not shown.

| sound | when | what is seen |
| --- | --- | --- |
| key | a button is pressed | its key lights up |
| turn | another player is addressed | badge, name and sentence at the top |
| ask | the table is asked something | the question over the game |
| notice | something is wrong, or was pressed in vain | the line in yellow |
| played | something was played, and nothing below fits | the line that tells it |
| gain, miss | somebody's score rises; none rises and one falls | the scores, and what changed beside them |
| gold | Memo Dice: the golden cup is won | the cup goes to its owner |
| tick | the last five seconds of a clock, one each | the clock |
| go | drawing, or a round against the clock, begins | the phase's own picture and its clock |
| stop | it ends | the sentence and the picture of the next phase |
| new, fall | StarFall: a tile comes onto the board; one leaves it and nobody has it | the ring of spaces |
| round | a round is over | the round track |
| won | the game is over | the ranking |
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from companion.shown import Place, Player, Shown

LAST_SECONDS = 5
"""Of a clock that are heard, one by one."""
UNDER_WAY = frozenset({("pictomania", "drawing"), ("secret_number", "round")})
"""Phases in which all play at once against the clock."""


class Effect(StrEnum):
    """The sounds; what comes first is heard where several would be."""

    WON = "won"
    STOP = "stop"
    GO = "go"
    GOLD = "gold"
    ROUND = "round"
    ASK = "ask"
    NOTICE = "notice"
    NEW = "new"
    FALL = "fall"
    GAIN = "gain"
    MISS = "miss"
    TURN = "turn"
    PLAYED = "played"
    TICK = "tick"
    KEY = "key"


def effect(before: Shown | None, after: Shown) -> Effect | None:
    """What is heard when the screen goes from one state to the next; None: nothing."""
    if before is None or before.game != after.game or Place.RESUME in (before.place, after.place):
        return None
    found = {
        Effect.WON: before.place is Place.PLAY and after.place is Place.RESULT,
        Effect.STOP: _under_way(before) and not _under_way(after),
        Effect.GO: _under_way(after) and not _under_way(before),
        Effect.GOLD: _of(before, "gold_holder") is None and _of(after, "gold_holder") is not None,
        Effect.ROUND: _round(after) > _round(before) > 0,
        Effect.ASK: after.question is not None and before.question is None,
        Effect.NOTICE: after.notice is not None and after.notice != before.notice,
        Effect.NEW: len(_board(after)) > len(_board(before)),
        Effect.FALL: len(_board(after)) < len(_board(before)) and _of(before, "tiles") == _of(after, "tiles"),
        Effect.GAIN: any(new > old for old, new in _scores(before, after)),
        Effect.MISS: any(new < old for old, new in _scores(before, after)),
        Effect.TURN: addressed(after) is not None and addressed(after) != addressed(before),
        Effect.PLAYED: after.last is not None and after.last != before.last,
        Effect.TICK: _ticks(before, after),
    }
    if before.place is not after.place and after.place is not Place.RESULT:
        found = {Effect.TURN: found[Effect.TURN]}
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
    turned = addressed(after) != addressed(before) or _under_way(after) != _under_way(before)
    return after.sentence if turned else None


def _of(shown: Shown, name: str) -> object:
    return getattr(shown.view, name, None)


def _under_way(shown: Shown) -> bool:
    return (shown.game, str(_of(shown, "phase"))) in UNDER_WAY


def _round(shown: Shown) -> int:
    found = _of(shown, "marker") or _of(shown, "round")
    return found if isinstance(found, int) else 0


def _board(shown: Shown) -> Sequence[object]:
    found = _of(shown, "board")
    return found if isinstance(found, tuple) else ()


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
