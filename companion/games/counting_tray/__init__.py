"""The counting tray for wargames: how many of the dice in the tray count, with re-rolls. For the rule numbers (T1 to
T9) see `docs/rules/counting_tray.md`."""

from companion.api.fair_dice import FairDice
from companion.api.offers import CameraUse, GameDefinition
from companion.events import DiceRead
from companion.games.counting_tray.dice_rolls import list_rolls
from companion.games.counting_tray.offers import get_bot_weight, get_default_move, get_number_move, list_offers
from companion.games.counting_tray.rules import CountingTray
from companion.games.counting_tray.settings import Settings
from companion.games.counting_tray.texts import (
    describe_move,
    format_input_title,
    format_prompt,
    get_addressed_seat,
    label_correctable,
    label_values,
    list_preparations,
)
from companion.i18n import N_

__all__ = ["GAME", "CountingTray", "Settings"]

GAME = GameDefinition(
    name="counting_tray",
    lobby_place=1,
    title=N_("Counting tray"),
    player_counts=Settings.model_validate({}).player_counts,
    settings_model=Settings,
    create_game=CountingTray.create,
    list_offers=list_offers,
    prompt=format_prompt,
    describe_line=describe_move,
    correctable_label=label_correctable,
    value_labels=label_values,
    round_number=lambda game: game.throw_number,
    bot_weight=get_bot_weight,
    default_move=get_default_move,
    number_move=get_number_move,
    addressed_seat=get_addressed_seat,
    input_title=format_input_title,
    fair_dice=FairDice(list_rolls),
    setup_steps=list_preparations,
    camera=CameraUse(
        watcher="companion.vision.tray.watcher:make_dice_tray_watcher",
        layout_file="tray.json",
        readings="companion.games.counting_tray.readings:CountingTrayReadings",
        events=(DiceRead,),
    ),
)
