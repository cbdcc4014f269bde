"""The guided set-up, page by page; the menu of the box's own choices; the darkened lobby of a café."""

from __future__ import annotations

from dataclasses import replace

from companion.events import Button
from companion.gallery.fixtures import SEEING, Presses
from companion.games import registry
from companion.i18n import language
from companion.lobby import Box, House, Lobby, SetUp
from companion.lobby.preferences import LINES, Choices
from companion.screen_state import Eyes, Page, Shown


def samples() -> dict[str, Shown]:
    """Name of the state to what is shown."""
    hand = Presses()
    press = hand.press
    box = Box(Choices.model_validate({"language": language()}))
    kit = registry.find("macroscope")

    found: dict[str, Shown] = {}
    guided = SetUp(kit, box, hand.clock)
    for page in Page:
        if page is Page.BUTTONS:
            press(guided, Button.SEAT2, Button.SEAT4)
        found[f"page_{page}"] = guided.shown(SEEING)
        press(guided, Button.OK)
    lobby = Lobby(kit, House(), hand.clock, box=box, export=lambda: "")
    found["dimmed"] = replace(lobby.shown(Eyes()), dimmed=True)
    press(lobby, Button.SEAT1, Button.SEAT2, Button.MINUS, Button.PLUS, Button.OK)
    found["box"] = lobby.shown(Eyes())
    for name, line in (("language", LINES.index("language")), ("sound", LINES.index("volume"))):
        press(lobby, *[Button.MINUS] * line, Button.OK)
        found[f"box_{name}"] = lobby.shown(Eyes())
        press(lobby, Button.NO)
    return found
