"""A small JSON file of what people chose, checked by a model; damaged, it is put aside and never in the way."""

from __future__ import annotations

from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from companion.i18n import Translator
from companion.system import atomic_file

Model = TypeVar("Model", bound=BaseModel)
_ = Translator("companion")


class JsonStore(Generic[Model]):
    """One value of a model, in a file beside the journal.

    Args:
        path: the file; None: nothing is kept.
        model: what stands in it; its defaults where there is no file.
        unread: what is said when it cannot be read, with a place {where} for where it is now.
    """

    def __init__(self, path: Path | None, model: type[Model], unreadable_message: str) -> None:
        self._path, self._model, self._unreadable_message = path, model, unreadable_message
        self.problem: str | None = None
        """What is wrong with the file, in one line; None: nothing."""
        self.value = self._read()

    def save(self, value: Model) -> str | None:
        """Take `value`, and write it down; None, or why it holds for tonight only."""
        self.value = value
        if self._path is None:
            return None
        try:
            atomic_file.write_atomic(self._path, value.model_dump_json(indent=1).encode())
        except OSError as error:
            return _("This holds for tonight only: it cannot be written down ({why})", why=error.strerror)
        return None

    def _read(self) -> Model:
        if self._path is None:
            return self._model()
        try:
            return self._model.model_validate_json(self._path.read_bytes(), strict=True)
        except FileNotFoundError:
            return self._model()
        except (OSError, ValidationError):
            self.problem = _(self._unreadable_message, where=self._set_aside(self._path))
            return self._model()

    def _set_aside(self, path: Path) -> Path:
        """Nothing is lost: the damaged file stays beside the new one. Returns where it is now."""
        aside = path.with_suffix(".damaged")
        try:
            return path.replace(aside)
        except OSError:
            return path
