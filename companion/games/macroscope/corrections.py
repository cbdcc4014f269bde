"""The table is right: what people may correct, and what then follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.game import BadCorrection, Correctable, Correction, Seat, ValueRange, named
from companion.games.macroscope import transitions
from companion.games.macroscope.settings import MAX_TOKEN_NUMBER
from companion.games.macroscope.state import ASKING_PHASES, MacroscopeState
from companion.games.macroscope.transitions import StateT
from companion.games.macroscope.view import Phase
from companion.i18n import Translator

_ = Translator("macroscope")

MAX_CRYSTALS = 999
"""A13: the ledger goes on beyond the box."""


def list_correctables(p: MacroscopeState) -> Sequence[Correctable]:
    """What may be corrected in `p`: the nearest mistakes first, the totals after them, the rare ones last."""
    return tuple(_correctables(p))


def _correctables(p: MacroscopeState) -> Iterator[Correctable]:
    if p.dice and p.is_active_free and p.opened_windows < 2:
        yield Correctable("dice", None, p.dice, ValueRange(2, 1, 6))
    if p.taken_tokens and _windows_count(p):
        yield Correctable("token", None, p.taken_tokens[-1:], ValueRange(1, 1, MAX_TOKEN_NUMBER))
    if p.frozen_value is not None and p.phase is not Phase.OVER:
        yield Correctable("value", None, (p.frozen_value,), ValueRange(1, 1, p.settings.windows))
    for seat, held in enumerate(p.crystals):
        yield Correctable("crystals", Seat(seat), (held,), ValueRange(1, 0, max(held, MAX_CRYSTALS)))
    if _windows_count(p):
        yield Correctable("tokens", None, p.tokens, ValueRange(MAX_TOKEN_NUMBER, 0, p.settings.tokens_per_number))
    if p.phase is not Phase.OVER:
        yield Correctable("marker", None, (p.round_number,), ValueRange(1, 1, p.settings.rounds))
    if p.phase in (Phase.ROLL, Phase.OPEN) and not p.opened_windows:
        yield Correctable("active", None, (p.active_seat,), ValueRange(1, 0, p.player_count - 1))
    for number, brought in enumerate(p.round_scores, 1):
        for seat, points in enumerate(brought):
            yield Correctable(f"round {number}", Seat(seat), (points,), _round_range(points))
    if p.phase is not Phase.OVER:
        for seat in range(p.player_count):
            yield Correctable("away", Seat(seat), (int(seat in p.away),), ValueRange(1, 0, 1))


def _windows_count(p: MacroscopeState) -> bool:
    """Whether it still matters which tokens are on the device: until a guess freezes V."""
    return p.frozen_value is None and p.phase in (Phase.ROLL, Phase.OPEN, *ASKING_PHASES)


def apply_correction(p: StateT, correction: Correction) -> StateT:
    """`p` as the table shows it, all but `changes`.

    Raises:
        BadCorrection: no table could show that, or it cannot be corrected now.
    """
    if correction.kind == "let_stand":
        return _let_stand(p, correction.value)
    entry = next((c for c in _correctables(p) if (c.kind, c.seat) == (correction.kind, correction.seat)), None)
    if entry is None:
        raise BadCorrection(_("{what} cannot be corrected now", what=correction.kind))
    entry.make_correction(*correction.value)
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
            return replace(p, round_number=correction.value[0])
        case "active":
            return replace(p, active_seat=_present(p, Seat(correction.value[0])))
        case kind if kind.startswith("round ") and correction.seat is not None:
            return _other_round(p, int(kind.removeprefix("round ")) - 1, correction.seat, correction.value[0])
        case "away" if correction.seat is not None:
            return _goes(p, correction.seat) if correction.value[0] else _comes_back(p, correction.seat)
        case _:
            held = tuple(correction.value[0] if q == correction.seat else h for q, h in enumerate(p.crystals))
            return transitions.update_queue(replace(p, crystals=held))


def _other_round(p: StateT, number: int, seat: Seat, points: int) -> StateT:
    """An earlier round brought something else; what came after it stays as it was, and the total follows.

    Nobody can have paid with crystals that were not there, so the total may not fall below nothing (M44).
    """
    change = points - p.round_scores[number][seat]
    if p.crystals[seat] + change < 0:
        had = p.crystals[seat] + change
        raise BadCorrection(_("M44: {who} would have {n} crystals", who=named(seat), n=had))
    brought = _with(p.round_scores[number], seat, points)
    return transitions.update_queue(
        replace(
            p,
            crystals=_with(p.crystals, seat, p.crystals[seat] + change),
            crystals_at_round_start=_with(p.crystals_at_round_start, seat, p.crystals_at_round_start[seat] + change),
            round_scores=(*p.round_scores[:number], brought, *p.round_scores[number + 1 :]),
        )
    )


def _with(values: tuple[int, ...], seat: Seat, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _present(p: StateT, seat: Seat) -> Seat:
    if seat in p.away:
        raise BadCorrection(_("M46: {who} is away", who=named(seat)))
    return seat


def _goes(p: StateT, seat: Seat) -> StateT:
    """Somebody leaves the table. The turn they were in ends as if they had declined (M16, M30)."""
    if seat in p.away:
        return p
    if p.player_count - len(p.away) <= 2:
        raise BadCorrection(_("M6: with fewer than two players there is no game: put it away instead"))
    p = replace(p, away=(*p.away, seat))
    if seat == p.active_seat and p.is_active_free and p.opened_windows:
        return transitions.stop_turn(p)
    if seat == p.active_seat and p.phase in (Phase.ROLL, Phase.OPEN):
        return transitions.start_next_turn(p)
    return transitions.update_queue(p)


def _comes_back(p: StateT, seat: Seat) -> StateT:
    return replace(p, away=tuple(q for q in p.away if q != seat))


def _let_stand(p: StateT, value: tuple[int, ...]) -> StateT:
    """M11 was broken at the table and all agree to leave it so. The token counts as opened, like any other."""
    if not p.is_active_free:
        raise BadCorrection(_("M10: no token can be let stand now"))
    if p.opened_windows >= 2:
        raise BadCorrection(_("M13: a third token in one turn cannot stand; put it back"))
    if value not in ValueRange(1, 1, MAX_TOKEN_NUMBER):
        raise BadCorrection(
            _("M1: a token has a number from 1 to {high}, not {value}", high=MAX_TOKEN_NUMBER, value=value)
        )
    (number,) = value
    if not p.tokens[number - 1]:
        raise BadCorrection(_("M1: there is no token {n} on the device", n=number))
    if number in p.takeable_tokens:
        raise BadCorrection(_("M11: the dice allow a {n}; that is a move, not a correction", n=number))
    return transitions.take_token(p, number)


def _other_token(p: StateT, number: int) -> StateT:
    """The token taken last bore another number."""
    tokens = list(p.tokens)
    tokens[p.taken_tokens[-1] - 1] += 1
    tokens[number - 1] -= 1
    if min(tokens) < 0:
        raise BadCorrection(_("M1: no token {n} was left to be taken", n=number))
    if max(tokens) > p.settings.tokens_per_number:
        raise BadCorrection(_("M1: all tokens {n} are on the device already", n=p.taken_tokens[-1]))
    return replace(p, tokens=tuple(tokens), taken_tokens=(*p.taken_tokens[:-1], number))


def _other_tokens(p: StateT, tokens: tuple[int, ...]) -> StateT:
    """Other tokens are on the device than the ledger thinks."""
    if not any(tokens):
        raise BadCorrection(_("M50: with no token left the round is void; take the last one as a move"))
    if sum(tokens) > p.settings.windows - p.opened_windows:
        raise BadCorrection(
            _("M17: {n} windows were opened in this turn, so at least as many are open", n=p.opened_windows)
        )
    return replace(p, tokens=tokens)


def _round_range(points: int) -> ValueRange:
    return ValueRange(1, min(points, -MAX_CRYSTALS), max(points, MAX_CRYSTALS))
