"""The table is right: what people may correct, and what then follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.game import BadCorrection, Correctable, Correction, Seat, ValueRange
from companion.games.secret_number.settings import DISPLAY_BONUSES, ROUNDS_PER_GAME
from companion.games.secret_number.state import MIN_PLAYERS, REVEAL_PHASES, ROUND_PHASES, Position
from companion.games.secret_number.transitions import P, advance_reveal
from companion.games.secret_number.view import Phase
from companion.i18n import Translator

_ = Translator("secret_number")

MAX_POINTS = 999
"""Points that no match comes near."""
CARD, OWNER, OF_ROUND, GAME = "card ", "who laid card ", "round of card ", "game "
"""Kinds that end in a number, from 1."""


def list_correctables(p: Position) -> Sequence[Correctable]:
    """What may be corrected in `p`: the nearest mistakes first, the totals after them, the rare ones last."""
    return tuple(_correctables(p))


def _correctables(p: Position) -> Iterator[Correctable]:
    totals = p.totals
    if p.phase in REVEAL_PHASES:
        yield from _list_card_correctables(p)
    elif p.cards_in_order and p.phase in ROUND_PHASES:
        last = len(p.cards_in_order)
        yield Correctable(f"{OWNER}{last}", None, (p.cards_in_order[-1][1],), _seat_range(p))
    # Before all else that belongs to a seat: in the menu, a player's own button leads to the first of these.
    for q, total in enumerate(totals):
        yield Correctable("total", Seat(q), (total,), ValueRange(1, min(total, -MAX_POINTS), max(total, MAX_POINTS)))
    for seat in p.seats_right:
        if p.phase in REVEAL_PHASES and p.display_bonuses[seat]:
            yield Correctable(
                "bonus", seat, (p.display_bonuses[seat],), ValueRange(1, DISPLAY_BONUSES[0], DISPLAY_BONUSES[-1])
            )
    for number in range(len(p.earlier_scores), 0, -1):
        for q, score in enumerate(p.earlier_scores[number - 1]):
            yield Correctable(
                f"{GAME}{number}", Seat(q), (score,), ValueRange(1, min(score, -MAX_POINTS), max(score, MAX_POINTS))
            )
    if p.phase in ROUND_PHASES:
        yield Correctable("round", None, (p.round_number,), ValueRange(1, 1, ROUNDS_PER_GAME))
    if p.phase is not Phase.OVER:
        for q in range(p.player_count):
            yield Correctable("away", Seat(q), (int(q in p.away),), ValueRange(1, 0, 1))


def _list_card_correctables(p: Position) -> Iterator[Correctable]:
    """The cards at the reveal, the latest first: right or wrong, whose they are, and in which round they lay."""
    cards = p.cards_in_order
    known = range(min(len(p.cards_right) + 1, len(cards)) - 1, -1, -1)
    for i in range(len(p.cards_right) - 1, -1, -1):
        yield Correctable(f"{CARD}{i + 1}", None, (int(p.cards_right[i]),), ValueRange(1, 0, 1))
    for i in known:
        yield Correctable(f"{OWNER}{i + 1}", None, (cards[i][1],), _seat_range(p))
    for i in known:
        # A card stays in its place, so only the round cards around it can lie above or below it.
        low = cards[i - 1][0] if i else 1
        high = cards[i + 1][0] if i + 1 < len(cards) else ROUNDS_PER_GAME
        if low < high:
            yield Correctable(f"{OF_ROUND}{i + 1}", None, (cards[i][0],), ValueRange(1, low, high))


def _seat_range(p: Position) -> ValueRange:
    return ValueRange(1, 0, p.player_count - 1)


def apply_correction(p: P, correction: Correction) -> P:
    """`p` as the table shows it, all but `changes`.

    Raises:
        BadCorrection: no table could show that, or it cannot be corrected now.
    """
    if correction.stored_kind == "values":
        return _apply_card_values(p, correction.value)
    entry = next((c for c in _correctables(p) if (c.kind, c.seat) == (correction.stored_kind, correction.seat)), None)
    if entry is None:
        raise BadCorrection(f"{correction.stored_kind} cannot be corrected now")
    entry.make_correction(*correction.value)
    (value,) = correction.value
    kind, seat = correction.stored_kind, correction.seat
    if kind == "round":
        return _set_round(p, value)
    if seat is None:
        place = int(kind.rsplit(" ", 1)[1]) - 1
        if kind.startswith(OF_ROUND):
            return advance_reveal(_set_card_round(p, place, value))
        return advance_reveal(
            _set_owner(p, place, Seat(value)) if kind.startswith(OWNER) else _mark_card(p, place, value == 1)
        )
    return _correct_seat(p, kind, seat, value)


def _correct_seat(p: P, kind: str, seat: Seat, value: int) -> P:
    if kind == "away":
        return _set_away(p, seat, gone=value == 1)
    if kind == "bonus":
        return advance_reveal(replace(p, display_bonuses=_replace_at(p.display_bonuses, seat, value)))
    if kind == "total":
        return replace(
            p,
            total_adjustments=_replace_at(
                p.total_adjustments, seat, p.total_adjustments[seat] + value - p.totals[seat]
            ),
        )
    number = int(kind.removeprefix(GAME)) - 1
    scores = _replace_at(p.earlier_scores[number], seat, value)
    return replace(p, earlier_scores=(*p.earlier_scores[:number], scores, *p.earlier_scores[number + 1 :]))


def _set_away(p: P, seat: Seat, *, gone: bool) -> P:
    """Who leaves lays no more cards; those that lie there count. Who was not dealt in joins the next game."""
    away = tuple(q for q in range(p.player_count) if (gone if q == seat else q in p.away))
    p = replace(p, away=tuple(Seat(q) for q in away))
    if len(p.present_seats) < MIN_PLAYERS or (p.phase is not Phase.DEAL and len(p.active_seats) < MIN_PLAYERS):
        raise BadCorrection(_("S2: fewer than {n} players would be left; put the game away instead", n=MIN_PLAYERS))
    return replace(p, participants=p.present_seats) if p.phase is Phase.DEAL else p


def _set_round(p: P, number: int) -> P:
    """Another round is being played than the box thinks; what was laid since lies in it."""
    if number >= p.round_number:
        return replace(p, round_number=number)
    since = tuple(seat for pile in p.piles[number - 1 :] for seat in pile)
    return replace(p, round_number=number, piles=(*p.piles[: number - 1], since, *((),) * (ROUNDS_PER_GAME - number)))


def _mark_card(p: P, place: int, right: bool) -> P:
    """S35: a right card makes the same player's other cards wrong."""
    owner = p.cards_in_order[place][1]
    marks = tuple(
        right if i == place else mark and not (right and p.cards_in_order[i][1] == owner)
        for i, mark in enumerate(p.cards_right)
    )
    return replace(p, cards_right=marks)


def _set_owner(p: P, place: int, seat: Seat) -> P:
    if seat not in p.participants:
        raise BadCorrection(_("S3: {who} has no cards in this game", who=f"seat {seat}"))
    if p.cards_in_order[place][1] == seat:
        return p
    if p.count_cards_laid(seat) >= p.hand_size:
        raise BadCorrection(_("S22: {who} has laid all {n} cards of this game", who=f"seat {seat}", n=p.hand_size))
    if p.cards_right[place : place + 1] == (True,) and seat in p.seats_right:
        raise BadCorrection(_("S35: {who} has a right card already", who=f"seat {seat}"))
    owners = [q for _, q in p.cards_in_order]
    owners[place] = seat
    return _rebuild_piles(p, [r for r, _ in p.cards_in_order], owners)


def _set_card_round(p: P, place: int, number: int) -> P:
    rounds = [r for r, _ in p.cards_in_order]
    rounds[place] = number
    return _rebuild_piles(p, rounds, [q for _, q in p.cards_in_order])


def _rebuild_piles(p: P, rounds: Sequence[int], owners: Sequence[Seat]) -> P:
    piles = tuple(
        tuple(q for r, q in zip(rounds, owners, strict=True) if r == number) for number in range(1, ROUNDS_PER_GAME + 1)
    )
    return replace(p, piles=piles)


def _apply_card_values(p: P, value: tuple[int, ...]) -> P:
    """S25: all cards were read at once (by a camera, say): the secret, then each card's value in order.

    It stands in no menu, for nobody is ever asked for a value; nothing of it is kept but right and wrong.
    """
    if p.phase not in REVEAL_PHASES:
        raise BadCorrection("S30: the cards are revealed after round 3")
    if len(value) != 1 + len(p.cards_in_order):
        raise BadCorrection(f"S30: the secret and {len(p.cards_in_order)} cards have values, not {len(value)} of them")
    if not all(v in p.card_values for v in value):
        raise BadCorrection(f"S2: the cards of this game have the numbers 0 to {p.card_values[-1]}")
    secret, *values = value
    if len({(seat, v) for (_, seat), v in zip(p.cards_in_order, values, strict=True)}) < len(values):
        raise BadCorrection(_("S35: nobody has two cards of one value"))
    return advance_reveal(replace(p, phase=Phase.REVEAL, cards_right=tuple(v == secret for v in values)))


def _replace_at(values: tuple[int, ...], seat: Seat, value: int) -> tuple[int, ...]:
    return tuple(value if q == seat else old for q, old in enumerate(values))
