"""The faces of the box's own dice, as people taught them; stored beside the journal, readable by its owner alone."""

import base64
import binascii
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from companion.config.json_store import JsonStore
from companion.i18n import N_

TAUGHT_DICE_FILE = "dice.json"

MAX_TAUGHT_FACES = 240
"""Most faces that are kept; the oldest are forgotten. Larger: more sets of dice, and doubtful faces take longer."""

_MAX_PICTURE_CHARACTERS = 64_000
"""Longest picture in the file, in characters of base64: three times a picture of noise."""


def _check_picture(text: str) -> str:
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("no base64") from error
    if not data.startswith(b"\x89PNG"):
        raise ValueError("no PNG")
    return text


class _StoredFace(BaseModel):
    model_config = ConfigDict(extra="forbid")

    value: Annotated[int, Field(ge=1, le=6)]
    png: Annotated[str, Field(max_length=_MAX_PICTURE_CHARACTERS), AfterValidator(_check_picture)]


class _StoredDice(BaseModel):
    model_config = ConfigDict(extra="forbid")

    faces: Annotated[tuple[_StoredFace, ...], Field(max_length=MAX_TAUGHT_FACES)] = ()


class TaughtDice:
    """The taught faces. They are changed by one thread; `faces` may be read by others.

    Args:
        folder: where they are stored; None: they hold for this session.

    Attributes:
        problem: trouble with the stored ones, in one line; None: there is none.
        faces: value, 1 to 6, and picture (PNG) of each, oldest first.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._store = JsonStore(
            folder / TAUGHT_DICE_FILE if folder else None,
            _StoredDice,
            N_("The taught dice cannot be read and are ignored: teach them again; the file is {where}"),
            indent=None,
        )
        self.problem = self._store.problem
        self.faces: tuple[tuple[int, bytes], ...] = tuple(
            (face.value, base64.b64decode(face.png)) for face in self._store.value.faces
        )

    def add(self, faces: Iterable[tuple[int, bytes]]) -> str | None:
        """Add faces to the taught ones; returns why they cannot be stored and hold for this session only, or None.

        Args:
            faces: value, 1 to 6, and picture (PNG) of each.
        """
        return self._set((*self.faces, *faces)[-MAX_TAUGHT_FACES:])

    def forget_all(self) -> str | None:
        """Forget all taught faces; returns why that cannot be stored, or None."""
        return self._set(())

    def _set(self, faces: tuple[tuple[int, bytes], ...]) -> str | None:
        self.faces = faces
        return self._store.save(
            _StoredDice(
                faces=tuple(_StoredFace(value=value, png=base64.b64encode(png).decode()) for value, png in faces)
            )
        )
