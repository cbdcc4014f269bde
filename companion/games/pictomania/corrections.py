"""The table is right: what people may correct, and what then follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.game import BadCorrection, Correctable, Correction, Range, Seat
from companion.games.pictomania import transitions
from companion.games.pictomania.settings import FEWEST
from companion.games.pictomania.state import AFTER_START, Position
from companion.games.pictomania.transitions import P
from companion.games.pictomania.view import Phase
from companion.i18n import Words

_ = Words("pictomania")

MOST_POINTS = 999
"""Of a round or a total, either sign."""


def correctables(p: Position) -> Sequence[Correctable]:
    """What may be corrected in `p`: totals (a player's own button), what was entered, and the rare things last."""
    return tuple(_correctables(p))


def _correctables(p: Position) -> Iterator[Correctable]:
    everybody = [Seat(q) for q in range(p.players)]
    if p.phase in (Phase.SCORING, Phase.ROUND):
        yield Correctable("active", None, (p.taking_part[p.at],), Range(1, 0, p.players - 1))
    for q in everybody:
        most = max(MOST_POINTS, abs(p.totals[q]))  # rounds put right may add up to more
        yield Correctable("total", q, (p.totals[q],), Range(1, -most, most))
    if p.phase in AFTER_START:
        for q in sorted(p.taking_part):
            yield Correctable("bonus", q, (p.bonus[q],), Range(1, 0, p.bonus_tokens[0]))
    for number, scores in reversed([*enumerate(p.finished, start=1)]):
        for q in everybody:
            yield Correctable(f"round {number}", q, (scores[q],), Range(1, -MOST_POINTS, MOST_POINTS))
    if p.phase is Phase.OVER:
        return
    if len(p.colours) > 1:
        yield Correctable("difficulty", None, (p.difficulty + 1,), Range(1, 1, len(p.colours)))
    if p.phase is Phase.DIFFICULTY and p.marker < p.settings.rounds:
        yield Correctable("marker", None, (p.marker,), Range(1, p.marker, p.settings.rounds))
    for q in everybody:
        yield Correctable("away", q, (int(p.away[q]),), Range(1, 0, 1))


def corrected(p: P, correction: Correction) -> P:
    """`p` as the table shows it, all but `changes`.

    Raises:
        BadCorrection: no table could show that, or it cannot be corrected now.
    """
    entry = next((c for c in _correctables(p) if (c.kind, c.seat) == (correction.kind, correction.seat)), None)
    if entry is None:
        raise BadCorrection(f"{correction.kind} cannot be corrected now")
    entry.corrected(*correction.value)
    (value,) = correction.value
    match correction.kind:
        case "active":
            return _pile(p, Seat(value))
        case "difficulty":
            return replace(p, difficulty=value - 1)
        case "marker":
            # Rounds were played without the box: their scores are put right one by one.
            return replace(p, finished=(*p.finished, *[(0,) * p.players] * (value - p.marker)))
    seat = correction.seat
    assert seat is not None, f"{correction.kind} belongs to a seat"
    match correction.kind:
        case "bonus":
            return _bonus(p, seat, value)
        case "away":
            return _away(p, seat, gone=bool(value))
        case "total":
            adjusted = p.adjusted[seat] + value - p.totals[seat]
            return replace(p, adjusted=(*p.adjusted[:seat], adjusted, *p.adjusted[seat + 1 :]))
        case _:
            index = int(correction.kind.removeprefix("round ")) - 1
            scores = tuple(value if q == seat else score for q, score in enumerate(p.finished[index]))
            return replace(p, finished=(*p.finished[:index], scores, *p.finished[index + 1 :]))


def _pile(p: P, owner: Seat) -> P:
    """Back (or on) to a pile; its cards are then put right as they were entered."""
    if owner not in p.taking_part:
        raise BadCorrection(_("P21: {who} takes part from the next round on", who=f"seat {owner}"))
    return transitions.open_pile(p, p.taking_part.index(owner))


def _bonus(p: P, seat: Seat, stars: int) -> P:
    """P37: who holds which bonus token."""
    bonus = (*p.bonus[:seat], stars, *p.bonus[seat + 1 :])
    if Counter(s for s in bonus if s) - Counter(p.bonus_tokens):
        raise BadCorrection(_("P2: no bonus token with {n} stars is left in the middle", n=stars))
    return transitions.rescored(transitions.settle(replace(p, bonus=bonus)))


def _away(p: P, seat: Seat, *, gone: bool) -> P:
    """Who leaves is not asked any more; cards that lie on the table count. Who comes back draws in the next round."""
    away = (*p.away[:seat], gone, *p.away[seat + 1 :])
    if away.count(False) < FEWEST:
        raise BadCorrection(_("P1: {n} players are needed: put the game away instead", n=FEWEST))
    return transitions.settle(replace(p, away=away))
