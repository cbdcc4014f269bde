"""The table is right (D40): what people may correct, and what then follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.game import BadCorrection, Correctable, Correction, Seat, ValueRange, named
from companion.games.memo_dice import colour_texts, transitions
from companion.games.memo_dice.settings import SYMBOL_COLOUR_COUNT
from companion.games.memo_dice.state import MemoDiceState
from companion.games.memo_dice.transitions import StateT, replace_cup
from companion.games.memo_dice.view import CupColour, Phase
from companion.i18n import Translator

_ = Translator("memo_dice")

MAX_SQUARE = 199
"""Squares beyond the target are counted on the screen; nobody gets farther than this."""
MIN_PLAYERS = 2
"""D2: players without whom there is no game."""


def list_correctables(p: MemoDiceState) -> Sequence[Correctable]:
    """What may be corrected in `p`: the nearest mistakes first, the totals after them, the rare ones last."""
    return tuple(_correctables(p))


def _correctables(p: MemoDiceState) -> Iterator[Correctable]:
    down = [i for i, cup in enumerate(p.cup_row, 1) if cup.owner is None]
    coloured = [i for i in down if p.cup_row[i - 1].colour is not CupColour.GOLD]
    if p.open_colour is not None and p.open_colour is not CupColour.GOLD:
        yield Correctable("open", None, (int(p.open_colour),), ValueRange(1, 1, SYMBOL_COLOUR_COUNT))
    if p.phase is not Phase.OVER:
        yield Correctable("active", None, (p.active_seat,), ValueRange(1, 0, p.player_count - 1))
    for i in reversed(coloured):
        yield Correctable(f"cup {i}", None, (int(p.cup_row[i - 1].colour),), ValueRange(1, 1, SYMBOL_COLOUR_COUNT))
    if len(coloured) > 1:
        none = coloured[0] - 1  # what is entered as it was changes nothing, so that must not be the first pair
        yield Correctable("swap", None, (none,), ValueRange(1, none, coloured[-2]))
    for i, cup in reversed(list(enumerate(p.cup_row, 1))):
        if cup.owner is not None:
            yield Correctable(f"taker {i}", None, (cup.owner,), ValueRange(1, 0, p.player_count - 1))
    for q, square in enumerate(p.squares):
        yield Correctable("square", Seat(q), (square,), ValueRange(1, 0, max(square, MAX_SQUARE)))
    for i in reversed(down):
        yield Correctable(f"unknown {i}", None, (int(p.cup_row[i - 1].is_die_unknown),), ValueRange(1, 0, 1))
    for number, points in reversed(list(enumerate(p.round_scores, 1))):
        for q, scored in enumerate(points):
            yield Correctable(f"round {number}", Seat(q), (scored,), ValueRange(1, 0, max(scored, _most(p))))
    for q, gone in enumerate(p.away):
        yield Correctable("away", Seat(q), (int(gone),), ValueRange(1, 0, 1))


def apply_correction(p: StateT, correction: Correction) -> StateT:
    """`p` as the table shows it.

    Raises:
        BadCorrection: no table could show that, or it cannot be corrected now.
    """
    entry = next((c for c in _correctables(p) if (c.kind, c.seat) == (correction.kind, correction.seat)), None)
    if entry is None:
        raise BadCorrection(_("{what} cannot be corrected now", what=correction.kind))
    entry.make_correction(*correction.value)
    (value,) = correction.value
    kind, _space, number = correction.kind.partition(" ")
    if kind in ("square", "away", "round"):
        assert correction.seat is not None, "of one seat"
        return _of_seat(p, kind, int(number or 0) - 1, correction.seat, value)
    match kind:
        case "open":
            return _open(p, CupColour(value))
        case "active":
            return _active(p, Seat(value))
        case "cup":
            return _colour(p, int(number) - 1, CupColour(value))
        case "swap":
            return p if correction.value == entry.current_value else _swap(p, value - 1)
        case "taker":
            return _taker(p, int(number) - 1, Seat(value))
        case _:
            i = int(number) - 1
            return replace_cup(p, i, replace(p.cup_row[i], is_die_unknown=bool(value)))


def _of_seat(p: StateT, kind: str, number: int, seat: Seat, value: int) -> StateT:
    if kind == "away":
        return _away(p, seat, gone=bool(value))
    if kind == "round":
        points = _changed(p.round_scores[number], seat, value - p.round_scores[number][seat])
        return _on_the_board(replace(p, round_scores=(*p.round_scores[:number], points, *p.round_scores[number + 1 :])))
    return replace(p, square_adjustments=_changed(p.square_adjustments, seat, value - p.squares[seat]))


def _open(p: StateT, colour: CupColour) -> StateT:
    """The die that lies open bears another colour."""
    if not p.free_cups[colour]:
        raise BadCorrection(colour_texts.translate(colour_texts.TAKE_ROLL_BACK, colour))
    return replace(p, open_colour=colour)


def _active(p: StateT, seat: Seat) -> StateT:
    if p.away[seat]:
        raise BadCorrection(_("D2: {who} is not at the table", who=named(seat)))
    return replace(p, active_seat=seat, symbol_named=False)


def _colour(p: StateT, i: int, colour: CupColour) -> StateT:
    """A cup of another colour was used. Whether the golden cup came rightly is not asked: it stands on the table."""
    p = replace_cup(p, i, replace(p.cup_row[i], colour=colour))
    used = [cup.colour for cup in p.cup_row] + [p.open_colour]
    if used.count(colour) > p.settings.cups_per_colour:
        raise BadCorrection(colour_texts.translate(colour_texts.TOO_MANY_CUPS, colour, n=p.settings.cups_per_colour))
    return p


def _swap(p: StateT, i: int) -> StateT:
    """Two neighbours in the row stand the other way round, each over its own die."""
    # Of two cups that are lifted no longer in their order, the camera has seen neither.
    return replace(p, cup_row=(*p.cup_row[:i], p.cup_row[i + 1], p.cup_row[i], *p.cup_row[i + 2 :]), cup_lifted=False)


def _taker(p: StateT, i: int, seat: Seat) -> StateT:
    """A cup is handed over. After the scoring its points go with it, and the golden cup's holder starts (D33)."""
    cup = p.cup_row[i]
    assert cup.owner is not None, "a cup that was won"
    p = replace_cup(p, i, replace(cup, owner=seat))
    if p.stage is not Phase.SCORED:
        return p
    worth = p.get_cup_points(cup.colour)
    points = _changed(_changed(p.round_scores[-1], cup.owner, -worth), seat, worth)
    if min(points) < 0:
        poor = named(cup.owner)
        raise BadCorrection(_("D30: {who} has no {n} points in this round to hand over", who=poor, n=worth))
    p = _on_the_board(replace(p, round_scores=(*p.round_scores[:-1], points)))
    return transitions.set_round_starter(p) if cup.colour is CupColour.GOLD else p


def _away(p: StateT, seat: Seat, *, gone: bool) -> StateT:
    """Who has left is skipped; who comes back is asked again in his place from now on."""
    if gone and not p.away[seat]:
        fewest = max(MIN_PLAYERS, p.settings.players_min)
        if p.away.count(False) <= fewest:
            few = _("D2: fewer than {n} players would stay; put the game away instead", n=fewest)
            raise BadCorrection(few)
    p = replace(p, away=tuple(gone if q == seat else was for q, was in enumerate(p.away)))
    if gone and p.active_seat == seat:
        return replace(p, active_seat=p.left_of(seat), symbol_named=False)
    if not gone and p.stage is Phase.SCORED and p.gold_holder == seat:
        return replace(p, active_seat=seat)
    return p


def _most(p: MemoDiceState) -> int:
    """D30: more than all cups of a round are worth."""
    return p.settings.dice * p.settings.cup_value + p.settings.gold_value


def _on_the_board(p: StateT) -> StateT:
    if min(p.squares) < 0:
        raise BadCorrection(_("D31: a piece would stand before the board"))
    return p


def _changed(values: tuple[int, ...], seat: Seat, by: int) -> tuple[int, ...]:
    return tuple(value + by * (q == seat) for q, value in enumerate(values))
