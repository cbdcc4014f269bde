"""A virtual person teaches dice at the simulated tray, without a screen: frames in, presses, and the dice are known.

By buttons, without frames: tests/lobby/test_dice_teaching.py; recognised again: tests/vision/dice/test_taught_dice.py.
"""

import random

import pytest

from companion.api import registry
from companion.camera.camera_reader import make_watcher
from companion.config.taught_dice_store import TaughtDice
from companion.events import Button, FacesShown
from companion.gallery.fixtures import ButtonPresser
from companion.lobby import DiceTeaching
from companion.lobby.dice_teaching import DICE_TEACHING_CAMERA
from companion.simulation.appearance import TableAppearance
from companion.simulation.dice_tray.kit import create_dice_tray
from companion.simulation.dice_tray.table import DiceTrayTable
from companion.vision.dice.taught_dice import decode_face

READING_SECONDS = 3.0
"""To read which face is wanted."""

TURNING_SECONDS = 2.5
"""To pick up a die and turn the wanted face up in the hand."""

CHECKING_SECONDS = 1.5
"""To see on the screen that both dice are framed."""

FRAME_SECONDS = 0.25


@pytest.mark.sampled(1)
@pytest.mark.parametrize("pictures_of_each_face", [1, 2])
def test_two_dice_are_taught_in_under_two_minutes(pictures_of_each_face: int) -> None:
    """One person turns both dice by hand; six presses, and twelve with two pictures of each face."""
    taught, presser, watcher = TaughtDice(), ButtonPresser(), make_watcher(DICE_TEACHING_CAMERA)
    stage = DiceTeaching(registry.find_game("macroscope"), taught, presser.get_time)
    table, renderer = create_dice_tray(TableAppearance(die_size_mm=16.0), random.Random(1))
    assert isinstance(table, DiceTrayTable)
    rng, at, presses = random.Random(1), 0.0, 0
    while stage.exit is None:
        wanted = stage.wanted
        at += READING_SECONDS
        for picture in range(1, pictures_of_each_face + 1):
            table.pick_up_all(at)
            at += 2 * TURNING_SECONDS
            table.put_back([wanted] * 2, rng, at)
            seen: list[FacesShown] = []
            while not seen or len(seen[-1].pictures) < 2:
                at += FRAME_SECONDS
                table.step(at)
                frame = renderer.render(table)
                seen += [event for event in watcher.process_frame(frame, at) if isinstance(event, FacesShown)]
                assert at < 600
            stage.receive(seen[-1])
            at += CHECKING_SECONDS
            presser.press(stage, Button.OK if picture == pictures_of_each_face else Button.PLUS)
            presses += 1
    assert presses == 6 * pictures_of_each_face
    assert at < 120
    assert [value for value, _ in taught.faces] == [v for v in range(1, 7) for _ in range(2 * pictures_of_each_face)]
    assert all(decode_face(png) is not None for _, png in taught.faces)
