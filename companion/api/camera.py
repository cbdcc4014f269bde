"""Uses of the camera that any game may declare, without a watcher or readings of its own."""

from companion.api.definition import CameraUse
from companion.api.offers import TableAction
from companion.events import DiceRead

THROW_DICE = TableAction("throw")
"""Input of the open move that a throw of dice fills in: its `value_range` says how many dice are thrown, and 1 to 6."""

DICE_CAMERA = CameraUse(
    watcher="companion.vision.table.watcher:make_dice_and_lid_watcher",
    layout_file="table.json",
    readings="companion.referee.roll_readings:DiceRollReadings",
    events=(DiceRead,),
)
"""The camera reads the top faces of six-sided dice with pips, anywhere on the table.

Dice that come to rest fill in the open move that is offered as `THROW_DICE`, sorted from the lowest, if as many lie
there as its `value_range` counts and the reading is certain; an uncertain reading, or another number of dice, becomes a
question. A correctable of the kind "dice" with the throw as its value lets people answer dice that were knocked over.
"""

DICE_TRAY_CAMERA = CameraUse(
    watcher="companion.vision.tray.watcher:make_dice_tray_watcher",
    layout_file="tray.json",
    readings="companion.referee.dice_readings:DiceReadings",
    events=(DiceRead,),
)
"""The camera follows a tray with 1 to 40 dice, of which some may be set aside between two throws.

As `DICE_CAMERA`; besides, `TableAction("keep")` offers each legal choice of dice to set aside, and
`TableAction("return")` their return (see `companion.referee.dice_readings`).
"""
