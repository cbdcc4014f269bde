"""The tokens on and beside the lid: a frozen value, so that a planned action and the present state are two of them."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

TOKEN_NUMBERS = (1, 2, 3, 4, 5, 6) * 2
"""Two tokens each of the numbers 1 to 6 (rule M1)."""


class ImpossibleAction(ValueError):
    """No hand could do that: the window is open already, there is no such token beside the lid."""


@dataclass(frozen=True, slots=True)
class SimulatedToken:
    """A token's number and how it is turned relative to what it lies on, degrees clockwise."""

    number: int
    angle_deg: float


@dataclass(frozen=True, slots=True)
class LidBoard:
    """Tokens by window (None: open), those beside the lid in the order in which they were taken, and the card."""

    windows: tuple[SimulatedToken | None, ...]
    removed_tokens: tuple[SimulatedToken, ...] = ()
    card_number: int = 0
    """Names the picture under the windows: equal numbers are equal pictures."""

    @staticmethod
    def create_shuffled(rng: random.Random) -> LidBoard:
        """All twelve windows covered at random (rule M1), with a card drawn at random."""
        numbers = list(TOKEN_NUMBERS)
        rng.shuffle(numbers)
        windows = tuple(SimulatedToken(number, rng.uniform(0.0, 360.0)) for number in numbers)
        return LidBoard(windows, (), rng.getrandbits(31))

    @property
    def numbers(self) -> tuple[int | None, ...]:
        """The token's number by window, None where it is open."""
        return tuple(token.number if token else None for token in self.windows)

    def find_windows(self, number: int) -> tuple[int, ...]:
        """The windows that a token of that number covers."""
        return tuple(w for w, token in enumerate(self.windows) if token and token.number == number)

    def take_token(self, window: int) -> LidBoard:
        """After the token on `window` was laid beside the lid.

        Raises:
            ImpossibleAction: the window is open.
        """
        token = self.windows[window]
        if token is None:
            raise ImpossibleAction(f"window {window} is open already")
        return replace(self, windows=self._with(window, None), removed_tokens=(*self.removed_tokens, token))

    def put_token(self, window: int, number: int | None, angle: float) -> LidBoard:
        """After a token was put on `window`: the last taken, or the last taken of `number`.

        Raises:
            ImpossibleAction: the window is covered, or no such token lies beside the lid.
        """
        if self.windows[window] is not None:
            raise ImpossibleAction(f"window {window} is covered already")
        for k in reversed(range(len(self.removed_tokens))):
            if number is None or self.removed_tokens[k].number == number:
                token = replace(self.removed_tokens[k], angle_deg=angle)
                return replace(
                    self,
                    windows=self._with(window, token),
                    removed_tokens=self.removed_tokens[:k] + self.removed_tokens[k + 1 :],
                )
        raise ImpossibleAction(f"no token {'' if number is None else f'{number} '}lies beside the lid")

    def cover_all(self, rng: random.Random) -> LidBoard:
        """After all twelve were shuffled back; the card stays (rule M40)."""
        return replace(LidBoard.create_shuffled(rng), card_number=self.card_number)

    def _with(self, window: int, token: SimulatedToken | None) -> tuple[SimulatedToken | None, ...]:
        return (*self.windows[:window], token, *self.windows[window + 1 :])
