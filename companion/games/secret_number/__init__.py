"""Secret Number: rules, texts and offers. For the rule numbers (S1 to S36, A1 to A14) see
`docs/rules/secret_number.md`."""

from companion.api.offers import GameDefinition
from companion.games.secret_number.offers import get_bot_weight, get_default_move, get_number_move, list_offers
from companion.games.secret_number.rules import SecretNumber
from companion.games.secret_number.settings import Settings
from companion.games.secret_number.texts import (
    describe_changes,
    describe_move,
    format_prompt,
    get_addressed_seat,
    label_correctable,
    label_values,
    list_preparations,
)

__all__ = ["GAME", "SecretNumber", "Settings"]

GAME = GameDefinition(
    name="secret_number",
    title="Secret Number",
    has_first_player=False,
    player_counts=Settings.model_validate({}).player_counts,
    settings_model=Settings,
    create_game=SecretNumber.create,
    list_offers=list_offers,
    prompt=format_prompt,
    describe_line=describe_move,
    describe_changes=describe_changes,
    correctable_label=label_correctable,
    value_labels=label_values,
    # What is scored and compared afterwards is a game of the match; its three rounds are scored together.
    round_number=lambda game: game.game_number,
    bot_weight=get_bot_weight,
    addressed_seat=get_addressed_seat,
    setup_steps=list_preparations,
    default_move=get_default_move,
    number_move=get_number_move,
)
