"""The camera's picture made large, and what was read in it put right on it: a die, or the token just taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.games.api.game import Correctable, Correction, Game
from companion.games.api.offers import Command, ConsolePress, NumberPress, Offer, Visibility
from companion.i18n import Translator
from companion.journal.replay import SavedGame
from companion.referee.dialogs.base import CLOSE, DialogDefaults, Step
from companion.screen_state import CameraView, EnlargedPicture, PictureMark

_ = Translator("companion")

MARK_KINDS = {"dice": "die", "token": "token"}
"""Kinds of what may be corrected that are to be seen on the table, and what each is a value of."""
ENLARGE_BUTTONS = (ConsolePress.PLUS, ConsolePress.NO)
"""Buttons that enlarge the picture where the game has no use for them; OK never does: it is pressed to go on."""
ENLARGE = Command("picture")
LIVE = Command("live")


@dataclass(frozen=True, slots=True)
class CameraDialog(DialogDefaults):
    """The picture stands large. Seat buttons choose what is to be put right, plus and minus change it, OK takes it.

    While something is changed and not yet taken, only its own kind can be chosen: nothing is lost unnoticed.
    """

    targets: tuple[Correctable, ...]
    values: tuple[tuple[int, ...], ...]
    """As they are to be, by target."""
    window: int | None = None
    """Where the token just taken was."""
    selected: tuple[int, int] = (0, 0)
    """Target, and which of its values."""

    @property
    def enlarged(self) -> EnlargedPicture:
        """What the display is told."""
        return EnlargedPicture(
            tuple(
                PictureMark(
                    kind := MARK_KINDS[target.kind],
                    target.current_value[i],
                    self.values[t][i],
                    (t, i) == self.selected,
                    self.window if kind == "token" else None,
                )
                for t, i, target in self._list_places()
            )
        )

    @property
    def is_changed(self) -> bool:
        """Whether something differs from what it was."""
        return any(values != target.current_value for values, target in zip(self.values, self.targets, strict=True))

    def list_offers(self) -> Sequence[Offer]:
        back = Offer(Command("back"), ConsolePress.NO, _("Back"))
        if not self.targets:
            return [Offer(Command("back"), ConsolePress.OK, _("All right"), awaited=True), back]
        taken: Correction | Command = Command("back")
        if self.is_changed:
            t, _i = self.selected
            taken = self.targets[t].make_correction(*self.values[t])
        return [
            *self._list_mark_offers(),
            Offer(taken, ConsolePress.OK, _("Right now") if self.is_changed else _("All right"), awaited=True),
            back,
            Offer(Command("change", (1,)), ConsolePress.PLUS, _("More")),
            Offer(Command("change", (-1,)), ConsolePress.MINUS, _("Less")),
        ]

    def handle(self, command: Command) -> Step:
        match command:
            case Command(name="spot", value=(t, i)):
                return replace(self, selected=(t, i))
            case Command(name="change", value=(by,)):
                return self._step_value(by)
            case _:
                return CLOSE

    def _list_places(self) -> Sequence[tuple[int, int, Correctable]]:
        return [(t, i, target) for t, target in enumerate(self.targets) for i in range(len(target.current_value))]

    def _list_mark_offers(self) -> Sequence[Offer]:
        places = self._list_places()
        if len(places) < 2:
            return []
        offers = []
        for number, (t, i, target) in enumerate(places, 1):
            if self.is_changed and t != self.selected[0]:
                continue
            value = self.values[t][i]
            words = _("Die: {n}", n=value) if MARK_KINDS[target.kind] == "die" else _("Token: {n}", n=value)
            offers.append(Offer(Command("spot", (t, i)), NumberPress(number), words, awaited=(t, i) == self.selected))
        return offers

    def _step_value(self, by: int) -> CameraDialog:
        """The chosen value stepped on, from the last one to the first."""
        t, i = self.selected
        low, high = self.targets[t].value_range.low, self.targets[t].value_range.high
        stepped = low + (self.values[t][i] - low + by) % (high - low + 1)
        row = (*self.values[t][:i], stepped, *self.values[t][i + 1 :])
        return replace(self, values=(*self.values[:t], row, *self.values[t + 1 :]))


class LivePicture:
    """The camera's plain picture beside the game, for as long as people want it and the game has a use for it."""

    def __init__(self, saved_game: SavedGame) -> None:
        self.has_camera = False
        """Whether there is one."""
        self._sitting = saved_game
        self._wanted = False

    @property
    def is_shown(self) -> bool:
        """Whether the picture is to be seen now."""
        return self._wanted and self._labels() is not None

    def toggle(self) -> None:
        """Shows the picture, or hides it. Who wants it in one round has it again in the next."""
        self._wanted = not self._wanted

    def add_offer(self, offers: Sequence[Offer]) -> list[Offer]:
        """`offers`, and the one that shows the picture or hides it."""
        words = self._labels()
        if words is None or any(offer.input is ConsolePress.PLUS for offer in offers):
            return [*offers]
        return [*offers, Offer(LIVE, ConsolePress.PLUS, words[self._wanted])]

    def _labels(self) -> tuple[str, str] | None:
        definition, game = self._sitting.definition, self._sitting.game
        is_shown = self.has_camera and not definition.hides_picture(game)
        return definition.live_picture_labels(game) if is_shown else None


@lru_cache(maxsize=1)
def hide_reading(camera_view: CameraView) -> CameraView:
    """The picture without what is read in it (one value for each: the display compares by identity)."""
    return CameraView(camera_view.state, None, camera_view.picture)


def open_camera_dialog(game: Game, window: int | None) -> CameraDialog:
    """The picture enlarged in this state of the game.

    Args:
        window: where the token that was taken last had been, if the camera saw it.
    """
    targets = tuple(c for c in game.list_correctables() if c.kind in MARK_KINDS)
    return CameraDialog(targets, tuple(c.current_value for c in targets), window)


def add_enlarge_offer(offers: Sequence[Offer], *, picture_visible: bool) -> list[Offer]:
    """`offers`, and the one that enlarges the picture, where one is to be seen and a button is free for it."""
    used = {offer.input for offer in offers}
    free = next((means for means in ENLARGE_BUTTONS if means not in used), None)
    if free is None or not picture_visible:
        return [*offers]
    return [*offers, Offer(ENLARGE, free, enlarge_label())]


def enlarge_label() -> str:
    """What enlarging the picture is called."""
    return _("Large picture")


def is_picture_visible(saved_game: SavedGame, visibility: Visibility) -> bool:
    """Whether there is a picture of the table that everybody may see."""
    return saved_game.definition.uses_camera and visibility.dice and not is_picture_secret(saved_game)


def is_picture_secret(saved_game: SavedGame) -> bool:
    """Whether the camera's picture would give something away now."""
    return saved_game.definition.hides_picture(saved_game.game)
