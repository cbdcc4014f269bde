"""A StarFall position as it is shown: points, rows of the count, what stands on the keys."""

from __future__ import annotations

from companion.games.api.game import Outcome, Seat
from companion.games.starfall import payment as payments
from companion.games.starfall.scoring import score_majority, score_symbols
from companion.games.starfall.state import Position
from companion.games.starfall.tile_identification import get_tile_question
from companion.games.starfall.view import BoardTile, PaymentView, Phase, PlayerScore, StarFallView

SCORED_PHASES = (Phase.TABLE, Phase.OVER)


def has_running_score(p: Position) -> bool:
    """Whether points can be told while the game goes on."""
    return p.settings.running_score and not p.ended and all(p.has_only_known_tiles(q) for q in p.present_seats)


def get_score_kind(p: Position) -> str:
    """What `standing` tells: "dust", "points so far" (without the bonus for most stars), or "points"."""
    if not p.ended:
        return "points" if has_running_score(p) else "dust"
    return "points" if p.phase in SCORED_PHASES else "points so far"


def list_scores(p: Position) -> tuple[int, ...]:
    """A number for each player: what can be known now."""
    return p.dust if get_score_kind(p) == "dust" else tuple(row.total for row in list_player_scores(p))


def list_player_scores(p: Position) -> tuple[PlayerScore, ...]:
    """Each player's count; while the game goes on, as the catalogue has it."""
    counts = p.symbol_counts if p.ended else tuple(p.sum_known_symbols(q) for q in range(p.player_count))
    complete = has_running_score(p) or p.phase in SCORED_PHASES
    stars = (
        score_majority([counts[q][0] for q in p.present_seats], p.settings) if complete else (0,) * len(p.present_seats)
    )
    bonus = dict(zip(p.present_seats, stars, strict=True))
    found = []
    for q in range(p.player_count):
        worth = score_symbols(counts[q], p.dust[q])
        more = bonus.get(Seat(q), 0)
        total = 0 if p.away[q] else sum(worth) + more + p.total_adjustments[q]
        found.append(
            PlayerScore(
                Seat(q), counts[q], p.dust[q], worth, more, p.total_adjustments[q], total, p.counted[q], p.away[q]
            )
        )
    return tuple(found)


def _list_board_tiles(p: Position) -> tuple[BoardTile, ...]:
    keys = {space: key for key, space in enumerate(p.spaces_on_keys, start=1)}
    return tuple(
        BoardTile(
            space,
            number,
            p.get_symbol_counts(number),
            keys.get(space, 0),
            p.can_pay_for(space),
            p.find_landing_space(space),
        )
        for space, number in p.board
    )


def _build_payment_view(p: Position) -> PaymentView | None:
    payment = p.payment
    if payment is None:
        return None
    worths = tuple(given.value or 0 for given in payment.tiles)
    dust = payments.get_dust(p, payment)
    return PaymentView(
        payment.space, payment.space, dust, worths, payments.is_enough(p, payment), payments.is_excessive(p, payment)
    )


def build_view(p: Position, outcome: Outcome | None, why: str) -> StarFallView:
    """All that may be seen."""
    asked = get_tile_question(p) if p.phase is Phase.NAMING else None
    return StarFallView(
        phase=p.phase,
        active_seat=p.active_seat,
        dust=p.dust,
        tile_counts=tuple(len(own) for own in p.owned_tiles),
        away=p.away,
        top_space=p.settings.top_space,
        board=_list_board_tiles(p),
        is_board_full=len(p.board) >= p.settings.board_max_tiles,
        pile_size=p.pile_size,
        discard_count=len(p.discarded),
        turn_number=p.turn_number,
        end_reason=why,
        is_last_tile=not p.pile_size and not p.ended and len(p.board) == 2,
        payment=_build_payment_view(p),
        choice_labels=tuple(choice.label for choice in asked.choices) if asked else (),
        choice_symbol_counts=tuple(p.get_symbol_counts(choice.tile_numbers[0]) for choice in asked.choices)
        if asked and asked.is_about_tiles
        else (),
        counting_seat=p.counting_seat,
        line_index=p.line_index,
        player_scores=list_player_scores(p) if p.ended or has_running_score(p) else (),
        score_kind=get_score_kind(p),
        changes=p.changes,
        outcome=outcome,
    )
