"""From the dice part of a file to the definition of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.api.camera import DICE_TRAY_CAMERA
from companion.api.fair_dice import FairDice
from companion.api.game import Seat
from companion.api.offers import GameDefinition
from companion.api.settings import PlayerCountSettings
from companion.games.game_file.dice.dice_rolls import list_rolls
from companion.games.game_file.dice.offers import get_bot_weight, get_default_move, list_offers
from companion.games.game_file.dice.rules import DiceGame
from companion.games.game_file.dice.scoring import DiceRules
from companion.games.game_file.dice.texts import (
    describe_move,
    format_prompt,
    format_prompt_with_camera,
    get_addressed_seat,
    get_score_reason,
    label_correctable,
    label_values,
)
from companion.games.game_file.dice_model import DiceModel

SIDES_WITH_PIPS = 6
"""Sides of the dice that the camera reads."""


def make_dice_definition(
    name: str,
    title: str,
    dice: DiceModel,
    settings_model: type[PlayerCountSettings],
    setup: Sequence[str] = (),
    texts: Mapping[str, Mapping[str, str]] | None = None,
) -> GameDefinition:
    """Return the definition of a game with dice.

    Args:
        name: id of the game.
        title: its title, in English.
        dice: the part `[dice]` of its file.
        settings_model: its house rules, with defaults.
        setup: lines on what is to be laid out, in English.
        texts: translations of the file's texts, by language and English text.

    Raises:
        ExpressionError: an expression of the file is wrong.
    """
    rules = DiceRules(dice, texts or {})

    def create_game(player_count: int, first_seat: Seat, settings: Any) -> DiceGame:
        return DiceGame.create(player_count, first_seat, settings, rules, title)

    return GameDefinition(
        name=name,
        title=title,
        player_counts=settings_model.model_validate({}).player_counts,
        settings_model=settings_model,
        create_game=create_game,
        list_offers=list_offers,
        prompt=format_prompt,
        prompt_with_camera=format_prompt_with_camera,
        describe_line=describe_move,
        correctable_label=label_correctable,
        value_labels=label_values,
        score_reason=get_score_reason,
        round_number=lambda game: game.round_number,
        bot_weight=get_bot_weight,
        default_move=get_default_move,
        addressed_seat=get_addressed_seat,
        camera=DICE_TRAY_CAMERA if dice.sides == SIDES_WITH_PIPS else None,
        setup_steps=lambda _settings, _count: tuple(rules.translate(line) for line in setup),
        fair_dice=FairDice(list_rolls, sides=dice.sides),
    )
