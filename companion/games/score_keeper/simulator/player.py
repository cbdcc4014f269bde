"""Virtual players of the score keeper: they take turns, add up points on the keys, and end a game that has no end.

They have no table to act on: in every game the companion gets presses of buttons only.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from companion.api import ConsolePress, Event, HoldSeatPress, Move, Offer, Seat
from companion.games.score_keeper.moves import AddPoints, End, EndRound, Pass, Point, TakeTurn
from companion.games.score_keeper.state import ScoreKeeperState
from companion.referee.held_buttons import HOLD_SECONDS
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.kit import PlayersKit
from companion.simulation.players.base import PlayedTable, VirtualPlayers

TURN_SECONDS = (3.0, 25.0)
"""Shortest and longest thinking time in a turn, in seconds."""
USUAL_ROUNDS = (3, 8)
"""Fewest and most rounds after which people end a game that has no other end."""
USUAL_ENTRIES = (8, 16)
"""Fewest and most entries per player, of the same without rounds."""
POINT_SHARE = 0.35
"""Probability of an entry of one point, by the own key, not of a number."""
ZERO_SHARE = 0.15
"""Probability that somebody gets nothing in a turn or a round."""
BONUS_SHARE = 0.15
"""Probability that somebody else scores in a turn, too."""
MINUS_SHARE = 0.08
"""Probability that points are taken away."""
USUAL_AMOUNT = 60
"""Highest number of points entered at once where no target says how many are usual."""
SCORINGS_TO_TARGET = 6
"""Number of times that somebody scores at least before a target is reached."""


@dataclass(slots=True)
class ScoreKeeperPlayers(VirtualPlayers[PlayedTable]):
    """The players of any game (see `VirtualPlayers`); they read the scores and the turn from the screen.

    Attributes:
        entered: numbers of points that they entered on the keys, in order; points by the own key are not among them.
    """

    entered: list[int] = field(default_factory=list)
    _amount: int | None = None
    """Number of points that is being entered; None: none is."""
    _to_score: list[Seat] = field(default_factory=list)
    """Who still scores in this turn or round, first at the end of the list."""
    _planned_for: tuple[int, int] | None = None
    """Turn and round for which `_to_score` was planned."""
    _entry_count: int = 0
    _last_count: float = 0.0
    """Round or number of entries after which they end the game; 0: not decided yet."""

    def _choose_offer(
        self, state: ScreenState, offers: Sequence[Offer], bot_weight: Callable[[Offer], float]
    ) -> Offer | None:
        if state.kind is not ScreenKind.PLAY:
            return self.rng.choice(list(offers)) if offers and state.kind is not ScreenKind.RESULT else None
        if state.question is not None:  # whether the game ends, which they want
            return next(offer for offer in offers if offer.input is ConsolePress.OK)
        if state.menu is not None:
            assert self._amount is not None, "a number is only entered after it was thought of"
            return choose_amount_key(state.menu.value or "+0", self._amount, {offer.input: offer for offer in offers})
        moves = {(o.action.kind, o.action.seat): o for o in offers if isinstance(o.action, Move)}
        takes = [offer for (kind, _seat), offer in moves.items() if kind == TakeTurn.kind]
        if takes:
            return self.rng.choice(takes)
        view: ScoreKeeperState = state.view
        self._plan(view)
        if self._is_enough(view):
            return next(offer for (kind, _seat), offer in moves.items() if kind == End.kind)
        while self._to_score:
            seat = self._to_score.pop()
            kind = Point.kind if self.rng.random() < POINT_SHARE else AddPoints.kind
            offer = moves.get((kind, seat)) or moves.get((AddPoints.kind, seat))
            if offer is not None:
                return offer
        return next((o for (kind, _s), o in moves.items() if kind in (Pass.kind, EndRound.kind)), None)

    def _plan(self, view: ScoreKeeperState) -> None:
        """Decide who scores: in a turn mostly its player, in a round nearly everybody, else one player at a time."""
        now = (view.turn_number, view.round_number)
        if now == self._planned_for and (view.settings.has_rounds or self._to_score):
            return
        self._planned_for = now
        present = list(view.present_seats)
        if view.active_seat is not None:
            self._to_score = [view.active_seat] * (self.rng.random() >= ZERO_SHARE)
            self._to_score += [self.rng.choice(present)] * (self.rng.random() < BONUS_SHARE)
        elif view.settings.has_rounds:
            self._to_score = [seat for seat in present if self.rng.random() >= ZERO_SHARE]
            self.rng.shuffle(self._to_score)
        else:
            self._to_score = [self.rng.choice(present)]

    def _is_enough(self, view: ScoreKeeperState) -> bool:
        """Return whether people end the game: its rules have no end, and it has lasted as long as they wanted."""
        settings = view.settings
        if settings.target_points or settings.rounds:
            return False
        if not self._last_count:
            entries = self.rng.randint(*USUAL_ENTRIES) * view.player_count
            self._last_count = self.rng.randint(*USUAL_ROUNDS) if settings.has_rounds else entries
        return (view.round_number if settings.has_rounds else self._entry_count) > self._last_count

    def _execute(self, offer: Offer, state: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        if state.kind is ScreenKind.PLAY:
            if isinstance(offer.input, HoldSeatPress):
                self._amount = self._think_of_amount(state.view)
                self._next_at = now + HOLD_SECONDS + self.pause_seconds
            elif state.menu is not None and state.menu.value is not None:
                self._next_at = now + self.pause_seconds
                if offer.input is ConsolePress.OK:
                    self.entered.append(int(state.menu.value.replace("−", "-")))
            elif state.view.settings.has_turns:
                self._next_at = now + self.rng.uniform(*TURN_SECONDS)
            self._entry_count += state.menu is None
        return self._press(offer, state, now)

    def _think_of_amount(self, view: ScoreKeeperState) -> int:
        """Return a number of points as people score them, never 0."""
        highest = max(2, view.settings.target_points // SCORINGS_TO_TARGET or USUAL_AMOUNT)
        amount = self.rng.randint(1, min(999, highest))
        return -amount if self.rng.random() < MINUS_SHARE else amount


KIT = PlayersKit(ScoreKeeperPlayers)


def choose_amount_key(shown: str, wanted: int, keys: Mapping[object, Offer]) -> Offer:
    """Choose the next key towards a number of points: the sign first, then the largest step that fits, then OK.

    Args:
        shown: the number on the screen, with its sign if it may have one.
        wanted: the number that is to be entered.
        keys: the offers by input.
    """
    if (wanted < 0) != shown.startswith("−") and ConsolePress.MINUS in keys:
        return keys[ConsolePress.MINUS]
    left = abs(wanted) - int(shown.lstrip("+−"))
    # A key that adds says so: "+50".
    steps = {key: int(offer.label) for key, offer in keys.items() if offer.label.startswith("+")}
    fitting = [key for key, step in steps.items() if step <= left]
    if fitting:
        return keys[max(fitting, key=steps.__getitem__)]
    # A score at its limit takes less than they thought of.
    return keys.get(ConsolePress.OK) or keys[ConsolePress.NO]
