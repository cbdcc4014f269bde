"""Services that the device gives to a game in play: clock, random numbers, camera, taught dice, exports."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from companion.config.settings import ResultCodeKind
from companion.config.taught_dice_store import TaughtDice


@dataclass(frozen=True)
class GameServices:
    """Services of the device for a game in play; the same value serves one game after another.

    >>> GameServices(has_camera=False).page_address
    ''
    """

    monotonic: Callable[[], float] = time.monotonic
    """The host's monotonic clock, in seconds; events are stamped by the same clock."""
    rng: Random = field(default_factory=Random)
    """Draws the first player, and lots among presses that cannot be put in order (games have no randomness inside)."""
    has_camera: bool = True
    """There is a camera, whether or not it works now."""
    is_table_virtual: bool = False
    """The table is simulated."""
    code_kind: ResultCodeKind = "bg_stats"
    """Form of the result's QR code that is shown first."""
    page_address: str = ""
    """Of the spectators' page, for its QR code in the pause menu; empty: there is none."""
    taught_dice: TaughtDice = field(default_factory=TaughtDice)
    """Faces of the box's own dice, also those that players correct; by default they are not stored."""
    learns_corrections: bool = False
    """Corrections of dice teach the camera these dice."""
    waits_for_ok: bool = False
    """What people do at the table never stands for a press: the game waits for it."""
    start_film: Callable[[int], None] | None = None
    """Begins to write the film of the game of that number onto a USB stick, and reports about it itself; None: no films
    are made."""
