"""The large picture of the camera, on which readings are corrected."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.api import Command, CommandName, ConsolePress, Correctable, Game, NumberPress, Offer
from companion.i18n import N_, _
from companion.referee.dialogs.base import Answer, Dialog, back_answer
from companion.referee.dialogs.number_inputs import more_less_answers, replace_value, step_around
from companion.screen_state import CameraView, EnlargedPicture, PictureMark

MARK_KINDS = {"dice": "die", "token": "token"}
"""Kinds of corrections that the picture can show, and the kind of thing that each of their values belongs to."""
MARK_LABELS = {"die": N_("Die: {n}"), "token": N_("Token: {n}")}
ENLARGE_BUTTON = ConsolePress.PLUS
"""The button that enlarges the picture, always the same; where the game needs it, the menu lists the picture."""
ENLARGE = Command(CommandName.PICTURE)
ENLARGE_LABEL = N_("Large picture")
LIVE = Command(CommandName.LIVE_PICTURE)


@dataclass(frozen=True, slots=True)
class CameraDialog(Dialog):
    """The enlarged picture. Number keys select what to correct, PLUS and MINUS change it, OK corrects it.

    Once something is changed, only values of the same kind can be selected until OK or NO: no change is lost unnoticed.

    Args:
        targets: what can be corrected: rolls ("dice") and tokens ("token"); empty: the picture is only shown.
    """

    targets: tuple[Correctable, ...]
    values: tuple[tuple[int, ...], ...]
    """New values, by target."""
    window: int | None = None
    """Index of the window from which the last token was taken."""
    selected: tuple[int, int] = (0, 0)
    """Index of the target, and of the value within it."""

    @property
    def enlarged(self) -> EnlargedPicture:
        """The marks on the picture, one for each value, with the value read and the new one.

        Raises:
            KeyError: a target is neither a roll nor a token.
        """
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
        """Whether a value was changed, so that OK corrects it.

        Raises:
            ValueError: there are not as many `values` as `targets`.
        """
        return any(values != target.current_value for values, target in zip(self.values, self.targets, strict=True))

    def list_answers(self) -> Sequence[Answer]:
        """List the number keys that select a value, PLUS and MINUS to change it, OK to correct it, and NO to close.

        Raises:
            BadCorrection: a value is out of range.
        """
        if not self.targets:
            return [Answer(ConsolePress.OK, _("All right"), awaited=True), back_answer()]
        target, _index = self.selected
        done = self.targets[target].make_correction(*self.values[target]) if self.is_changed else None
        label = _("Change") if self.is_changed else _("All right")
        return [
            *self._list_mark_answers(),
            Answer(ConsolePress.OK, label, done, awaited=True),
            back_answer(),
            *more_less_answers(self.step_value(1), self.step_value(-1)),
        ]

    def _list_places(self) -> Sequence[tuple[int, int, Correctable]]:
        return [(t, i, target) for t, target in enumerate(self.targets) for i in range(len(target.current_value))]

    def _list_mark_answers(self) -> Sequence[Answer]:
        places = self._list_places()
        if len(places) < 2:
            return []
        return [
            Answer(
                NumberPress(number),
                _(MARK_LABELS[MARK_KINDS[target.kind]], n=self.values[t][i]),
                replace(self, selected=(t, i)),
                awaited=(t, i) == self.selected,
            )
            for number, (t, i, target) in enumerate(places, 1)
            if t == self.selected[0] or not self.is_changed
        ]

    def step_value(self, by: int) -> "CameraDialog":
        """Return the dialog with the selected value stepped within its range; after the highest comes the lowest.

        Args:
            by: 1 (up) or -1 (down).

        Raises:
            IndexError: there is nothing to correct (`targets` is empty).
        """
        t, i = self.selected
        values = self.values[t]
        row = replace_value(values, i, step_around(self.targets[t].value_range, values[i], by))
        return replace(self, values=(*self.values[:t], row, *self.values[t + 1 :]))


@lru_cache(maxsize=1)
def hide_reading(camera_view: CameraView) -> CameraView:
    """Return a camera view with the picture and the camera's state, without what was read.

    The same object for the same view: the display compares by identity.

    Args:
        camera_view: the whole view.
    """
    return CameraView(camera_view.state, None, camera_view.picture)


def open_camera_dialog(game: Game, window: int | None) -> CameraDialog:
    """Open the enlarged picture with the values that can be corrected in it (dice and tokens).

    Args:
        game: the state of the game; it lists what can be corrected.
        window: index of the window from which the last token was taken, from 0; None: not known.
    """
    targets = tuple(c for c in game.list_correctables() if c.kind in MARK_KINDS)
    return CameraDialog(targets, tuple(c.current_value for c in targets), window)


def add_enlarge_offer(offers: list[Offer], *, picture_visible: bool) -> list[Offer]:
    """Return the offers, with one that enlarges the picture if there is one and PLUS is free for it.

    Args:
        offers: all other offers that are open now; the list itself is not changed.
        picture_visible: there is a picture that everybody may see.

    Returns:
        A new list; `offers` itself if nothing is added.
    """
    if not picture_visible or any(offer.input is ENLARGE_BUTTON for offer in offers):
        return offers
    return [*offers, Offer(ENLARGE, ENLARGE_BUTTON, _(ENLARGE_LABEL))]
