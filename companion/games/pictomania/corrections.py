"""The table is right: what people may correct, and what then follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.game import BadCorrection, Correctable, Correction, Seat, ValueRange
from companion.games.pictomania import transitions
from companion.games.pictomania.settings import MIN_PLAYERS
from companion.games.pictomania.state import PHASES_AFTER_START, Position
from companion.games.pictomania.transitions import P
from companion.games.pictomania.view import Phase
from companion.i18n import Translator

_ = Translator("pictomania")

MAX_POINTS = 999
"""Of a round or a total, either sign."""


def list_correctables(p: Position) -> Sequence[Correctable]:
    """What may be corrected in `p`: totals (a player's own button), what was entered, and the rare things last."""
    return tuple(_correctables(p))


def _correctables(p: Position) -> Iterator[Correctable]:
    everybody = [Seat(q) for q in range(p.player_count)]
    if p.phase in (Phase.SCORING, Phase.ROUND):
        yield Correctable("active", None, (p.participants[p.pile_index],), ValueRange(1, 0, p.player_count - 1))
    for q in everybody:
        most = max(MAX_POINTS, abs(p.totals[q]))  # rounds put right may add up to more
        yield Correctable("total", q, (p.totals[q],), ValueRange(1, -most, most))
    if p.phase in PHASES_AFTER_START:
        for q in sorted(p.participants):
            yield Correctable("bonus", q, (p.bonus_stars[q],), ValueRange(1, 0, p.bonus_tokens[0]))
    for number, scores in reversed([*enumerate(p.round_scores, start=1)]):
        for q in everybody:
            yield Correctable(f"round {number}", q, (scores[q],), ValueRange(1, -MAX_POINTS, MAX_POINTS))
    if p.phase is Phase.OVER:
        return
    if len(p.available_colours) > 1:
        yield Correctable("difficulty", None, (p.difficulty_index + 1,), ValueRange(1, 1, len(p.available_colours)))
    if p.phase is Phase.DIFFICULTY and p.round_number < p.settings.rounds:
        yield Correctable("marker", None, (p.round_number,), ValueRange(1, p.round_number, p.settings.rounds))
    for q in everybody:
        yield Correctable("away", q, (int(p.away[q]),), ValueRange(1, 0, 1))


def apply_correction(p: P, correction: Correction) -> P:
    """`p` as the table shows it, all but `changes`.

    Raises:
        BadCorrection: no table could show that, or it cannot be corrected now.
    """
    entry = next((c for c in _correctables(p) if (c.kind, c.seat) == (correction.stored_kind, correction.seat)), None)
    if entry is None:
        raise BadCorrection(f"{correction.stored_kind} cannot be corrected now")
    entry.make_correction(*correction.value)
    (value,) = correction.value
    match correction.stored_kind:
        case "active":
            return _reopen_pile(p, Seat(value))
        case "difficulty":
            return replace(p, difficulty_index=value - 1)
        case "marker":
            # Rounds were played without the box: their scores are put right one by one.
            return replace(p, round_scores=(*p.round_scores, *[(0,) * p.player_count] * (value - p.round_number)))
    seat = correction.seat
    assert seat is not None, f"{correction.stored_kind} belongs to a seat"
    match correction.stored_kind:
        case "bonus":
            return _set_bonus(p, seat, value)
        case "away":
            return _set_away(p, seat, gone=bool(value))
        case "total":
            adjusted = p.total_adjustments[seat] + value - p.totals[seat]
            return replace(
                p, total_adjustments=(*p.total_adjustments[:seat], adjusted, *p.total_adjustments[seat + 1 :])
            )
        case _:
            index = int(correction.stored_kind.removeprefix("round ")) - 1
            scores = tuple(value if q == seat else score for q, score in enumerate(p.round_scores[index]))
            return replace(p, round_scores=(*p.round_scores[:index], scores, *p.round_scores[index + 1 :]))


def _reopen_pile(p: P, owner: Seat) -> P:
    """Back (or on) to a pile; its cards are then put right as they were entered."""
    if owner not in p.participants:
        raise BadCorrection(_("P21: {who} takes part from the next round on", who=f"seat {owner}"))
    return transitions.open_pile(p, p.participants.index(owner))


def _set_bonus(p: P, seat: Seat, stars: int) -> P:
    """P37: who holds which bonus token."""
    bonus = (*p.bonus_stars[:seat], stars, *p.bonus_stars[seat + 1 :])
    if Counter(s for s in bonus if s) - Counter(p.bonus_tokens):
        raise BadCorrection(_("P2: no bonus token with {n} stars is left in the middle", n=stars))
    return transitions.rescore_round(transitions.end_drawing_if_done(replace(p, bonus_stars=bonus)))


def _set_away(p: P, seat: Seat, *, gone: bool) -> P:
    """Who leaves is not asked any more; cards that lie on the table count. Who comes back draws in the next round."""
    away = (*p.away[:seat], gone, *p.away[seat + 1 :])
    if away.count(False) < MIN_PLAYERS:
        raise BadCorrection(_("P1: {n} players are needed: put the game away instead", n=MIN_PLAYERS))
    return transitions.end_drawing_if_done(replace(p, away=away))
