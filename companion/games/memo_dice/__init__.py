"""Memo Dice: rules, texts and offers. For the rule numbers (D1 to D40, A1 to A9) see `docs/rules/memo_dice.md`."""

from collections.abc import Collection

from companion.api import CameraUse, FairDice, GameDefinition
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


class MemoDiceDefinition(GameDefinition[MemoDice]):
    """What MemoDice provides."""

    name = "memo_dice"
    title = "Memo Dice"
    scene = "companion.games.memo_dice.display.scene:MemoDiceScene"
    samples = "companion.games.memo_dice.samples:build_samples"
    simulator = "companion.games.memo_dice.simulator.kit:KIT"
    player_counts = range(2, 5)
    settings_model = Settings
    create_game = staticmethod(MemoDice.create)
    list_offers = staticmethod(list_offers)
    format_prompt = staticmethod(format_prompt)
    describe_step = staticmethod(describe_move)
    describe_changes = staticmethod(describe_changes)
    explain_score = staticmethod(explain_score)
    label_correctable = staticmethod(label_correctable)
    label_values = staticmethod(label_values)
    get_round_number = staticmethod(lambda game: game.round_number)
    get_bot_weight = staticmethod(get_bot_weight)
    piece_colours = ("purple", "orange", "green", "white", "purple", "orange")
    get_addressed_seat = staticmethod(get_addressed_seat)
    list_setup_steps = staticmethod(list_preparations)
    get_default_move = staticmethod(get_default_move)
    get_number_move = staticmethod(get_number_move)
    format_camera_prompt = staticmethod(format_prompt_with_camera)
    camera = CameraUse(
        watcher="companion.vision.memo_dice.watcher:CupRowWatcher",
        layout_file="row.json",
        readings="companion.games.memo_dice.readings:MemoDiceReadings",
        events=(DieShown, CupPlaced, CupLifted),
    )
    fair_dice = FairDice(sides=len(SYMBOL_COLOURS), face_worth=())
    list_rolls = staticmethod(list_rolls)
    name_faces = staticmethod(list_colour_names)

    def hides_picture(self, game: MemoDice) -> bool:
        """Return True: the picture shows what lies under the cups."""
        return True

    def list_public_pictures(self, game: MemoDice) -> Collection[int]:
        """Return the pictures of the dice that somebody has won."""
        return {cup.picture_number for cup in game.cup_row if cup.owner is not None}


GAME = MemoDiceDefinition()
