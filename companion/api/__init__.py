"""Types that all games share, and the one place from which games and the companion import them.

What `__all__` lists is the contract with games of other distributions: `from companion.api import Move, Seat`. It has
a version, `API_VERSION`, and changes only as `docs/your-own-game.md` says; all else of the companion may change at any
time. The other sides: `companion.display.api` for a scene, `companion.referee.api` for readings other than dice,
`companion.gallery.api` for sample screens, `companion.testing` for tests.
"""

from companion.api.contract_version import API_VERSION
from companion.api.correction_kind import Active, Away, CorrectionKind, EarlierRound, Score
from companion.api.definition import (
    DICE_CAMERA,
    DICE_TRAY_CAMERA,
    THROW_DICE,
    AnyGameDefinition,
    CameraUse,
    GameDefinition,
    GameT,
    PicturedRule,
    Preset,
)
from companion.api.fair_dice import DiceRoll, FairDice
from companion.api.game import Game
from companion.api.game_state import (
    adjust,
    check_start,
    format_player_counts,
    list_by_seat,
    replace_at,
    replace_in_round,
)
from companion.api.move import (
    BadCorrection,
    CommonCorrection,
    Correctable,
    Correction,
    GameClock,
    IllegalMove,
    Move,
    Outcome,
    Reason,
    RuleError,
    Seat,
    Unmet,
    ValueRange,
)
from companion.api.move_kind import Key, MoveKind, SimpleMove, Who
from companion.api.offers import (
    LATE_PRESS_SECONDS,
    NUMBER_ENTRY,
    Command,
    CommandName,
    ConsolePress,
    HoldNumberPress,
    HoldSeatPress,
    Input,
    NumberPress,
    Offer,
    SeatPress,
    TableAction,
    Visibility,
)
from companion.events import DiceRead, Event
from companion.game_settings import JOURNAL_ONLY, GameSettings, PlayerCountSettings, list_settings
from companion.i18n import N_, Translator, format_number, join_and, join_or

__all__ = [
    "API_VERSION",
    "DICE_CAMERA",
    "DICE_TRAY_CAMERA",
    "JOURNAL_ONLY",
    "LATE_PRESS_SECONDS",
    "NUMBER_ENTRY",
    "N_",
    "THROW_DICE",
    "Active",
    "AnyGameDefinition",
    "Away",
    "BadCorrection",
    "CameraUse",
    "Command",
    "CommandName",
    "CommonCorrection",
    "ConsolePress",
    "Correctable",
    "Correction",
    "CorrectionKind",
    "DiceRead",
    "DiceRoll",
    "EarlierRound",
    "Event",
    "FairDice",
    "Game",
    "GameClock",
    "GameDefinition",
    "GameSettings",
    "GameT",
    "HoldNumberPress",
    "HoldSeatPress",
    "IllegalMove",
    "Input",
    "Key",
    "Move",
    "MoveKind",
    "NumberPress",
    "Offer",
    "Outcome",
    "PicturedRule",
    "PlayerCountSettings",
    "Preset",
    "Reason",
    "RuleError",
    "Score",
    "Seat",
    "SeatPress",
    "SimpleMove",
    "TableAction",
    "Translator",
    "Unmet",
    "ValueRange",
    "Visibility",
    "Who",
    "adjust",
    "check_start",
    "format_number",
    "format_player_counts",
    "join_and",
    "join_or",
    "list_by_seat",
    "list_settings",
    "replace_at",
    "replace_in_round",
]
