"""The table is right (D40): what people may correct, and what then follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.game import BadCorrection, Correctable, Correction, Range, Seat, named
from companion.games.memo_dice import colour_texts, transitions
from companion.games.memo_dice.settings import COLOURS
from companion.games.memo_dice.state import Position
from companion.games.memo_dice.transitions import P, with_cup
from companion.games.memo_dice.view import Colour, Phase
from companion.i18n import Words

_ = Words("memo_dice")

FARTHEST = 199
"""Squares beyond the target are counted on the screen; nobody gets farther than this."""
FEWEST = 2
"""D2: players without whom there is no game."""


def correctables(p: Position) -> Sequence[Correctable]:
    """What may be corrected in `p`: the nearest mistakes first, the totals after them, the rare ones last."""
    return tuple(_correctables(p))


def _correctables(p: Position) -> Iterator[Correctable]:
    down = [i for i, cup in enumerate(p.row, 1) if cup.taker is None]
    coloured = [i for i in down if p.row[i - 1].colour is not Colour.GOLD]
    if p.looking is not None and p.looking is not Colour.GOLD:
        yield Correctable("open", None, (int(p.looking),), Range(1, 1, COLOURS))
    if p.phase is not Phase.OVER:
        yield Correctable("active", None, (p.active,), Range(1, 0, p.players - 1))
    for i in reversed(coloured):
        yield Correctable(f"cup {i}", None, (int(p.row[i - 1].colour),), Range(1, 1, COLOURS))
    if len(coloured) > 1:
        none = coloured[0] - 1  # what is entered as it was changes nothing, so that must not be the first pair
        yield Correctable("swap", None, (none,), Range(1, none, coloured[-2]))
    for i, cup in reversed(list(enumerate(p.row, 1))):
        if cup.taker is not None:
            yield Correctable(f"taker {i}", None, (cup.taker,), Range(1, 0, p.players - 1))
    for q, square in enumerate(p.squares):
        yield Correctable("square", Seat(q), (square,), Range(1, 0, max(square, FARTHEST)))
    for i in reversed(down):
        yield Correctable(f"unknown {i}", None, (int(p.row[i - 1].unknown),), Range(1, 0, 1))
    for number, points in reversed(list(enumerate(p.rounds, 1))):
        for q, scored in enumerate(points):
            yield Correctable(f"round {number}", Seat(q), (scored,), Range(1, 0, max(scored, _most(p))))
    for q, gone in enumerate(p.away):
        yield Correctable("away", Seat(q), (int(gone),), Range(1, 0, 1))


def corrected(p: P, correction: Correction) -> P:
    """`p` as the table shows it.

    Raises:
        BadCorrection: no table could show that, or it cannot be corrected now.
    """
    entry = next((c for c in _correctables(p) if (c.kind, c.seat) == (correction.kind, correction.seat)), None)
    if entry is None:
        raise BadCorrection(_("{what} cannot be corrected now", what=correction.kind))
    entry.corrected(*correction.value)
    (value,) = correction.value
    kind, _space, number = correction.kind.partition(" ")
    if kind in ("square", "away", "round"):
        assert correction.seat is not None, "of one seat"
        return _of_seat(p, kind, int(number or 0) - 1, correction.seat, value)
    match kind:
        case "open":
            return _open(p, Colour(value))
        case "active":
            return _active(p, Seat(value))
        case "cup":
            return _colour(p, int(number) - 1, Colour(value))
        case "swap":
            return p if correction.value == entry.current else _swap(p, value - 1)
        case "taker":
            return _taker(p, int(number) - 1, Seat(value))
        case _:
            i = int(number) - 1
            return with_cup(p, i, replace(p.row[i], unknown=bool(value)))


def _of_seat(p: P, kind: str, number: int, seat: Seat, value: int) -> P:
    if kind == "away":
        return _away(p, seat, gone=bool(value))
    if kind == "round":
        points = _changed(p.rounds[number], seat, value - p.rounds[number][seat])
        return _on_the_board(replace(p, rounds=(*p.rounds[:number], points, *p.rounds[number + 1 :])))
    return replace(p, shifts=_changed(p.shifts, seat, value - p.squares[seat]))


def _open(p: P, colour: Colour) -> P:
    """The die that lies open bears another colour."""
    if not p.free[colour]:
        raise BadCorrection(colour_texts.of(colour_texts.TAKE_BACK, colour))
    return replace(p, looking=colour)


def _active(p: P, seat: Seat) -> P:
    if p.away[seat]:
        raise BadCorrection(_("D2: {who} is not at the table", who=named(seat)))
    return replace(p, active=seat, called=False)


def _colour(p: P, i: int, colour: Colour) -> P:
    """A cup of another colour was used. Whether the golden cup came rightly is not asked: it stands on the table."""
    p = with_cup(p, i, replace(p.row[i], colour=colour))
    used = [cup.colour for cup in p.row] + [p.looking]
    if used.count(colour) > p.settings.cups_per_colour:
        raise BadCorrection(colour_texts.of(colour_texts.ONLY, colour, n=p.settings.cups_per_colour))
    return p


def _swap(p: P, i: int) -> P:
    """Two neighbours in the row stand the other way round, each over its own die."""
    # Of two cups that are lifted no longer in their order, the camera has seen neither.
    return replace(p, row=(*p.row[:i], p.row[i + 1], p.row[i], *p.row[i + 2 :]), lifted=False)


def _taker(p: P, i: int, seat: Seat) -> P:
    """A cup is handed over. After the scoring its points go with it, and the golden cup's holder starts (D33)."""
    cup = p.row[i]
    assert cup.taker is not None, "a cup that was won"
    p = with_cup(p, i, replace(cup, taker=seat))
    if p.stage is not Phase.SCORED:
        return p
    worth = p.worth(cup.colour)
    points = _changed(_changed(p.rounds[-1], cup.taker, -worth), seat, worth)
    if min(points) < 0:
        poor = named(cup.taker)
        raise BadCorrection(_("D30: {who} has no {n} points in this round to hand over", who=poor, n=worth))
    p = _on_the_board(replace(p, rounds=(*p.rounds[:-1], points)))
    return transitions.starting(p) if cup.colour is Colour.GOLD else p


def _away(p: P, seat: Seat, *, gone: bool) -> P:
    """Who has left is skipped; who comes back is asked again in his place from now on."""
    if gone and not p.away[seat]:
        fewest = max(FEWEST, p.settings.players_min)
        if p.away.count(False) <= fewest:
            few = _("D2: fewer than {n} players would stay; put the game away instead", n=fewest)
            raise BadCorrection(few)
    p = replace(p, away=tuple(gone if q == seat else was for q, was in enumerate(p.away)))
    if gone and p.active == seat:
        return replace(p, active=p.left_of(seat), called=False)
    if not gone and p.stage is Phase.SCORED and p.gold_holder == seat:
        return replace(p, active=seat)
    return p


def _most(p: Position) -> int:
    """D30: more than all cups of a round are worth."""
    return p.settings.dice * p.settings.cup_value + p.settings.gold_value


def _on_the_board(p: P) -> P:
    if min(p.squares) < 0:
        raise BadCorrection(_("D31: a piece would stand before the board"))
    return p


def _changed(values: tuple[int, ...], seat: Seat, by: int) -> tuple[int, ...]:
    return tuple(value + by * (q == seat) for q, value in enumerate(values))
