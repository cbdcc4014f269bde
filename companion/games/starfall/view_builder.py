"""A StarFall position as it is shown: points, rows of the count, what stands on the keys."""

from __future__ import annotations

from companion.games.api.game import Outcome, Seat
from companion.games.starfall import payment as payments
from companion.games.starfall.scoring import majority, points
from companion.games.starfall.state import Position
from companion.games.starfall.tile_identification import naming
from companion.games.starfall.view import BoardTile, Paying, Phase, Row, StarFallView

SETTLED = (Phase.TABLE, Phase.OVER)


def running(p: Position) -> bool:
    """Whether points can be told while the game goes on."""
    return p.settings.running_score and not p.ended and all(p.all_known(q) for q in p.present)


def scores_are(p: Position) -> str:
    """What `standing` tells: "dust", "points so far" (without the bonus for most stars), or "points"."""
    if not p.ended:
        return "points" if running(p) else "dust"
    return "points" if p.phase in SETTLED else "points so far"


def standing(p: Position) -> tuple[int, ...]:
    """A number for each player: what can be known now."""
    return p.dust if scores_are(p) == "dust" else tuple(row.total for row in rows(p))


def rows(p: Position) -> tuple[Row, ...]:
    """Each player's count; while the game goes on, as the catalogue has it."""
    counts = p.counts if p.ended else tuple(p.proposed(q) for q in range(p.players))
    complete = running(p) or p.phase in SETTLED
    stars = majority([counts[q][0] for q in p.present], p.settings) if complete else (0,) * len(p.present)
    bonus = dict(zip(p.present, stars, strict=True))
    found = []
    for q in range(p.players):
        worth = points(counts[q], p.dust[q])
        more = bonus.get(Seat(q), 0)
        total = 0 if p.away[q] else sum(worth) + more + p.put_right[q]
        found.append(Row(Seat(q), counts[q], p.dust[q], worth, more, p.put_right[q], total, p.counted[q], p.away[q]))
    return tuple(found)


def _board(p: Position) -> tuple[BoardTile, ...]:
    keys = {space: key for key, space in enumerate(p.on_keys, start=1)}
    return tuple(
        BoardTile(space, number, p.printed(number), keys.get(space, 0), p.payable(space), p.lands(space))
        for space, number in p.board
    )


def _paying(p: Position) -> Paying | None:
    payment = p.payment
    if payment is None:
        return None
    worths = tuple(given.worth or 0 for given in payment.tiles)
    dust = payments.dust_of(p, payment)
    return Paying(
        payment.space, payment.space, dust, worths, payments.enough(p, payment), payments.unneeded(p, payment)
    )


def shown(p: Position, outcome: Outcome | None, why: str) -> StarFallView:
    """All that may be seen."""
    asked = naming(p) if p.phase is Phase.NAMING else None
    return StarFallView(
        phase=p.phase,
        active=p.active,
        dust=p.dust,
        tiles=tuple(len(own) for own in p.tiles),
        away=p.away,
        top_space=p.settings.top_space,
        board=_board(p),
        board_full=len(p.board) >= p.settings.board_max_tiles,
        pile=p.pile,
        discarded=len(p.gone),
        turn=p.turn,
        ended=why,
        last_tile=not p.pile and not p.ended and len(p.board) == 2,
        paying=_paying(p),
        narrowing=tuple(choice.words for choice in asked.choices) if asked else (),
        choices=tuple(p.printed(choice.numbers[0]) for choice in asked.choices) if asked and asked.of_tiles else (),
        page=p.counting,
        line=p.line,
        rows=rows(p) if p.ended or running(p) else (),
        scores_are=scores_are(p),
        changes=p.changes,
        outcome=outcome,
    )
