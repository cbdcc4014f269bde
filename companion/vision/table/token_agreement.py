"""Turn readings of the lid at rest into events: which of its windows changed, and to what."""

from collections.abc import Sequence

from companion.events import LidCovered, LidEvent, LidRead, TokenPlaced, TokenTaken
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.reading import Lid, LidWindow
from companion.vision.table.dice_agreement import MAX_READINGS

TOKEN_NUMBERS = range(1, 7)
"""What a token may carry."""


class TokenAgreement:
    """Track the windows of the lid and report changes; a window that is hidden stays as it was. Not thread-safe.

    >>> def make_lid(*covered):
    ...     return Lid(((0, 0),) * 4, None, tuple(LidWindow((0, 0), 9, one, None, 0.99) for one in covered))
    ...
    >>> agreement = TokenAgreement()
    >>> for at, is_covered in enumerate((True, True, False, False)):
    ...     for event in agreement.add_reading(make_lid(True, is_covered), at) or ():
    ...         print(event)
    LidRead(covered=2, numbers=(0, 0, 0, 0, 0, 0), at=1)
    LidRead(covered=1, numbers=(0, 0, 0, 0, 0, 0), at=3)
    TokenTaken(window=1, number=None, confidence=0.99, at=3)

    Attributes:
        windows: each window as last seen, by index (0 to 11); empty before the first result.
    """

    def __init__(self) -> None:
        self._readings: list[Lid] = []
        self.windows: dict[int, LidWindow] = {}
        self._last_read: tuple[int, tuple[int, ...]] | None = None

    def reset(self) -> None:
        """Forget the readings of the present rest, because something moved; `windows` stays."""
        self._readings.clear()

    def add_reading(self, lid: Lid, at: float) -> list[LidEvent] | None:
        """Add one reading of a lid at rest; decide once two in a row agree with certainty, at the latest after four.

        A window makes an event if it was known before: `TokenTaken` if it is open now, `TokenPlaced` if it is covered.
        `LidCovered` comes before them when all are covered again, and `LidRead` first if all windows were read with
        certainty, and not as the last time. A window on which the last two readings differ stays as it was.

        Args:
            lid: the lid as read; windows with `covered` None (hidden) stay as they were.
            at: time of the frame in seconds, for the events.

        Returns:
            The events of the rest, empty if nothing changed; None: more readings are needed.
        """
        self._readings.append(lid)
        if len(self._readings) < 2:
            return None
        before = self._readings[-2].windows
        visible = {i: w for i, w in enumerate(lid.windows) if w.covered is not None}
        agreed = {
            i: w
            for i, w in visible.items()
            if i < len(before) and (before[i].covered, before[i].number) == (w.covered, w.number)
        }
        is_certain = len(agreed) == len(visible) and all(w.confidence >= MIN_PLAY_CONFIDENCE for w in agreed.values())
        if not is_certain and len(self._readings) < MAX_READINGS:
            return None
        self._readings.clear()
        return self._decide(agreed, len(lid.windows), at)

    def is_unchanged(self, lid: Lid) -> bool:
        """Return whether every window is visible, covered or open as it was, and shows no other number with certainty.

        Args:
            lid: the lid as read; a window that was never read before counts as unchanged. It is not added.
        """
        return all(
            window.covered is not None and (i not in self.windows or not _do_contradict(self.windows[i], window))
            for i, window in enumerate(lid.windows)
        )

    def _decide(self, now: dict[int, LidWindow], count: int, at: float) -> list[LidEvent]:
        """Compare the windows read `now` with those known before; `count`: number of windows of the lid."""
        known = {i: self.windows[i] for i in now if i in self.windows}
        taken = [i for i, was in known.items() if was.covered and not now[i].covered]
        placed = [i for i, was in known.items() if not was.covered and now[i].covered]
        was_open = any(not w.covered for w in self.windows.values())
        events: list[LidEvent] = []
        if not self._is_turned(taken, placed, now):
            for i in taken:
                was, confidence = known[i], now[i].confidence
                confidence = confidence if was.number is None else min(confidence, was.confidence)
                events.append(TokenTaken(i, was.number, confidence, at))
            events += [TokenPlaced(i, now[i].number, now[i].confidence, at) for i in placed]
        for i, window in now.items():
            is_unread = window.covered and window.number is None and window.confidence < MIN_PLAY_CONFIDENCE
            if not (is_unread and i in known and known[i].covered):
                self.windows[i] = window
        if was_open and len(self.windows) == count and all(w.covered for w in self.windows.values()):
            events.insert(0, LidCovered(at))  # no token was put back by itself then
        if len(now) == count and all(w.confidence >= MIN_PLAY_CONFIDENCE for w in now.values()):
            numbers = [w.number for w in self.windows.values() if w.covered]
            read = LidRead(len(numbers), tuple(numbers.count(n) for n in TOKEN_NUMBERS), at)
            if self._last_read is None or (read.covered, read.numbers) != self._last_read:
                self._last_read = read.covered, read.numbers
                events.insert(0, read)  # what was taken is asked about with the lid as it is now
        return events

    def _is_turned(self, taken: Sequence[int], placed: Sequence[int], now: dict[int, LidWindow]) -> bool:
        """Return whether the windows changed their indices rather than their tokens: a turned and misread lid.

        Hands take tokens off or place them; both at once, with other tokens exchanged, is not something they do.
        """
        exchanged = sum(
            self.windows[i].covered == w.covered and _do_contradict(self.windows[i], w)
            for i, w in now.items()
            if i in self.windows
        )
        return bool(taken and placed) and (exchanged >= 2 or len(taken) + len(placed) >= 4)


def _do_contradict(known: LidWindow, now: LidWindow) -> bool:
    """Return whether a window cannot have stayed as it was: covered or not, or certainly another number or none."""
    are_certain = all(w.confidence >= MIN_PLAY_CONFIDENCE for w in (known, now))
    return known.covered != now.covered or (are_certain and known.number != now.number)
