"""The definition that all games of entered points share; a file gives it a name, players and rules."""

from companion.api.offers import GameDefinition
from companion.api.settings import PlayerCountSettings
from companion.games.game_file.points.offers import get_bot_weight, get_default_move, list_offers
from companion.games.game_file.points.rules import PointsGame
from companion.games.game_file.points.texts import (
    describe_move,
    format_input_title,
    format_prompt,
    get_addressed_seat,
    label_correctable,
    label_values,
)

POINTS_GAME = GameDefinition(
    name="game_file_points",
    title="",
    player_counts=range(1, 7),
    settings_model=PlayerCountSettings,
    create_game=PointsGame.create,  # type: ignore[arg-type] # each file's own takes its place
    list_offers=list_offers,
    prompt=format_prompt,
    describe_line=describe_move,
    correctable_label=label_correctable,
    value_labels=label_values,
    round_number=lambda game: game.round_number,
    bot_weight=get_bot_weight,
    default_move=get_default_move,
    addressed_seat=get_addressed_seat,
    input_title=format_input_title,
    scene="game_file_points",
)
"""Name, title, numbers of players, settings and `create_game` stand in the file."""
