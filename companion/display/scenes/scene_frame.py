"""The parts that every scene has around its own."""

from companion.api import Seat
from companion.display.toolkit import Canvas, Colour, ScreenLayout
from companion.display.widgets import draw_header, draw_soft_keys, draw_status_line
from companion.events import Button
from companion.screen_state import ScreenState


def draw_frame(
    canvas: Canvas,
    layout: ScreenLayout,
    state: ScreenState,
    active: Seat | None = None,
    *,
    ground: Colour | None = None,
    button: Button | None = None,
) -> None:
    """Draw the parts that every scene has: the ground, and in regions of their own header, status line and soft keys.

    Call it before the scene's own regions are drawn: with another ground all of them are painted again.

    Args:
        active: seat of the player who is named in the header if the prompt addresses nobody; None: nobody is.
        ground: colour that floods the ground behind header and stage; None: the background.
        button: the seat whose shape stands large on the ground; None: none.

    Raises:
        IndexError: the addressed or the active seat has no player.
        KeyError: a soft key's swatch is not a key of `theme.PIECE_RGB`.
    """
    canvas.flood_ground(layout.flood, ground, button)
    draw_header(canvas, layout, state, active)
    draw_status_line(canvas, layout, state)
    draw_soft_keys(canvas, layout, state)
