"""The camera's picture made large, and what was read in it put right on it: a die, or the token just taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.games.api.game import Correctable, Correction, Game
from companion.games.api.offers import Command, Console, NumberPress, Offer, Sight
from companion.i18n import Words
from companion.journal.replay import Sitting
from companion.referee.dialogs.base import CLOSE, Quiet, Step
from companion.screen_state import Eyes, Large, Spot

_ = Words("companion")

SPOTS = {"dice": "die", "token": "token"}
"""Kinds of what may be corrected that are to be seen on the table, and what each is a value of."""
FREE = (Console.PLUS, Console.NO)
"""Buttons that enlarge the picture where the game has no use for them; OK never does: it is pressed to go on."""
ENLARGE = Command("picture")
LIVE = Command("live")


@dataclass(frozen=True, slots=True)
class Looking(Quiet):
    """The picture stands large. Seat buttons choose what is to be put right, plus and minus change it, OK takes it.

    While something is changed and not yet taken, only its own kind can be chosen: nothing is lost unnoticed.
    """

    targets: tuple[Correctable, ...]
    values: tuple[tuple[int, ...], ...]
    """As they are to be, by target."""
    window: int | None = None
    """Where the token just taken was."""
    chosen: tuple[int, int] = (0, 0)
    """Target, and which of its values."""

    @property
    def large(self) -> Large:
        """What the display is told."""
        return Large(
            tuple(
                Spot(
                    kind := SPOTS[target.kind],
                    target.current[i],
                    self.values[t][i],
                    (t, i) == self.chosen,
                    self.window if kind == "token" else None,
                )
                for t, i, target in self._places()
            )
        )

    @property
    def changed(self) -> bool:
        """Whether something differs from what it was."""
        return any(values != target.current for values, target in zip(self.values, self.targets, strict=True))

    def offers(self) -> Sequence[Offer]:
        back = Offer(Command("back"), Console.NO, _("Back"))
        if not self.targets:
            return [Offer(Command("back"), Console.OK, _("All right"), awaited=True), back]
        taken: Correction | Command = Command("back")
        if self.changed:
            t, _i = self.chosen
            taken = self.targets[t].corrected(*self.values[t])
        return [
            *self._choices(),
            Offer(taken, Console.OK, _("Right now") if self.changed else _("All right"), awaited=True),
            back,
            Offer(Command("change", (1,)), Console.PLUS, _("More")),
            Offer(Command("change", (-1,)), Console.MINUS, _("Less")),
        ]

    def after(self, command: Command) -> Step:
        match command:
            case Command(name="spot", value=(t, i)):
                return replace(self, chosen=(t, i))
            case Command(name="change", value=(by,)):
                return self._changed(by)
            case _:
                return CLOSE

    def _places(self) -> Sequence[tuple[int, int, Correctable]]:
        return [(t, i, target) for t, target in enumerate(self.targets) for i in range(len(target.current))]

    def _choices(self) -> Sequence[Offer]:
        places = self._places()
        if len(places) < 2:
            return []
        offers = []
        for number, (t, i, target) in enumerate(places, 1):
            if self.changed and t != self.chosen[0]:
                continue
            value = self.values[t][i]
            words = _("Die: {n}", n=value) if SPOTS[target.kind] == "die" else _("Token: {n}", n=value)
            offers.append(Offer(Command("spot", (t, i)), NumberPress(number), words, awaited=(t, i) == self.chosen))
        return offers

    def _changed(self, by: int) -> Looking:
        """The chosen value stepped on, from the last one to the first."""
        t, i = self.chosen
        low, high = self.targets[t].range.low, self.targets[t].range.high
        stepped = low + (self.values[t][i] - low + by) % (high - low + 1)
        row = (*self.values[t][:i], stepped, *self.values[t][i + 1 :])
        return replace(self, values=(*self.values[:t], row, *self.values[t + 1 :]))


class Live:
    """The camera's plain picture beside the game, for as long as people want it and the game has a use for it."""

    def __init__(self, sitting: Sitting) -> None:
        self.camera = False
        """Whether there is one."""
        self._sitting = sitting
        self._wanted = False

    @property
    def shown(self) -> bool:
        """Whether the picture is to be seen now."""
        return self._wanted and self._words() is not None

    def toggle(self) -> None:
        """Shows the picture, or hides it. Who wants it in one round has it again in the next."""
        self._wanted = not self._wanted

    def offered(self, offers: Sequence[Offer]) -> list[Offer]:
        """`offers`, and the one that shows the picture or hides it."""
        words = self._words()
        if words is None or any(offer.means is Console.PLUS for offer in offers):
            return [*offers]
        return [*offers, Offer(LIVE, Console.PLUS, words[self._wanted])]

    def _words(self) -> tuple[str, str] | None:
        kit = self._sitting.kit
        return kit.live(self._sitting.game) if self.camera and not kit.private else None


@lru_cache(maxsize=1)
def plain(eyes: Eyes) -> Eyes:
    """The picture without what is read in it (one value for each: the display compares by identity)."""
    return Eyes(eyes.state, None, eyes.picture)


def looking(game: Game, window: int | None) -> Looking:
    """The picture enlarged in this state of the game.

    Args:
        window: where the token that was taken last had been, if the camera saw it.
    """
    targets = tuple(c for c in game.correctables() if c.kind in SPOTS)
    return Looking(targets, tuple(c.current for c in targets), window)


def with_picture(offers: Sequence[Offer], *, seen: bool) -> list[Offer]:
    """`offers`, and the one that enlarges the picture, where one is to be seen and a button is free for it."""
    used = {offer.means for offer in offers}
    free = next((means for means in FREE if means not in used), None)
    if free is None or not seen:
        return [*offers]
    return [*offers, Offer(ENLARGE, free, words())]


def words() -> str:
    """What enlarging the picture is called."""
    return _("Large picture")


def to_be_seen(sitting: Sitting, sight: Sight) -> bool:
    """Whether there is a picture of the table that everybody may see."""
    return sitting.kit.camera and sight.dice and not secret(sitting)


def secret(sitting: Sitting) -> bool:
    """Whether the camera's picture would give something away.

    While windows are covered and the card is pulled, that would be the next card. (Asked of the game, for an open menu
    hides its offers.)
    """
    return sitting.kit.private or any(move.kind == "cover" for move in sitting.game.moves())
