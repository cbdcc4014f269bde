"""Any game: the companion keeps scores, turns and times of a game that it does not know. For the rule numbers (K1 to
K19) see `docs/rules/score_keeper.md`."""

from companion.api import GameDefinition
from companion.games.score_keeper.offers import get_bot_weight, get_default_move, get_timed_clock, list_offers
from companion.games.score_keeper.presets import PRESETS
from companion.games.score_keeper.rules import ScoreKeeper
from companion.games.score_keeper.settings import Settings
from companion.games.score_keeper.texts import (
    describe_move,
    format_prompt,
    get_addressed_seat,
    label_correctable,
    label_values,
    list_preparations,
)
from companion.i18n import N_

__all__ = ["GAME", "ScoreKeeper", "ScoreKeeperDefinition", "Settings"]


class ScoreKeeperDefinition(GameDefinition[ScoreKeeper]):
    """What ScoreKeeper provides."""

    name = "score_keeper"
    title = N_("Any game")
    has_first_player = False
    scene = "companion.games.score_keeper.display.scene:ScoreKeeperScene"
    samples = "companion.games.score_keeper.samples:build_samples"
    simulator = "companion.games.score_keeper.simulator.player:KIT"
    player_counts = Settings.model_validate({}).player_counts
    settings_model = Settings
    create_game = staticmethod(ScoreKeeper.create)
    list_offers = staticmethod(list_offers)
    format_prompt = staticmethod(format_prompt)
    describe_step = staticmethod(describe_move)
    label_correctable = staticmethod(label_correctable)
    label_values = staticmethod(label_values)
    get_round_number = staticmethod(lambda game: game.round_number if game.settings.has_rounds else 0)
    get_bot_weight = staticmethod(get_bot_weight)
    get_addressed_seat = staticmethod(get_addressed_seat)
    list_setup_steps = staticmethod(list_preparations)
    get_default_move = staticmethod(get_default_move)
    get_timed_clock = staticmethod(get_timed_clock)
    presets = PRESETS
    name_setting = "name"


GAME = ScoreKeeperDefinition()
