"""The table is right: what people may correct, and what then follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.game import BadCorrection, Correctable, Correction, Range, Seat, named
from companion.games.macroscope import transitions
from companion.games.macroscope.settings import NUMBERS
from companion.games.macroscope.state import AT_ASKING, Position
from companion.games.macroscope.transitions import P
from companion.games.macroscope.view import Phase
from companion.i18n import Words

_ = Words("macroscope")

MOST_CRYSTALS = 999
"""A13: the ledger goes on beyond the box."""


def correctables(p: Position) -> Sequence[Correctable]:
    """What may be corrected in `p`: the nearest mistakes first, the totals after them, the rare ones last."""
    return tuple(_correctables(p))


def _correctables(p: Position) -> Iterator[Correctable]:
    if p.dice and p.active_is_free and p.opened < 2:
        yield Correctable("dice", None, p.dice, Range(2, 1, 6))
    if p.taken and _windows_count(p):
        yield Correctable("token", None, p.taken[-1:], Range(1, 1, NUMBERS))
    if p.frozen_value is not None and p.phase is not Phase.OVER:
        yield Correctable("value", None, (p.frozen_value,), Range(1, 1, p.settings.windows))
    for seat, held in enumerate(p.crystals):
        yield Correctable("crystals", Seat(seat), (held,), Range(1, 0, max(held, MOST_CRYSTALS)))
    if _windows_count(p):
        yield Correctable("tokens", None, p.tokens, Range(NUMBERS, 0, p.settings.copies))
    if p.phase is not Phase.OVER:
        yield Correctable("marker", None, (p.marker,), Range(1, 1, p.settings.rounds))
    if p.phase in (Phase.ROLL, Phase.OPEN) and not p.opened:
        yield Correctable("active", None, (p.active,), Range(1, 0, p.players - 1))
    for number, brought in enumerate(p.rounds, 1):
        for seat, points in enumerate(brought):
            yield Correctable(f"round {number}", Seat(seat), (points,), _round_range(points))
    if p.phase is not Phase.OVER:
        for seat in range(p.players):
            yield Correctable("away", Seat(seat), (int(seat in p.away),), Range(1, 0, 1))


def _windows_count(p: Position) -> bool:
    """Whether it still matters which tokens are on the device: until a guess freezes V."""
    return p.frozen_value is None and p.phase in (Phase.ROLL, Phase.OPEN, *AT_ASKING)


def corrected(p: P, correction: Correction) -> P:
    """`p` as the table shows it, all but `changes`.

    Raises:
        BadCorrection: no table could show that, or it cannot be corrected now.
    """
    if correction.kind == "let_stand":
        return _let_stand(p, correction.value)
    entry = next((c for c in _correctables(p) if (c.kind, c.seat) == (correction.kind, correction.seat)), None)
    if entry is None:
        raise BadCorrection(_("{what} cannot be corrected now", what=correction.kind))
    entry.corrected(*correction.value)
    match correction.kind:
        case "dice":
            return replace(p, dice=correction.value)
        case "token":
            return _other_token(p, correction.value[0])
        case "value":
            return replace(p, frozen_value=correction.value[0])
        case "tokens":
            return _other_tokens(p, correction.value)
        case "marker":
            return replace(p, marker=correction.value[0])
        case "active":
            return replace(p, active=_present(p, Seat(correction.value[0])))
        case kind if kind.startswith("round ") and correction.seat is not None:
            return _other_round(p, int(kind.removeprefix("round ")) - 1, correction.seat, correction.value[0])
        case "away" if correction.seat is not None:
            return _goes(p, correction.seat) if correction.value[0] else _comes_back(p, correction.seat)
        case _:
            held = tuple(correction.value[0] if q == correction.seat else h for q, h in enumerate(p.crystals))
            return transitions.requeue(replace(p, crystals=held))


def _other_round(p: P, number: int, seat: Seat, points: int) -> P:
    """An earlier round brought something else; what came after it stays as it was, and the total follows.

    Nobody can have paid with crystals that were not there, so the total may not fall below nothing (M44).
    """
    change = points - p.rounds[number][seat]
    if p.crystals[seat] + change < 0:
        had = p.crystals[seat] + change
        raise BadCorrection(_("M44: {who} would have {n} crystals", who=named(seat), n=had))
    brought = _with(p.rounds[number], seat, points)
    return transitions.requeue(
        replace(
            p,
            crystals=_with(p.crystals, seat, p.crystals[seat] + change),
            at_round=_with(p.at_round, seat, p.at_round[seat] + change),
            rounds=(*p.rounds[:number], brought, *p.rounds[number + 1 :]),
        )
    )


def _with(values: tuple[int, ...], seat: Seat, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _present(p: P, seat: Seat) -> Seat:
    if seat in p.away:
        raise BadCorrection(_("M46: {who} is away", who=named(seat)))
    return seat


def _goes(p: P, seat: Seat) -> P:
    """Somebody leaves the table. The turn they were in ends as if they had declined (M16, M30)."""
    if seat in p.away:
        return p
    if p.players - len(p.away) <= 2:
        raise BadCorrection(_("M6: with fewer than two players there is no game: put it away instead"))
    p = replace(p, away=(*p.away, seat))
    if seat == p.active and p.active_is_free and p.opened:
        return transitions.stop(p)
    if seat == p.active and p.phase in (Phase.ROLL, Phase.OPEN):
        return transitions.next_turn(p)
    return transitions.requeue(p)


def _comes_back(p: P, seat: Seat) -> P:
    return replace(p, away=tuple(q for q in p.away if q != seat))


def _let_stand(p: P, value: tuple[int, ...]) -> P:
    """M11 was broken at the table and all agree to leave it so. The token counts as opened, like any other."""
    if not p.active_is_free:
        raise BadCorrection(_("M10: no token can be let stand now"))
    if p.opened >= 2:
        raise BadCorrection(_("M13: a third token in one turn cannot stand; put it back"))
    if value not in Range(1, 1, NUMBERS):
        raise BadCorrection(_("M1: a token has a number from 1 to {high}, not {value}", high=NUMBERS, value=value))
    (number,) = value
    if not p.tokens[number - 1]:
        raise BadCorrection(_("M1: there is no token {n} on the device", n=number))
    if number in p.takeable:
        raise BadCorrection(_("M11: the dice allow a {n}; that is a move, not a correction", n=number))
    return transitions.take(p, number)


def _other_token(p: P, number: int) -> P:
    """The token taken last bore another number."""
    tokens = list(p.tokens)
    tokens[p.taken[-1] - 1] += 1
    tokens[number - 1] -= 1
    if min(tokens) < 0:
        raise BadCorrection(_("M1: no token {n} was left to be taken", n=number))
    if max(tokens) > p.settings.copies:
        raise BadCorrection(_("M1: all tokens {n} are on the device already", n=p.taken[-1]))
    return replace(p, tokens=tuple(tokens), taken=(*p.taken[:-1], number))


def _other_tokens(p: P, tokens: tuple[int, ...]) -> P:
    """Other tokens are on the device than the ledger thinks."""
    if not any(tokens):
        raise BadCorrection(_("M50: with no token left the round is void; take the last one as a move"))
    if sum(tokens) > p.settings.windows - p.opened:
        raise BadCorrection(_("M17: {n} windows were opened in this turn, so at least as many are open", n=p.opened))
    return replace(p, tokens=tokens)


def _round_range(points: int) -> Range:
    return Range(1, min(points, -MOST_CRYSTALS), max(points, MOST_CRYSTALS))
