"""The definition of games of entered points; a file gives it a name, players and rules."""

from companion.games.game_file.file_definition import GameFileDefinition
from companion.games.game_file.model import GameFile
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


class PointsGameDefinition(GameFileDefinition[PointsGame]):
    """What a game of entered points provides; the rules are in the settings."""

    def __init__(self, file: GameFile, text: str) -> None:
        super().__init__(file, text)
        assert file.points is not None
        self.has_first_player = file.points.order == "turns"

    scene = "companion.games.game_file.display.points:PointsScene"
    samples = "companion.games.game_file.points.samples:build_samples"
    simulator = "companion.games.game_file.points.simulator.player:KIT"
    list_offers = staticmethod(list_offers)
    format_prompt = staticmethod(format_prompt)
    describe_step = staticmethod(describe_move)
    label_correctable = staticmethod(label_correctable)
    label_values = staticmethod(label_values)
    get_round_number = staticmethod(lambda game: game.round_number)
    get_bot_weight = staticmethod(get_bot_weight)
    get_default_move = staticmethod(get_default_move)
    get_addressed_seat = staticmethod(get_addressed_seat)
    format_input_title = staticmethod(format_input_title)
