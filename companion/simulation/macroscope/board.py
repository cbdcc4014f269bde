"""The tokens on and beside the lid: a frozen value, so that a planned deed and the present state are two of them."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

NUMBERS = (1, 2, 3, 4, 5, 6) * 2
"""Two tokens each of the numbers 1 to 6 (rule M1)."""


class NotPossible(ValueError):
    """No hand could do that: the window is open already, there is no such token beside the lid."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token's number and how it is turned relative to what it lies on, degrees clockwise."""

    number: int
    angle: float


@dataclass(frozen=True, slots=True)
class Board:
    """Tokens by window (None: open), those beside the lid in the order in which they were taken, and the card."""

    windows: tuple[Token | None, ...]
    aside: tuple[Token, ...] = ()
    card: int = 0
    """Names the picture under the windows: equal numbers are equal pictures."""

    @staticmethod
    def shuffled(rng: random.Random) -> Board:
        """All twelve windows covered at random (rule M1), with a card drawn at random."""
        numbers = list(NUMBERS)
        rng.shuffle(numbers)
        windows = tuple(Token(number, rng.uniform(0.0, 360.0)) for number in numbers)
        return Board(windows, (), rng.getrandbits(31))

    @property
    def numbers(self) -> tuple[int | None, ...]:
        """The token's number by window, None where it is open."""
        return tuple(token.number if token else None for token in self.windows)

    def covering(self, number: int) -> tuple[int, ...]:
        """The windows that a token of that number covers."""
        return tuple(w for w, token in enumerate(self.windows) if token and token.number == number)

    def taken(self, window: int) -> Board:
        """After the token on `window` was laid beside the lid.

        Raises:
            NotPossible: the window is open.
        """
        token = self.windows[window]
        if token is None:
            raise NotPossible(f"window {window} is open already")
        return replace(self, windows=self._with(window, None), aside=(*self.aside, token))

    def put(self, window: int, number: int | None, angle: float) -> Board:
        """After a token was put on `window`: the last taken, or the last taken of `number`.

        Raises:
            NotPossible: the window is covered, or no such token lies beside the lid.
        """
        if self.windows[window] is not None:
            raise NotPossible(f"window {window} is covered already")
        for k in reversed(range(len(self.aside))):
            if number is None or self.aside[k].number == number:
                token = replace(self.aside[k], angle=angle)
                return replace(self, windows=self._with(window, token), aside=self.aside[:k] + self.aside[k + 1 :])
        raise NotPossible(f"no token {'' if number is None else f'{number} '}lies beside the lid")

    def covered(self, rng: random.Random) -> Board:
        """After all twelve were shuffled back; the card stays (rule M40)."""
        return replace(Board.shuffled(rng), card=self.card)

    def _with(self, window: int, token: Token | None) -> tuple[Token | None, ...]:
        return (*self.windows[:window], token, *self.windows[window + 1 :])
