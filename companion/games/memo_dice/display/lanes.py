"""The race of Memo Dice: a lane for each player, with the way to the target and the piece."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.display.api import (
    BACKGROUND,
    BIG_EM,
    BUTTON_COLOURS,
    GOOD,
    INK,
    LINE,
    PANEL,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
    Player,
    Rect,
    Typeface,
    split_bottom,
    split_left,
    split_right,
    split_top,
)
from companion.display.toolkit import PIECE_RGB, text_colour_for
from companion.events import MemoColour
from companion.games.memo_dice.display.cups import draw_cup
from companion.i18n import Translator

_ = Translator("memo_dice")

LANE_NAME_SHARE = 0.29
"""Width of badge and name, as a share of the lane's."""
PIECE_SHARE = 0.62
"""Diameter of a piece, as a share of its lane's height."""
MAX_PIECE = 13.0
"""Diameter of a piece at most, in units."""
LANE_BADGE_SIZE = 8.0
"""Size of a lane's badge, in units."""
LANE_BADGE_GAP = 1.6
"""Room between a lane's badge and name, in units."""
GOLD_CUP_SIZE = 10.0
"""Width of the place before the way where the golden cup stands if the player has won it, in units."""
MIN_FIELD_WIDTH = 2.4
"""Width of a field in units below which the way is drawn without its fields."""
MAX_WAY_HEIGHT = 7.0
"""Height of the way in a lane at most, in units."""
WAY_SHARE = 0.34
"""Height of the way, as a share of its lane's height."""


@dataclass(frozen=True, slots=True)
class Lane:
    """A player's lane in the race, without the way.

    Attributes:
        player: the player.
        total: number of the square that the piece moves to.
        gained: points of the round just scored.
        has_gold: the player has won the golden cup.
        name_size: font size of the name, the same in all lanes: its em in units.
    """

    player: Player
    total: int
    gained: int
    has_gold: bool
    name_size: float


def find_name_size(canvas: Canvas, rect: Rect, names: Sequence[str]) -> float:
    """Return the largest size of the type scale at which all names fit their lanes: an em in units.

    Args:
        canvas: measures the names; nothing is drawn.
        rect: place of a lane, in pixels.
        names: the players' names.
    """
    width = rect.w if canvas.is_portrait else round(rect.w * LANE_NAME_SHARE)
    box = (max(1, width - canvas.px(LANE_BADGE_SIZE + LANE_BADGE_GAP)), canvas.px(TITLE_EM))
    return canvas.find_common_size(names, TITLE_EM, box, Typeface.DISPLAY)


def split_lane(canvas: Canvas, rect: Rect) -> tuple[Rect, Rect, Rect, Rect, Rect]:
    """Return the places in a player's lane: of badge and name, golden cup, way, gain, and square."""
    inner = rect.inflate(-canvas.px(3), -canvas.px(0.8))
    score_width = canvas.text_width("000", BIG_EM, Typeface.TABULAR)
    gain_width = canvas.text_width("+00", TITLE_EM, Typeface.TABULAR)
    way = inner
    if canvas.is_portrait:
        way, inner = split_bottom(inner, inner.h * 40 // 100)
    score, rest = split_right(inner, score_width, canvas.px(1))
    gain, rest = split_right(rest, gain_width, canvas.px(2))
    name = rest
    if not canvas.is_portrait:
        name, way = split_left(rest, round(rect.w * LANE_NAME_SHARE), canvas.px(3))
    cup, way = split_left(way, canvas.px(GOLD_CUP_SIZE), canvas.px(2))
    return name, cup, way, gain, score


def draw_lane(canvas: Canvas, rect: Rect, lane: Lane) -> None:
    """Draw a player's lane: name, gain, and square; the way is drawn on it (`draw_way`)."""
    player = lane.player
    canvas.draw_panel(rect, _choose_fill(lane))
    name, cup, _way, gain, score = split_lane(canvas, rect)
    size = canvas.px(LANE_BADGE_SIZE)
    canvas.set_anchor(f"player {player.seat}", (name.left + size // 2, name.centery))
    beside = canvas.draw_badge_left(name, player.button, size, gap=LANE_BADGE_GAP)
    note = _("away") if player.away else ""
    if lane.has_gold:
        draw_cup(canvas, cup.center, min(cup.size), MemoColour.GOLD)
    upper, lower = split_top(beside, beside.h * (100 if not note else 48 if canvas.is_far else 56) // 100)
    canvas.draw_text(
        upper, player.name, lane.name_size, INK, face=Typeface.DISPLAY, vertical_align=0.8 if note else 0.5
    )
    if note:
        canvas.draw_text(lower, note, TEXT_EM, WARN, face=Typeface.DISPLAY, vertical_align=0.2)
    if lane.gained:
        canvas.draw_text(gain, f"+{lane.gained}", TITLE_EM, GOOD, face=Typeface.TABULAR, align=1.0)
    canvas.draw_text(score, str(lane.total), BIG_EM, INK, face=Typeface.TABULAR, align=1.0)


def _choose_fill(lane: Lane) -> Colour:
    return RAISED if lane.has_gold else PANEL


def draw_way(canvas: Canvas, rect: Rect, lane: Lane, stands_at: float, first: int, last: int) -> None:
    """Draw the squares in a line, those behind the piece in the seat's colour, the target in gold, and the piece.

    Args:
        rect: the way's place in the lane, in pixels.
        stands_at: where the piece stands now; between two squares while it moves.
        first: number of the first square.
        last: number of the target square; a piece beyond it stands on it.
    """
    canvas.fill_rect(_choose_fill(lane), rect)
    count = max(1, last - first + 1)
    piece = min(canvas.px(MAX_PIECE), round(rect.h * PIECE_SHARE), rect.w // 4)
    height = min(canvas.px(MAX_WAY_HEIGHT), max(3, round(rect.h * WAY_SHARE)))
    square = min(max(stands_at, first), last) - first
    width = rect.w / count
    gap = canvas.px(0.5)
    colour = BUTTON_COLOURS[lane.player.button]
    if width >= canvas.px(MIN_FIELD_WIDTH):
        for i in range(count):
            left, right = rect.left + round(i * width), rect.left + round((i + 1) * width)
            field = Rect(left, rect.centery - height // 2, right - left - gap, height)
            fill = PIECE_RGB["gold"] if i == count - 1 else colour if i < round(square) else LINE
            canvas.draw_panel(field, fill, radius=0.6)
    else:
        line = Rect(rect.left, rect.centery - height // 2, rect.w, height)
        canvas.draw_panel(line, LINE, radius=0.6)
        canvas.draw_panel(Rect(line.topleft, (max(height, round((square + 0.5) * width)), height)), colour, radius=0.6)
        canvas.draw_panel(split_right(line, height)[0], PIECE_RGB["gold"], radius=0.6)
    x = rect.left + round((square + 0.5) * width)
    x = min(max(x, rect.left + piece // 2), rect.right - piece // 2)
    draw_player_piece(canvas, (x, rect.centery), piece, lane.player)


def draw_player_piece(canvas: Canvas, centre: tuple[int, int], size: int, player: Player) -> None:
    """Draw a player's piece with the shape of the player's button on it.

    Args:
        centre: x and y of its centre in pixels.
        size: diameter in pixels, at least 2 and more than 0.5 layout units.
        player: the player; without a piece colour of `theme.PIECE_RGB` the piece has the seat's colour.

    Raises:
        pygame.error: `size` is smaller than that.
    """
    rgb = PIECE_RGB.get(player.piece_colour) or canvas.rgb(BUTTON_COLOURS[player.button])
    canvas.draw_disc((centre[0], centre[1] + size // 12), size, BACKGROUND)
    canvas.draw_disc(centre, size, INK)
    canvas.draw_disc(centre, size - canvas.px(0.7), rgb)
    canvas.draw_badge(player.button, centre, size * 55 // 100, text_colour_for(rgb))
