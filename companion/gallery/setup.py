"""The setup wizard page by page, the menu of the device's preferences, and the darkened lobby of an idle device."""

from dataclasses import replace

from companion.api import registry
from companion.config.taught_buttons import TaughtButtons
from companion.config.taught_dice_store import TaughtDice
from companion.events import Button, ControllerId, ControlPressed, FacesShown
from companion.gallery.camera_views import STEADY_VIEW, show_dice
from companion.gallery.fixtures import ButtonPresser
from companion.i18n import current_language
from companion.lobby import ButtonTeaching, DiceTeaching, Lobby, LobbyServices, Preferences, ProblemReport, SetupWizard
from companion.lobby.button_teaching import TEACHING_ORDER
from companion.lobby.demo_title import build_demo_title
from companion.lobby.preferences import MENU_LINES, PreferenceValues
from companion.lobby_views import WizardPage
from companion.screen_state import ScreenState

SAMPLE_CONTROLLER = ControllerId(0x0079, 0x0006, "DragonRise Inc. Generic USB Joystick")


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    presser = ButtonPresser()
    preferences = Preferences(PreferenceValues.model_validate({"language": current_language()}))
    definition = registry.find_first_game()

    samples: dict[str, ScreenState] = {}
    problems = ("/etc/companion/companion.toml: table.camra: there is no such setting; did you mean camera?",)
    samples["demo_title"] = build_demo_title(definition)
    samples["problems"] = presser.show(ProblemReport(definition, problems, presser.get_time))
    wizard = SetupWizard(definition, preferences, presser.get_time)
    for page in WizardPage:
        seated = (Button.SEAT2, Button.SEAT4) if page is WizardPage.BUTTONS else ()
        samples[f"page_{page}"] = presser.show(wizard, *seated, view=STEADY_VIEW)
        presser.press(wizard, Button.OK)
    services = LobbyServices(presser.get_time, preferences=preferences, export=lambda: "")
    lobby = Lobby(definition, services)
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
    for name, shown, learned in (("first", False, 0), ("shown", True, 0), ("last", True, 5)):
        dice_teaching = DiceTeaching(definition, TaughtDice(), presser.get_time)
        for _number in range(learned):
            dice_teaching.receive(FacesShown((b"", b""), 0.0))
            presser.press(dice_teaching, Button.OK)
        if shown:
            dice_teaching.receive(FacesShown((b"", b""), 0.0))
        samples[f"teach_dice_{name}"] = presser.show(dice_teaching, view=show_dice(learned + 1) if shown else None)
    known = TaughtDice()
    known.add([(1, b"\x89PNG")])
    samples["teach_dice_known"] = presser.show(DiceTeaching(definition, known, presser.get_time), view=show_dice(1))
    return samples
