"""Macroscope: rules, texts and offers. For the rule numbers (M1 to M61, V1 to V7, D1, A1 to A14) see
`docs/rules/macroscope.md`.
"""

from companion.api.fair_dice import FairDice
from companion.api.offers import CameraUse, GameDefinition
from companion.events import DiceRead, LidCovered, TokenPlaced, TokenTaken
from companion.games.macroscope.dice_rolls import list_rolls
from companion.games.macroscope.offers import get_bot_weight, get_default_move, get_number_move, list_offers
from companion.games.macroscope.rules import Macroscope
from companion.games.macroscope.settings import Settings
from companion.games.macroscope.state import Phase
from companion.games.macroscope.texts import (
    describe_changes,
    describe_move,
    format_prompt,
    get_addressed_seat,
    label_correctable,
    list_preparations,
)

__all__ = ["GAME", "Macroscope", "Settings"]

GAME = GameDefinition(
    name="macroscope",
    title="Macroscope",
    player_counts=range(2, 7),
    settings_model=Settings,
    create_game=Macroscope.create,
    list_offers=list_offers,
    prompt=format_prompt,
    describe_line=describe_move,
    describe_changes=describe_changes,
    correctable_label=label_correctable,
    round_number=lambda game: game.round_number,
    bot_weight=get_bot_weight,
    addressed_seat=get_addressed_seat,
    setup_steps=list_preparations,
    default_move=get_default_move,
    number_move=get_number_move,
    camera=CameraUse(
        watcher="companion.vision.table.watcher:make_dice_and_lid_watcher",
        layout_file="table.json",
        readings="companion.games.macroscope.readings:MacroscopeReadings",
        events=(DiceRead, TokenTaken, TokenPlaced, LidCovered),
        # While windows are covered and the card is pulled, the picture would show the next card.
        hides_picture=lambda game: game.phase is Phase.COVER,
        is_view_checked=True,
    ),
    fair_dice=FairDice(list_rolls),
)
