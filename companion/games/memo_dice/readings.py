"""Camera readings of Memo Dice (a row of dice and cups): a move where the reading is certain, else a question.

Both the camera and the game count the places of the row. Where they differ, the game is right: a die may have been
entered by hand, or the camera may have started late.
"""

from collections.abc import Sequence

from companion.api import (
    ConsolePress,
    Correctable,
    Input,
    Move,
    NumberPress,
    Offer,
    TableAction,
    Visibility,
)
from companion.events import CupLifted, CupPlaced, DieShown, Event, MemoColour
from companion.games.memo_dice.corrections import CupColour, OpenColour
from companion.games.memo_dice.moves import ActionKind, EnterDie, Gold
from companion.games.memo_dice.state import COLOUR_NUMBERS, MemoDiceState, Phase
from companion.i18n import N_, _
from companion.journal.die_pictures import DiePictures, PictureUnwritable
from companion.journal.saved_game import SavedGame
from companion.referee.base_readings import DICE, GameReadings, ReadingResult, find_move
from companion.referee.dialogs.base import Dialog, LazyStep, Subject, ask_question
from companion.referee.implied_moves import find_implied_moves
from companion.screen_state import DiePicture, Question
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE

NO_RESULT = ReadingResult()
GOLD = 0
"""Colour of the golden cup in events."""
COLOURS = (1, 2, 3)
"""Colours of dice and cups in events: red, blue, black."""
# Texts by the colours of events. Whole messages: in other languages the word for a colour changes with its sentence.
COLOUR_LABELS = (N_("Golden"), N_("Red"), N_("Blue"), N_("Black"))
ASK_COLOUR = ("", N_("Is it red?"), N_("Is it blue?"), N_("Is it black?"))
ASK_COLOUR_NOW = ("", N_("Is the die red now?"), N_("Is the die blue now?"), N_("Is the die black now?"))
COLOUR_WAS = (N_("It gets the golden cup"), N_("It was red"), N_("It was blue"), N_("It was black"))
COLOUR_STILL = (N_("Still the golden cup"), N_("Still red"), N_("Still blue"), N_("Still black"))
COLOUR_NOW = (N_("Now the golden cup"), N_("Now red"), N_("Now blue"), N_("Now black"))
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
OTHER_CUP = (N_("That is the golden cup"), N_("That is a red cup"), N_("That is a blue cup"), N_("That is a black cup"))
ASK_CUP_COLOUR = ("", N_("Cup {n} is red?"), N_("Cup {n} is blue?"), N_("Cup {n} is black?"))
CUP_ENTERED = ("", N_("A red cup is entered"), N_("A blue cup is entered"), N_("A black cup is entered"))
KEEP_COLOUR = ("", N_("Keep red"), N_("Keep blue"), N_("Keep black"))
TAKE_COLOUR = ("", N_("Take red"), N_("Take blue"), N_("Take black"))


class MemoDiceReadings(GameReadings):
    """Readings of the row of dice and cups; stores the pictures of its dice beside the journal.

    Args:
        saved_game: the game of Memo Dice in play; it is only read.
    """

    def __init__(self, saved_game: SavedGame) -> None:
        super().__init__(saved_game)
        self.die_pictures = DiePictures(saved_game.journal.path, saved_game.record.uid)
        self._place_offsets: dict[int, int] = {}
        """By round, never negative: added to the camera's places to get the game's."""
        self._early_dice: set[tuple[int, int]] = set()
        """Round and place of dice that were rolled before those before them were covered, or entered."""
        self._round_before_row: int | None = None
        """Number of the scored round after which the camera has seen the row of the next one begin."""
        self._loaded_picture: tuple[str, bytes | None] | None = None
        """Name and JPEG of the picture that was read last."""

    def find_subject(self, event: Event) -> Subject | None:
        """Find the subject of a question about a reading: DICE for a die and for a cup that is placed, else None."""
        return DICE if isinstance(event, DieShown | CupPlaced) else None

    def is_answer(self, event: Event, dialog: Dialog | None) -> bool:
        """Return whether a reading answers the open dialog: a cup of uncertain colour waits for people's answer."""
        if isinstance(event, CupPlaced) and event.confidence < MIN_PLAY_CONFIDENCE:
            return False
        return super().is_answer(event, dialog)

    def handle(self, event: Event, offers: Sequence[Offer], *, is_answer: bool) -> ReadingResult:
        """Decide what a die, a placed cup or a lifted cup means now: a move, a question, a message or nothing.

        A reading of confidence 0.9 (`MIN_PLAY_CONFIDENCE`) or more is certain. The picture of a die is stored in a file
        beside the journal; if that fails, the result's message says so, and nothing is raised.

        Raises:
            AssertionError: the saved game is no game of Memo Dice.
        """
        saved_game = self._saved_game
        game = saved_game.game
        assert isinstance(game, MemoDiceState), "the game's definition names this class"
        # As if the camera were sure to see: it has seen what it reports.
        offers = saved_game.definition.list_offers(game, saved_game.players, Visibility(dice=True))
        is_between_rounds = game.phase is Phase.SCORED
        match event:
            case DieShown(place=0, colour=colour) | CupPlaced(place=0, colour=colour) if is_between_rounds:
                # A row of its own: the next round has begun (D33). How sure the colour is matters when that is read.
                self._round_before_row = game.round_number
                action = TableAction(ActionKind.SHOW, int(colour))
                return ReadingResult(implied=find_implied_moves(saved_game, action))
            case DieShown() | CupPlaced() if is_between_rounds and self._round_before_row == game.round_number:
                return ReadingResult(read_again=True)  # the table waits for OK
            case DieShown():
                return self._handle_die(game, event, offers)
            case CupPlaced():
                return self._handle_cup(game, event, offers)
            case CupLifted():
                return self._handle_lift(game, event, offers)
            case _:
                return NO_RESULT

    def _find_place(self, game: MemoDiceState, event: DieShown | CupPlaced | CupLifted) -> int:
        """Find the index in the game's row; the camera counts from 0 in each round."""
        return event.place + self._place_offsets.get(game.round_number, 0)

    # Dice ------------------------------------------------------------------------------------------------------

    def _handle_die(self, game: MemoDiceState, event: DieShown, offers: Sequence[Offer]) -> ReadingResult:
        saved_game, count, place = self._saved_game, len(game.cup_row), self._find_place(game, event)
        if game.open_colour is not None and game.read_by_camera and place == count:
            return self._handle_same_die(game, event, game.open_colour)
        if place > count:
            self._early_dice.add((game.round_number, place))
        if game.open_colour is not None and place > count:
            return ReadingResult(read_again=True)  # rolled before the die before it is covered
        if game.phase is Phase.UNCOVER and place >= count and event.confidence >= MIN_PLAY_CONFIDENCE:
            return self.explain_refusal(Move(EnterDie.kind, game.active_seat, (event.colour,)))
        shows = {colour: move for colour in COLOURS if (move := find_move(offers, ActionKind.SHOW, colour)) is not None}
        last = saved_game.last_played
        if not shows or (place == count - 1 and isinstance(last, Move) and last.kind in {EnterDie.kind, Gold.kind}):
            return NO_RESULT  # nothing is to be rolled, or somebody was quicker than the camera and pressed its colour
        if place > count:
            missing = _.plural(
                "The camera saw a die more than is entered: press what is missing",
                "The camera saw {n} dice more than are entered: press what is missing",
                place - count,
            )
            return ReadingResult(notice=missing, read_again=True)
        self._place_offsets[game.round_number] = count - event.place
        notice = self._store_picture(game, event)
        first, *others = (event.colour, *(c for c in event.alternatives if c != event.colour))
        if event.confidence >= MIN_PLAY_CONFIDENCE or all(shows[colour] == shows[first] for colour in others):
            return ReadingResult(shows[first], notice)
        # Each answer once, and where the colours' keys always are: OK confirms what was read.
        answers: list[tuple[Input, str, LazyStep]] = [(ConsolePress.OK, _(COLOUR_LABELS[first]), shows[first])]
        answers += [
            (NumberPress(COLOUR_NUMBERS[MemoColour(colour)]), _(COLOUR_LABELS[colour]), move)
            for colour, move in shows.items()
            if colour != first
        ]
        answers.append((ConsolePress.NO, _("No die"), None))
        question = Question(_(ASK_COLOUR[first]), _("The symbol's colour cannot be read for sure"))
        return ReadingResult(ask_question(question, *answers, subject=DICE), notice)

    def _handle_same_die(self, game: MemoDiceState, event: DieShown, expected: int) -> ReadingResult:
        """The open die was rolled once more, or turned; a cup of the colour `expected` was to cover it."""
        notice = self._store_picture(game, event)
        # A die of a colour without cups gets the golden one.
        colour = event.colour if game.free_cups[event.colour] else MemoColour.GOLD
        correctable = _find_correctable(game, OpenColour.kind)
        if colour == expected or correctable is None:
            return ReadingResult(notice=notice)
        question = ask_question(
            Question(_(ASK_COLOUR_NOW[event.colour]), _(COLOUR_WAS[expected])),
            (ConsolePress.OK, _(COLOUR_STILL[expected]), None),
            (ConsolePress.PLUS, _(COLOUR_NOW[colour]), correctable.make_correction(colour)),
            subject=DICE,
        )
        return ReadingResult(question, notice)

    def _store_picture(self, game: MemoDiceState, event: DieShown) -> str:
        """Store the die's picture. Returns the line for the screen if that cannot be done."""
        if not event.face_jpeg:
            return ""
        self._loaded_picture = None
        try:
            self.die_pictures.save(_picture_name(game.round_number, len(game.cup_row) + 1), event.face_jpeg)
        except PictureUnwritable as error:
            return str(error)
        return ""

    # Cups ------------------------------------------------------------------------------------------------------

    def _handle_cup(self, game: MemoDiceState, event: CupPlaced, offers: Sequence[Offer]) -> ReadingResult:
        count, place = len(game.cup_row), self._find_place(game, event)
        is_certain = event.confidence >= MIN_PLAY_CONFIDENCE
        cover, expected = find_move(offers, ActionKind.CUP), game.open_colour
        if place == count and cover is not None and expected is not None:
            if not is_certain or event.colour == expected:
                return ReadingResult(cover)
            return self._handle_other_cup(game, event, cover, expected)
        if place == count and is_certain and expected is None:
            # A cup over a die that was not read tells the colour itself (D13, D14).
            kind, value = (Gold.kind, ()) if event.colour == GOLD else (EnterDie.kind, (event.colour,))
            move = Move(kind, game.active_seat, value)
            if game.find_refusal(move) is None:
                return ReadingResult(move, read_again=bool(game.settings.memorise_seconds))
            if game.phase in {Phase.COVER, Phase.UNCOVER}:
                return self.explain_refusal(move)
        if place < count and is_certain:
            return self._handle_recoloured_cup(game, event, place)
        if place >= count and (game.round_number, place) in self._early_dice:
            return ReadingResult(read_again=True)  # its die waits, too
        return NO_RESULT

    @staticmethod
    def _handle_other_cup(game: MemoDiceState, event: CupPlaced, cover: Move, expected: int) -> ReadingResult:
        """D40: a cup of another colour stands over the open die."""
        correctable = _find_correctable(game, OpenColour.kind)
        is_possible = event.colour == GOLD or game.free_cups[event.colour] > 0
        if correctable is None or not is_possible or (event.colour,) not in correctable.value_range:
            return ReadingResult(notice=_(EXPECTED_CUP[expected]))
        return ReadingResult(
            ask_question(
                Question(_(OTHER_CUP[event.colour]), _((SYMBOL_READ_AS if expected else EXPECTED_CUP)[expected])),
                (ConsolePress.OK, _(COLOUR_WAS[event.colour]), (correctable.make_correction(event.colour), cover)),
                (ConsolePress.PLUS, _(COLOUR_WAS[expected]), cover),
                (ConsolePress.NO, _("Cup off"), None),
                subject=DICE,
            )
        )

    @staticmethod
    def _handle_recoloured_cup(game: MemoDiceState, event: CupPlaced, place: int) -> ReadingResult:
        """D40: another cup stands there than was entered."""
        entered, correctable = int(game.cup_row[place].colour), _find_correctable(game, CupColour.kind, place + 1)
        if correctable is None or event.colour in (entered, GOLD):
            return NO_RESULT
        return ReadingResult(
            ask_question(
                Question(_(ASK_CUP_COLOUR[event.colour], n=place + 1), _(CUP_ENTERED[entered])),
                (ConsolePress.OK, _(KEEP_COLOUR[entered]), None),
                (ConsolePress.PLUS, _(TAKE_COLOUR[event.colour]), correctable.make_correction(event.colour)),
                subject=DICE,
            )
        )

    def _handle_lift(self, game: MemoDiceState, event: CupLifted, offers: Sequence[Offer]) -> ReadingResult:
        place, next_cup = self._find_place(game, event), game.next_cup_index
        if event.confidence < MIN_PLAY_CONFIDENCE or place >= len(game.cup_row):
            return NO_RESULT
        if next_cup is None:
            too_early = _("Cup {n} was lifted too early: put it back", n=place + 1)
            return ReadingResult(notice=too_early) if game.cup_row[place].owner is None else NO_RESULT
        if place > next_cup:
            return ReadingResult(
                notice=_("Cup {n} was lifted, but cup {m} is next: put it back", n=place + 1, m=next_cup + 1)
            )
        return ReadingResult(find_move(offers, ActionKind.LIFT) if place == next_cup else None)

    # Pictures --------------------------------------------------------------------------------------------------

    @property
    def die_picture(self) -> DiePicture | None:
        """Picture of the die whose cup is lifted, until it is answered; read from its file when it is first needed.

        None: no cup is lifted, its die was knocked over, or no picture of it was taken or can be read.
        """
        game = self._saved_game.game
        if not isinstance(game, MemoDiceState) or not game.cup_lifted or game.next_cup_index is None:
            return None
        index = game.next_cup_index
        cup = game.cup_row[index]
        if not cup.picture_number or cup.is_die_unknown:
            return None
        name = _picture_name(game.round_number, cup.picture_number)
        if self._loaded_picture is None or self._loaded_picture[0] != name:
            self._loaded_picture = name, self.die_pictures.load(name)
        picture = self._loaded_picture[1]
        return DiePicture(index + 1, picture) if picture else None


def _find_correctable(game: MemoDiceState, kind: str, *index: int) -> Correctable | None:
    return next((found for found in game.list_correctables() if (found.kind, found.index) == (kind, index)), None)


def _picture_name(round_number: int, picture_number: int) -> str:
    """Name a picture by the round and by the number of its die in the round."""
    return f"{round_number}-{picture_number}"
