"""Pictomania: rules, texts and offers. For the rule numbers (P1 to P41, V1, V2, A1 to A13) see
`docs/rules/pictomania.md`."""

from companion.api import GameDefinition
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


class PictomaniaDefinition(GameDefinition[Pictomania]):
    """What Pictomania provides."""

    name = "pictomania"
    title = "Pictomania"
    has_first_player = False
    scene = "companion.games.pictomania.display.scene:PictomaniaScene"
    samples = "companion.games.pictomania.samples:build_samples"
    player_counts = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    settings_model = Settings
    create_game = staticmethod(Pictomania.create)
    list_offers = staticmethod(list_offers)
    format_prompt = staticmethod(format_prompt)
    describe_step = staticmethod(describe_move)
    explain_score = staticmethod(explain_score)
    label_correctable = staticmethod(label_correctable)
    label_values = staticmethod(label_values)
    get_round_number = staticmethod(lambda game: game.round_number)
    get_bot_weight = staticmethod(get_bot_weight)
    get_live_picture_labels = staticmethod(get_live_view_labels)
    piece_colours = ("blue", "orange", "green", "yellow", "purple", "red")
    confirm_on_first_use = ("bonus_tokens",)
    get_addressed_seat = staticmethod(get_addressed_seat)
    list_setup_steps = staticmethod(list_preparations)
    get_default_move = staticmethod(get_default_move)


GAME = PictomaniaDefinition()
