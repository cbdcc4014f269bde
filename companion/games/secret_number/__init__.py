"""Secret Number: rules, words and offers. Rule numbers (S1 to S36, A1 to A14): see the rules file."""

from companion.games.api.offers import GameDefinition
from companion.games.secret_number.offers import get_default_move, list_offers, weigh_for_bots
from companion.games.secret_number.rules import SecretNumber
from companion.games.secret_number.settings import Settings
from companion.games.secret_number.texts import (
    build_prompt,
    describe,
    label_correctable,
    label_values,
    list_setup_steps,
)

__all__ = ["GAME", "SecretNumber", "Settings"]

GAME = GameDefinition(
    name="secret_number",
    title="Secret Number",
    has_first_player=False,
    player_counts=range(2, 6),
    settings_model=Settings,
    create_game=SecretNumber.create,
    list_offers=list_offers,
    prompt=build_prompt,
    describe_line=describe,
    correctable_label=label_correctable,
    value_labels=label_values,
    # What is scored and compared afterwards is a game of the match; its three rounds are scored together.
    round_number=lambda game: game.game_number,
    bot_weight=weigh_for_bots,
    setup_steps=list_setup_steps,
    default_move=get_default_move,
)
