"""Dice that a game lets its players roll: what the statistics of luck need to know of them."""

from dataclasses import dataclass

from companion.api.move import Seat


@dataclass(frozen=True, slots=True)
class DiceRoll:
    """Dice that a player rolled: all faces that chance alone decided, and none that somebody laid there.

    >>> from companion.api.registry import find_game
    >>> pig = find_game("pig")
    >>> game = pig.create_game(2, Seat(0), pig.settings_model())
    >>> throw = game.list_moves()[0].fill(5)
    >>> [*pig.list_rolls(game, throw, game.play(throw))]
    [DiceRoll(roll_id=(1, 1), seat=0, faces=(5,))]
    """

    roll_id: tuple[int, ...]
    """Which roll of the game it is, such as (number of the turn, number of the throw). Of several with the same id only
    the last counts: so a corrected roll replaces the one that was wrong."""
    seat: Seat | None
    """Who rolled it; None: it corrects an earlier roll, of the same player and with as many dice, or has none."""
    faces: tuple[int, ...]
    """Face of each die, from 1 to `FairDice.sides`; empty: it does not count, or no longer."""


@dataclass(frozen=True, slots=True)
class FairDice:
    """The dice of a game: all of one kind, each face as probable as any other.

    >>> FairDice().worth
    (1, 2, 3, 4, 5, 6)
    """

    sides: int = 6
    """Number of faces, at least 2."""
    face_worth: tuple[int, ...] | None = None
    """Value of each face to the player who rolls it, from face 1 up; the sum is the luck of a game. None: a
    face is worth its number, but more is not called luck. Empty: no face is better than another, and the luck is how
    evenly they came."""

    @property
    def worth(self) -> tuple[int, ...]:
        """Value of each face, from face 1 up; empty: no face is better than another."""
        return tuple(range(1, self.sides + 1)) if self.face_worth is None else self.face_worth
