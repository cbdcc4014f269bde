"""The counting tray for wargames: how many of the dice in the tray count, with re-rolls. For the rule numbers (T1 to
T9) see `docs/rules/counting_tray.md`."""

from companion.api import CameraUse, FairDice, GameDefinition
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


class CountingTrayDefinition(GameDefinition[CountingTray]):
    """What CountingTray provides."""

    name = "counting_tray"
    lobby_place = 1
    title = N_("Counting tray")
    scene = "companion.games.counting_tray.display.scene:CountingTrayScene"
    samples = "companion.games.counting_tray.samples:build_samples"
    player_counts = Settings.model_validate({}).player_counts
    settings_model = Settings
    create_game = staticmethod(CountingTray.create)
    list_offers = staticmethod(list_offers)
    format_prompt = staticmethod(format_prompt)
    describe_step = staticmethod(describe_move)
    label_correctable = staticmethod(label_correctable)
    label_values = staticmethod(label_values)
    get_round_number = staticmethod(lambda game: game.throw_number)
    get_bot_weight = staticmethod(get_bot_weight)
    get_default_move = staticmethod(get_default_move)
    get_number_move = staticmethod(get_number_move)
    get_addressed_seat = staticmethod(get_addressed_seat)
    format_input_title = staticmethod(format_input_title)
    fair_dice = FairDice()
    list_rolls = staticmethod(list_rolls)
    list_setup_steps = staticmethod(list_preparations)
    camera = CameraUse(
        watcher="companion.vision.tray.watcher:make_dice_tray_watcher",
        layout_file="tray.json",
        readings="companion.games.counting_tray.readings:CountingTrayReadings",
        events=(DiceRead,),
    )


GAME = CountingTrayDefinition()
