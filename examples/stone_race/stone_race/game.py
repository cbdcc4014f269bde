"""The rules of Stone Race.

S1: Two to six players start on the bank, before the first of 20 stones.
S2: In turn each throws a die and goes as many stones ahead.
S3: After a six the same player throws again.
S4: On a stone on which another stands, the other is bumped back to the bank.
S5: Who reaches the last stone first has won; the rest of the throw is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from pydantic import Field

from companion.api import (
    N_,
    NUMBER_ENTRY,
    THROW_DICE,
    Active,
    Away,
    BadCorrection,
    ConsolePress,
    Correctable,
    Correction,
    CorrectionKind,
    Game,
    GameSettings,
    Move,
    MoveKind,
    Offer,
    Outcome,
    Reason,
    Seat,
    Translator,
    Unmet,
    ValueRange,
    Visibility,
    check_start,
    list_by_seat,
    replace_at,
)

_ = Translator("stone_race", package="stone_race")

PLAYER_COUNTS = range(2, 7)
"""S1: numbers of players."""
SIX = 6
"""S3: the throw after which the same player throws again."""


class Settings(GameSettings):
    """House rules: the section [games.stone_race] of the settings file, and the lobby's menu."""

    stones: int = Field(default=20, ge=10, le=40, title=N_("Stones"))
    """S1: number of stones."""


class Throw(MoveKind["StoneRace"]):
    """S2: the die is thrown, and its player goes as many stones ahead."""

    kind = "throw"
    otherwise = "S2", N_("the die shows 1 to 6")

    def list_values(self, game: StoneRace) -> ValueRange:
        return ValueRange(1, 1, SIX)

    def apply(self, game: StoneRace, move: Move) -> StoneRace:
        seat, (die,) = move.player, move.value
        place = min(game.places[seat] + die, game.settings.stones)
        bumped = tuple(q for q in game.list_others(seat) if game.places[q] == place)
        places = tuple(0 if q in bumped else place if q == seat else at for q, at in enumerate(game.places))
        next_seat = seat if die == SIX else game.find_next_seat(seat)
        count = game.throw_count + 1
        return replace(game, places=places, active_seat=next_seat, die=die, throw_count=count, bumped=bumped)

    def make_offers(
        self, game: StoneRace, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        (throw,) = moves
        if visibility.dice:
            yield Offer(throw, THROW_DICE, _("Throw the die"), awaited=True)
            yield Offer(throw, ConsolePress.PLUS, _("Enter throw"))
        else:
            yield Offer(throw, NUMBER_ENTRY, _("Enter throw"), awaited=True)

    def describe(self, before: StoneRace, move: Move, after: StoneRace, names: Sequence[str]) -> str:
        thrown = _("{who} throws {n}", who=names[move.player], n=move.value[0])
        return "; ".join([thrown, *(_("{who} is bumped", who=names[seat]) for seat in after.bumped)])


class Stone(CorrectionKind["StoneRace"]):
    """The stone on which a player stands; 0: the bank."""

    kind, label = "place", N_("{who}’s stone")

    def list_entries(self, game: StoneRace) -> Iterator[Correctable]:
        return list_by_seat(self.kind, game.places, 0, game.settings.stones)

    def apply(self, game: StoneRace, correction: Correction) -> StoneRace:
        places = replace_at(game.places, correction.player, correction.value[0])
        return replace(game, places=places, bumped=())


@dataclass(frozen=True, slots=True, kw_only=True)
class StoneRace(Game):
    """A state of the game: a frozen value. `play` and `correct` of the base class return the next one."""

    settings: Settings
    places: tuple[int, ...]
    """By seat: number of the player's stone; 0: on the bank."""
    active_seat: Seat
    """The player who throws."""
    die: int | None = None
    """The last throw, 1 to 6; None: nobody has thrown yet."""
    throw_count: int = 0
    """Number of throws so far."""
    bumped: tuple[Seat, ...] = ()
    """The players whom the last throw has sent back to the bank (S4)."""

    MOVES = (Throw(),)
    CORRECTIONS = (Stone(), Active("", N_("Whose turn")), Away())
    MOVE_RULE = "S2"
    translate = _

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> Self:
        """Return a new game.

        Raises:
            ValueError: the game is not for that many players, or there is no such seat.
        """
        check_start("Stone Race", PLAYER_COUNTS, player_count, first_seat)
        nowhere, here = (0,) * player_count, (False,) * player_count
        return cls(settings=settings, away=here, changes=nowhere, places=nowhere, active_seat=first_seat)

    @property
    def totals(self) -> tuple[int, ...]:
        """By seat: number of the stone, which is the score."""
        return self.places

    def compute_outcome(self) -> Outcome | None:
        """Return who has reached the last stone (S5)."""
        winners = tuple(Seat(seat) for seat, place in enumerate(self.places) if place >= self.settings.stones)
        return Outcome(winners, _("The last stone is reached.")) if winners else None

    def explain_end(self) -> Reason | None:
        return ("S5", N_("the race is over")) if self.compute_outcome() else None

    def get_active_seat(self) -> Seat:
        return self.active_seat

    def explain_turn(self, rule: str) -> Reason:
        return Unmet(rule, N_("it is the turn of {who}"), {"who": self.active_seat})

    def change_active_seat(self, seat: Seat) -> Self:
        return replace(self, active_seat=seat)

    def change_away(self, seat: Seat, is_away: bool) -> Self:
        after = self.set_away(seat, is_away)
        if not after.present_seats:
            raise BadCorrection("", _("somebody must stay"))
        return replace(after, active_seat=after.find_next_seat(seat)) if after.away[after.active_seat] else after
