"""Secret Number: rules, texts and offers. For the rule numbers (S1 to S36, A1 to A14) see
`docs/rules/secret_number.md`."""

from companion.api import GameDefinition
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


class SecretNumberDefinition(GameDefinition[SecretNumber]):
    """What SecretNumber provides."""

    name = "secret_number"
    title = "Secret Number"
    has_first_player = False
    scene = "companion.games.secret_number.display.scene:SecretNumberScene"
    samples = "companion.games.secret_number.samples:build_samples"
    player_counts = Settings.model_validate({}).player_counts
    settings_model = Settings
    create_game = staticmethod(SecretNumber.create)
    list_offers = staticmethod(list_offers)
    format_prompt = staticmethod(format_prompt)
    describe_step = staticmethod(describe_move)
    describe_changes = staticmethod(describe_changes)
    label_correctable = staticmethod(label_correctable)
    label_values = staticmethod(label_values)
    get_round_number = staticmethod(lambda game: game.game_number)
    get_bot_weight = staticmethod(get_bot_weight)
    get_addressed_seat = staticmethod(get_addressed_seat)
    list_setup_steps = staticmethod(list_preparations)
    get_default_move = staticmethod(get_default_move)
    get_number_move = staticmethod(get_number_move)


GAME = SecretNumberDefinition()
