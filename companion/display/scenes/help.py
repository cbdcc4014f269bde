"""The help over any screen: what can be done now, the rules in pictures, and how the game ends."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from companion.api import PicturedRule
from companion.display.toolkit import (
    BIG_EM,
    BUTTON_COLOURS,
    GAP,
    INK,
    LINE,
    SEAT_SHAPES,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
    Rect,
    Typeface,
    lay_out_screen,
    split_bottom,
    split_grid,
    split_left,
    split_right,
    split_top,
)
from companion.display.widgets import clock_content, draw_clock, draw_players, draw_sentence, find_clock
from companion.display.widgets.rule_picture import draw_rule_picture
from companion.display.widgets.soft_keys import draw_soft_keys
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button
from companion.i18n import _, join_label
from companion.possible_actions import PossibleAction, find_instruction, list_actions_beside_lines
from companion.screen_state import HelpView, ScreenState, SoftKey

HEADING_HEIGHT = 11.0
"""Height of the row with the heading, the clock and the number of the page, in units."""
DOT_SIZE = 2.6
"""Size of the dot of a page, in units."""
DOT_PITCH = 4.4
"""Distance of the dots of two pages, in units."""
SENTENCE_SHARE = 0.36
"""Height of the sentence that says what is waited for, as a share of the page's."""
PORTRAIT_SENTENCE_SHARE = 0.22
"""The same in portrait."""
ROW_HEIGHT = 12.0
"""Height of a line at most that says what a key does, in units."""
KEY_PITCH = 1.1
"""Distance of the shapes of two keys that do the same, as a multiple of their size."""
KEY_SIZE = 6.4
"""Size of a key's shape, in units."""
CLOCK_WIDTH = 30.0
"""Width of a clock that goes on meanwhile, in units."""
PICTURE_SHARE = 0.27
"""Width of a rule's picture, as a share of its cell's."""
MAX_RULE_LINES = 5
"""Lines of a rule at most."""
CROWN_SIZE = 24.0
"""Size of the crown beside how the game ends, in units."""
MAX_ENDING_LINES = 4
"""Lines of how the game ends at most."""


@dataclass(frozen=True, slots=True)
class _KeyLine:
    """A line of the page: keys that do the same, and what they do."""

    buttons: tuple[Button, ...]
    text: str


def draw_help(canvas: Canvas, state: ScreenState, accent: Colour = LINE) -> None:
    """Draw the open page of the help in place of all but the soft keys, which work the help.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        state: what is open beneath, with a page of the help.
        accent: the game's colour: floods the ground.
    """
    view = state.help
    assert view is not None, "the help is open"
    has_scores = bool(view.ending and state.in_game and state.players and state.scores)
    layout = lay_out_screen(canvas, len(state.players) if has_scores else 0)
    flood = Rect(layout.flood)
    flood.h = layout.status.bottom - flood.top
    canvas.flood_ground(flood, accent)
    draw_soft_keys(canvas, layout, replace(state, soft_keys=list_help_keys(state)))
    heading, page = split_top(layout.view, canvas.px(HEADING_HEIGHT), canvas.px(GAP))
    _draw_heading(canvas, heading, state, view)
    if has_scores:
        layout = replace(layout, players=split_bottom(page, layout.players.h)[0])
        draw_players(canvas, layout, state, [player.seat for player in state.players])
        page = split_bottom(page, layout.players.h, canvas.px(GAP))[1]
    if view.ending:
        canvas.draw_region("main", page, view.ending, lambda: _draw_ending(canvas, page, view.ending))
    elif view.rules:
        canvas.draw_region("main", page, view.rules, lambda: _draw_rules(canvas, page, view.rules))
    else:
        content = find_instruction(state) or state.title, _join_keys(list_actions_beside_lines(state))
        canvas.draw_region("main", page, content, partial(_draw_now, canvas, page, *content))


def list_help_keys(state: ScreenState) -> tuple[SoftKey, ...]:
    """List what the keys do while the help is open: seats' own keys act, those of the console work the help."""
    view = state.help
    assert view is not None, "the help is open"
    acting = {key.button: key for key in state.soft_keys if key.label and not (key.is_number or key.is_hold)}
    labels = {
        Button.OK: _("All right"),
        Button.NO: _("Back"),
        Button.PLUS: _("Next page") if view.page + 1 < view.page_count else "",
        Button.MINUS: _("Previous page") if view.page else "",
    }
    seats = (acting.get(button, SoftKey(button, "")) for button in SEAT_BUTTONS)
    return (*seats, *(SoftKey(button, labels[button], awaited=button is Button.OK) for button in CONSOLE_BUTTONS))


def _draw_heading(canvas: Canvas, rect: Rect, state: ScreenState, view: HelpView) -> None:
    """Draw what the page is about, a clock that goes on, and a dot for each page."""
    clock = find_clock(state)
    about = _("Now") if not (view.rules or view.ending) else _("The rules") if view.rules else _("The end")
    title = f"{about} · {state.title}" if state.title else about

    def paint() -> None:
        rest = rect
        if view.page_count > 1:
            dots, rest = split_right(rect, canvas.px(DOT_PITCH) * view.page_count, canvas.px(GAP))
            for i, cell in enumerate(split_grid(dots, view.page_count, 1, 0)):
                canvas.draw_disc(cell.center, canvas.px(DOT_SIZE), INK if i == view.page else LINE)
        if clock is not None:
            place, rest = split_right(rest, canvas.px(CLOCK_WIDTH), canvas.px(GAP))
            draw_clock(canvas, place, clock)
        draw_sentence(canvas, rest, title)

    canvas.draw_region("header", rect, (title, view.page, view.page_count, clock_content(clock)), paint)


def _join_keys(actions: Sequence[PossibleAction]) -> tuple[_KeyLine, ...]:
    """Join the keys that do the same into a line: what it is, and whose key where it is one player's own.

    The keys of digits are one line, too, and so are number keys that are held, each for the games of some letters.
    """
    digits = [action for action in actions if action.words.isdigit()]
    held = [action for action in actions if action.is_hold and action.seat is None and action.button.seat_number]
    for alike, words in (
        (digits, _("Enter {numbers}", numbers=" ".join(action.words for action in digits))),
        (held, _("Hold: letters")),
    ):
        if len(alike) > 1:
            others = [action for action in actions if action not in alike]
            actions = [*(replace(one, words=words, seat=None) for one in alike), *others]
    buttons_by_text: dict[str, list[Button]] = {}
    owners: dict[str, list[str]] = {}
    for action in actions:
        buttons_by_text.setdefault(action.words, []).append(action.button)
        if action.seat is not None and not action.is_hold:
            owners.setdefault(action.words, []).append(action.place)
    return tuple(
        _KeyLine(tuple(buttons), join_label(owners[text][0], text) if len(owners.get(text, ())) == 1 else text)
        for text, buttons in buttons_by_text.items()
    )


def _draw_now(canvas: Canvas, rect: Rect, sentence: str, lines: Sequence[_KeyLine]) -> None:
    """Draw what is waited for as large as fits, and below it a line for each key that does something."""
    share = PORTRAIT_SENTENCE_SHARE if canvas.is_portrait else SENTENCE_SHARE
    upper, lower = split_top(rect, round(rect.h * share), canvas.px(GAP))
    canvas.draw_text(upper, sentence, BIG_EM, INK, face=Typeface.DISPLAY, max_lines=3)
    counts = [1, 2] if canvas.is_portrait else [2, 3]
    # More columns only where the words become larger by it, or else too low to be read.
    legible = [n for n in counts if _place_lines(canvas, lower, len(lines), n)[0].h >= canvas.line_px(TEXT_EM)]
    counts = legible or counts[-1:]
    columns = next((count for count in counts if _fit_lines(canvas, lower, lines, count) == TITLE_EM), counts[0])
    em = _fit_lines(canvas, lower, lines, columns)
    for place, line in zip(_place_lines(canvas, lower, len(lines), columns), lines, strict=False):
        rest = _draw_shapes(canvas, place, line.buttons)
        canvas.draw_text(rest, line.text, em, INK, face=Typeface.DISPLAY, max_lines=2)


def _place_lines(canvas: Canvas, rect: Rect, count: int, columns: int) -> list[Rect]:
    return split_grid(rect, columns, max(1, -(-count // columns)), canvas.px(GAP), canvas.px(ROW_HEIGHT))


def _fit_lines(canvas: Canvas, rect: Rect, lines: Sequence[_KeyLine], columns: int) -> float:
    """Return the common size of the lines in that many columns: its em in units."""
    places = _place_lines(canvas, rect, len(lines), columns)
    rests = [_split_shapes(canvas, place, len(line.buttons))[1] for place, line in zip(places, lines, strict=False)]
    sizes = (
        canvas.find_common_size((line.text,), TITLE_EM, rest.size, Typeface.DISPLAY)
        for rest, line in zip(rests, lines, strict=True)
    )
    return min(sizes, default=TITLE_EM)


def _split_shapes(canvas: Canvas, rect: Rect, count: int) -> tuple[Rect, Rect]:
    """Return the room of the shapes of `count` keys, and that beside them."""
    size = min(canvas.px(KEY_SIZE), rect.h)
    return split_left(rect, round(size * (1 + KEY_PITCH * (count - 1))), canvas.px(GAP))


def _draw_shapes(canvas: Canvas, rect: Rect, buttons: Sequence[Button]) -> Rect:
    """Draw the shapes of keys side by side, and return the room beside them."""
    shapes, rest = _split_shapes(canvas, rect, len(buttons))
    size = min(canvas.px(KEY_SIZE), rect.h)
    for i, button in enumerate(buttons):
        centre = (shapes.left + size // 2 + round(i * size * KEY_PITCH), rect.centery)
        canvas.draw_icon(SEAT_SHAPES.get(button, str(button)), centre, size, BUTTON_COLOURS[button])
    return rest


def _draw_rules(canvas: Canvas, rect: Rect, rules: Sequence[PicturedRule]) -> None:
    """Draw each rule as a picture with its sentence beside it; a sentence that is too long for that has no picture."""
    columns = 1 if canvas.is_portrait else 2
    rows = max(2, -(-len(rules) // columns))
    cells = split_grid(rect, columns, rows, canvas.px(2 * GAP))
    parts = [split_left(cell, round(cell.w * PICTURE_SHARE), canvas.px(GAP)) for cell in cells]
    room = parts[0][1]
    sentences = (rule.sentence for rule in rules)
    em = canvas.find_common_size(sentences, TITLE_EM, room.size, Typeface.DISPLAY, MAX_RULE_LINES)
    sizes = canvas.list_sizes_px(em)
    for cell, (picture, room), rule in zip(cells, parts, rules, strict=False):
        lines = canvas.fonts.fit_text(rule.sentence, Typeface.DISPLAY, sizes, room.size, MAX_RULE_LINES).lines
        if lines[-1].endswith("…"):
            room = cell
        else:
            draw_rule_picture(canvas, picture, rule.objects)
        canvas.draw_text(room, rule.sentence, em, INK, face=Typeface.DISPLAY, max_lines=MAX_RULE_LINES)


def _draw_ending(canvas: Canvas, rect: Rect, sentence: str) -> None:
    size = canvas.px(CROWN_SIZE)
    if canvas.is_portrait:
        crown, room = split_top(rect, size, canvas.px(GAP))
    else:
        crown, room = split_left(rect, size, canvas.px(2 * GAP))
    canvas.draw_icon("crown", crown.center, min(size, *crown.size), WARN)
    align = 0.5 if canvas.is_portrait else 0.0
    canvas.draw_text(room, sentence, BIG_EM, INK, face=Typeface.DISPLAY, max_lines=MAX_ENDING_LINES, align=align)
