"""The table is right: what people may correct, and what then follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.game import BadCorrection, Correctable, Correction, Range, Seat
from companion.games.secret_number.settings import BONUSES, ROUNDS
from companion.games.secret_number.state import AT_REVEAL, FEWEST, IN_PLAY, Position
from companion.games.secret_number.transitions import P, settle
from companion.games.secret_number.view import Phase
from companion.i18n import Words

_ = Words("secret_number")

FAR = 999
"""Points that no match comes near."""
CARD, OWNER, OF_ROUND, GAME = "card ", "who laid card ", "round of card ", "game "
"""Kinds that end in a number, from 1."""


def correctables(p: Position) -> Sequence[Correctable]:
    """What may be corrected in `p`: the nearest mistakes first, the totals after them, the rare ones last."""
    return tuple(_correctables(p))


def _correctables(p: Position) -> Iterator[Correctable]:
    totals = p.totals
    if p.phase in AT_REVEAL:
        yield from _turned(p)
    elif p.cards and p.phase in IN_PLAY:
        last = len(p.cards)
        yield Correctable(f"{OWNER}{last}", None, (p.cards[-1][1],), _seats(p))
    # Before all else that belongs to a seat: in the menu, a player's own button leads to the first of these.
    for q, total in enumerate(totals):
        yield Correctable("total", Seat(q), (total,), Range(1, min(total, -FAR), max(total, FAR)))
    for seat in p.right:
        if p.phase in AT_REVEAL and p.bonuses[seat]:
            yield Correctable("bonus", seat, (p.bonuses[seat],), Range(1, BONUSES[0], BONUSES[-1]))
    for number in range(len(p.earlier), 0, -1):
        for q, score in enumerate(p.earlier[number - 1]):
            yield Correctable(f"{GAME}{number}", Seat(q), (score,), Range(1, min(score, -FAR), max(score, FAR)))
    if p.phase in IN_PLAY:
        yield Correctable("round", None, (p.round,), Range(1, 1, ROUNDS))
    if p.phase is not Phase.OVER:
        for q in range(p.players):
            yield Correctable("away", Seat(q), (int(q in p.away),), Range(1, 0, 1))


def _turned(p: Position) -> Iterator[Correctable]:
    """The cards at the reveal, the latest first: right or wrong, whose they are, and in which round they lay."""
    cards = p.cards
    known = range(min(len(p.marks) + 1, len(cards)) - 1, -1, -1)
    for i in range(len(p.marks) - 1, -1, -1):
        yield Correctable(f"{CARD}{i + 1}", None, (int(p.marks[i]),), Range(1, 0, 1))
    for i in known:
        yield Correctable(f"{OWNER}{i + 1}", None, (cards[i][1],), _seats(p))
    for i in known:
        # A card stays in its place, so only the round cards around it can lie above or below it.
        low = cards[i - 1][0] if i else 1
        high = cards[i + 1][0] if i + 1 < len(cards) else ROUNDS
        if low < high:
            yield Correctable(f"{OF_ROUND}{i + 1}", None, (cards[i][0],), Range(1, low, high))


def _seats(p: Position) -> Range:
    return Range(1, 0, p.players - 1)


def corrected(p: P, correction: Correction) -> P:
    """`p` as the table shows it, all but `changes`.

    Raises:
        BadCorrection: no table could show that, or it cannot be corrected now.
    """
    if correction.kind == "values":
        return _read(p, correction.value)
    entry = next((c for c in _correctables(p) if (c.kind, c.seat) == (correction.kind, correction.seat)), None)
    if entry is None:
        raise BadCorrection(f"{correction.kind} cannot be corrected now")
    entry.corrected(*correction.value)
    (value,) = correction.value
    kind, seat = correction.kind, correction.seat
    if kind == "round":
        return _other_round(p, value)
    if seat is None:
        place = int(kind.rsplit(" ", 1)[1]) - 1
        if kind.startswith(OF_ROUND):
            return settle(_in_round(p, place, value))
        return settle(_laid_by(p, place, Seat(value)) if kind.startswith(OWNER) else _marked(p, place, value == 1))
    return _of_seat(p, kind, seat, value)


def _of_seat(p: P, kind: str, seat: Seat, value: int) -> P:
    if kind == "away":
        return _away(p, seat, gone=value == 1)
    if kind == "bonus":
        return settle(replace(p, bonuses=_with(p.bonuses, seat, value)))
    if kind == "total":
        return replace(p, offsets=_with(p.offsets, seat, p.offsets[seat] + value - p.totals[seat]))
    number = int(kind.removeprefix(GAME)) - 1
    scores = _with(p.earlier[number], seat, value)
    return replace(p, earlier=(*p.earlier[:number], scores, *p.earlier[number + 1 :]))


def _away(p: P, seat: Seat, *, gone: bool) -> P:
    """Who leaves lays no more cards; those that lie there count. Who was not dealt in joins the next game."""
    away = tuple(q for q in range(p.players) if (gone if q == seat else q in p.away))
    p = replace(p, away=tuple(Seat(q) for q in away))
    if len(p.present) < FEWEST or (p.phase is not Phase.DEAL and len(p.active) < FEWEST):
        raise BadCorrection(_("S2: fewer than {n} players would be left; put the game away instead", n=FEWEST))
    return replace(p, playing=p.present) if p.phase is Phase.DEAL else p


def _other_round(p: P, number: int) -> P:
    """Another round is being played than the box thinks; what was laid since lies in it."""
    if number >= p.round:
        return replace(p, round=number)
    since = tuple(seat for pile in p.piles[number - 1 :] for seat in pile)
    return replace(p, round=number, piles=(*p.piles[: number - 1], since, *((),) * (ROUNDS - number)))


def _marked(p: P, place: int, right: bool) -> P:
    """S35: a right card makes the same player's other cards wrong."""
    owner = p.cards[place][1]
    marks = tuple(
        right if i == place else mark and not (right and p.cards[i][1] == owner) for i, mark in enumerate(p.marks)
    )
    return replace(p, marks=marks)


def _laid_by(p: P, place: int, seat: Seat) -> P:
    if seat not in p.playing:
        raise BadCorrection(_("S3: {who} has no cards in this game", who=f"seat {seat}"))
    if p.cards[place][1] == seat:
        return p
    if p.used(seat) >= p.hand:
        raise BadCorrection(_("S22: {who} has laid all {n} cards of this game", who=f"seat {seat}", n=p.hand))
    if p.marks[place : place + 1] == (True,) and seat in p.right:
        raise BadCorrection(_("S35: {who} has a right card already", who=f"seat {seat}"))
    owners = [q for _, q in p.cards]
    owners[place] = seat
    return _piled(p, [r for r, _ in p.cards], owners)


def _in_round(p: P, place: int, number: int) -> P:
    rounds = [r for r, _ in p.cards]
    rounds[place] = number
    return _piled(p, rounds, [q for _, q in p.cards])


def _piled(p: P, rounds: Sequence[int], owners: Sequence[Seat]) -> P:
    piles = tuple(
        tuple(q for r, q in zip(rounds, owners, strict=True) if r == number) for number in range(1, ROUNDS + 1)
    )
    return replace(p, piles=piles)


def _read(p: P, value: tuple[int, ...]) -> P:
    """S25: all cards were read at once (by a camera, say): the secret, then each card's value in order.

    It stands in no menu, for nobody is ever asked for a value; nothing of it is kept but right and wrong.
    """
    if p.phase not in AT_REVEAL:
        raise BadCorrection("S30: the cards are revealed after round 3")
    if len(value) != 1 + len(p.cards):
        raise BadCorrection(f"S30: the secret and {len(p.cards)} cards have values, not {len(value)} of them")
    if not all(v in p.numbers for v in value):
        raise BadCorrection(f"S2: the cards of this game have the numbers 0 to {p.numbers[-1]}")
    secret, *values = value
    if len({(seat, v) for (_, seat), v in zip(p.cards, values, strict=True)}) < len(values):
        raise BadCorrection(_("S35: nobody has two cards of one value"))
    return settle(replace(p, phase=Phase.REVEAL, marks=tuple(v == secret for v in values)))


def _with(values: tuple[int, ...], seat: Seat, value: int) -> tuple[int, ...]:
    return tuple(value if q == seat else old for q, old in enumerate(values))
