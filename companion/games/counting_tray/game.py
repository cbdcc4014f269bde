"""The rules of the counting tray: its state, its moves, its corrections. Rule numbers: `docs/rules/counting_tray.md`.

The number keys choose from which value dice count, PLUS enters dice that the camera does not read, OK hands the tray to
the next player. NO enters a new throw while dice have failed, and ends the game between two throws.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from companion.api import (
    N_,
    THROW_DICE,
    Active,
    Away,
    BadCorrection,
    ConsolePress,
    Correctable,
    Correction,
    CorrectionKind,
    Game,
    Key,
    Move,
    MoveKind,
    NumberPress,
    Offer,
    Outcome,
    Reason,
    Score,
    Seat,
    SimpleMove,
    TableAction,
    Translator,
    Unmet,
    ValueRange,
    Visibility,
    Who,
    check_start,
    replace_at,
)
from companion.games.counting_tray.settings import Settings

_ = Translator("counting_tray")

FACES = 6
"""Sides of the dice."""
MAX_DICE_OF_A_FACE = 40
"""T2: most dice that show the same."""
MAX_HITS = 9999
"""T8: highest number of hits of a player that may be entered."""

FaceCounts = tuple[int, ...]
"""Number of dice that show each face, from 1 to 6."""
NO_DICE: FaceCounts = (0,) * FACES


class Phase(StrEnum):
    """Phases; the values are the names of samples."""

    THROW = "throw"  # T1: a throw is expected
    COUNTED = "counted"  # T3: dice lie in the tray and are counted
    OVER = "over"  # T9


class ActionKind(StrEnum):
    """Kinds of `TableAction` that the camera sees, besides `THROW_DICE`."""

    AGAIN = "again"  # dice that failed were thrown again; the number says how many failed


# Moves -------------------------------------------------------------------------------------------------------------


class DiceMove(MoveKind["CountingTray"]):
    """Dice are thrown; the value is how many of them show each face (T2)."""

    otherwise = "T2", "for each face 0 to 40 dice are entered"  # only a program enters others

    def list_values(self, game: CountingTray) -> ValueRange:
        return ValueRange(FACES, 0, MAX_DICE_OF_A_FACE)


class Throw(DiceMove):
    """T2: all dice are thrown."""

    kind = "throw"

    def apply(self, game: CountingTray, move: Move) -> CountingTray:
        return replace(game.finish_throw(), faces=move.value, throw_number=game.throw_number + 1)

    def make_offers(
        self, game: CountingTray, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        (move,) = moves
        if visibility.dice:
            yield Offer(move, THROW_DICE, _("Throw"), awaited=True)
        if any(game.failed):
            yield Offer(move, ConsolePress.NO, _("New throw"))
        else:
            yield Offer(move, ConsolePress.PLUS, _("Enter dice"), awaited=not visibility.dice)

    def describe(self, before: CountingTray, move: Move, after: CountingTray, names: Sequence[str]) -> str:
        return _("{who}: {hits} of {n} dice", who=names[move.player], hits=after.hits, n=after.dice_count)


class ThrowAgain(DiceMove):
    """T5: dice that failed are thrown again."""

    kind = "again"

    def needs(self, game: CountingTray, move: Move) -> Iterator[Reason]:
        if not any(game.faces):
            yield "T5", N_("no dice lie in the tray")
        if not any(game.failed):
            yield "T5", N_("no die has failed")

    def apply(self, game: CountingTray, move: Move) -> CountingTray:
        again_counts = (*game.again_counts, sum(move.value))
        return replace(game, faces=throw_again(game.faces, move.value), again_counts=again_counts)

    def make_offers(
        self, game: CountingTray, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        (move,) = moves
        if visibility.dice:
            yield Offer(move, TableAction(ActionKind.AGAIN, sum(game.failed)), _("Re-roll"), awaited=True)
        yield Offer(move, ConsolePress.PLUS, _("Re-roll"))

    def describe(self, before: CountingTray, move: Move, after: CountingTray, names: Sequence[str]) -> str:
        return _("{who} re-rolls {k}: now {hits}", who=names[move.player], k=sum(move.value), hits=after.hits)


class Threshold(MoveKind["CountingTray"]):
    """T3: this value counts, and all above it."""

    kind, who, bot_weight = "threshold", Who.TABLE, 0.05

    def list_values(self, game: CountingTray) -> Iterable[int]:
        return (n for n in range(1, FACES + 1) if n != game.threshold)

    def explain_value(self, game: CountingTray, move: Move) -> Iterator[Reason]:
        if move.value == (game.threshold,):
            yield Unmet("T3", N_("{n} and more count already"), values={"n": game.threshold})

    def apply(self, game: CountingTray, move: Move) -> CountingTray:
        return replace(game, threshold=move.value[0])

    def make_offers(
        self, game: CountingTray, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        for move in moves:
            (n,) = move.value
            yield Offer(move, NumberPress(n), f"{n}+" if n < FACES else str(n))

    def describe(self, before: CountingTray, move: Move, after: CountingTray, names: Sequence[str]) -> str:
        return _("It counts: {what}", what=format_threshold(after.threshold))


class NextPlayer(MoveKind["CountingTray"]):
    """T6: the next player throws."""

    kind, bot_weight = "next", 0.7

    def needs(self, game: CountingTray, move: Move) -> Iterator[Reason]:
        if game.phase is not Phase.COUNTED and len(game.present_seats) == 1:
            yield "T6", N_("nobody else throws")

    def apply(self, game: CountingTray, move: Move) -> CountingTray:
        return replace(game.finish_throw(), active_seat=game.find_next_seat(game.active_seat))

    def get_key(self, game: CountingTray) -> Key:
        label = N_("Next") if len(game.present_seats) > 1 else N_("Done")
        return Key(ConsolePress.OK, label, awaited=game.phase is Phase.COUNTED)

    def describe(self, before: CountingTray, move: Move, after: CountingTray, names: Sequence[str]) -> str:
        return _("{who} throws now", who=names[after.active_seat])


END = SimpleMove["CountingTray"](
    "end",
    lambda game: replace(game.finish_throw(), is_over=True),
    phases=(Phase.THROW,),
    otherwise=("T9", N_("first end the throw with OK")),
    key=Key(ConsolePress.NO, N_("End"), confirm_question=N_("Does the game end here?")),
    log=N_("The game is ended"),
    bot_weight=0.15,
)

# Corrections -------------------------------------------------------------------------------------------------------


class Face(CorrectionKind["CountingTray"]):
    """The number of dice that show the face `index`."""

    kind, label = "face", N_("dice that show {n}")
    phases = (Phase.COUNTED,)

    def list_entries(self, game: CountingTray) -> Iterator[Correctable]:
        for face, count in enumerate(game.faces, 1):
            yield self.make_entry(count, 0, max(MAX_DICE_OF_A_FACE, count), index=(face,))

    def apply(self, game: CountingTray, correction: Correction) -> CountingTray:
        return replace(game, faces=replace_at(game.faces, correction.index[0] - 1, correction.value[0]))


class Thrower(Active["CountingTray"]):
    """Who throws."""

    def describe(self, before: CountingTray, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        return _("Corrected: {who} throws", who=names[what.value[0]])


EARLIER_HITS = Score["CountingTray"](  # T8
    "total",
    N_("{who}’s hits before"),
    0,
    MAX_HITS,
    lambda game: game.earlier_hits,
    lambda game, hits: replace(game, earlier_hits=hits),
)

# The game ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CountingTray(Game):
    """Throws in the counting tray: a frozen value.

    >>> tray = CountingTray.create(1, Seat(0), Settings()).play(Move("throw", Seat(0), (2, 1, 0, 3, 0, 1)))
    >>> tray.hits, tray.dice_count, tray.play(Move("again", Seat(0), (1, 0, 0, 0, 2, 0))).hits
    (4, 7, 6)
    """

    settings: Settings = field(hash=False)
    active_seat: Seat
    """Who throws."""
    threshold: int
    """T3: lowest value that counts, 1 to 6."""
    is_over: bool = False
    throw_number: int = 0
    """Number of throws so far; those of dice thrown again do not count."""
    faces: FaceCounts = NO_DICE
    """Dice of the throw in play, as they show now."""
    again_counts: tuple[int, ...] = ()
    """T5: how many dice of this throw were thrown again, each time."""
    earlier_hits: tuple[int, ...] = ()
    """By seat: hits of the throws before the one in play."""

    MOVES = (Throw(), ThrowAgain(), Threshold(), NextPlayer(), END)
    CORRECTIONS = (Face(), EARLIER_HITS, Thrower("T7", N_("who throws")), Away())
    MOVE_RULE = "T1"
    translate = _

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> Self:
        """Return the empty tray; `first_seat` throws first.

        Raises:
            ValueError: `player_count` is not allowed, or `first_seat` is not from 0 to `player_count` - 1.
        """
        check_start("The counting tray", settings.player_counts, player_count, first_seat)
        nothing, here = (0,) * player_count, (False,) * player_count
        return cls(settings, first_seat, settings.threshold, earlier_hits=nothing, changes=nothing, away=here)

    @property
    def phase(self) -> Phase:
        """The phase now."""
        if self.is_over:
            return Phase.OVER
        return Phase.COUNTED if any(self.faces) else Phase.THROW

    @property
    def dice_count(self) -> int:
        """Number of dice of the throw in play."""
        return sum(self.faces)

    @property
    def hits(self) -> int:
        """T4: number of dice of the throw in play that count."""
        return sum(self.faces[self.threshold - 1 :])

    @property
    def failed(self) -> FaceCounts:
        """T5: the dice of the throw in play that do not count, by face."""
        return tuple(n if face < self.threshold else 0 for face, n in enumerate(self.faces, 1))

    @property
    def totals(self) -> tuple[int, ...]:
        """Hits by seat, with those of the throw in play (T8)."""
        return tuple(n + self.hits * (seat == self.active_seat) for seat, n in enumerate(self.earlier_hits))

    def compute_outcome(self) -> Outcome | None:
        """Return who has most hits (T9), and the reason; None before the end."""
        if not self.is_over:
            return None
        return Outcome(self.leaders, _("The most hits win."))

    def explain_end(self) -> Reason | None:
        return ("T9", N_("the game is over")) if self.is_over else None

    def get_active_seat(self) -> Seat:
        return self.active_seat

    def explain_turn(self, rule: str) -> Reason:
        return Unmet(rule, N_("{who} throws now"), {"who": self.active_seat})

    def finish_throw(self) -> Self:
        """Return the game after the hits of the throw in play were added to those of its player (T6, T8)."""
        return replace(self, earlier_hits=self.totals, faces=NO_DICE, again_counts=())

    def change_active_seat(self, seat: Seat) -> Self:
        """Return the game in which `seat` throws; the dice in the tray are theirs."""
        return replace(self, active_seat=seat)

    def change_away(self, seat: Seat, is_away: bool) -> Self:
        """Return the game after a player left or came back; the throw of one who leaves is over (T7)."""
        if is_away and self.present_seats == (seat,):
            raise BadCorrection("T7", _("somebody has to stay; end the game instead"))
        if is_away and seat == self.active_seat:
            return replace(self.finish_throw().set_away(seat, True), active_seat=self.find_next_seat(seat))
        return self.set_away(seat, is_away)


def throw_again(faces: FaceCounts, thrown: FaceCounts) -> FaceCounts:
    """Return the dice after some of them were thrown again: the lowest ones (T5).

    Args:
        faces: the dice before, by face.
        thrown: the dice thrown again, as they show now; if they are more than there were, all were thrown again.
    """
    stay = list_values(faces)[sum(thrown) :]
    return tuple(a + b for a, b in zip(count_faces(stay), thrown, strict=True))


def list_values(faces: FaceCounts) -> tuple[int, ...]:
    """Return the value of each die, ascending.

    >>> list_values((0, 2, 0, 0, 0, 1))
    (2, 2, 6)
    """
    return tuple(face for face, n in enumerate(faces, 1) for _ in range(n))


def count_faces(values: tuple[int, ...]) -> FaceCounts:
    """Return how many dice show each face, from 1 to 6.

    >>> count_faces((6, 2, 2))
    (0, 2, 0, 0, 0, 1)
    """
    return tuple(values.count(face) for face in range(1, FACES + 1))


def format_threshold(threshold: int) -> str:
    """Return what counts, in the current language ("4 or more").

    Args:
        threshold: lowest value that counts, 1 to 6.
    """
    return _("Only {n}", n=threshold) if threshold == FACES else _("{n} or more", n=threshold)
