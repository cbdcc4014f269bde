"""The definition of games with dice; a file gives it a name, players and rules."""

from companion.api import DICE_TRAY_CAMERA, FairDice
from companion.games.game_file.dice.dialogs import open_dice_choice
from companion.games.game_file.dice.dice_rolls import list_rolls
from companion.games.game_file.dice.offers import get_bot_weight, get_default_move, list_offers
from companion.games.game_file.dice.rules import DiceGame
from companion.games.game_file.dice.texts import (
    describe_move,
    format_prompt,
    format_prompt_with_camera,
    get_addressed_seat,
    get_score_reason,
    label_correctable,
    label_values,
)
from companion.games.game_file.file_definition import GameFileDefinition
from companion.games.game_file.model import GameFile

SIDES_WITH_PIPS = 6
"""Sides of the dice that the camera reads."""


class DiceGameDefinition(GameFileDefinition[DiceGame]):
    """What a game with dice provides; the rules are in the settings."""

    scene = "companion.games.game_file.display.dice:DiceGameScene"
    samples = "companion.games.game_file.dice.samples:build_samples"
    simulator = "companion.simulation.dice_tray.kit:DICE_TRAY"

    def __init__(self, file: GameFile, text: str) -> None:
        super().__init__(file, text)
        assert file.dice is not None
        sides = file.dice.sides
        self.camera = DICE_TRAY_CAMERA if sides == SIDES_WITH_PIPS else None
        self.fair_dice = FairDice(sides=sides)

    list_offers = staticmethod(list_offers)
    format_prompt = staticmethod(format_prompt)
    format_camera_prompt = staticmethod(format_prompt_with_camera)
    describe_step = staticmethod(describe_move)
    label_correctable = staticmethod(label_correctable)
    label_values = staticmethod(label_values)
    explain_score = staticmethod(get_score_reason)
    get_round_number = staticmethod(lambda game: game.round_number)
    get_bot_weight = staticmethod(get_bot_weight)
    get_default_move = staticmethod(get_default_move)
    open_dialog = staticmethod(open_dice_choice)
    get_addressed_seat = staticmethod(get_addressed_seat)
    list_rolls = staticmethod(list_rolls)
