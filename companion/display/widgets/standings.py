"""The standings after a round: a row for each player or team, which glides to its new place."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.api import Seat
from companion.api.places import is_by_score
from companion.display.toolkit import (
    BACKGROUND,
    BIG_EM,
    BUTTON_COLOURS,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Rect,
    ScreenLayout,
    Typeface,
    ease,
    format_signed,
    split_columns,
)
from companion.display.widgets.ranking import is_lowest_best, join_names, list_state_teams
from companion.display.widgets.status_line import fits_status_line
from companion.i18n import _, format_number, join_and
from companion.screen_state import Player, ScreenState

MAX_ROW_HEIGHT = 20.0
"""Height of a row at most, in units."""
ROW_GAP = 1.0
"""Room between two rows, in units."""
PADDING = 2.4
"""Room at both ends of a row, in units."""
COLUMN_GAP = 3.0
"""Room between two columns of a row, in units."""
CHANGE_EMS = {BIG_EM: TITLE_EM, TITLE_EM: TEXT_EM}
"""Font size of what the move has changed, by that of the scores: nobody takes both for one number."""
NAME_MARGIN_EM = 0.16
"""Height by which a row exceeds that of a name at least, in em: letters with descenders then stand in its middle."""
BADGE_RATIO = 0.68
"""Side of a badge, as a share of the row's height."""
COUNT_SPAN = (0.08, 0.36)
"""Share of the time at which the scores begin to count, and at which they are counted."""
GLIDE_SPAN = (0.36, 0.66)
"""The same of the rows on their way to their new places."""


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A player or a team in the standings.

    Attributes:
        players: the player, or all of a team.
        change: what the move that has just been seen has changed; the round may have changed more.
        after: score now.
        old_place: index of the row before the round, from 0.
        new_place: index of the row now.
        overtaken: the players and teams that were before this one and are behind it now.
        fallen: number of players and teams that were behind this one and are before it now.
        is_leader: it is among those who lead.
        led_before: it led alone before the round.
    """

    players: tuple[Player, ...]
    change: int
    after: int
    old_place: int
    new_place: int
    overtaken: tuple[tuple[Player, ...], ...]
    fallen: int
    is_leader: bool
    led_before: bool


def list_standings(state: ScreenState) -> Sequence[StandingsRow]:
    """List the standings after the round that the last move has ended, best first; equal places keep their order.

    Args:
        state: a game after a move.

    Returns:
        The rows; none if the move ended no round.
    """
    played = state.played
    if played is None or not played.round_start_scores:
        return ()
    teams = list_state_teams(state)
    players = {team: tuple(state.players[seat] for seat in team) for team in teams}
    places, leaders, before = state.view.places, state.view.leaders, played.before.totals
    old = {team: played.round_start_places[team[0]] for team in teams}
    new = {team: places[team[0]] for team in teams}
    old_order = sorted(teams, key=lambda team: old[team])
    new_order = sorted(old_order, key=lambda team: new[team])
    return tuple(
        StandingsRow(
            players[team],
            state.scores[team[0]] - before[team[0]],
            state.scores[team[0]],
            old_order.index(team),
            place,
            tuple(players[t] for t in new_order if old[t] < old[team] and new[team] < new[t]),
            sum(old[team] < old[t] and new[t] < new[team] for t in teams),
            any(seat in leaders for seat in team),
            all(old[team] < old[t] for t in teams if t != team),
        )
        for place, team in enumerate(new_order)
    )


def has_new_places(rows: Sequence[StandingsRow]) -> bool:
    """Return whether the round has given any of the rows another place."""
    return any(row.old_place != row.new_place for row in rows)


def describe_standings(rows: Sequence[StandingsRow], part: float) -> tuple[str, Seat | None]:
    """Describe who leads now, or who has overtaken whom, but not before scores and rows show it.

    Args:
        rows: the standings, at least one row.
        part: share of the time that has passed, 0 to 1.

    Returns:
        The sentence, and the player with whom it begins, or None.
    """
    leaders = [row for row in rows if row.is_leader]
    if not leaders or part < (GLIDE_SPAN if has_new_places(rows) else COUNT_SPAN)[1]:
        return _("Standings"), None
    if len(leaders) != 1:
        return _("{who} share the lead", who=join_and([join_names(row.players) for row in leaders])), None
    (row,) = leaders
    rises = [row for row in rows if row.overtaken]
    if not row.led_before:
        text = _("{who}: now in the lead", who=join_names(row.players))
    elif len(rises) == 1 and len(rises[0].overtaken) == 1:
        row = rises[0]
        text = _("{who}: now ahead of {other}", who=join_names(row.players), other=join_names(row.overtaken[0]))
    else:
        text = _("{who}: still in the lead", who=join_names(row.players))
    if len(row.players) == 1:
        return text, row.players[0].seat
    return text, None


def describe_best(state: ScreenState) -> str:
    """Return the sentence that the lowest score wins, or that more than the score decides; empty: the highest wins."""
    is_lowest = is_lowest_best(state)
    if not is_by_score(state.view.places, state.scores, lowest_wins=is_lowest):
        return _("More than the score decides")
    return _("The lowest score wins") if is_lowest else ""


def describe_next(canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> str:
    """Describe for the status line whose turn it is and what to do, and before it that the lowest score wins if so.

    A sentence that does not fit is shortened to the name.

    Args:
        canvas: measures the texts.
        layout: places of the screen.
        state: the game after the move that has ended the round.
    """
    lowest = describe_best(state)
    turn = "" if state.addressed is None else _("{who} is next", who=state.players[state.addressed].name)
    texts = [" · ".join(filter(None, (lowest, words))) for words in (state.prompt, turn, "")]
    return next((text for text in texts if fits_status_line(canvas, layout, state, text)), lowest)


def draw_standings(canvas: Canvas, rect: Rect, rows: Sequence[StandingsRow], part: float, seen: Sequence[int]) -> None:
    """Draw the standings as the region "main": the scores count to their values, then the rows glide to their places.

    Args:
        rect: their place in pixels.
        rows: the rows, at least one.
        part: share of the time that has passed, 0 to 1.
        seen: by seat, the scores from which they count: those that the picture before has shown.
    """
    gap = canvas.px(ROW_GAP)
    height = min(canvas.px(MAX_ROW_HEIGHT), (rect.h - gap * (len(rows) - 1)) // len(rows))
    top = rect.top + (rect.h - len(rows) * (height + gap) + gap) // 2
    counted, glided = _ease_span(part, COUNT_SPAN), _ease_span(part, GLIDE_SPAN)
    shown = []
    # Who rises passes over those who fall.
    for row in sorted(rows, key=lambda row: row.old_place - row.new_place):
        place = row.old_place + (row.new_place - row.old_place) * glided
        y = round(top + place * (height + gap))
        first = seen[row.players[0].seat]
        score = round(first + (row.after - first) * counted)
        shown.append((Rect(rect.left, y, rect.w, height), row, score, glided > 0.0))

    def paint() -> None:
        em, columns = _measure_columns(canvas, rows, seen, height, rect.w)
        names = [join_names(row.players) for row in rows]
        room = height - canvas.px(NAME_MARGIN_EM * em)
        name_em = canvas.find_common_size(names, em, (columns[1], room), Typeface.DISPLAY)
        for place, row, score, has_moved in shown:
            _draw_row(canvas, place, row, score, (em, name_em), columns, has_moved=has_moved)

    content = tuple((place.top, row, score, has_moved) for place, row, score, has_moved in shown)
    canvas.draw_region("main", rect, content, paint)


def _ease_span(part: float, span: tuple[float, float]) -> float:
    first, last = span
    return ease((part - first) / (last - first))


def _measure_columns(
    canvas: Canvas, rows: Sequence[StandingsRow], seen: Sequence[int], height: int, width: int
) -> tuple[float, Sequence[int]]:
    """Return the font size, and the widths of badges, names, change of rank, change and score in pixels."""
    size = round(height * BADGE_RATIO)
    badges = size * max(len(row.players) for row in rows)
    scores = [format_number(score) for score in (*seen, *(row.after for row in rows))]
    changes = [format_signed(row.change) for row in rows]

    def find_width(texts: Sequence[str], em: float) -> int:
        return max(canvas.text_width(text, em, Typeface.TABULAR) for text in texts)

    for em in (BIG_EM, TITLE_EM):
        score, name = find_width(scores, em), find_width([join_names(row.players) for row in rows], em)
        change = find_width(changes, CHANGE_EMS[em])
        mark = size + find_width(["00"], em)
        rest = width - 2 * canvas.px(PADDING) - 4 * canvas.px(COLUMN_GAP) - badges - mark - change - score
        if name <= rest and canvas.px(em) <= height:
            break
    return em, (badges, max(1, rest), mark, change, score)


def _draw_row(
    canvas: Canvas,
    rect: Rect,
    row: StandingsRow,
    score: int,
    ems: tuple[float, float],
    columns: Sequence[int],
    *,
    has_moved: bool,
) -> None:
    """Draw a row; badge, name and numbers share one line. `ems`: font sizes of the numbers and of the names."""
    em, name_em = ems
    canvas.draw_split_panel(rect, [BUTTON_COLOURS[player.button] for player in row.players])
    inner = rect.inflate(-2 * canvas.px(PADDING), 0)
    badges, name, mark, change, total = split_columns(inner, columns, canvas.px(COLUMN_GAP))
    size = round(rect.h * BADGE_RATIO)
    for i, player in enumerate(row.players):
        canvas.draw_badge(player.button, (badges.left + size // 2 + i * size, rect.centery), size, BACKGROUND)
    name = name.inflate(0, 2 * canvas.px(name_em))  # letters with descenders stand no higher than the others
    canvas.draw_text(name, join_names(row.players), name_em, BACKGROUND, face=Typeface.DISPLAY)
    if has_moved and (steps := len(row.overtaken) - row.fallen):
        # An arrow upwards or downwards, with the number of places.
        icon, number = ("arrow", steps) if steps > 0 else ("arrow down", -steps)
        beside = canvas.draw_icon_left(mark, icon, size * 3 // 4, BACKGROUND, gap=0.8)
        canvas.draw_text(beside, format_number(number), em, BACKGROUND, face=Typeface.TABULAR)
    if row.change:
        text = format_signed(row.change)
        canvas.draw_text(change, text, CHANGE_EMS[em], BACKGROUND, face=Typeface.TABULAR, align=1.0)
    canvas.draw_text(total, format_number(score), em, BACKGROUND, face=Typeface.TABULAR, align=1.0)
