"""Pictomania: rules, words and offers. Rule numbers (P1 to P41, V1, V2, A1 to A13): see the rules file."""

from companion.games.api.offers import GameDefinition
from companion.games.pictomania.offers import get_default_move, get_live_view_labels, list_offers, weigh_for_bots
from companion.games.pictomania.rules import Pictomania
from companion.games.pictomania.settings import MAX_PLAYERS, MIN_PLAYERS, Settings
from companion.games.pictomania.texts import (
    build_prompt,
    describe,
    explain_score,
    label_correctable,
    label_values,
    list_setup_steps,
)

__all__ = ["GAME", "Pictomania", "Settings"]

GAME = GameDefinition(
    name="pictomania",
    title="Pictomania",
    has_first_player=False,
    player_counts=range(MIN_PLAYERS, MAX_PLAYERS + 1),
    settings_model=Settings,
    create_game=Pictomania.create,
    list_offers=list_offers,
    prompt=build_prompt,
    describe_line=describe,
    score_reason=explain_score,
    correctable_label=label_correctable,
    value_labels=label_values,
    round_number=lambda game: game.round_number,
    bot_weight=weigh_for_bots,
    live_picture_labels=get_live_view_labels,
    piece_colours=("red", "yellow", "green", "blue", "purple", "orange"),
    confirm_on_first_use=("bonus_tokens",),
    setup_steps=list_setup_steps,
    default_move=get_default_move,
)
