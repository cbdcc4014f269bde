"""The tokens on and beside the lid: a frozen value, so that the present and the planned state can differ."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from companion.simulation.actions import ImpossibleAction

TOKEN_NUMBERS = (1, 2, 3, 4, 5, 6) * 2
"""Numbers of the twelve tokens: two each of 1 to 6 (M1)."""


@dataclass(frozen=True, slots=True)
class SimulatedToken:
    """A token."""

    number: int
    """1 to 6."""
    angle_deg: float
    """Rotation relative to the surface that it lies on, in degrees clockwise."""


@dataclass(frozen=True, slots=True)
class LidBoard:
    """The tokens and the picture card of a lid with twelve windows."""

    windows: tuple[SimulatedToken | None, ...]
    """The token on each window; None: the window is open."""
    removed_tokens: tuple[SimulatedToken, ...] = ()
    """The tokens beside the lid, in the order in which they were taken."""
    card_number: int = 0
    """Number of the picture under the windows (`draw_card`)."""

    @staticmethod
    def create_shuffled(rng: random.Random) -> LidBoard:
        """Create a board with all twelve windows covered at random (M1)."""
        numbers = list(TOKEN_NUMBERS)
        rng.shuffle(numbers)
        windows = tuple(SimulatedToken(number, rng.uniform(0.0, 360.0)) for number in numbers)
        return LidBoard(windows)

    @property
    def numbers(self) -> tuple[int | None, ...]:
        """The number of each window's token; None: the window is open."""
        return tuple(token.number if token else None for token in self.windows)

    def find_windows(self, number: int) -> tuple[int, ...]:
        """Return the indices of the windows that are covered by a token of that number."""
        return tuple(w for w, token in enumerate(self.windows) if token and token.number == number)

    def take_token(self, window: int) -> LidBoard:
        """Return the board after the token on `window` was placed beside the lid.

        Raises:
            ImpossibleAction: The window is open.
        """
        token = self.windows[window]
        if token is None:
            raise ImpossibleAction(f"window {window} is open already")
        return replace(self, windows=self._replace_window(window, None), removed_tokens=(*self.removed_tokens, token))

    def put_token(self, window: int, number: int | None, angle: float) -> LidBoard:
        """Return the board after a token from beside the lid was placed on `window`.

        Args:
            window: index of an open window, 0 to 11.
            number: the token's number; of several the one taken last. None: the token taken last.
            angle: rotation of the token on the lid in degrees clockwise.

        Raises:
            ImpossibleAction: The window is covered, or no such token lies beside the lid.
        """
        if self.windows[window] is not None:
            raise ImpossibleAction(f"window {window} is covered already")
        for k in reversed(range(len(self.removed_tokens))):
            if number is None or self.removed_tokens[k].number == number:
                token = replace(self.removed_tokens[k], angle_deg=angle)
                return replace(
                    self,
                    windows=self._replace_window(window, token),
                    removed_tokens=self.removed_tokens[:k] + self.removed_tokens[k + 1 :],
                )
        raise ImpossibleAction(f"no token {'' if number is None else f'{number} '}lies beside the lid")

    def cover_all(self, rng: random.Random) -> LidBoard:
        """Return the board after all twelve tokens were shuffled back; the card stays (M40)."""
        return replace(LidBoard.create_shuffled(rng), card_number=self.card_number)

    def _replace_window(self, window: int, token: SimulatedToken | None) -> tuple[SimulatedToken | None, ...]:
        return (*self.windows[:window], token, *self.windows[window + 1 :])
