"""What the camera tells of a row of dice and cups (Memo Dice): moves where it is sure, questions where it is not.

The camera counts the row's places, and so does the game. Where they differ, the game is right: people may have entered
a die by hand, or the camera may have come late.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.events import CupLifted, CupPlaced, DieShown
from companion.games.api.game import Correction, Move
from companion.games.api.offers import ConsolePress, Input, NumberPress, Offer, TableAction, Visibility
from companion.games.memo_dice.state import MemoDiceState
from companion.i18n import N_, Translator
from companion.journal.die_pictures import DiePictures, PictureUnwritable
from companion.journal.replay import SavedGame
from companion.referee.dialogs.base import CLOSE, QuestionDialog, Step
from companion.screen_state import DiePicture, Question
from companion.vision.reading import MIN_PLAY_CONFIDENCE

_ = Translator("companion")

CupRowReading = DieShown | CupPlaced | CupLifted
"""What the camera tells of the row."""
GOLD = 0
# By the signals' colours. Whole messages: in other languages a colour's word changes with its sentence.
COLOUR_LABELS = (N_("Golden"), N_("Red"), N_("Blue"), N_("Black"))
ASK_COLOUR = ("", N_("Is it red?"), N_("Is it blue?"), N_("Is it black?"))
ASK_COLOUR_NOW = ("", N_("Is the die red now?"), N_("Is the die blue now?"), N_("Is the die black now?"))
COLOUR_WAS = ("", N_("It was red"), N_("It was blue"), N_("It was black"))
COLOUR_STILL = ("", N_("Still red"), N_("Still blue"), N_("Still black"))
COLOUR_NOW = ("", N_("Now red"), N_("Now blue"), N_("Now black"))
SYMBOL_READ_AS = (
    "",
    N_("The symbol was read as red"),
    N_("The symbol was read as blue"),
    N_("The symbol was read as black"),
)
EXPECTED_CUP = (
    N_("The golden cup goes over this die"),
    N_("A red cup goes over this die"),
    N_("A blue cup goes over this die"),
    N_("A black cup goes over this die"),
)
OTHER_CUP = ("", N_("That is a red cup"), N_("That is a blue cup"), N_("That is a black cup"))
ASK_CUP_COLOUR = ("", N_("Cup {n} is red?"), N_("Cup {n} is blue?"), N_("Cup {n} is black?"))
CUP_ENTERED = ("", N_("A red cup is entered"), N_("A blue cup is entered"), N_("A black cup is entered"))
KEEP_COLOUR = ("", N_("Keep red"), N_("Keep blue"), N_("Keep black"))
TAKE_COLOUR = ("", N_("Take red"), N_("Take blue"), N_("Take black"))


@dataclass(frozen=True, slots=True)
class ReadingResult:
    """What a reading comes to: a step or none, a line for the screen, and whether it is to be read once more later."""

    step: Step | None = None
    notice: str = ""
    read_again: bool = False


NO_RESULT = ReadingResult()


class CupRowReader:
    """Puts the camera's readings of the row to one sitting; keeps the pictures of its dice."""

    def __init__(self, saved_game: SavedGame) -> None:
        self._sitting = saved_game
        uid = saved_game.journal.get_game(saved_game.id).uid
        self.die_pictures = DiePictures(saved_game.journal.path, uid)
        self._place_offset = 0
        self._loaded_picture: tuple[str, bytes | None] | None = None

    def handle(self, event: CupRowReading) -> ReadingResult:
        """What `signal` means now."""
        game = self._sitting.game
        if not isinstance(game, MemoDiceState):
            return NO_RESULT  # a game without a row; the camera has not yet been told
        match event:
            case DieShown():
                return self._handle_die(game, event)
            case CupPlaced():
                return self._handle_cup(game, event)
            case CupLifted():
                return self._handle_lift(game, event)

    # A die -----------------------------------------------------------------------------------------------------

    def _handle_die(self, game: MemoDiceState, event: DieShown) -> ReadingResult:
        count, place = len(game.cup_row), event.place + self._place_offset
        shows = self._list_show_moves()
        if game.open_colour is not None and game.read_by_camera and place == count:
            return self._handle_same_die(game, event, game.open_colour)
        if not shows:
            return NO_RESULT
        if place == count - 1 and self._entered_by_hand():
            return NO_RESULT  # who pressed its colour was quicker than the camera
        if place > count:
            missing = _.plural(
                "The camera saw a die more than is entered: press what is missing",
                "The camera saw {n} dice more than are entered: press what is missing",
                place - count,
            )
            return ReadingResult(notice=missing, read_again=True)
        self._place_offset = count - event.place
        notice = self._store_picture(game, event)
        colours = (event.colour, *(c for c in event.alternatives if c != event.colour))
        if event.confidence >= MIN_PLAY_CONFIDENCE or len({shows[c] for c in colours}) == 1:
            return ReadingResult(shows[event.colour], notice)
        return ReadingResult(self._ask_colour(colours, shows), notice)

    def _list_show_moves(self) -> dict[int, Move]:
        """The moves that a die of each colour plays; empty: none is to be rolled now."""
        return {
            o.input.number: o.action
            for o in self._list_offers()
            if isinstance(o.input, TableAction)
            and o.input.kind == "show"
            and o.input.number
            and isinstance(o.action, Move)
        }

    @staticmethod
    def _ask_colour(colours: Sequence[int], shows: dict[int, Move]) -> QuestionDialog:
        first, second = colours[0], colours[1] if len(colours) > 1 else None
        answers: list[tuple[Input, str, Step]] = [(ConsolePress.OK, _(COLOUR_LABELS[first]), shows[first])]
        if second is not None:
            answers.append((ConsolePress.PLUS, _(COLOUR_LABELS[second]), shows[second]))
        answers += [(NumberPress(c), _(COLOUR_LABELS[c]), move) for c, move in sorted(shows.items())]
        answers.append((ConsolePress.NO, _("No die"), CLOSE))
        return QuestionDialog(
            Question(_(ASK_COLOUR[first]), _("The symbol's colour cannot be read for sure")),
            tuple(answers),
            about_dice=True,
        )

    def _handle_same_die(self, game: MemoDiceState, event: DieShown, was: int) -> ReadingResult:
        """The open die was rolled once more, or turned; it was to be covered by a cup of the colour `was`."""
        notice = self._store_picture(game, event)
        colour = event.colour
        may = next((c for c in game.list_correctables() if c.kind == "open"), None)
        if colour == was or was == GOLD or may is None:
            return ReadingResult(notice=notice)
        if not game.free_cups[colour]:
            return ReadingResult(notice=notice)
        asked = Question(_(ASK_COLOUR_NOW[colour]), _(COLOUR_WAS[was]))
        keep, take = _(COLOUR_STILL[was]), _(COLOUR_NOW[colour])
        answers: tuple[tuple[Input, str, Step], ...] = (
            (ConsolePress.OK, keep, CLOSE),
            (ConsolePress.PLUS, take, may.make_correction(colour)),
        )
        return ReadingResult(QuestionDialog(asked, answers, about_dice=True), notice)

    def _entered_by_hand(self) -> bool:
        last = self._sitting.last_played
        return isinstance(last, Move) and last.kind in {"die", "gold"}

    def _store_picture(self, game: MemoDiceState, event: DieShown) -> str:
        """Keep the die's picture; the line that says so if that cannot be done."""
        if not event.face_jpeg:
            return ""
        try:
            self.die_pictures.save(_picture_name(game.round_number, len(game.cup_row) + 1), event.face_jpeg)
        except PictureUnwritable as why:
            return str(why)
        finally:
            self._loaded_picture = None
        return ""

    # Cups ------------------------------------------------------------------------------------------------------

    def _handle_cup(self, game: MemoDiceState, event: CupPlaced) -> ReadingResult:
        count, place = len(game.cup_row), event.place + self._place_offset
        sure = event.confidence >= MIN_PLAY_CONFIDENCE
        cover = next((o.action for o in self._list_offers() if o.input == TableAction("cup")), None)
        if place == count and isinstance(cover, Move) and game.open_colour is not None:
            expected = game.open_colour
            if not sure or event.colour == expected:
                return ReadingResult(cover)
            return self._other_cup(game, event, cover, expected)
        if place == count and sure and game.open_colour is None:
            return self._handle_cup_over_unread_die(game, event)
        if place < count and sure:
            return self._handle_other_colour(game, event, place)
        return NO_RESULT

    @staticmethod
    def _other_cup(game: MemoDiceState, event: CupPlaced, cover: Move, expected: int) -> ReadingResult:
        """D40: a cup of another colour stands over the open die."""
        if GOLD in (expected, event.colour):
            return ReadingResult(notice=_(EXPECTED_CUP[expected]))
        may = next((c for c in game.list_correctables() if c.kind == "open"), None)
        if may is None or not game.free_cups[event.colour]:
            return ReadingResult(notice=_(EXPECTED_CUP[expected]))
        answers: tuple[tuple[Input, str, Step], ...] = (
            (ConsolePress.OK, _(COLOUR_WAS[event.colour]), may.make_correction(event.colour)),
            (ConsolePress.PLUS, _(COLOUR_WAS[expected]), cover),
            (ConsolePress.NO, _("Cup comes off"), CLOSE),
        )
        asked = Question(_(OTHER_CUP[event.colour]), _(SYMBOL_READ_AS[expected]))
        return ReadingResult(QuestionDialog(asked, answers, about_dice=True))

    def _handle_cup_over_unread_die(self, game: MemoDiceState, event: CupPlaced) -> ReadingResult:
        """A cup came over a die that was not read: it tells the colour itself (D13, D14)."""
        kind, value = ("gold", ()) if event.colour == GOLD else ("die", (event.colour,))
        move = Move(kind, game.active_seat, value)
        if move not in game.list_moves():
            return NO_RESULT
        return ReadingResult(move, read_again=bool(game.settings.memorise_seconds))

    @staticmethod
    def _handle_other_colour(game: MemoDiceState, event: CupPlaced, place: int) -> ReadingResult:
        """D40: another cup stands there than was entered."""
        if not 0 <= place < len(game.cup_row):
            return NO_RESULT
        cup = game.cup_row[place]
        was = int(cup.colour)
        may = next((c for c in game.list_correctables() if c.stored_kind == f"cup {place + 1}"), None)
        if may is None or event.colour in (was, GOLD):
            return NO_RESULT
        correction: Correction = may.make_correction(event.colour)
        asked = Question(_(ASK_CUP_COLOUR[event.colour], n=place + 1), _(CUP_ENTERED[was]))
        answers: tuple[tuple[Input, str, Step], ...] = (
            (ConsolePress.OK, _(KEEP_COLOUR[was]), CLOSE),
            (ConsolePress.PLUS, _(TAKE_COLOUR[event.colour]), correction),
        )
        return ReadingResult(QuestionDialog(asked, answers, about_dice=True))

    def _handle_lift(self, game: MemoDiceState, event: CupLifted) -> ReadingResult:
        place = event.place + self._place_offset
        if event.confidence < MIN_PLAY_CONFIDENCE or not 0 <= place < len(game.cup_row):
            return NO_RESULT
        if game.next_cup_index is None:
            early = game.cup_row[place].owner is None
            too_early = _("Cup {n} was lifted too early: put it back", n=place + 1)
            return ReadingResult(notice=too_early) if early else NO_RESULT
        if place > game.next_cup_index:
            other = _("Cup {n} was lifted, but cup {m} is next: put it back", n=place + 1, m=game.next_cup_index + 1)
            return ReadingResult(notice=other)
        lift = next((o.action for o in self._list_offers() if o.input == TableAction("lift")), None)
        return ReadingResult(lift) if place == game.next_cup_index and isinstance(lift, Move) else NO_RESULT

    # What may be shown -----------------------------------------------------------------------------------------

    def revealed_die(self) -> DiePicture | None:
        """The picture of the die whose cup was lifted last; None: all cups are down, or none was taken."""
        game = self._sitting.game
        if not isinstance(game, MemoDiceState) or game.next_cup_index is None:
            return None
        index = game.next_cup_index if game.cup_lifted else game.next_cup_index - 1
        cup = game.cup_row[index] if index >= 0 else None
        if cup is None or not cup.picture_number or cup.is_die_unknown or (cup.owner is None and not game.cup_lifted):
            return None
        name = _picture_name(game.round_number, cup.picture_number)
        if self._loaded_picture is None or self._loaded_picture[0] != name:
            self._loaded_picture = name, self.die_pictures.load(name)
        picture = self._loaded_picture[1]
        return DiePicture(index + 1, picture) if picture else None

    def _list_offers(self) -> Sequence[Offer]:
        """The game's offers as if the camera were sure to see: what it has told it has seen."""
        kit, setup = self._sitting.definition, self._sitting.setup
        return kit.list_offers(self._sitting.game, setup.players, Visibility(dice=True))


def _picture_name(number: int, face: int) -> str:
    """A picture's name: the round, and which of its dice."""
    return f"{number}-{face}"
