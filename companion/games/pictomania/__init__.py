"""Pictomania: rules, texts and offers. For the rule numbers (P1 to P41, V1, V2, A1 to A13) see
`docs/rules/pictomania.md`."""

from companion.api.offers import GameDefinition
from companion.games.pictomania.offers import get_bot_weight, get_default_move, get_live_view_labels, list_offers
from companion.games.pictomania.rules import Pictomania
from companion.games.pictomania.settings import MAX_PLAYERS, MIN_PLAYERS, Settings
from companion.games.pictomania.texts import (
    describe_move,
    explain_score,
    format_prompt,
    get_addressed_seat,
    label_correctable,
    label_values,
    list_preparations,
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
    prompt=format_prompt,
    describe_line=describe_move,
    score_reason=explain_score,
    correctable_label=label_correctable,
    value_labels=label_values,
    round_number=lambda game: game.round_number,
    bot_weight=get_bot_weight,
    live_picture_labels=get_live_view_labels,
    piece_colours=("blue", "orange", "green", "yellow", "purple", "red"),
    confirm_on_first_use=("bonus_tokens",),
    addressed_seat=get_addressed_seat,
    setup_steps=list_preparations,
    default_move=get_default_move,
)
