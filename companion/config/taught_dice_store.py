"""The faces of the box's own dice, as people taught them; stored beside the journal, readable by its owner alone.

Faces that were shown on purpose and faces that were corrected in play are kept apart: only the former are played.
"""

import base64
import binascii
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from companion.config.json_store import JsonStore, StoredModel
from companion.i18n import N_

TAUGHT_DICE_FILE = "dice.json"

MAX_TAUGHT_FACES = 240
"""Most faces that are kept; the oldest are forgotten. Larger: more sets of dice, and doubtful faces take longer."""

MAX_CORRECTED_FACES = 60
"""Most faces from corrections that are kept; the oldest are forgotten. Larger: doubtful faces take longer."""

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


class _StoredFace(StoredModel):
    value: Annotated[int, Field(ge=1, le=6)]
    png: Annotated[str, Field(max_length=_MAX_PICTURE_CHARACTERS), AfterValidator(_check_picture)]


class _StoredCorrectedFace(_StoredFace):
    game: Annotated[int, Field(ge=1)]
    entry: Annotated[int, Field(ge=1)]


class _StoredDice(StoredModel):
    faces: tuple[_StoredFace, ...] = ()
    corrected: tuple[_StoredCorrectedFace, ...] = ()


class TaughtDice:
    """The taught faces. They are changed by one thread; `faces` and `corrected_faces` may be read by others.

    Args:
        folder: where they are stored; None: they hold for this session.

    Attributes:
        store: the file of the taught faces.
        faces: value, 1 to 6, and picture (PNG) of each face that people showed, oldest first.
        corrected_faces: the same of dice that players corrected in play.
    """

    def __init__(self, folder: Path | None = None) -> None:
        path = folder / TAUGHT_DICE_FILE if folder else None
        self.store = JsonStore(path, _StoredDice, N_("The taught dice"), indent=None)
        self.faces: tuple[tuple[int, bytes], ...] = ()
        self.corrected_faces: tuple[tuple[int, bytes], ...] = ()
        self._decode()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was taught, neither by showing dice nor by corrections."""
        return not self.faces and not self.corrected_faces

    def add(self, faces: Iterable[tuple[int, bytes]]) -> str | None:
        """Add faces to the shown ones; returns why they cannot be stored and hold for this session only, or None.

        Args:
            faces: value, 1 to 6, and picture (PNG) of each.
        """
        added = tuple(_StoredFace(value=value, png=base64.b64encode(png).decode()) for value, png in faces)
        return self._update(
            lambda stored: stored.model_copy(update={"faces": (*stored.faces, *added)[-MAX_TAUGHT_FACES:]})
        )

    def add_corrected(self, faces: Iterable[tuple[int, bytes]], game: int, entry: int) -> str | None:
        """Add the faces of dice that players corrected; returns why they cannot be stored, or None.

        Args:
            faces: value, 1 to 6, and picture (PNG) of each.
            game: number of the game in the journal, from 1.
            entry: number of the correction's entry in that game, from 1.
        """
        added = tuple(
            _StoredCorrectedFace(value=value, png=base64.b64encode(png).decode(), game=game, entry=entry)
            for value, png in faces
        )
        return self._update(
            lambda stored: stored.model_copy(update={"corrected": (*stored.corrected, *added)[-MAX_CORRECTED_FACES:]})
        )

    def forget_corrected(self, game: int, is_forgotten: Callable[[int], bool]) -> str | None:
        """Forget faces that corrections in a game taught; returns why that cannot be stored, or None.

        Args:
            game: number of the game in the journal.
            is_forgotten: returns whether what the entry of that number taught is forgotten.
        """

        def forget(stored: _StoredDice) -> _StoredDice:
            kept = tuple(face for face in stored.corrected if face.game != game or not is_forgotten(face.entry))
            return stored.model_copy(update={"corrected": kept})

        if forget(self.store.value) == self.store.value and not self.store.is_unread:
            return None
        return self._update(forget)

    def forget_all(self) -> str | None:
        """Forget all taught faces, also those from corrections; returns why that cannot be stored, or None."""
        problem = self.store.replace(_StoredDice())
        self._decode()
        return problem

    def retry(self) -> None:
        """Read the file again if it could not be read, and write it if it could not be written."""
        if self.store.retry():
            self._decode()

    def _update(self, change: Callable[[_StoredDice], _StoredDice]) -> str | None:
        problem = self.store.update(change)
        self._decode()
        return problem

    def _decode(self) -> None:
        """Take over the stored faces; an unchanged tuple stays the same object, so that nobody compares it again."""
        stored = self.store.value
        faces = _decode_faces(stored.faces[-MAX_TAUGHT_FACES:])
        corrected = _decode_faces(stored.corrected[-MAX_CORRECTED_FACES:])
        self.faces = self.faces if faces == self.faces else faces
        self.corrected_faces = self.corrected_faces if corrected == self.corrected_faces else corrected


def _decode_faces(faces: Iterable[_StoredFace]) -> tuple[tuple[int, bytes], ...]:
    return tuple((face.value, base64.b64decode(face.png)) for face in faces)
