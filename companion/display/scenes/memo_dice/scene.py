"""The scene of Memo Dice: its centre for every phase of a round."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import cv2
import numpy as np
from pygame import Rect

from companion.display.scenes.base import GameScene, Movement
from companion.display.scenes.memo_dice.table import (
    COVERING_PHASES,
    CUP_PIECE_NAMES,
    draw_board,
    draw_cup,
    draw_cup_row,
    draw_player_piece,
    draw_supply,
    measure_row_height,
)
from companion.display.sound_effects import SoundEffect
from companion.display.toolkit import (
    BUTTON_COLOURS,
    GOOD,
    HUGE_EM,
    INK,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    ScreenLayout,
    Typeface,
    split_bottom,
    split_left,
    split_right,
    split_rows,
    split_top,
)
from companion.display.widgets import clock_content, draw_clock, draw_main_region, find_clock
from companion.events import MemoColour
from companion.games.api.game import Seat
from companion.games.memo_dice.state import MemoDiceState, Phase
from companion.i18n import N_, Translator
from companion.screen_state import DiePicture, Player, ScreenState
from companion.vision.reading import Image

_ = Translator("memo_dice")

PIECE_NAMES = {
    "white": N_("White piece"),
    "purple": N_("Purple piece"),
    "orange": N_("Orange piece"),
    "green": N_("Green piece"),
}
"""Names of the players' pieces, by colour."""
BADGE_AND_NAME_WIDTH = 56.0
"""Width that a badge and a long name need, in units."""
SIDE_WIDTH = 27.0
"""Width of the dice left, or of the clock, in units."""


class MemoDiceScene(GameScene[MemoDiceState]):
    """The scene of Memo Dice: the row of cups, below it what the phase needs; the board in place of the round track.

    The camera's picture is not shown: it would give away what the cups hide. The face of a die is shown once its cup
    was lifted.
    """

    POINTS_ICON = ("pointer", WARN)

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: MemoDiceState) -> None:
        """Draw the phase of the game, or the dialog that is open.

        Args:
            canvas: Where it is drawn.
            layout: Places of the screen, in pixels.
            state: What is shown around the game: players, scores, clocks, dialogs.
            view: What is shown of the game: the same as `state.view`.

        Raises:
            IndexError: A seat in the view has no player in the state.
            pygame.error: The screen is too small, so that a part would have a negative size.
        """
        content = (view, state.players, clock_content(find_clock(state)), state.die_picture)
        draw = _draw_playing if view.phase in (*COVERING_PHASES, Phase.UNCOVER) else _draw_scored
        draw_main_region(canvas, layout.stage, state, content, lambda: draw(canvas, layout.stage, state, view))

    def draw_track(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
        """Draw the board with the pieces as the region "track", in the place of the round track.

        Args:
            canvas: Where it is drawn.
            layout: Places of the screen, in pixels; it is drawn at `layout.track`.
            state: What is shown; its view is a `MemoDiceState`.

        Raises:
            IndexError: A seat in the view has no player in the state.
            pygame.error: The screen is too small, so that a part would have a negative size.
        """
        view: MemoDiceState = state.view
        content = (
            view.round_number,
            view.totals,
            view.settings.start_square,
            view.settings.target_square,
            state.players,
        )
        canvas.draw_region(
            "track", layout.track, content, lambda: draw_board(canvas, layout.track, view, state.players)
        )

    def find_active_seat(self, view: MemoDiceState) -> Seat:
        """Return the seat of the player whose turn it is.

        Args:
            view: What is shown of the game.
        """
        return view.active_seat

    def list_changes(self, view: MemoDiceState) -> Sequence[int]:
        """Return the points that the last move gave or took.

        Args:
            view: What is shown of the game.

        Returns:
            Points by seat, 0 for a player without a change; empty: nothing is drawn beside the scores.
        """
        return view.round_points

    def choose_sound(self, before: MemoDiceState, after: MemoDiceState) -> SoundEffect | None:
        """Return the sound of a prize if the golden cup was won; else None.

        Args:
            before: What was shown of the game before.
            after: What is shown of it now.
        """
        return SoundEffect.PRIZE if before.gold_holder is None and after.gold_holder is not None else None

    def find_movements(self, before: MemoDiceState, after: MemoDiceState) -> Iterator[Movement]:
        """Yield a movement for each cup that goes to the player who has won it (D22, D23).

        Args:
            before: What was shown of the game before.
            after: What is shown of it now.

        Yields:
            Movements from an anchor "cup 0" (by index in the row) to an anchor "player 0" (by seat).
        """
        for i, (old, new) in enumerate(zip(before.cup_row, after.cup_row, strict=False)):
            if old.owner is None and new.owner is not None:
                yield Movement("cup", PIECE_RGB[CUP_PIECE_NAMES[new.colour]], f"cup {i}", f"player {new.owner}")


def _draw_playing(canvas: Canvas, rect: Rect, state: ScreenState, view: MemoDiceState) -> None:
    """Draw the row of cups over what the phase is about; at the right the clock, the dice left, or a die's picture.

    The picture of a die whose cup has just been lifted takes the whole height: it is what everybody looks at.
    """
    gap, clock, picture = canvas.px(1.6), find_clock(state), state.die_picture
    is_covering = view.phase in COVERING_PHASES
    if picture is not None and view.cup_lifted and rect.w * 2 > rect.h * 3:
        rect = _draw_die_picture(canvas, rect, picture, gap)
        picture = None
    above, below = split_top(rect, min(measure_row_height(canvas, rect.w, view), rect.h * 55 // 100), gap)
    draw_cup_row(canvas, above, view, state.players)
    if is_covering or clock is not None:
        side, below = split_right(below, min(canvas.px(SIDE_WIDTH), below.w // 3), gap)
        if clock is not None:
            draw_clock(canvas, side, clock, _("Look") if is_covering else _("Answer"))
        else:
            _draw_dice_left(canvas, side, view)
    elif picture is not None:
        below = _draw_die_picture(canvas, below, picture, gap)
    if is_covering:
        draw_supply(canvas, below, view)
    else:
        _draw_guessing(canvas, below, view, state.players)


def _draw_die_picture(canvas: Canvas, rect: Rect, picture: DiePicture, gap: int) -> Rect:
    """Draw the die under the cup lifted last at the right of `rect`, as large as fits; return the room left of it."""
    label_height = canvas.px(5.4)
    side = min(rect.h - label_height - canvas.px(2.4), rect.w * 45 // 100)
    text = _("Under cup {n}", n=picture.cup_number)
    text_width = canvas.fonts.measure_width(text, Typeface.TEXT, canvas.px(TEXT_EM))
    panel, rest = split_right(rect, max(side, text_width + canvas.px(1)) + canvas.px(3), gap)
    canvas.draw_panel(panel, PANEL, radius=2.0)
    place = Rect(0, 0, side, side)
    place.midtop = (panel.centerx, panel.top + canvas.px(1.5))
    canvas.draw_image(_decode_image(picture.jpeg), place)
    label = split_bottom(panel, label_height)[0].move(0, -canvas.px(0.4))
    canvas.draw_text(label, text, TEXT_EM, MUTED, align=0.5)
    return rest


@lru_cache(maxsize=4)
def _decode_image(jpeg: bytes) -> Image:
    """Decode a JPEG; return a grey square if it is damaged."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    return np.full((8, 8, 3), 90, np.uint8) if image is None else np.asarray(image, np.uint8)


def _draw_dice_left(canvas: Canvas, rect: Rect, view: MemoDiceState) -> None:
    label, number = split_bottom(canvas.draw_panel(rect, PANEL, radius=2.0, padding=(3, 2)), canvas.px(5.4))
    canvas.draw_text(number, str(view.dice_left), HUGE_EM, INK, face=Typeface.DISPLAY, align=0.5)
    text = _("Last die") if view.dice_left == 1 else _("Dice left")
    canvas.draw_text(label, text, TEXT_EM, MUTED, align=0.5)


def _draw_guessing(canvas: Canvas, rect: Rect, view: MemoDiceState, players: Sequence[Player]) -> None:
    """Draw who guesses, and who continues after a miss (D20, D23)."""
    gap = canvas.px(1.6)
    cards = split_top(rect, (rect.h - gap) * 58 // 100, gap)
    texts = (_("Has named it") if view.symbol_named else _("Guesses"), _("After a miss"))
    size = canvas.px(TEXT_EM)
    label_width = max(canvas.fonts.measure_width(text, Typeface.TEXT, size) for text in texts) + canvas.px(1)
    # Beside a large picture there is no room for a label before the name: it stands above.
    is_narrow = rect.w < label_width + canvas.px(BADGE_AND_NAME_WIDTH)
    for card, text, seat in zip(cards, texts, (view.active_seat, view.find_next_seat(view.active_seat)), strict=True):
        is_now = card is cards[0]
        button = players[seat].button
        tone = INK if is_now else MUTED
        canvas.draw_panel(
            card, RAISED if is_now else PANEL, edge=BUTTON_COLOURS[button] if is_now else None, radius=2.0
        )
        if is_narrow:
            label, inner = split_top(card.inflate(-canvas.px(3), -canvas.px(1.4)), canvas.px(5))
        else:
            label, inner = split_left(card.inflate(-canvas.px(5), -canvas.px(2)), label_width, canvas.px(1.5))
        canvas.draw_text(label, text, TEXT_EM, tone)
        badge = min(canvas.px(11 if is_now else 8), inner.h)
        name = canvas.draw_badge_left(inner, button, badge, gap=1 if is_narrow else 2)
        canvas.draw_text(name, players[seat].name, TITLE_EM if is_now else TEXT_EM, tone, face=Typeface.DISPLAY)


def _draw_scored(canvas: Canvas, rect: Rect, state: ScreenState, view: MemoDiceState) -> None:
    """Draw how far each piece moves, from where to where, and who starts the next round (D31, D33)."""
    players = state.players
    # What the round just scored brought each player (D30).
    moves = [view.round_scores[-1][player.seat] if view.round_scores else 0 for player in players]
    width = max(canvas.text_width(f"+{moved}", TITLE_EM, Typeface.DISPLAY) for moved in moves)
    rows = split_rows(rect, len(players), canvas.px(1.2), canvas.px(20))
    for player, moved, row in zip(players, moves, rows, strict=True):
        has_gold = view.gold_holder == player.seat
        inner = canvas.draw_panel(row, RAISED if has_gold else PANEL, radius=2.0, padding=(4, 1))
        size = min(canvas.px(9), inner.h - canvas.px(1))
        draw_player_piece(canvas, (inner.left + size // 2, inner.centery), size, player)
        plus, right = split_left(split_left(inner, size, canvas.px(2))[1], width, canvas.px(3))
        canvas.draw_text(
            plus,
            f"+{moved}",
            TITLE_EM,
            GOOD if moved else MUTED,
            face=Typeface.DISPLAY,
            align=1.0,
        )
        if has_gold:
            cup, right = split_right(right, min(canvas.px(9), inner.h), canvas.px(2))
            draw_cup(canvas, (cup.right - cup.w // 2, cup.centery), cup.w, MemoColour.GOLD)
        upper, lower = split_top(right, right.h * 55 // 100)
        square = view.totals[player.seat]
        way = _("{was} to {now}", was=square - moved, now=square) if moved else _("stays on {n}", n=square)
        canvas.draw_text(upper, way, 5.8, INK, face=Typeface.DISPLAY, vertical_align=0.9)
        canvas.draw_text(lower, _note(view, player), TEXT_EM, INK if has_gold else MUTED, vertical_align=0.3)


def _note(view: MemoDiceState, player: Player) -> str:
    """Say whose piece it is, or that the player holds the golden cup and starts; and whether the player is away."""
    note = _(PIECE_NAMES[player.piece_colour]) if player.piece_colour in PIECE_NAMES else ""
    if view.gold_holder == player.seat:
        starts = view.active_seat == player.seat and view.phase is not Phase.OVER
        note = _("Golden cup: starts") if starts else _("Golden cup")
    if view.away[player.seat]:
        note = _("{note}, away", note=note) if note else _("away")
    return note
