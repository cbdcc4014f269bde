"""StarFall: rules, texts and offers. For the rule numbers (F1 to F37, A1 to A14) see `docs/rules/starfall.md`."""

from companion.api import GameDefinition
from companion.games.starfall.offers import get_bot_weight, get_default_move, list_offers
from companion.games.starfall.rules import StarFall
from companion.games.starfall.settings import Settings, SkyTile
from companion.games.starfall.texts import (
    describe_move,
    format_prompt,
    get_addressed_seat,
    label_correctable,
    label_values,
    list_preparations,
    list_score_parts,
)

__all__ = ["GAME", "Settings", "SkyTile", "StarFall"]


class StarFallDefinition(GameDefinition[StarFall]):
    """What StarFall provides."""

    name = "starfall"
    title = "StarFall"
    scene = "companion.games.starfall.display.scene:StarFallScene"
    samples = "companion.games.starfall.samples:build_samples"
    player_counts = Settings.model_validate({}).player_counts
    settings_model = Settings
    create_game = staticmethod(StarFall.create)
    list_offers = staticmethod(list_offers)
    format_prompt = staticmethod(format_prompt)
    describe_step = staticmethod(describe_move)
    list_score_parts = staticmethod(list_score_parts)
    label_correctable = staticmethod(label_correctable)
    label_values = staticmethod(label_values)
    get_bot_weight = staticmethod(get_bot_weight)
    get_addressed_seat = staticmethod(get_addressed_seat)
    list_setup_steps = staticmethod(list_preparations)
    get_default_move = staticmethod(get_default_move)


GAME = StarFallDefinition()
