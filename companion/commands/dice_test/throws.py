"""Count the throws of one die: what the camera is sure of, what people answer or enter, and what is left out."""

from dataclasses import dataclass, field

from companion.events import CameraState, CameraStateChanged, DeviceLost, DeviceRestored, DiceRead, Event
from companion.i18n import join_or
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE

UNDO_KEY, SKIP_KEY, QUIT_KEY = "u", "x", "q"
"""Keys that take back the last throw, leave out the one that is asked about, and end the test."""


@dataclass(frozen=True, slots=True)
class CountedThrow:
    """One throw that counts, or was left out."""

    face: int | None
    """The face on top, from 1; None: it was left out."""
    reading: DiceRead | None
    """What the camera read; None: the face was entered without it."""
    is_entered: bool
    """The face was entered or answered by people, so that it is no reading of the camera."""


@dataclass
class ThrowCounter:
    """The throws of a test so far, and the question that is open.

    Args:
        faces: number of faces of the die.
        wanted: number of throws after which the test is done.

    Attributes:
        throws: the throws that count, in order.
        left_out: throws that do not count: nobody answered, the die was cocked, or the camera did not see them.
        question: the uncertain reading that waits for an answer; None: there is none.
        is_done: there are enough throws, or somebody has ended the test.
    """

    faces: int
    wanted: int
    throws: list[CountedThrow] = field(default_factory=list)
    left_out: list[CountedThrow] = field(default_factory=list)
    question: DiceRead | None = None
    is_done: bool = False
    _digits: str = ""
    """Digits typed so far of a number that is not complete."""

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of throws that showed each face, from face 1 up."""
        return tuple(sum(throw.face == face for throw in self.throws) for face in range(1, self.faces + 1))

    def handle_event(self, event: Event) -> list[str]:
        """Take an event of the table; return lines for people.

        A reading of one die with confidence of `MIN_PLAY_CONFIDENCE` or more counts; any other becomes a question. A
        new throw before the answer leaves the earlier one out.
        """
        match event:
            case DiceRead(values=()):  # the die was picked up
                return []
            case DiceRead():
                return self._handle_reading(event)
            case DeviceLost():
                return [f"The camera is lost: {event.message or 'plug it in again'}. The throws so far are kept."]
            case DeviceRestored():
                return ["The camera is back: go on."]
            case CameraStateChanged(state=CameraState.BLIND):
                return ["The camera sees nothing: is it covered, or the light off?"]
        return []

    def _handle_reading(self, reading: DiceRead) -> list[str]:
        said = self._leave_out("nobody has answered") if self.question is not None else []
        number = len(self.throws) + 1
        if len(reading.values) != 1:
            self.question = reading
            return [
                *said,
                f"Throw {number}: {len(reading.values)} dice are seen. Press the face that lies on top of the one that "
                f"you threw, or {SKIP_KEY} to leave the throw out, and take the others away.",
            ]
        if reading.confidence < MIN_PLAY_CONFIDENCE:
            self.question = reading
            possible = dict.fromkeys(values[0] for values in (reading.values, *reading.alternatives) if values)
            return [
                *said,
                f"Throw {number}: not sure, perhaps {join_or(list(map(str, possible)))}. Press the face that lies on "
                f"top, or {SKIP_KEY} to leave the throw out (cocked).",
            ]
        return [*said, *self._add(CountedThrow(reading.values[0], reading, is_entered=False))]

    def handle_keys(self, keys: str) -> list[str]:
        """Take characters that were typed; return lines for people.

        A face is one digit; of a die with more than 9 faces it is a number that ends with a space or Enter. Letters are
        `UNDO_KEY`, `SKIP_KEY` and `QUIT_KEY`. After the last throw nothing is taken.
        """
        said = []
        for key in keys:
            if self.is_done:
                break
            if key.isdecimal() and key.isascii():
                self._digits += key
                said += self._enter() if self.faces <= 9 else []
            elif key.isspace():
                said += self._enter()
            elif key.lower() == UNDO_KEY:
                said += self._undo()
            elif key.lower() == SKIP_KEY:
                said += (
                    self._leave_out("as you wish") if self.question is not None else ["There is nothing to leave out."]
                )
            elif key.lower() == QUIT_KEY:
                self.is_done = True
            else:
                said.append(
                    f"{key!r} means nothing here: press a face, 1 to {self.faces}, {UNDO_KEY} to take the last throw "
                    f"back, {QUIT_KEY} to end."
                )
        return said

    def note_unseen(self) -> None:
        """Leave out a throw of which the camera has reported nothing."""
        self.left_out.append(CountedThrow(None, None, is_entered=False))

    def finish(self) -> list[str]:
        """End the test: leave out a throw whose question is still open; return lines for people."""
        self.is_done = True
        return self._leave_out("nobody has answered") if self.question is not None else []

    def _enter(self) -> list[str]:
        digits, self._digits = self._digits, ""
        if not digits:
            return []
        face = int(digits) if len(digits) <= 3 else 0
        if not 1 <= face <= self.faces:
            return [f"{digits[:9]} is no face: the die has 1 to {self.faces}."]
        question, self.question = self.question, None
        return self._add(CountedThrow(face, question, is_entered=True))

    def _add(self, throw: CountedThrow) -> list[str]:
        self.throws.append(throw)
        self.is_done = len(self.throws) >= self.wanted
        entered = " (entered)" if throw.is_entered else ""
        return [f"{len(self.throws):4} of {self.wanted}: {throw.face}{entered}"]

    def _undo(self) -> list[str]:
        if self.question is not None:
            return self._leave_out("as you wish")
        if not self.throws:
            return ["There is no throw to take back."]
        number, throw = len(self.throws), self.throws.pop()
        return [f"Throw {number} is taken back: it was {throw.face}."]

    def _leave_out(self, reason: str) -> list[str]:
        self.left_out.append(CountedThrow(None, self.question, is_entered=False))
        self.question = None
        return [f"Throw {len(self.throws) + 1} is left out, {reason}: throw again."]
