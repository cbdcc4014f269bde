"""The guided set-up, page by page; the menu of the box's own choices; the darkened lobby of a café."""

from __future__ import annotations

from dataclasses import replace

from companion.events import Button
from companion.gallery.fixtures import STEADY_VIEW, ButtonPresser
from companion.games import registry
from companion.i18n import current_language
from companion.lobby import HouseRules, Lobby, Preferences, SetupWizard
from companion.lobby.preferences import MENU_LINES, PreferenceValues
from companion.screen_state import CameraView, ScreenState, WizardPage


def build_samples() -> dict[str, ScreenState]:
    """Name of the state to what is shown."""
    hand = ButtonPresser()
    press = hand.press
    box = Preferences(PreferenceValues.model_validate({"language": current_language()}))
    kit = registry.find_game("macroscope")

    found: dict[str, ScreenState] = {}
    guided = SetupWizard(kit, box, hand.get_time)
    for page in WizardPage:
        if page is WizardPage.BUTTONS:
            press(guided, Button.SEAT2, Button.SEAT4)
        found[f"page_{page}"] = guided.build_screen_state(STEADY_VIEW)
        press(guided, Button.OK)
    lobby = Lobby(kit, HouseRules(), hand.get_time, preferences=box, export=lambda: "")
    found["dimmed"] = replace(lobby.build_screen_state(CameraView()), dimmed=True)
    press(lobby, Button.SEAT1, Button.SEAT2, Button.MINUS, Button.PLUS, Button.OK)
    found["box"] = lobby.build_screen_state(CameraView())
    for name, line in (("language", MENU_LINES.index("language")), ("sound", MENU_LINES.index("volume"))):
        press(lobby, *[Button.MINUS] * line, Button.OK)
        found[f"box_{name}"] = lobby.build_screen_state(CameraView())
        press(lobby, Button.NO)
    return found
