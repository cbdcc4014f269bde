"""Types that all games share, and the one place from which a plug-in imports them.

What `__all__` lists is the contract with games of other distributions: `from companion.api import Move, Seat`. It
has a version, `API_VERSION`, and changes only as `docs/your-own-game.md` says; all else of the companion may change at
any time. The other sides: `companion.display.api` for a scene, `companion.referee.api` for readings other than dice,
`companion.gallery.api` for sample screens, `companion.testing` for tests.
"""

from companion.api.base_game import BaseGame, check_start, list_by_seat, replace_at
from companion.api.camera import DICE_CAMERA, DICE_TRAY_CAMERA, THROW_DICE
from companion.api.fair_dice import DiceRoll, FairDice
from companion.api.game import (
    BadCorrection,
    CommonCorrection,
    Correctable,
    Correction,
    Game,
    GameClock,
    IllegalMove,
    Move,
    Outcome,
    RuleError,
    Seat,
    ValueRange,
    first_reason,
)
from companion.api.offers import (
    NUMBER_ENTRY,
    CameraUse,
    ConsolePress,
    GameDefinition,
    HoldSeatPress,
    Input,
    NumberPress,
    Offer,
    SeatPress,
    TableAction,
    Visibility,
)
from companion.api.settings import GameSettings, PlayerCountSettings
from companion.api.version import API_VERSION
from companion.events import DiceRead, Event
from companion.i18n import N_, Translator, format_number, join_and, join_or

__all__ = [
    "API_VERSION",
    "DICE_CAMERA",
    "DICE_TRAY_CAMERA",
    "NUMBER_ENTRY",
    "N_",
    "THROW_DICE",
    "BadCorrection",
    "BaseGame",
    "CameraUse",
    "CommonCorrection",
    "ConsolePress",
    "Correctable",
    "Correction",
    "DiceRead",
    "DiceRoll",
    "Event",
    "FairDice",
    "Game",
    "GameClock",
    "GameDefinition",
    "GameSettings",
    "HoldSeatPress",
    "IllegalMove",
    "Input",
    "Move",
    "NumberPress",
    "Offer",
    "Outcome",
    "PlayerCountSettings",
    "RuleError",
    "Seat",
    "SeatPress",
    "TableAction",
    "Translator",
    "ValueRange",
    "Visibility",
    "check_start",
    "first_reason",
    "format_number",
    "join_and",
    "join_or",
    "list_by_seat",
    "replace_at",
]
