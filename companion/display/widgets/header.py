"""The top of the screen: who is addressed and what to do, and the round track."""

from pygame import Rect

from companion.display.toolkit import (
    BACKGROUND,
    HEADING_EM,
    INK,
    LINE,
    MIN_EM,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    RAISED,
    SMALL_EM,
    TITLE_EM,
    Canvas,
    FontWeight,
    ScreenLayout,
    split_left,
)
from companion.games.api.game import Seat
from companion.i18n import Translator
from companion.screen_state import Player, ScreenState

_ = Translator("companion")

MAX_SENTENCE_LINES = 2
"""Lines of the sentence at most, in landscape."""
PORTRAIT_MAX_SENTENCE_LINES = 3
"""Lines of the sentence at most, in portrait."""


def split_prompt(state: ScreenState) -> tuple[Player | None, str]:
    """Split the prompt into the player to whom it is addressed, and the sentence without their name.

    Args:
        state: What is shown.

    Returns:
        The player (None: the prompt is for all), and the sentence, which begins with a capital.

    Raises:
        IndexError: The addressed seat has no player.
    """
    if state.addressed is None:
        return None, state.prompt
    player = state.players[state.addressed]
    rest = state.prompt.removeprefix(f"{player.name}: ")
    return player, rest[:1].upper() + rest[1:]


def draw_header(
    canvas: Canvas, layout: ScreenLayout, state: ScreenState, active: Seat | None = None, *, has_track: bool = False
) -> None:
    """Draw badge and name of the addressed player as the region "name", and the sentence as the region "sentence".

    Args:
        canvas: Where it is drawn.
        layout: Places of the screen.
        state: What is shown.
        active: Seat of the player who is named if the prompt addresses nobody; None: then the title is drawn.
        has_track: The right of the name's row belongs to the round track, and is left free.

    Raises:
        IndexError: The addressed or the active seat has no player.
        pygame.error: The screen is too small, so that a part would have a negative size.
    """
    player, sentence = split_prompt(state)
    if player is None and active is not None:
        player = state.players[active]
    row = layout.name
    if has_track and layout.track.top == row.top:
        row = split_left(row, layout.track.left - row.left - canvas.px(2))[0]
    title = state.title if player is None else player.name
    button = player.button if player else None

    def paint_name() -> None:
        rect = row
        if button is not None:
            rect = canvas.draw_badge_left(row, button, canvas.px(TITLE_EM), gap=2.5)
        canvas.draw_text(rect, title, TITLE_EM, INK, weight=FontWeight.BOLD, min_size=MIN_FAR_EM)

    canvas.draw_region("name", row, (title, button), paint_name)
    max_lines, vertical_align = (PORTRAIT_MAX_SENTENCE_LINES, 0.7) if canvas.is_portrait else (MAX_SENTENCE_LINES, 0.5)

    def paint_sentence() -> None:
        canvas.draw_text(layout.sentence, sentence, HEADING_EM, max_lines=max_lines, vertical_align=vertical_align)

    canvas.draw_region("sentence", layout.sentence, sentence, paint_sentence)


def draw_round_track(canvas: Canvas, layout: ScreenLayout, current_round: int, rounds: int) -> None:
    """Draw the round track as the region "track".

    Rounds played are filled, rounds ahead are empty, the current one is large. Each round sets an anchor ("round 1").

    Args:
        canvas: Where it is drawn.
        layout: Places of the screen; it is drawn at `layout.track`.
        current_round: From 1 to `rounds`; with another number no round is drawn large.
        rounds: Number of rounds; 0 draws an empty track.

    Raises:
        pygame.error: The screen is too small, so that a part would have a negative size.
    """
    rect = layout.track

    def paint() -> None:
        large = min(canvas.px(9.0), rect.h)
        label, line = split_left(rect, canvas.px(12.5))
        gaps = max(1, rounds - 1)
        small = min(canvas.px(5.6), (line.w - large) // gaps - canvas.px(0.6))
        gap = (line.w - large - small * (rounds - 1)) // gaps
        canvas.draw_text(label, _("Round"), SMALL_EM, MUTED)
        canvas.fill_rect(RAISED, Rect(line.left, rect.centery - canvas.px(0.3), line.w - large, canvas.px(0.6)))
        left = line.left
        for i in range(1, rounds + 1):
            size = large if i == current_round else small
            centre = (left + size // 2, rect.centery)
            canvas.set_anchor(f"round {i}", centre)
            left += size + gap
            if i == current_round:
                disc = canvas.draw_disc(centre, large, INK)
                canvas.draw_text(disc, str(i), HEADING_EM, BACKGROUND, weight=FontWeight.BOLD, align=0.5)
            else:
                disc = canvas.draw_disc(centre, small, RAISED if i < current_round else PANEL, LINE)
                canvas.draw_text(disc, str(i), MIN_EM, MUTED, align=0.5)

    canvas.draw_region("track", rect, (current_round, rounds), paint)
