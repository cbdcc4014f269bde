"""A virtual person teaches dice at the simulated tray, without a screen: frames in, presses, and the dice are known."""

import random

from companion.api import registry
from companion.camera.reader import make_watcher
from companion.config.taught_dice_store import TaughtDice
from companion.events import Button, FacesShown
from companion.gallery.fixtures import ButtonPresser
from companion.lobby import DiceTeaching
from companion.lobby.teaching import DICE_TEACHING_CAMERA
from companion.simulation.appearance import TableAppearance
from companion.simulation.dice_tray.kit import create_dice_tray
from companion.simulation.dice_tray.table import DiceTrayTable
from companion.vision.dice.taught_dice import decode_face


def test_a_virtual_person_teaches_six_faces_in_six_presses() -> None:
    taught, presser, watcher, at = TaughtDice(), ButtonPresser(), make_watcher(DICE_TEACHING_CAMERA), 0.0
    stage = DiceTeaching(registry.find_game("macroscope"), taught, presser.get_time)
    _, renderer = create_dice_tray(TableAppearance(die_size_mm=16.0), random.Random(1))
    presses, seed = 0, 0
    while stage.exit is None:
        seed += 1
        rng = random.Random(seed)
        table = DiceTrayTable(16.0)
        table.throw_dice(1, rng, 0.0)
        for now in (1.0, 5.0, 6.0):
            table.step(now)
        if table.values != (stage.wanted,):
            continue  # rolled again
        frame = renderer.render(table)
        for _ in range(6):
            at += 0.25
            for event in watcher.process_frame(frame, at):
                if isinstance(event, FacesShown):
                    stage.receive(event)
        presser.press(stage, Button.OK)
        presses += 1
    assert presses == 6
    assert [value for value, _ in taught.faces] == [1, 2, 3, 4, 5, 6]
    assert all(decode_face(png) is not None for _, png in taught.faces)
