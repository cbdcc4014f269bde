"""Definition of a game: all that it provides besides its rules; an abstract class, most methods with a default."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from companion.api.fair_dice import DiceRoll, FairDice
from companion.api.game import Game
from companion.api.move import Correctable, Correction, Move, Seat
from companion.api.offers import Command, Offer, TableAction, Visibility
from companion.events import DiceRead, Event
from companion.i18n import Translator
from companion.names import normalize_name

GameT = TypeVar("GameT", bound=Game)


@dataclass(frozen=True, slots=True)
class CameraUse:
    """A game's use of the camera. Pure data: classes are given as "package.module:name" and loaded when needed.

    >>> from companion.api.definition import DICE_CAMERA
    >>> DICE_CAMERA.watcher
    'companion.vision.table.watcher:make_dice_and_lid_watcher'
    """

    watcher: str
    """Factory (no arguments) of what follows the table from frame to frame and returns events."""
    layout_file: str
    """File in the data folder that keeps what was learnt of this kind of table."""
    readings: str
    """Class that turns `events` into moves and questions."""
    events: tuple[type[Event], ...]
    """The classes of events that the game takes; others are ignored."""
    is_view_checked: bool = False
    """Problems of the camera's view (lid cut off, too dark) are looked for and shown."""


@dataclass(frozen=True, slots=True)
class Preset:
    """House rules that fit a usual kind of game, all chosen by one press in the lobby.

    >>> from companion.games.score_keeper import GAME
    >>> [preset.title for preset in GAME.presets[:3]]
    ['Points only', 'Turns to a target', 'Rounds, lowest wins']
    """

    title: str
    """Its line in the lobby's menu, to be translated by the game's catalogue."""
    settings: BaseModel
    """An instance of the game's `settings_model`."""
    asked_setting: str = ""
    """Setting that the lobby asks for before the start; empty: none."""
    is_named: bool = False
    """People know the title as the name of a game: it is stored as such from its first start."""


@dataclass(frozen=True, slots=True, init=False)
class PicturedRule:
    """A rule in one short sentence with a picture of it, for the help.

    >>> rule = PicturedRule("Roll two dice.", "die_2", "die_4")
    >>> rule.sentence, rule.objects
    ('Roll two dice.', ('die_2', 'die_4'))
    """

    sentence: str
    """Translated; up to 60 characters stand in large letters."""
    objects: tuple[str, ...]
    """What its picture shows, side by side: names of `companion gallery`'s art ("die_2", "gem", "cup_red"), "card 7" (a
    card with that word; "card" alone is face down), "token 7", "tile star" (an icon on a tile), "button 2" (the shape
    of that seat), "sign ok" (an icon), "word +9", or a picture of the plug-in's own as "stone_race:art/title.png"."""

    def __init__(self, sentence: str, *objects: str) -> None:
        object.__setattr__(self, "sentence", sentence)
        object.__setattr__(self, "objects", objects)


class GameDefinition(ABC, Generic[GameT]):
    """All that a game provides; found through the entry-point group `companion.games`.

    >>> from companion.games.counting_tray import GAME
    >>> game = GAME.create_game(2, Seat(0), GAME.settings_model())
    >>> GAME.format_prompt(game, ("Ada", "Bob"))
    'Ada: throw the dice'
    >>> [offer.label for offer in GAME.list_offers(game, ("Ada", "Bob"), Visibility(dice=True))][:2]
    ['Throw', 'Enter dice']

        class StoneRaceDefinition(GameDefinition[StoneRace]):
            name, title = "stone_race", N_("Stone Race")
            player_counts, settings_model = range(2, 7), Settings
            scene, samples = "stone_race.scene:StoneRaceScene", "stone_race.samples:build_samples"

            def create_game(self, player_count, first_seat, settings):
                return StoneRace.create(player_count, first_seat, settings)

            def format_prompt(self, game, names):
                return _("{who}: throw the die", who=names[game.active_seat])

    `names` are the players' names by seat; all texts that methods return are translated. A method of a game of another
    package may raise any error: the companion notes it and goes on.
    """

    name: str
    """As in `--game`: lower case, underscores."""
    title: str
    player_counts: range
    """Possible numbers of players."""
    settings_model: type[BaseModel]
    """Frozen pydantic model of the house rules, with defaults."""
    scene: str = ""
    """Class of the `GameScene` that draws it, as "package.module:name"; empty: prompt and scores in words."""
    samples: str = ""
    """Function that builds its sample screens, as "package.module:name"; empty: there are none."""
    simulator: str = ""
    """How it is played without people and without a table: an object of `companion.simulation.kit`, as
    "package.module:name"; empty: by buttons, and at the table of another game whose camera has the same watcher."""
    demo: str = ""
    """How it is shown in the demo: a `companion.simulation.demo_script.DemoScript`, as "package.module:name". The first
    game of the lobby's menu that has one is played there; empty: it is not."""
    lesson: str = ""
    """How it teaches the table to newcomers: a `companion.lobby.lesson_stage.LessonScript`, as "package.module:name".
    The first game of the lobby's menu that has one is played there; empty: it is not."""
    has_first_player: bool = True
    """Whether one player begins; else all play at the same time."""
    piece_colours: tuple[str, ...] = ()
    """Colours of the game's own pieces, by number of the button, so that a player gets the one nearest to the own
    button's; one that stands there twice belongs to the first who has it, the others get what is left. Empty: none."""
    confirm_on_first_use: tuple[str, ...] = ()
    """Settings whose default is a guess: the first lobby asks about them, and the answer is kept."""
    camera: CameraUse | None = None
    """None: the camera does not play in it."""
    fair_dice: FairDice | None = None
    """The dice that players roll, for the statistics of luck; None: there are none, or not all faces are known."""
    genre: str = ""
    """Kind of game, which gives it a title picture if it brings none of its own: "cards", "dice" and so on, as in
    `docs/game-files.md`; empty: none."""
    minutes: int = 0
    """How long it usually takes; 0: not known. A table that has played it sees how long it took the last time."""
    bgg_id: int = 0
    """Number of the game at BoardGameGeek, from its address there: apps know it by that; 0: not known."""
    lobby_place: int = 0
    """Place in the lobby's menu of games: lower ones come first, equal ones by name."""
    locale_package: str = "companion"
    """The package with the folder `locale`, in which the catalogue `name` has the translations of the title and of the
    house rules' titles and values: that of the plug-in. Texts made by the game's own functions are its own affair."""
    presets: tuple[Preset, ...] = ()
    """Usual house rules to choose from in the lobby; empty: there are none."""
    name_setting: str = ""
    """Setting, a text, with the name that people gave to what they play, such as "Rummy": it stands in headings and in
    the history in place of the title, and the house rules are stored by it. Empty: there is no such setting."""

    @abstractmethod
    def create_game(self, player_count: int, first_seat: Seat, settings: Any) -> GameT:
        """Return the game at its start.

        Raises:
            ValueError: `player_count`, `first_seat` or `settings` are not allowed.
        """

    def find_version(self, settings: Mapping[str, Any]) -> "AnyGameDefinition":
        """Return the definition by which a game of the journal is played; if its rules have changed, the old one.

        Args:
            settings: the house rules of the game, as the journal has them.

        Raises:
            ValueError: the game cannot be played any more.
        """
        return self

    def can_join(self, game: GameT) -> bool:
        """Return whether one more player may sit down now, while it is played (`GameState.add_player`)."""
        return False

    @abstractmethod
    def format_prompt(self, game: GameT, names: Sequence[str]) -> str:
        """Return who is to act and what to do now, in one sentence."""

    def format_camera_prompt(self, game: GameT, names: Sequence[str]) -> str:
        """Return the prompt while the camera sees the table."""
        return self.format_prompt(game, names)

    def format_virtual_prompt(self, game: GameT, names: Sequence[str]) -> str:
        """Return the prompt at a simulated table, which turns its lid and puts its cards away itself."""
        return self.format_camera_prompt(game, names)

    def get_addressed_seat(self, game: GameT) -> Seat | None:
        """Return the player whose name the prompt begins with ("Ada: roll the dice"); None: it is for all."""
        return None

    def list_offers(self, game: GameT, names: Sequence[str], visibility: Visibility) -> Sequence[Offer]:
        """Return what can be pressed or done now; empty: the game is over."""
        return tuple(game.list_offers(names, visibility))

    def describe_step(self, before: GameT, what: Move | Correction, after: GameT, names: Sequence[str]) -> str:
        """Return one line on a move or correction, without changes of scores."""
        return before.describe(what, after, names)

    def describe_changes(self, what: Move | Correction, after: GameT, names: Sequence[str]) -> str:
        """Return how the line ends in the log: " (Ada +9, Bob -4)"; empty: no changes."""
        return ""

    def describe(self, before: GameT, what: Move | Correction, after: GameT, names: Sequence[str]) -> str:
        """Return one line on a step and its changes of scores: for the log, the replay and the undo."""
        return self.describe_step(before, what, after, names) + self.describe_changes(what, after, names)

    def label_correctable(self, game: GameT, what: Correctable, names: Sequence[str]) -> str:
        """Return the line in the menu of what may be corrected: "Ada's crystals"."""
        return game.get_correction_kind(what.kind).format_label(game, what, names)

    def label_values(self, game: GameT, what: Correctable, names: Sequence[str]) -> Sequence[str]:
        """Return texts for the values of what may be corrected, from the lowest up; empty: the numbers themselves."""
        return game.get_correction_kind(what.kind).label_values(game, what, names)

    def explain_score(self, before: GameT, after: GameT, seat: Seat) -> str:
        """Return where a player's points came from, for the line of the score sheet; empty: as `describe_step`."""
        return ""

    def list_score_parts(self, game: GameT, seat: Seat) -> Sequence[tuple[str, int]]:
        """Return the parts of a player's score in a finished game, each with its points, where all is counted at the
        end; empty: the score was gathered as the game went on."""
        return ()

    def get_round_number(self, game: GameT) -> int:
        """Return the number of the round in play, from 1: for the history and the scores over rounds; 0: none."""
        return 0

    def list_round_points(self, game: GameT) -> Sequence[Sequence[int]] | None:
        """Return the points of each round by seat, for the chart and the history.

        By default None: they are the numbers of earlier rounds that may be corrected, or the changes of the scores.
        """
        return None

    def get_bot_weight(self, game: GameT, offer: Offer) -> float:
        """Return the relative weight of an offer in the bots' choice; 1 is usual, 0 never."""
        if not isinstance(offer.action, Move):
            return 1.0
        return game.get_move_kind(offer.action.kind).get_bot_weight(game, offer)

    def get_default_move(self, game: GameT, seat: Seat) -> Move | None:
        """Return the move that this seat's button usually means; if the button has no use now, the refusal of this move
        explains it."""
        return None

    def get_number_move(self, game: GameT, number: int) -> Move | None:
        """Return the move that this number key, 1 to 6, usually means where such keys choose a move; None: as
        `get_default_move`."""
        return None

    def get_timed_clock(self, game: GameT, move: Move) -> str:
        """Return the name of the clock whose time so far, in tenths of a second, is the value of the open `move`.

        Empty: people enter the value.
        """
        return ""

    def format_input_title(self, game: GameT, move: Move, names: Sequence[str]) -> str:
        """Return the heading while the number of an open move is entered; empty: the player's name."""
        return ""

    def label_input_values(self, game: GameT, move: Move) -> Mapping[int, str]:
        """Return the values of an open move with a line for each, to choose from a menu; empty: a number is entered."""
        return {}

    def asks_yes_or_no(self, game: GameT, move: Move) -> bool:
        """Return whether an open move of 0 or 1 is a question; otherwise it is a number that happens to be small."""
        return True

    def find_next_input(self, game: GameT, move: Move) -> Move | None:
        """Return the open move whose value the player enters next, at once after `move`; None: there is none.

        Args:
            game: the game after `move`.
        """
        return None

    def open_dialog(self, game: GameT, names: Sequence[str], command: Command) -> Any:
        """Return the game's own dialog (`companion.referee.api.Dialog`) that MARK_DIE or BOXES opens; None: nothing."""
        return None

    def list_setup_steps(self, settings: Any, player_count: int) -> Sequence[str]:
        """Return what is to be laid out before the game, a line each."""
        return ()

    def list_rules(self, settings: Any) -> Sequence[PicturedRule]:
        """Return the rules in short sentences with pictures, best four, for the help; empty: none are shown."""
        return ()

    def explain_ending(self, settings: Any) -> str:
        """Return how the game ends and who wins, in one sentence for the help; empty: it is not shown."""
        return ""

    def get_live_picture_labels(self, game: GameT) -> tuple[str, str] | None:
        """Return the labels of the keys that show the camera's plain picture beside the game, and hide it, for what
        people hold under the camera; None: it has no use now."""
        return None

    def hides_picture(self, game: GameT) -> bool:
        """Return whether the camera's picture must stay off the screen now: it would give something away."""
        return False

    def list_public_pictures(self, game: GameT) -> Collection[int]:
        """Return the numbers of the stored pictures of this round that are no secret any more."""
        return ()

    def list_rolls(self, before: GameT, what: Move | Correction, after: GameT) -> Iterable[DiceRoll]:
        """Return the rolls of `fair_dice` that this step adds or corrects; mostly none."""
        return ()

    def name_faces(self) -> Sequence[str]:
        """Return translated names of the faces of `fair_dice`, from face 1 up; empty: their numbers."""
        return ()

    @property
    def translate(self) -> Translator:
        """Translates messages of the game's catalogue into the current language."""
        return Translator(self.name, self.locale_package)

    @property
    def translated_title(self) -> str:
        """The title in the current language; a name that has no translation stays as it is."""
        return self.translate(self.title)

    @property
    def uses_camera(self) -> bool:
        """Whether the camera follows the game (`camera` is given), so that its readings become moves and questions."""
        return self.camera is not None

    def get_given_name(self, settings: BaseModel | Mapping[str, Any]) -> str:
        """Return the name that people gave to what they play (`name_setting`), in normal form; empty: they gave none.

        Args:
            settings: house rules of this game, as an instance of its `settings_model` or as a journal has them.
        """
        if not self.name_setting:
            return ""
        values = settings if isinstance(settings, Mapping) else settings.model_dump()
        return normalize_name(str(values.get(self.name_setting, "")))

    def format_title(self, settings: BaseModel | Mapping[str, Any]) -> str:
        """Return the name that people gave to what they play, else the title in the current language.

        Args:
            settings: as for `get_given_name`.
        """
        return self.get_given_name(settings) or self.translated_title


AnyGameDefinition = GameDefinition[Any]
"""The definition of any game."""


THROW_DICE = TableAction("throw")
"""Input of the open move that a throw of dice fills in: its `value_range` says how many dice are thrown, and 1 to 6."""

DICE_CAMERA = CameraUse(
    watcher="companion.vision.table.watcher:make_dice_and_lid_watcher",
    layout_file="table.json",
    readings="companion.referee.roll_readings:DiceRollReadings",
    events=(DiceRead,),
)
"""The camera reads the top faces of six-sided dice with pips, anywhere on the table.

Dice that come to rest fill in the open move that is offered as `THROW_DICE`, sorted from the lowest, if as many lie
there as its `value_range` counts and the reading is certain; an uncertain reading, or another number of dice, becomes a
question. A correctable of the kind "dice" with the throw as its value lets people answer dice that were knocked over.
"""

DICE_TRAY_CAMERA = CameraUse(
    watcher="companion.vision.tray.watcher:make_dice_tray_watcher",
    layout_file="tray.json",
    readings="companion.referee.kept_dice_readings:KeptDiceReadings",
    events=(DiceRead,),
)
"""The camera follows a tray with 1 to 40 dice, of which some may be set aside between two throws.

As `DICE_CAMERA`; besides, `TableAction("keep")` offers each legal choice of dice to set aside, and
`TableAction("return")` their return (see `companion.referee.kept_dice_readings`).
"""
