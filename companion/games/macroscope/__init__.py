"""Macroscope: rules, words and offers. Rule numbers (M1 to M61, V1 to V7, D1, A1 to A14): see the rules file."""

from companion.games.api.offers import GameDefinition
from companion.games.macroscope.offers import get_bot_weight, get_default_move, list_offers
from companion.games.macroscope.rules import Macroscope
from companion.games.macroscope.settings import Settings
from companion.games.macroscope.texts import describe_move, format_prompt, label_correctables, list_preparations

__all__ = ["GAME", "Macroscope", "Settings"]

GAME = GameDefinition(
    name="macroscope",
    title="Macroscope",
    player_counts=range(2, 7),
    settings_model=Settings,
    create_game=Macroscope.create,
    list_offers=list_offers,
    prompt=format_prompt,
    describe=describe_move,
    correctable_labels=label_correctables,
    round_number=lambda game: game.round_number,
    bot_weight=get_bot_weight,
    setup_steps=list_preparations,
    uses_camera=True,
    default_move=get_default_move,
)
