"""What the referee and the journal know of a game whose dice lie in a row below cups, as those of Memo Dice do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from companion.games.api.game import Game, Seat


class CupInRow(Protocol):
    """A cup over its die."""

    @property
    def colour(self) -> int:
        """0: golden, 1 to 3: red, blue, black."""
        ...

    @property
    def owner(self) -> Seat | None:
        """Who has it; None: it is still down."""
        ...

    @property
    def is_die_unknown(self) -> bool:
        """Nobody knows the die's face."""
        ...

    @property
    def picture_number(self) -> int:
        """Number within the round of the picture that was taken of its die; 0: none was."""
        ...


@runtime_checkable
class CupRowGame(Game, Protocol):
    """A game with such a row; the camera's readings of it mean something only here."""

    @property
    def settings(self) -> Any:
        """The house rules; `memorise_seconds` is how long a die may be looked at, 0: no clock runs."""
        ...

    @property
    def active_seat(self) -> Seat:
        """Whose turn it is."""
        ...

    @property
    def round_number(self) -> int:
        """The round in play, from 1."""
        ...

    @property
    def cup_row(self) -> Sequence[CupInRow]:
        """In the order in which the dice were covered."""
        ...

    @property
    def free_cups(self) -> Mapping[Any, int]:
        """How many cups of each colour are left, but for the golden one."""
        ...

    @property
    def open_colour(self) -> int | None:
        """Colour of the cup that will cover the die that lies open; None: none does."""
        ...

    @property
    def read_by_camera(self) -> bool:
        """The camera has read that die."""
        ...

    @property
    def next_cup_index(self) -> int | None:
        """Index of the cup to be lifted next; None: none is."""
        ...

    @property
    def cup_lifted(self) -> bool:
        """The camera has seen it lifted."""
        ...
