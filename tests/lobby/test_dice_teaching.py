"""Teaching the camera the box's own dice, by buttons alone, and how it is kept.

By a virtual person in front of the camera: tests/simulation/test_dice_teaching.py.
"""

import stat
from pathlib import Path

import pytest

from companion.api import registry
from companion.config.taught_dice_store import TAUGHT_DICE_FILE, TaughtDice
from companion.events import Button, CameraState, CameraStateChanged, DiceRead, FacesShown
from companion.gallery.fixtures import ButtonPresser
from companion.journal.database import Journal
from companion.lobby import DiceTeaching, Preferences
from companion.lobby_views import WizardPage
from companion.screen_state import ScreenKind
from tests.app.session_table import START, SessionTable

OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
PNG = b"\x89PNG"


def show(stage: DiceTeaching, *pictures: bytes) -> None:
    stage.receive(FacesShown(pictures, 0.0))


def start(taught: TaughtDice) -> tuple[DiceTeaching, ButtonPresser]:
    presser = ButtonPresser()
    return DiceTeaching(registry.find_game("macroscope"), taught, presser.get_time), presser


def test_six_faces_take_six_presses_and_are_kept_for_their_owner_alone(tmp_path: Path) -> None:
    stage, presser = start(TaughtDice(tmp_path))
    for value in range(1, 7):
        assert stage.wanted == value
        show(stage, PNG + bytes([value]), PNG)
        presser.press(stage, OK)
    assert stage.exit is not None
    assert stage.problem == "6 faces of your dice are learned"
    kept = TaughtDice(tmp_path)
    assert kept.store.problem is None
    assert [value for value, _ in kept.faces] == [v for v in range(1, 7) for _ in range(2)]
    assert kept.faces[0] == (1, PNG + b"\x01")
    assert stat.S_IMODE((tmp_path / TAUGHT_DICE_FILE).stat().st_mode) == 0o600


def test_a_face_is_learned_once_until_the_dice_moved() -> None:
    taught = TaughtDice()
    stage, presser = start(taught)
    presser.press(stage, OK)
    assert stage.wanted == 1, "nothing is shown yet"
    show(stage, PNG)
    presser.press(stage, OK, OK)
    assert stage.wanted == 2
    presser.press(stage, NO)
    assert stage.wanted == 1, "one face back, and what it was is forgotten"
    show(stage, PNG)
    presser.press(stage, PLUS)
    assert stage.wanted == 1
    show(stage, PNG)
    presser.press(stage, OK, *[MINUS] * 5)
    assert [value for value, _ in taught.faces] == [1, 1]


def test_cancelling_teaches_nothing_and_the_menu_forgets(tmp_path: Path) -> None:
    taught = TaughtDice(tmp_path)
    taught.add([(3, PNG)])
    taught.add_corrected([(1, PNG)], game=1, entry=1)
    stage, presser = start(taught)
    presser.press(stage, MINUS)
    assert taught.is_empty
    assert TaughtDice(tmp_path).is_empty
    show(stage, PNG)
    presser.press(stage, NO)
    assert stage.exit is not None
    assert not taught.faces


@pytest.mark.parametrize("is_allowed", [True, False])
def test_the_session_learns_from_corrections_if_the_owner_allows_it(
    journal: Journal, tmp_path: Path, is_allowed: bool
) -> None:
    taught, preferences = TaughtDice(tmp_path), Preferences()
    assert not preferences.values.corrections_teach, "off until somebody switches it on"
    preferences.change("corrections_teach", is_allowed)
    table = SessionTable(journal, preferences=preferences, taught_dice=taught)
    table.press(*START)
    now = table.clock.now
    table.session.step([CameraStateChanged(CameraState.STEADY, now, lid_known=True)])
    table.session.step([DiceRead((2, 5), 0.5, now, uncertain_faces=(b"", PNG))])
    table.press(MINUS, Button.SEAT2, Button.SEAT1)
    assert table.game.last_played.value == (2, 1)
    assert taught.corrected_faces == (((1, PNG),) if is_allowed else ())


def test_it_is_reached_from_the_menu_and_from_the_set_up(journal: Journal) -> None:
    table = SessionTable(journal, run_setup_wizard=True, preferences=Preferences(), taught_dice=TaughtDice())
    table.press(OK, OK, OK, OK)
    assert table.stage.page is WizardPage.CAMERA
    table.press(PLUS)
    assert table.state.kind is ScreenKind.DICE_TEACHING
    table.press(NO)
    assert table.stage.page is WizardPage.CAMERA
    table.press(OK)
    table.open_lines("This device", "your dice")
    assert isinstance(table.stage, DiceTeaching)
