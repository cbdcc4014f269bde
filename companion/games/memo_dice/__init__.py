"""Memo Dice: rules, words and offers. Rule numbers (D1 to D40, A1 to A9): see the rules file."""

from companion.games.api.offers import GameDefinition
from companion.games.memo_dice.offers import get_bot_weight, get_default_move, list_offers
from companion.games.memo_dice.rules import MemoDice
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.texts import (
    PIECE_COLOURS,
    describe_move,
    explain_score,
    format_prompt,
    format_prompt_with_camera,
    label_correctables,
    label_values,
    list_preparations,
)

__all__ = ["GAME", "MemoDice", "Settings"]

GAME = GameDefinition(
    name="memo_dice",
    title="Memo Dice",
    player_counts=range(2, 5),
    settings_model=Settings,
    create_game=MemoDice.create,
    list_offers=list_offers,
    prompt=format_prompt,
    describe=describe_move,
    score_reason=explain_score,
    correctable_labels=label_correctables,
    value_labels=label_values,
    round_number=lambda game: game.round_number,
    bot_weight=get_bot_weight,
    piece_colours=PIECE_COLOURS,
    setup_steps=list_preparations,
    default_move=get_default_move,
    prompt_with_camera=format_prompt_with_camera,
    uses_camera=True,
    keeps_picture_private=True,
)
