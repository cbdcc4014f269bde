"""The guided set-up, page by page; the menu of the box's own choices; the darkened lobby of a café."""

from __future__ import annotations

from dataclasses import replace

from companion.gallery.parts import SEEING
from companion.games import kits
from companion.lobby import Box, House, Lobby, SetUp
from companion.lobby.box import Choices
from companion.shown import Eyes, Page, Shown
from companion.words import language
from hardware.signals import Button, ButtonPressed, ButtonReleased


def samples() -> dict[str, Shown]:
    """Name of the state to what is shown."""
    now = [0.0]
    box = Box(Choices.model_validate({"language": language()}))
    kit = kits.find("macroscope")

    def press(stage: Lobby | SetUp, *buttons: Button) -> None:
        for button in buttons:
            now[0] += 0.5
            stage.take(ButtonPressed(button, now[0]))
            stage.take(ButtonReleased(button, now[0] + 0.1))
            stage.tick()
        now[0] += 1

    found: dict[str, Shown] = {}
    guided = SetUp(kit, box, lambda: now[0])
    for page in Page:
        if page is Page.BUTTONS:
            press(guided, Button.SEAT2, Button.SEAT4)
        found[f"page_{page}"] = guided.shown(SEEING)
        press(guided, Button.OK)
    lobby = Lobby(kit, House(), lambda: now[0], box=box, export=lambda: "")
    found["dimmed"] = replace(lobby.shown(Eyes()), dimmed=True)
    press(lobby, Button.SEAT1, Button.SEAT2, Button.MINUS, Button.PLUS, Button.OK)
    found["box"] = lobby.shown(Eyes())
    for name, line in (("language", 0), ("sound", 5)):
        press(lobby, *[Button.MINUS] * line, Button.OK)
        found[f"box_{name}"] = lobby.shown(Eyes())
        press(lobby, Button.NO)
    return found
