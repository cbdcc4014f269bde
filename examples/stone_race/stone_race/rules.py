"""The rules of Stone Race.

S1: Two to six players start on the bank, before the first of 20 stones.
S2: In turn each throws a die and goes as many stones ahead.
S3: After a six the same player throws again.
S4: On a stone on which another stands, the other is bumped back to the bank.
S5: Who reaches the last stone first has won; the rest of the throw is lost.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from pydantic import Field

from companion.api import (
    N_,
    BadCorrection,
    BaseGame,
    CommonCorrection,
    Correctable,
    Correction,
    GameClock,
    GameSettings,
    IllegalMove,
    Move,
    Outcome,
    Seat,
    Translator,
    ValueRange,
    check_start,
    first_reason,
    list_by_seat,
    replace_at,
)

_ = Translator("stone_race", package="stone_race")

PLAYER_COUNTS = range(2, 7)
"""S1: numbers of players."""
SIX = 6
"""S3: the throw after which the same player throws again."""
THROW = "throw"
"""Kind of the only move. It is stored in journals: once released it never changes."""
PLACE = "place"
"""Kind of the correction of a player's stone; the same holds for it."""


class Settings(GameSettings):
    """House rules: the section [games.stone_race] of the settings file, and the lobby's menu."""

    stones: int = Field(default=20, ge=10, le=40, title=N_("Stones"))
    """S1: number of stones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoneRace(BaseGame):
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

    def list_clocks(self) -> tuple[GameClock, ...]:
        """Return nothing: nobody is hurried."""
        return ()

    def _list_moves(self) -> Iterator[Move]:
        """Yield the throw (S2): an open move, whose value the camera or a number key fills in."""
        if self.compute_outcome() is None:
            yield Move(THROW, self.active_seat, value_range=ValueRange(1, 1, SIX))

    def _apply_move(self, move: Move) -> Self:
        seat, (die,) = self.active_seat, move.value
        place = min(self.places[seat] + die, self.settings.stones)
        bumped = tuple(q for q in self.list_others(seat) if self.places[q] == place)
        places = tuple(0 if q in bumped else place if q == seat else self.places[q] for q in range(self.player_count))
        next_seat = seat if die == SIX else self.find_next_seat(seat)
        count = self.throw_count + 1
        return replace(self, places=places, active_seat=next_seat, die=die, throw_count=count, bumped=bumped)

    def _explain_refusal(self, move: Move) -> IllegalMove:
        active = self.active_seat
        return first_reason(
            (self.compute_outcome() is not None, IllegalMove("S5", _("the race is over"))),
            (move.kind != THROW, IllegalMove("S2", _("the die is thrown, and nothing else is done"))),
            (move.seat != active, IllegalMove("S2", _("it is the turn of {who}"), {"who": active})),
            (True, IllegalMove("S2", _("the die shows 1 to 6"))),
        )

    def _list_correctables(self) -> Iterator[Correctable]:
        yield from list_by_seat(PLACE, self.places, 0, self.settings.stones)
        last = Seat(self.player_count - 1)
        yield Correctable(CommonCorrection.ACTIVE, None, (self.active_seat,), ValueRange(1, 0, last))
        yield from list_by_seat(CommonCorrection.AWAY, self.away, 0, 1)

    def _apply_correction(self, correction: Correction) -> Self:
        (value,) = correction.value
        if correction.kind == CommonCorrection.ACTIVE:
            if self.away[value]:
                raise BadCorrection("", _("{who} is away"), {"who": Seat(value)})
            return replace(self, active_seat=Seat(value))
        seat = correction.seat
        assert seat is not None, "the others are of a player"
        if correction.kind == PLACE:
            return replace(self, places=replace_at(self.places, seat, value), bumped=())
        after = self.set_away(seat, bool(value))
        if not after.present_seats:
            raise BadCorrection("", _("somebody must stay"))
        return replace(after, active_seat=after.find_next_seat(seat)) if after.away[after.active_seat] else after
