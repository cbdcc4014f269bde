"""Any game: the companion keeps scores, turns and times of a game that it does not know. For the rule numbers (K1 to
K19) see `docs/rules/score_keeper.md`."""

from companion.api.offers import GameDefinition
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

__all__ = ["GAME", "ScoreKeeper", "Settings"]

GAME = GameDefinition(
    name="score_keeper",
    title=N_("Any game"),
    has_first_player=False,
    player_counts=Settings.model_validate({}).player_counts,
    settings_model=Settings,
    create_game=ScoreKeeper.create,
    list_offers=list_offers,
    prompt=format_prompt,
    describe_line=describe_move,
    correctable_label=label_correctable,
    value_labels=label_values,
    round_number=lambda game: game.round_number if game.settings.has_rounds else 0,
    bot_weight=get_bot_weight,
    addressed_seat=get_addressed_seat,
    setup_steps=list_preparations,
    default_move=get_default_move,
    timed_clock=get_timed_clock,
    presets=PRESETS,
    name_setting="name",
)
