"""StarFall: rules, texts and offers. For the rule numbers (F1 to F37, A1 to A14) see `docs/rules/starfall.md`."""

from companion.api.offers import GameDefinition
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

GAME = GameDefinition(
    name="starfall",
    title="StarFall",
    player_counts=Settings.model_validate({}).player_counts,
    settings_model=Settings,
    create_game=StarFall.create,
    list_offers=list_offers,
    prompt=format_prompt,
    describe_line=describe_move,
    score_parts=list_score_parts,
    correctable_label=label_correctable,
    value_labels=label_values,
    bot_weight=get_bot_weight,
    addressed_seat=get_addressed_seat,
    setup_steps=list_preparations,
    default_move=get_default_move,
)
