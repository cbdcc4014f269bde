"""A JSON file that holds one value of a pydantic model; a damaged file is set aside and never stops the program."""

from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from companion.file_reader import read_text
from companion.i18n import _
from companion.system.atomic_file import write_atomic

Model = TypeVar("Model", bound=BaseModel)
MAX_FILE_BYTES = 64 << 20
"""Longest stored file that is read: far beyond the results of all games of a life."""
DAMAGED_SUFFIX = ".damaged"
"""Replaces the suffix of a damaged file when it is set aside, in the place of an earlier one."""


class StrictModel(BaseModel):
    """Base class of what such files hold: a name that the model does not know makes the file invalid."""

    model_config = ConfigDict(extra="forbid")


class JsonStore(Generic[Model]):
    """One value of a model, stored in a file.

    Making a store reads the file. If it cannot be read or is not valid, it is set aside (see `set_aside`), `problem`
    says so, and `value` has the defaults. Neither the constructor nor a method raises.

    Args:
        path: the file, whose folder must exist when it is written; None: nothing is stored.
        model: class of the value; its defaults are the value where there is no file.
        unreadable_message: `problem` if the file cannot be read, in English, to be translated here; {where} stands for
            the path of the file that was set aside.
        indent: spaces by which the file is indented; None: it is one line.
    """

    def __init__(
        self, path: Path | None, model: type[Model], unreadable_message: str, *, indent: int | None = 1
    ) -> None:
        self._path, self._indent = path, indent
        self.problem: str | None = None
        """What was wrong with the file when it was read, translated, in one line; None: nothing."""
        self.value = model()
        """The value in force; it holds whether or not it could be stored."""
        if path is None:
            return
        try:
            self.value = model.model_validate_json(read_text(path, MAX_FILE_BYTES), strict=True)
        except FileNotFoundError:
            return
        except (OSError, ValueError):
            self.problem = _(unreadable_message, where=self.set_aside() or path)

    def save(self, value: Model) -> str | None:
        """Put `value` in force and write it to the file atomically; never raises.

        Returns:
            None: it was stored, or there is no file to store it in. Else a translated message of one line: it could not
            be written, and holds only until the program ends.
        """
        self.value = value
        if self._path is None:
            return None
        try:
            write_atomic(self._path, value.model_dump_json(indent=self._indent).encode())
        except OSError as error:
            return _("This holds for tonight only: it cannot be written down ({why})", why=error.strerror)
        return None

    def set_aside(self) -> Path | None:
        """Rename the file so that its suffix is DAMAGED_SUFFIX: it is no longer read at the next start, but not lost.

        An earlier file of that name is replaced. `value` is not changed. Never raises.

        Returns:
            The new path; None if there is no file or it cannot be renamed.
        """
        if self._path is None:
            return None
        try:
            return self._path.replace(self._path.with_suffix(DAMAGED_SUFFIX))
        except OSError:
            return None
