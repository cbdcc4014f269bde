"""The setup wizard page by page, the menu of the device's preferences, and the darkened lobby of an idle device."""

from dataclasses import replace

from companion.config.taught_buttons import TaughtButtons
from companion.events import Button, ControllerId, ControlPressed
from companion.gallery.fixtures import STEADY_VIEW, ButtonPresser
from companion.games import registry
from companion.i18n import current_language
from companion.lobby import ButtonTeaching, HouseRules, Lobby, Preferences, SetupWizard
from companion.lobby.button_teaching import TEACHING_ORDER
from companion.lobby.preferences import MENU_LINES, PreferenceValues
from companion.screen_state import ScreenState, WizardPage

SAMPLE_CONTROLLER = ControllerId(0x0079, 0x0006, "DragonRise Inc. Generic USB Joystick")


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    presser = ButtonPresser()
    preferences = Preferences(PreferenceValues.model_validate({"language": current_language()}))
    definition = registry.find_game("macroscope")

    samples: dict[str, ScreenState] = {}
    wizard = SetupWizard(definition, preferences, presser.get_time)
    for page in WizardPage:
        seated = (Button.SEAT2, Button.SEAT4) if page is WizardPage.BUTTONS else ()
        samples[f"page_{page}"] = presser.show(wizard, *seated, view=STEADY_VIEW)
        presser.press(wizard, Button.OK)
    lobby = Lobby(definition, HouseRules(), presser.get_time, preferences=preferences, export=lambda: "")
    samples["dimmed"] = replace(presser.show(lobby), dimmed=True)
    samples["box"] = presser.show(lobby, Button.SEAT1, Button.SEAT2, Button.MINUS, Button.SEAT4)
    samples["box_sound"] = presser.show(lobby, *[Button.MINUS] * MENU_LINES.index("volume"), Button.OK)
    samples["box_language"] = presser.show(lobby, Button.NO, Button.NO, Button.MINUS, Button.OK)
    for name, count in (("first", 0), ("seat", 4), ("last", len(TEACHING_ORDER) - 1)):
        taught = TaughtButtons()
        teaching = ButtonTeaching(definition, taught, presser.get_time)
        for number in range(count):
            teaching.handle_control(ControlPressed(SAMPLE_CONTROLLER, f"key {288 + number}", 1000.0 + number))
        samples[f"teach_{name}"] = presser.show(teaching)
    taken = ButtonTeaching(definition, TaughtButtons(), presser.get_time)
    samples["teach_taken"] = presser.show(taken, Button.SEAT2)
    return samples
