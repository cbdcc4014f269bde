"""StarFall: rules, words and offers. Rule numbers (F1 to F37, A1 to A14): see the rules file."""

from companion.games.api.offers import GameDefinition
from companion.games.starfall.offers import get_default_move, list_offers, weigh_for_bots
from companion.games.starfall.rules import StarFall
from companion.games.starfall.settings import Settings, SkyTile
from companion.games.starfall.texts import (
    build_prompt,
    describe,
    get_addressed_seat,
    label_correctable,
    label_values,
    list_score_parts,
    list_setup_steps,
)

__all__ = ["GAME", "Settings", "SkyTile", "StarFall"]

GAME = GameDefinition(
    name="starfall",
    title="StarFall",
    player_counts=range(2, 5),
    settings_model=Settings,
    create_game=StarFall.create,
    list_offers=list_offers,
    prompt=build_prompt,
    addressed_seat=get_addressed_seat,
    describe_line=describe,
    score_parts=list_score_parts,
    correctable_label=label_correctable,
    value_labels=label_values,
    bot_weight=weigh_for_bots,
    setup_steps=list_setup_steps,
    default_move=get_default_move,
)
