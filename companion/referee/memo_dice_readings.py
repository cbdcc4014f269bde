"""What the camera tells of a row of dice and cups (Memo Dice): moves where it is sure, questions where it is not.

The camera counts the row's places, and so does the game. Where they differ, the game is right: people may have entered
a die by hand, or the camera may have come late.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.events import CupLifted, CupPut, DieShown
from companion.games.api.cup_row import RowGame
from companion.games.api.game import Correction, Move
from companion.games.api.offers import Console, Deed, Means, NumberPress, Offer, Sight
from companion.i18n import N_, Words
from companion.journal.die_pictures import Faces, FacesUnwritable
from companion.journal.replay import Sitting
from companion.referee.dialogs.base import CLOSE, Choice, Step
from companion.screen_state import Face, Question
from companion.vision.reading import ACT

_ = Words("companion")

RowRead = DieShown | CupPut | CupLifted
"""What the camera tells of the row."""
GOLD = 0
# By the signals' colours. Whole messages: in other languages a colour's word changes with its sentence.
LABELS = (N_("Golden"), N_("Red"), N_("Blue"), N_("Black"))
IS_IT = ("", N_("Is it red?"), N_("Is it blue?"), N_("Is it black?"))
IS_NOW = ("", N_("Is the die red now?"), N_("Is the die blue now?"), N_("Is the die black now?"))
WAS = ("", N_("It was red"), N_("It was blue"), N_("It was black"))
STILL = ("", N_("Still red"), N_("Still blue"), N_("Still black"))
NOW = ("", N_("Now red"), N_("Now blue"), N_("Now black"))
READ_AS = (
    "",
    N_("The symbol was read as red"),
    N_("The symbol was read as blue"),
    N_("The symbol was read as black"),
)
GOES_OVER = (
    N_("The golden cup goes over this die"),
    N_("A red cup goes over this die"),
    N_("A blue cup goes over this die"),
    N_("A black cup goes over this die"),
)
THAT_IS = ("", N_("That is a red cup"), N_("That is a blue cup"), N_("That is a black cup"))
CUP_IS = ("", N_("Cup {n} is red?"), N_("Cup {n} is blue?"), N_("Cup {n} is black?"))
ENTERED = ("", N_("A red cup is entered"), N_("A blue cup is entered"), N_("A black cup is entered"))
KEEP = ("", N_("Keep red"), N_("Keep blue"), N_("Keep black"))
TAKE = ("", N_("Take red"), N_("Take blue"), N_("Take black"))


@dataclass(frozen=True, slots=True)
class Heeded:
    """What a reading comes to: a step or none, a line for the screen, and whether it is to be read once more later."""

    step: Step | None = None
    notice: str = ""
    again: bool = False


NOTHING = Heeded()


class RowReader:
    """Puts the camera's readings of the row to one sitting; keeps the pictures of its dice."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        uid = sitting.journal.record(sitting.id).uid
        self.faces = Faces(sitting.journal.path, uid)
        self._shift = 0
        self._picture: tuple[str, bytes | None] | None = None

    def heed(self, signal: RowRead) -> Heeded:
        """What `signal` means now."""
        game = self._sitting.game
        if not isinstance(game, RowGame):
            return NOTHING  # a game without a row; the camera has not yet been told
        match signal:
            case DieShown():
                return self._die(game, signal)
            case CupPut():
                return self._cup(game, signal)
            case CupLifted():
                return self._lifted(game, signal)

    # A die -----------------------------------------------------------------------------------------------------

    def _die(self, game: RowGame, signal: DieShown) -> Heeded:
        count, place = len(game.row), signal.place + self._shift
        shows = self._shows()
        if game.looking is not None and game.seen and place == count:
            return self._again(game, signal, game.looking)
        if not shows:
            return NOTHING
        if place == count - 1 and self._entered_by_hand():
            return NOTHING  # who pressed its colour was quicker than the camera
        if place > count:
            missing = _.plural(
                "The camera saw a die more than is entered: press what is missing",
                "The camera saw {n} dice more than are entered: press what is missing",
                place - count,
            )
            return Heeded(notice=missing, again=True)
        self._shift = count - signal.place
        notice = self._keep(game, signal)
        colours = (signal.colour, *(c for c in signal.alternatives if c != signal.colour))
        if signal.confidence >= ACT or len({shows[c] for c in colours}) == 1:
            return Heeded(shows[signal.colour], notice)
        return Heeded(self._ask(colours, shows), notice)

    def _shows(self) -> dict[int, Move]:
        """The moves that a die of each colour plays; empty: none is to be rolled now."""
        return {
            o.means.number: o.does
            for o in self._offers()
            if isinstance(o.means, Deed) and o.means.kind == "show" and o.means.number and isinstance(o.does, Move)
        }

    @staticmethod
    def _ask(colours: Sequence[int], shows: dict[int, Move]) -> Choice:
        first, second = colours[0], colours[1] if len(colours) > 1 else None
        answers: list[tuple[Means, str, Step]] = [(Console.OK, _(LABELS[first]), shows[first])]
        if second is not None:
            answers.append((Console.PLUS, _(LABELS[second]), shows[second]))
        answers += [(NumberPress(c), _(LABELS[c]), move) for c, move in sorted(shows.items())]
        answers.append((Console.NO, _("No die"), CLOSE))
        return Choice(
            Question(_(IS_IT[first]), _("The symbol's colour cannot be read for sure")),
            tuple(answers),
            about_dice=True,
        )

    def _again(self, game: RowGame, signal: DieShown, was: int) -> Heeded:
        """The open die was rolled once more, or turned; it was to be covered by a cup of the colour `was`."""
        notice = self._keep(game, signal)
        colour = signal.colour
        may = next((c for c in game.correctables() if c.kind == "open"), None)
        if colour == was or was == GOLD or may is None:
            return Heeded(notice=notice)
        if not game.free[colour]:
            return Heeded(notice=notice)
        asked = Question(_(IS_NOW[colour]), _(WAS[was]))
        keep, take = _(STILL[was]), _(NOW[colour])
        answers: tuple[tuple[Means, str, Step], ...] = (
            (Console.OK, keep, CLOSE),
            (Console.PLUS, take, may.corrected(colour)),
        )
        return Heeded(Choice(asked, answers, about_dice=True), notice)

    def _entered_by_hand(self) -> bool:
        last = self._sitting.last_played
        return isinstance(last, Move) and last.kind in {"die", "gold"}

    def _keep(self, game: RowGame, signal: DieShown) -> str:
        """Keep the die's picture; the line that says so if that cannot be done."""
        if not signal.picture:
            return ""
        try:
            self.faces.keep(_name(game.round, len(game.row) + 1), signal.picture)
        except FacesUnwritable as why:
            return str(why)
        finally:
            self._picture = None
        return ""

    # Cups ------------------------------------------------------------------------------------------------------

    def _cup(self, game: RowGame, signal: CupPut) -> Heeded:
        count, place = len(game.row), signal.place + self._shift
        sure = signal.confidence >= ACT
        cover = next((o.does for o in self._offers() if o.means == Deed("cup")), None)
        if place == count and isinstance(cover, Move) and game.looking is not None:
            expected = game.looking
            if not sure or signal.colour == expected:
                return Heeded(cover)
            return self._other_cup(game, signal, cover, expected)
        if place == count and sure and game.looking is None:
            return self._unseen(game, signal)
        if place < count and sure:
            return self._recoloured(game, signal, place)
        return NOTHING

    @staticmethod
    def _other_cup(game: RowGame, signal: CupPut, cover: Move, expected: int) -> Heeded:
        """D40: a cup of another colour stands over the open die."""
        if GOLD in (expected, signal.colour):
            return Heeded(notice=_(GOES_OVER[expected]))
        may = next((c for c in game.correctables() if c.kind == "open"), None)
        if may is None or not game.free[signal.colour]:
            return Heeded(notice=_(GOES_OVER[expected]))
        answers: tuple[tuple[Means, str, Step], ...] = (
            (Console.OK, _(WAS[signal.colour]), may.corrected(signal.colour)),
            (Console.PLUS, _(WAS[expected]), cover),
            (Console.NO, _("Cup comes off"), CLOSE),
        )
        asked = Question(_(THAT_IS[signal.colour]), _(READ_AS[expected]))
        return Heeded(Choice(asked, answers, about_dice=True))

    def _unseen(self, game: RowGame, signal: CupPut) -> Heeded:
        """A cup came over a die that was not read: it tells the colour itself (D13, D14)."""
        kind, value = ("gold", ()) if signal.colour == GOLD else ("die", (signal.colour,))
        move = Move(kind, game.active, value)
        if move not in game.moves():
            return NOTHING
        return Heeded(move, again=bool(game.settings.memorise_seconds))

    @staticmethod
    def _recoloured(game: RowGame, signal: CupPut, place: int) -> Heeded:
        """D40: another cup stands there than was entered."""
        if not 0 <= place < len(game.row):
            return NOTHING
        cup = game.row[place]
        was = int(cup.colour)
        may = next((c for c in game.correctables() if c.kind == f"cup {place + 1}"), None)
        if may is None or signal.colour in (was, GOLD):
            return NOTHING
        correction: Correction = may.corrected(signal.colour)
        asked = Question(_(CUP_IS[signal.colour], n=place + 1), _(ENTERED[was]))
        answers: tuple[tuple[Means, str, Step], ...] = (
            (Console.OK, _(KEEP[was]), CLOSE),
            (Console.PLUS, _(TAKE[signal.colour]), correction),
        )
        return Heeded(Choice(asked, answers, about_dice=True))

    def _lifted(self, game: RowGame, signal: CupLifted) -> Heeded:
        place = signal.place + self._shift
        if signal.confidence < ACT or not 0 <= place < len(game.row):
            return NOTHING
        if game.next_cup is None:
            early = game.row[place].taker is None
            too_early = _("Cup {n} was lifted too early: put it back", n=place + 1)
            return Heeded(notice=too_early) if early else NOTHING
        if place > game.next_cup:
            other = _("Cup {n} was lifted, but cup {m} is next: put it back", n=place + 1, m=game.next_cup + 1)
            return Heeded(notice=other)
        lift = next((o.does for o in self._offers() if o.means == Deed("lift")), None)
        return Heeded(lift) if place == game.next_cup and isinstance(lift, Move) else NOTHING

    # What may be shown -----------------------------------------------------------------------------------------

    def face(self) -> Face | None:
        """The picture of the die whose cup was lifted last; None: all cups are down, or none was taken."""
        game = self._sitting.game
        if not isinstance(game, RowGame) or game.next_cup is None:
            return None
        index = game.next_cup if game.lifted else game.next_cup - 1
        cup = game.row[index] if index >= 0 else None
        if cup is None or not cup.face or cup.unknown or (cup.taker is None and not game.lifted):
            return None
        name = _name(game.round, cup.face)
        if self._picture is None or self._picture[0] != name:
            self._picture = name, self.faces.picture(name)
        picture = self._picture[1]
        return Face(index + 1, picture) if picture else None

    def _offers(self) -> Sequence[Offer]:
        """The game's offers as if the camera were sure to see: what it has told it has seen."""
        kit, setup = self._sitting.kit, self._sitting.setup
        return kit.offers(self._sitting.game, setup.players, Sight(dice=True))


def _name(number: int, face: int) -> str:
    """A picture's name: the round, and which of its dice."""
    return f"{number}-{face}"
