"""The top of the screen: who is addressed and what to do, and the round track."""

from companion.api import Seat
from companion.display.toolkit import (
    BIG_EM,
    INK,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Colour,
    Rect,
    ScreenLayout,
    Typeface,
    split_bottom,
    split_columns,
    split_left,
    split_top,
)
from companion.display.toolkit.layout import sentence_height
from companion.display.widgets.status_line import draw_notice
from companion.i18n import _, capitalize_first_letter
from companion.names import strip_address
from companion.screen_state import Player, ScreenState

MAX_SENTENCE_LINES = 2
"""Lines of the sentence at most."""
MAX_NAME_SHARE = 0.42
"""Width of the name at most, as a share of the header's; the sentence has the rest."""
TRACK_BAR_HEIGHT = 2.2
"""Height of the bar that shows the rounds, in units."""
SEGMENT_GAP = 0.5
"""Room between two rounds of the bar, in units."""
MIN_SEGMENT_WIDTH = 1.0
"""Least width of a round's part of the bar, in units; of more rounds the bar is one piece. Smaller: the outline of a
part has no room."""


def split_prompt(state: ScreenState) -> tuple[Player | None, str]:
    """Split the prompt into the player to whom it is addressed, and the sentence without their name.

    Returns:
        The player (None: the prompt is for all), and the sentence, which begins with a capital.

    Raises:
        IndexError: the addressed seat has no player.
    """
    if state.addressed is None:
        return None, state.prompt
    player = state.players[state.addressed]
    return player, capitalize_first_letter(strip_address(state.prompt, player.name))


def draw_header(
    canvas: Canvas, layout: ScreenLayout, state: ScreenState, active: Seat | None = None, *, has_strip: bool = False
) -> None:
    """Draw badge and name of the addressed player, and the sentence that says what to do, as the region "header".

    Without an addressed player the sentence has the whole width; without a sentence the title stands there. The name
    is larger than the sentence where the header is high enough: at the result. In the far layout a notice takes all of
    the place.

    Args:
        layout: places of the screen; it is drawn at `layout.header`.
        active: seat of the player who is named if the prompt addresses nobody; None: nobody is.
        has_strip: there is a players' strip, so that a notice takes its place instead.

    Raises:
        IndexError: the addressed or the active seat has no player.
    """
    player, sentence = split_prompt(state)
    if player is None and active is not None:
        player = state.players[active]
        sentence = sentence.removeprefix(f"{player.name} ")  # "Bo wins with 19": the name stands beside it
    rect, notice = layout.header, state.notice
    if canvas.is_far and notice is not None and not has_strip:
        content = notice, state.notice_warns
        canvas.draw_region("header", rect, content, lambda: draw_notice(canvas, rect, notice, warns=state.notice_warns))
        return
    name, button = (player.name, player.button) if player else ("", None)
    sentence = sentence or ("" if player else state.title)

    def paint() -> None:
        room = Rect(rect)
        if button is not None:
            row = split_bottom(rect, canvas.px(sentence_height(canvas)))[1] if canvas.is_portrait else rect
            em = BIG_EM if row.h >= canvas.px(BIG_EM) else TITLE_EM
            beside = canvas.draw_badge_left(row, button, canvas.px(em), gap=2)
            if not canvas.is_portrait:
                beside.w = min(beside.w, round(rect.w * MAX_NAME_SHARE))
            drawn = canvas.draw_text(beside, name, em, INK, face=Typeface.DISPLAY)
            left = drawn.right + canvas.px(4)
            room = Rect(left, rect.top, rect.right - left, rect.h)
            if canvas.is_portrait:
                room = Rect(rect.left, row.bottom, rect.w, rect.bottom - row.bottom)
        draw_sentence(canvas, room, sentence, align=0.0)

    canvas.draw_region("header", rect, (name, button, sentence), paint)


def draw_title_track(canvas: Canvas, layout: ScreenLayout, title: str, current_round: int, rounds: int) -> None:
    """Draw the name of the game and the round as the region "track", in place of the round track.

    A title that is wider than its place is left out: it stands in the lobby and at the result.

    Args:
        layout: places of the screen; it is drawn at `layout.track`.
        title: the name that people gave to the game.
        current_round: from 1; 0: there are no rounds.
        rounds: number of rounds; 0: any number.
    """
    rect = layout.track
    label = _("Round {n}/{count}", n=current_round, count=rounds) if rounds else _("Round {n}", n=current_round)
    label = label if current_round else ""

    def paint() -> None:
        upper, lower = split_columns(rect, [rect.w // 2] * 2, 0) if canvas.is_portrait else split_top(rect, rect.h // 2)
        left_align = 0.0 if canvas.is_portrait else 1.0
        if not label:
            upper = rect
        if canvas.text_width(title, TEXT_EM, Typeface.DISPLAY) <= upper.w:
            canvas.draw_text(upper, title, TEXT_EM, INK, face=Typeface.DISPLAY, align=left_align)
        elif label:
            lower = rect
        canvas.draw_text(lower, label, TEXT_EM, INK, face=Typeface.DISPLAY, align=1.0)

    canvas.draw_region("track", rect, (title, label), paint)


def draw_sentence(canvas: Canvas, rect: Rect, sentence: str, colour: Colour = INK, *, align: float = 0.0) -> Rect:
    """Draw a sentence as large as its place allows: a title on one line, else text on one or two.

    >>> canvas, box = Canvas((800, 480)), Rect(0, 0, 800, 100)
    >>> with canvas.frame():
    ...     canvas.draw_region("head", box, "Roll", lambda: draw_sentence(canvas, box, "Roll the dice"))
    ...
    >>> [text.text for text in canvas.drawn_texts()]
    ['Roll the dice']

    Args:
        sentence: the sentence.
        colour: a tone or a fixed colour.
        align: across, 0 to 1: 0 left, 0.5 centre, 1 right.

    Returns:
        The block's rectangle in pixels.
    """
    if canvas.text_width(sentence, TITLE_EM, Typeface.DISPLAY) <= rect.w:
        return canvas.draw_text(rect, sentence, TITLE_EM, colour, face=Typeface.DISPLAY, align=align)
    return canvas.draw_text(
        rect, sentence, TEXT_EM, colour, face=Typeface.DISPLAY, max_lines=MAX_SENTENCE_LINES, align=align
    )


def draw_round_track(
    canvas: Canvas, layout: ScreenLayout, current_round: int, rounds: int, accent: Colour = INK
) -> None:
    """Draw the round track as the region "track": the round in figures over a bar with a part for each round.

    Rounds played and the current one are filled; with very many rounds the bar has no parts.

    Args:
        layout: places of the screen; it is drawn at `layout.track`.
        current_round: from 1 to `rounds`; with another number no round is the current one.
        rounds: number of rounds; 0: any number, and the number of the current one stands alone.
        accent: colour of the current round.
    """
    rect = layout.track

    def paint() -> None:
        bar_height = canvas.px(TRACK_BAR_HEIGHT)
        text = Rect(rect.left, rect.top, rect.w, rect.h - bar_height - canvas.px(1.4))
        if canvas.is_portrait:
            text, bar_rect = split_left(rect, rect.w * 2 // 5)
            bar_rect = Rect(bar_rect.left, rect.centery - bar_height // 2, bar_rect.w, bar_height)
        else:
            bar_rect = Rect(rect.left, text.bottom, rect.w, bar_height)
        align = 0.0 if canvas.is_portrait else 1.0
        if not rounds:
            label = _("Round {n}", n=current_round) if current_round else ""
            canvas.draw_text(rect, label, TEXT_EM, INK, face=Typeface.DISPLAY, align=align)
        else:
            label = _("Round {n}/{count}", n=current_round, count=rounds)
            canvas.draw_text(text, label, TEXT_EM, INK, face=Typeface.DISPLAY, align=align, vertical_align=0.7)
        gap = canvas.px(SEGMENT_GAP)
        width = (bar_rect.w - gap * (rounds - 1)) // max(1, rounds)
        if width < canvas.px(MIN_SEGMENT_WIDTH):
            draw_hollow(bar_rect)
            part = max(0, min(current_round, rounds)) / max(1, rounds)
            if filled := round(bar_rect.w * part):
                canvas.draw_panel(Rect(bar_rect.left, bar_rect.top, filled, bar_rect.h), INK, radius=0.6)
            return
        for i, segment in enumerate(split_columns(bar_rect, [width] * rounds, gap), 1):
            if i <= current_round:
                canvas.draw_panel(segment, accent if i == current_round else INK, radius=0.6)
            else:
                draw_hollow(segment)

    def draw_hollow(part: Rect) -> None:
        canvas.draw_panel(part, INK, radius=0.6)
        canvas.draw_panel(part.inflate(-2 * canvas.px(0.3), -2 * canvas.px(0.3)), canvas.ground_colour, radius=0.5)

    canvas.draw_region("track", rect, (current_round, rounds), paint)
