"""Memo Dice: rules, texts and offers. For the rule numbers (D1 to D40, A1 to A9) see `docs/rules/memo_dice.md`."""

from companion.api.fair_dice import FairDice
from companion.api.offers import CameraUse, GameDefinition
from companion.events import CupLifted, CupPlaced, DieShown
from companion.games.memo_dice.dice_rolls import list_colour_names, list_rolls
from companion.games.memo_dice.offers import get_bot_weight, get_default_move, get_number_move, list_offers
from companion.games.memo_dice.rules import MemoDice
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.state import SYMBOL_COLOURS
from companion.games.memo_dice.texts import (
    describe_changes,
    describe_move,
    explain_score,
    format_prompt,
    format_prompt_with_camera,
    get_addressed_seat,
    label_correctable,
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
    describe_line=describe_move,
    describe_changes=describe_changes,
    score_reason=explain_score,
    correctable_label=label_correctable,
    value_labels=label_values,
    round_number=lambda game: game.round_number,
    bot_weight=get_bot_weight,
    piece_colours=("purple", "orange", "green", "white", "purple", "orange"),  # D2
    addressed_seat=get_addressed_seat,
    setup_steps=list_preparations,
    default_move=get_default_move,
    number_move=get_number_move,
    prompt_with_camera=format_prompt_with_camera,
    camera=CameraUse(
        watcher="companion.vision.memo_dice.watcher:CupRowWatcher",
        layout_file="row.json",
        readings="companion.games.memo_dice.readings:MemoDiceReadings",
        events=(DieShown, CupPlaced, CupLifted),
        hides_picture=lambda _game: True,
        public_pictures=lambda game: {cup.picture_number for cup in game.cup_row if cup.owner is not None},
    ),
    fair_dice=FairDice(list_rolls, sides=len(SYMBOL_COLOURS), face_worth=(), face_names=list_colour_names),
)
