"""Base classes of the definitions of games in files."""

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

from pydantic import Field, create_model
from pydantic.config import JsonDict

from companion.api import (
    JOURNAL_ONLY,
    N_,
    AnyGameDefinition,
    GameDefinition,
    GameT,
    PicturedRule,
    Seat,
    Translator,
    format_number,
)
from companion.api.places import format_winners
from companion.games.game_file.file_game import FileGame, _
from companion.games.game_file.file_part import OptionModel, OptionValue
from companion.games.game_file.file_rules import fill_options
from companion.games.game_file.model import GameFile
from companion.games.game_file.reader import parse_game_file
from companion.games.game_file.settings import GameFileSettings

FileGameT = TypeVar("FileGameT", bound=FileGame)

_SENTENCE_END = re.compile(r"(?<=[.:?]) +(?=[A-ZÀ-Þ¿¡«])")

_NUMBER = re.compile(r"\d+")

MAX_TURN_SECONDS = 3600
"""G9: longest time that people may set for a turn."""
CHOICE_NAMES = (N_("remind"), N_("next player"))
"""What happens when time is up (G9) as the menu shows it, here for the translators."""
LOBBY_PLACE = 2
"""Place of these games in the lobby's menu: after those that are written in Python."""


class FileTranslator(Translator):
    """Translates the texts of a file, and messages of all such games, such as the name of the turn's clock.

    Args:
        domain: name of the game.
        messages: translates those messages.
    """

    def __init__(self, domain: str, messages: Translator = _) -> None:
        super().__init__(domain)
        self._messages = messages

    def __call__(self, message: str, **values: object) -> str:
        # Without its values the text can be compared with the English one.
        is_own = super().__call__(message) != message
        return super().__call__(message, **values) if is_own else self._messages(message, **values)


class GameFileDefinition(GameDefinition[GameT], Generic[GameT]):
    """Base class of the definitions of games in files: name, title, numbers of players and settings are the file's.

    Args:
        file: its content.
        text: its text, which each game keeps in its settings (G5).
    """

    lobby_place = LOBBY_PLACE

    def __init__(self, file: GameFile, text: str) -> None:
        self.file, self.name, self.title = file, file.name, file.title
        self.genre, self.minutes, self.bgg_id = file.choose_genre(), file.minutes, file.bgg
        self.player_counts = range(file.players_min, file.players_max + 1)
        fields: dict[str, Any] = {option.id: _make_option_field(option) for option in file.options}
        if file.has_turns:
            hint: JsonDict = {"step": 15}
            clock = Field(0, ge=0, le=MAX_TURN_SECONDS, title=N_("Seconds for a turn"), json_schema_extra=hint)
            fields["turn_seconds"] = (float, clock)
            fields["time_up"] = (Literal["remind", "next_player"], Field("remind", title=N_("When time is up")))
        self.settings_model = create_model(
            "Settings",
            __base__=GameFileSettings,
            players_min=(int, Field(file.players_min, ge=1, le=6)),
            players_max=(int, Field(file.players_max, ge=1, le=6)),
            file=(str, Field(text, json_schema_extra=JOURNAL_ONLY)),
            **fields,
        )
        self._text = text

    @property
    def translate(self) -> Translator:
        return FileTranslator(self.name)

    def find_version(self, settings: Mapping[str, Any]) -> AnyGameDefinition:
        """Return the definition of the file that a game was begun with (G5).

        Raises:
            ValueError: it was begun as a game of another kind, which is drawn otherwise.
        """
        text = settings.get("file", self._text)
        if text == self._text or not isinstance(text, str):  # what is no text is refused with the house rules
            return self
        begun = parse_game_file(text)
        if begun.kind != self.file.kind:
            raise ValueError(f"this game was begun when {self.name} was a game of [{begun.kind}]")
        return type(self)(begun, text)

    def create_game(self, player_count: int, first_seat: Seat, settings: Any) -> GameT:
        """Return the game at its start, by the rules that its settings keep.

        Raises:
            ValueError: the number of players is not allowed.
        """
        return self.create_from(self.parse_chosen(settings), player_count, first_seat, settings)

    def parse_chosen(self, settings: Any) -> GameFile:
        """Return the content of the file with the house rules of a game (G8)."""
        return parse_game_file(settings.file, options=tuple(self._find_values(settings).items()))

    def _find_values(self, settings: Any) -> Mapping[str, OptionValue]:
        """Return the house rules of a game by their ids (G8)."""
        return {option.id: getattr(settings, option.id) for option in self.file.options}

    @abstractmethod
    def create_from(self, file: GameFile, player_count: int, first_seat: Seat, settings: GameFileSettings) -> GameT:
        """Return the game that `file` describes, which has the part of this kind of game.

        Raises:
            ValueError: the number of players is not allowed.
        """

    def list_rules(self, settings: Any) -> Sequence[PicturedRule]:
        """Return the sentences of the file but the last one (G3), each with a picture of its own."""
        rules, used = list[PicturedRule](), set[Sequence[str]]()
        for sentence in self._list_sentences(settings)[:-1]:
            pictures = (*self.list_pictures(sentence), *self.list_spare_pictures())
            picture = next((each for each in pictures if each not in used), pictures[0])
            used.add(picture)
            rules.append(PicturedRule(sentence, *picture))
        return tuple(rules)

    def explain_ending(self, settings: Any) -> str:
        """Return the last sentence of the file (G3), and whose file it is (G10)."""
        file = self.file
        origin = " · ".join(filter(None, (file.format_origin(), file.licence, file.source))) if file.author else ""
        return " ".join((*self._list_sentences(settings)[-1:], *([f"({origin})"] if origin else [])))

    def list_pictures(self, sentence: str) -> Sequence[tuple[str, ...]]:
        """List pictures that fit a sentence, the best first: a slip with each of its numbers."""
        return tuple((f"card {number}",) for number in _NUMBER.findall(sentence))

    def list_spare_pictures(self) -> Sequence[tuple[str, ...]]:
        """List pictures that fit any sentence: the title picture, players' buttons in pairs and each alone, OK."""
        numbers = range(1, self.file.players_max + 1)
        pairs = [pair for step in (1, 2, 3) for pair in zip(numbers[::2], numbers[step::2], strict=False)]
        seats = (tuple(f"button {n}" for n in each) for each in (*pairs, *((n,) for n in numbers)))
        return ((f"genre_{self.file.choose_genre()}",), *seats, ("sign ok",))

    def _list_sentences(self, settings: Any) -> Sequence[str]:
        """Return the sentences of the file, with the values of house rules (G8)."""
        values = self._find_values(settings)
        options = {name: int(value) for name, value in values.items() if not isinstance(value, str)}
        lines = [fill_options(self.translate(rule), options) for rule in self.file.rules]
        return tuple(part for line in lines for part in _SENTENCE_END.split(line))

    def list_setup_steps(self, settings: Any, player_count: int) -> Sequence[str]:
        """Return the lines of the file."""
        return tuple(map(self.translate, self.file.setup))


class DiceOrPointsDefinition(GameFileDefinition[FileGameT]):
    """Base class of the definitions of games with dice and of games of entered points."""

    game_class: type[FileGameT]

    def create_from(self, file: GameFile, player_count: int, first_seat: Seat, settings: GameFileSettings) -> FileGameT:
        return self.game_class.create(player_count, first_seat, settings, file)

    def can_join(self, game: FileGameT) -> bool:
        """Return whether one more player may sit down (G7): the file says so, and the game goes on."""
        is_allowed = game.rules.model.late_joiners != "no" and not game.is_over
        return is_allowed and game.player_count + 1 in game.settings.player_counts

    def get_addressed_seat(self, game: FileGameT) -> Seat | None:
        return game.active_seat if game.has_turns and not game.is_over else None

    def get_round_number(self, game: FileGameT) -> int:
        return game.round_number

    def is_scoreless(self, game: FileGameT) -> bool:
        """Return whether nobody has scored, so that a game that is over has no winner to be named."""
        return not any(game.totals) and len(game.leaders) == game.player_count

    def format_result(self, game: FileGameT, names: Sequence[str]) -> str:
        """Return who has won, as the prompt after the end."""
        if self.is_scoreless(game):
            return _("Nobody has scored")
        victory = game.explain_victory()
        points = format_number(game.totals[game.leaders[0]]) if victory.names_score else ""
        winners = format_winners(game, names, points)
        return _("{winners}, {how}", winners=winners, how=victory.how) if victory.how else winners


def _make_option_field(option: OptionModel) -> tuple[Any, Any]:
    """Return type and field of a house rule in the settings, as the lobby offers it (G8)."""
    if isinstance(option.default, bool):
        return bool, Field(option.default, title=option.name)
    if option.choices:
        return Literal[option.choices], Field(option.default, title=option.name)
    hint: JsonDict = {"step": option.step}
    return int, Field(option.default, ge=option.low, le=option.high, title=option.name, json_schema_extra=hint)
