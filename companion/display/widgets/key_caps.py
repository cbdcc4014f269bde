"""What the soft keys and the seats' touch areas share: what stands on each key, and its colours."""

from dataclasses import dataclass

import pygame

from companion.display.toolkit import (
    BACKGROUND,
    BUTTON_COLOURS,
    INK,
    LINE,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    Canvas,
    Colour,
    Rect,
)
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button
from companion.screen_state import ScreenKind, ScreenState, SoftKey

KEYBOARD_HINTS = {b: str(b.seat_number) for b in SEAT_BUTTONS}
"""Keys of the keyboard that are drawn beside the icons; a line in the lobby names the others."""
MAX_LABEL_LINES = 2
"""Lines of a label at most."""
RING_WIDTHS: tuple[tuple[float, Colour], ...] = ((1.0, BACKGROUND), (0.8, PIECE_RGB["gold"]))
"""Width in units and colour of each line of the ring along the edge of a key, drawn one over the other."""
RING_RADIUS = 1.6
"""Radius of its corners in units: that of a panel."""


def draw_key_ring(canvas: Canvas, rect: Rect) -> Rect:
    """Draw a ring along the inner edge of a key that somebody new to the game is shown; return what is left within."""
    for width, colour in RING_WIDTHS:
        pygame.draw.rect(canvas.surface, canvas.rgb(colour), rect, canvas.px_at_least(width), canvas.px(RING_RADIUS))
    width = max(canvas.px_at_least(width) for width, _colour in RING_WIDTHS)
    return rect.inflate(-2 * width, -2 * width)


@dataclass(frozen=True, slots=True)
class KeyCap:
    """A soft key as it is drawn.

    Attributes:
        button: the button that the key stands for.
        label: what it does now; empty: nothing.
        is_awaited: it is one of the keys that somebody is asked to press, or any of the players may.
        is_pressed: it was pressed just now.
        swatch: name of the piece or colour that the key is about; empty: none.
        is_choice: one of several things that one player chooses from: for now it is no player's own key.
        hint: another name of the button: its key on the keyboard, or the number of a choice.
        is_ringed: somebody who is new to the game is shown that it is waited for.
        opens_help: held it opens the help.
        hold_share: share of the time for which the button must be held that has passed, 0 to 1; 0: nothing is shown.
    """

    button: Button
    label: str
    is_awaited: bool
    is_pressed: bool
    swatch: str = ""
    is_choice: bool = False
    hint: str = ""
    is_ringed: bool = False
    hold_share: float = 0.0
    opens_help: bool = False


def list_key_caps(state: ScreenState, *, keyboard: bool) -> list[KeyCap]:
    """List all ten soft keys as they are drawn: the six seats', then OK, NO, plus and minus.

    Args:
        state: what is shown; a button without a soft key gets an inactive one. What holding a number key does is its
            label, for its line has its number; else what a held key does is left out.
        keyboard: name the keyboard's keys on active soft keys. Keys that choose a number always have their number.
    """
    ringed = state.guide.buttons if state.guide is not None else frozenset()
    keys = {key.button: key for key in state.soft_keys if not key.is_hold}
    # A key with a ring that does nothing but when it is held says so.
    keys |= {
        k.button: k
        for k in state.soft_keys
        if k.is_hold and (k.is_number or (k.button in ringed and not keys[k.button].label))
    }
    # Where nobody is addressed and no key awaited, any player may press: all look for a card at once, for example.
    is_for_all = state.kind is ScreenKind.PLAY and state.menu is None and state.addressed is None
    is_open_to_all = is_for_all and not any(key.awaited for key in state.soft_keys)
    return [
        _make_key_cap(keys.get(b, SoftKey(b, "")), state, keyboard, is_open_to_all=is_open_to_all)
        for b in (*SEAT_BUTTONS, *CONSOLE_BUTTONS)
    ]


def _make_key_cap(key: SoftKey, state: ScreenState, keyboard: bool, *, is_open_to_all: bool) -> KeyCap:
    is_choice = key.is_number and state.in_game
    hint = KEYBOARD_HINTS.get(key.button, "") if key.label and (keyboard or is_choice) else ""
    return KeyCap(
        key.button,
        key.label,
        bool(key.label) and (key.awaited or (is_open_to_all and key.button in SEAT_BUTTONS and not key.is_number)),
        key.button in state.pressed_buttons,
        key.swatch_colour,
        is_choice,
        hint,
        state.guide is not None and key.button in state.guide.buttons,
        state.hold.share if state.hold is not None and state.hold.button is key.button else 0.0,
        key.opens_help,
    )


@dataclass(frozen=True, slots=True)
class KeyColours:
    """Colours of a key: its ground and its edge (None: none), its label and its icon."""

    fill: Colour
    edge: Colour | None
    ink: Colour
    icon: Colour


def choose_key_colours(cap: KeyCap) -> KeyColours:
    """Choose the colours of a key by what the button does now."""
    colour = BUTTON_COLOURS[cap.button]
    if cap.is_pressed:
        return KeyColours(INK, colour, BACKGROUND, BACKGROUND)
    if cap.is_awaited and (cap.is_choice or cap.button in (Button.PLUS, Button.MINUS)):
        # In full colour a choice would call that seat's owner; plus and minus are grey by themselves.
        return KeyColours(INK, None, BACKGROUND, BACKGROUND)
    if cap.is_awaited:
        return KeyColours(colour, None, BACKGROUND, BACKGROUND)
    if cap.label:
        return KeyColours(RAISED, None, INK, MUTED if cap.is_choice else colour)
    return KeyColours(PANEL, None, MUTED, LINE)
