"""Macroscope: rules, texts and offers. For the rule numbers (M1 to M61, V1 to V7, D1, A1 to A14) see
`docs/rules/macroscope.md`.
"""

from companion.api import CameraUse, FairDice, GameDefinition
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


class MacroscopeDefinition(GameDefinition[Macroscope]):
    """What Macroscope provides."""

    name = "macroscope"
    title = "Macroscope"
    scene = "companion.games.macroscope.display.scene:MacroscopeScene"
    samples = "companion.games.macroscope.samples:build_samples"
    simulator = "companion.games.macroscope.simulator.kit:KIT"
    player_counts = range(2, 7)
    settings_model = Settings
    create_game = staticmethod(Macroscope.create)
    list_offers = staticmethod(list_offers)
    format_prompt = staticmethod(format_prompt)
    describe_step = staticmethod(describe_move)
    describe_changes = staticmethod(describe_changes)
    label_correctable = staticmethod(label_correctable)
    label_values = staticmethod(lambda _game, _what, _names: ())
    get_round_number = staticmethod(lambda game: game.round_number)
    get_bot_weight = staticmethod(get_bot_weight)
    get_addressed_seat = staticmethod(get_addressed_seat)
    list_setup_steps = staticmethod(list_preparations)
    get_default_move = staticmethod(get_default_move)
    get_number_move = staticmethod(get_number_move)
    camera = CameraUse(
        watcher="companion.vision.table.watcher:make_dice_and_lid_watcher",
        layout_file="table.json",
        readings="companion.games.macroscope.readings:MacroscopeReadings",
        events=(DiceRead, TokenTaken, TokenPlaced, LidCovered),
        is_view_checked=True,
    )
    fair_dice = FairDice()
    list_rolls = staticmethod(list_rolls)

    def hides_picture(self, game: Macroscope) -> bool:
        """While windows are covered and the card is pulled, the picture would show the next card."""
        return game.phase is Phase.COVER


GAME = MacroscopeDefinition()
