"""The ranking of a game: place, shape, name and total of each player, in rows beside a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.api import Seat
from companion.display.toolkit import (
    BACKGROUND,
    BUTTON_COLOURS,
    INK,
    MUTED,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Rect,
    Typeface,
    split_columns,
)
from companion.i18n import format_number, join_and
from companion.screen_state import Player, ScreenState

PADDING = 1.2
"""Room at both ends of a row, in units."""
COLUMN_GAP = 1.4
"""Room between two columns of a row, in units."""
BADGE_SIZE = 6.0
"""Size of the shapes, in units."""


class RankedPlayer(NamedTuple):
    """A player with rank and score.

    Attributes:
        rank: from 1; players with equal scores share it.
        player: the player.
        score: the score.
    """

    rank: int
    player: Player
    score: int


@dataclass(frozen=True, slots=True)
class RankingColumns:
    """Widths of a ranking's columns in pixels, the same in all rows.

    Attributes:
        place: of the place ("1.").
        name: of the name; 0: there is no room for names.
        name_em: font size of the names, in units.
        total: of the total.
        width: of the whole row.
    """

    place: int
    name: int
    name_em: float
    total: int
    width: int


def is_lowest_best(state: ScreenState) -> bool:
    """Return whether fewer points are better: the outcome says so, and before it who leads the game.

    Args:
        state: a game in play, or one that has ended.
    """
    if state.outcome is not None:
        return state.outcome.lowest_wins
    leaders = state.view.leaders
    return bool(leaders) and state.scores[leaders[0]] == min(state.scores) < max(state.scores)


def join_names(players: Sequence[Player]) -> str:
    """Return the names of a player or a team in the current language: "Ada", "Ada and Bob"."""
    return join_and([player.name for player in players])


def rank_players(state: ScreenState) -> list[RankedPlayer]:
    """Rank the players: winners first, then by their scores; equal ones share a rank and keep the order of the seats.

    The best score is the highest one, or the lowest one if the outcome says so.

    Args:
        state: gives players and scores; a seat without a score counts as 0 points.

    Returns:
        Each player with rank and score; after two first comes the third.
    """
    winners = list_winners(state)
    sign = 1 if state.outcome is not None and state.outcome.lowest_wins else -1
    scored = [(p, state.scores[p.seat] if p.seat < len(state.scores) else 0) for p in state.players]
    keyed = sorted(((p.seat not in winners, sign * score), p.seat, score) for p, score in scored)
    return [
        RankedPlayer(1 + sum(other < key for other, _seat, _score in keyed), state.players[seat], score)
        for key, seat, score in keyed
    ]


def list_winners(state: ScreenState) -> tuple[Seat, ...]:
    """Return the seats of the winners; none while the game goes on.

    Args:
        state: gives the outcome.
    """
    return state.outcome.winners if state.outcome else ()


def measure_ranking(canvas: Canvas, ranked: Sequence[RankedPlayer], max_width: int, height: int) -> RankingColumns:
    """Return the columns of a ranking: with the names, as large as fits, or without them where they have no room.

    Args:
        canvas: measures texts.
        ranked: the players (`rank_players`), at least one.
        max_width: width of a row with names at most, in pixels.
        height: height of a row in pixels.

    Returns:
        The columns; without names they may be wider than `max_width`.
    """
    place = max(canvas.text_width(_format_place(each.rank), face=Typeface.DISPLAY) for each in ranked)
    total = max(canvas.text_width(format_number(each.score), TITLE_EM, Typeface.TABULAR) for each in ranked)
    least = 2 * canvas.px(PADDING) + place + canvas.px(BADGE_SIZE) + total + 2 * canvas.px(COLUMN_GAP)
    for em in (TITLE_EM, TEXT_EM):
        name = max(canvas.text_width(each.player.name, em, Typeface.DISPLAY) for each in ranked)
        width = least + name + canvas.px(COLUMN_GAP)
        if width <= max_width and canvas.px(em) <= height:
            return RankingColumns(place, name, em, total, width)
    return RankingColumns(place, 0, TEXT_EM, total, least)


def draw_ranking_row(
    canvas: Canvas,
    rect: Rect,
    ranked: RankedPlayer,
    columns: RankingColumns,
    *,
    is_winner: bool,
    is_marked: bool = False,
) -> None:
    """Draw a player's row: place, shape, name if there is room, and the total large.

    Args:
        rect: its place in pixels, `columns.width` wide.
        ranked: the player with rank and score.
        columns: widths of the columns (`measure_ranking`).
        is_winner: the row is filled with the seat's colour.
        is_marked: the row has an edge in the seat's colour: the page is about this player.
    """
    rank, player, score = ranked
    colour = BUTTON_COLOURS[player.button]
    # A winner's row is filled with the colour already: its edge is light.
    canvas.draw_panel(rect, colour if is_winner else RAISED, edge=(INK if is_winner else colour) if is_marked else None)
    ink = BACKGROUND if is_winner else INK
    size = min(canvas.px(BADGE_SIZE), rect.h - canvas.px(0.6))
    widths = [columns.place, canvas.px(BADGE_SIZE), *([columns.name] if columns.name else []), columns.total]
    place, badge, *names, total = split_columns(rect.inflate(-2 * canvas.px(PADDING), 0), widths, canvas.px(COLUMN_GAP))
    canvas.draw_text(place, _format_place(rank), TEXT_EM, ink if is_winner else MUTED, face=Typeface.DISPLAY, align=1.0)
    canvas.draw_badge(player.button, badge.center, size, ink if is_winner else None)
    for name in names:
        canvas.draw_text(name, player.name, columns.name_em, ink, face=Typeface.DISPLAY)
    canvas.draw_text(total, format_number(score), TITLE_EM, ink, face=Typeface.TABULAR, align=1.0)


def _format_place(rank: int) -> str:
    return f"{rank}."
