"""The ranking of a game: place, shape, name and total of each player or team, in rows beside a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.api import Seat
from companion.api.places import compute_places, list_teams, rank_teams
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
    split_grid,
)
from companion.i18n import format_number, join_and
from companion.screen_state import Player, ScreenState

PADDING = 1.2
"""Room at both ends of a row, in units."""
COLUMN_GAP = 1.4
"""Room between two columns of a row, in units."""
BADGE_SIZE = 6.0
"""Size of the shapes, in units."""
EDGE_WIDTH = 0.45
"""Width of the edge of a marked row, in units."""


class RankedTeam(NamedTuple):
    """A player, or all of a team, with rank and score.

    Attributes:
        rank: from 1; equal scores share it.
        players: the player, or all of a team.
        score: the score.
    """

    rank: int
    players: tuple[Player, ...]
    score: int

    @property
    def name(self) -> str:
        """The names of all in the current language: "Ada", "Ada and Bob"."""
        return join_names(self.players)


@dataclass(frozen=True, slots=True)
class RankingColumns:
    """Widths of a ranking's columns in pixels, the same in all rows.

    Attributes:
        place: of the place ("1.").
        badges: of the shapes.
        name: of the name; 0: there is no room for names.
        name_em: font size of the names, in units.
        total: of the total.
        width: of the whole row.
    """

    place: int
    badges: int
    name: int
    name_em: float
    total: int
    width: int


def is_lowest_best(state: ScreenState) -> bool:
    """Return whether fewer points are better.

    Args:
        state: a game in play, or one that has ended.
    """
    return state.outcome.lowest_wins if state.outcome is not None else bool(state.view.lowest_wins)


def join_names(players: Sequence[Player]) -> str:
    """Return the names of a player or a team in the current language: "Ada", "Ada and Bob"."""
    return join_and([player.name for player in players])


def list_state_teams(state: ScreenState) -> list[tuple[Seat, ...]]:
    """Return the seats of each team, in the order of the first seats; without teams of each player.

    Args:
        state: gives the players, and the game that says who plays together.
    """
    seats = [player.seat for player in state.players]
    return [(seat,) for seat in seats] if state.view is None else list_teams(state.view, seats)


def rank_players(state: ScreenState) -> list[RankedTeam]:
    """Rank the players, or the teams, by their places now or at the end; equal ones share a rank.

    Args:
        state: gives players and scores; a seat without a score counts as 0 points.

    Returns:
        Each player or team with rank and score; after two first comes the third.
    """
    scores = (*state.scores, *(0 for _player in state.players[len(state.scores) :]))
    places = state.view.places if state.outcome is None else compute_places(state.outcome, scores)
    return [
        RankedTeam(rank, tuple(state.players[seat] for seat in seats), score)
        for rank, seats, score in rank_teams(list_state_teams(state), scores, places)
    ]


def list_winners(state: ScreenState) -> tuple[Seat, ...]:
    """Return the seats of the winners; none while the game goes on.

    Args:
        state: gives the outcome.
    """
    return state.outcome.winners if state.outcome else ()


def measure_ranking(canvas: Canvas, ranked: Sequence[RankedTeam], max_width: int, height: int) -> RankingColumns:
    """Return the columns of a ranking: with the names, as large as fits, or without them where they have no room.

    Args:
        canvas: measures texts.
        ranked: the players or teams (`rank_players`), at least one.
        max_width: width of a row with names at most, in pixels.
        height: height of a row in pixels.

    Returns:
        The columns; without names they may be wider than `max_width`.
    """
    place = max(canvas.text_width(_format_place(each.rank), face=Typeface.DISPLAY) for each in ranked)
    total = max(canvas.text_width(format_number(each.score), TITLE_EM, Typeface.TABULAR) for each in ranked)
    badges = canvas.px(BADGE_SIZE) * max(len(each.players) for each in ranked)
    least = 2 * canvas.px(PADDING) + place + badges + total + 2 * canvas.px(COLUMN_GAP)
    for em in (TITLE_EM, TEXT_EM):
        name = max(canvas.text_width(each.name, em, Typeface.DISPLAY) for each in ranked)
        width = least + name + canvas.px(COLUMN_GAP)
        if width <= max_width and canvas.px(em) <= height:
            return RankingColumns(place, badges, name, em, total, width)
    return RankingColumns(place, badges, 0, TEXT_EM, total, least)


def draw_ranking_row(
    canvas: Canvas,
    rect: Rect,
    ranked: RankedTeam,
    columns: RankingColumns,
    *,
    is_winner: bool,
    is_marked: bool = False,
) -> None:
    """Draw the row of a player or a team: place, shapes, name if there is room, and the total large.

    Args:
        rect: its place in pixels, `columns.width` wide.
        ranked: the player or team with rank and score.
        columns: widths of the columns (`measure_ranking`).
        is_winner: the row is filled with the seats' colours.
        is_marked: the row has an edge in the first seat's colour: the page is about this player or team.
    """
    colours = [BUTTON_COLOURS[player.button] for player in ranked.players]
    room = rect
    if is_marked:
        # A winner's row is filled with the colour already: its edge is light.
        canvas.draw_panel(rect, RAISED, edge=INK if is_winner else colours[0])
        room = rect.inflate(-2 * canvas.px(EDGE_WIDTH), -2 * canvas.px(EDGE_WIDTH))
    canvas.draw_split_panel(room, colours if is_winner else [RAISED], radius=1.6 - EDGE_WIDTH * is_marked)
    ink = BACKGROUND if is_winner else INK
    size = min(canvas.px(BADGE_SIZE), rect.h - canvas.px(0.6))
    widths = [columns.place, columns.badges, *([columns.name] if columns.name else []), columns.total]
    place, badges, *names, total = split_columns(
        rect.inflate(-2 * canvas.px(PADDING), 0), widths, canvas.px(COLUMN_GAP)
    )
    canvas.draw_text(
        place, _format_place(ranked.rank), TEXT_EM, ink if is_winner else MUTED, face=Typeface.DISPLAY, align=1.0
    )
    for player, badge in zip(ranked.players, split_grid(badges, len(ranked.players), 1, 0), strict=True):
        canvas.draw_badge(player.button, badge.center, size, ink if is_winner else None)
    for name in names:
        canvas.draw_text(name, ranked.name, columns.name_em, ink, face=Typeface.DISPLAY)
    canvas.draw_text(total, format_number(ranked.score), TITLE_EM, ink, face=Typeface.TABULAR, align=1.0)


def _format_place(rank: int) -> str:
    return f"{rank}."
