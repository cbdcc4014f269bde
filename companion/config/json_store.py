"""A JSON file that holds one value of a pydantic model: what people set and taught, and what the program remembers.

Nothing that is stored is dropped because it could not be read or understood:

- A file that cannot be read stays as it is and is read again; until then nothing is written in its place.
- A wrong value is ignored, an unknown key (of a newer version) has no effect; both stay in the file.
- Each file has a copy beside it, which is read where the file is no JSON object; such a file is renamed before another
  one is written in its place.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from companion.config.partial_validation import PartPath, drop_part, get_part, validate_partly
from companion.file_reader import read_text
from companion.i18n import _
from companion.system.atomic_file import write_atomic

Model = TypeVar("Model", bound=BaseModel)
MAX_FILE_BYTES = 64 << 20
"""Longest stored file that is read: far beyond the results of all games of a life."""
MAX_NAMED_KEYS = 3
"""Most ignored keys that `problem` names."""
DAMAGED_SUFFIX = ".damaged"
"""Replaces the suffix of a damaged file when it is set aside; with a number if there is such a file already."""
COPY_SUFFIX = ".copy"
"""Stands after the name of the file in that of its copy: cards lose sectors, and write zeros at a power cut."""
_NOT_UNDERSTOOD = "not understood"
"""Extra key of a section in memory with its invalid parts; in the file they stand in their own places."""


class StoredModel(BaseModel):
    """Base class of what such files hold: keys that a model does not know are kept with its values."""

    model_config = ConfigDict(extra="allow")


class JsonStore(Generic[Model]):
    """One value of a model, stored in a file; neither the constructor, which reads the file, nor a method raises.

    >>> class Lamp(StoredModel):
    ...     colour: str = "white"
    >>> store = JsonStore(None, Lamp, "The lamp")
    >>> store.update(lambda lamp: lamp.model_copy(update={"colour": "red"}))
    >>> store.value
    Lamp(colour='red')

    Args:
        path: the file, whose folder must exist when it is written; None: nothing is stored.
        model: class of the value, a `StoredModel` or a RootModel of a dict; its defaults are the value where there is
            no file. Lists in it hold such models or plain values.
        title: what the file holds, in English, to be translated here, such as "The taught dice".
        vital_key: a key without whose value the rest is of no use: a file with a wrong one counts as damaged.
        indent: spaces by which the file is indented; None: it is one line.

    Attributes:
        value: the value in force; it holds whether or not it could be stored.
        ignored_keys: dotted paths of what in the file is not valid and not used.
    """

    def __init__(
        self, path: Path | None, model: type[Model], title: str, *, vital_key: str = "", indent: int | None = 1
    ) -> None:
        self._path, self._model, self._title, self._indent = path, model, title, indent
        self._vital_key = vital_key
        self.value = model()
        self._read_error: OSError | None = None
        self._pending: list[Callable[[Model], Model]] = []
        """Changes made while the file could not be read."""
        self._is_damaged = self._is_unwritten = False
        self._damaged_path: Path | None = None
        """Where the damaged file is; None: the file was valid."""
        self._has_copy = False
        self._uncopied: str | None = None
        """What is in the file and not in its copy, by a full disk or a power cut; None: they are equal."""
        self._identity: tuple[int, int, int] | None = None
        """Of the file as it was read or written last."""
        self.ignored_keys: list[str] = []
        if path is not None:
            self._read(path)
            if self._read_error is not None:
                self._read_copy(path)  # until it can be read

    @property
    def is_unread(self) -> bool:
        """Whether there is a file whose content is not known, since it could not be read."""
        return self._read_error is not None

    @property
    def problem(self) -> str | None:
        """What is wrong with the file, translated, in one line; None: nothing."""
        what = _(self._title)
        if self._read_error is not None:
            return _(
                "{what}: the file cannot be read ({why}); it stays, and is tried again",
                what=what,
                why=self._read_error.strerror,
            )
        if self._damaged_path is not None and self._has_copy:
            return _("{what}: the file is damaged; its copy is used ({where})", what=what, where=self._damaged_path)
        if self._damaged_path is not None:
            return _(
                "{what}: the file is damaged and not used; it is kept ({where})", what=what, where=self._damaged_path
            )
        if self.ignored_keys:
            more = ["..."] * (len(self.ignored_keys) > MAX_NAMED_KEYS)
            keys = ", ".join([*self.ignored_keys[:MAX_NAMED_KEYS], *more])
            return _("{what}: not valid and ignored, but still in the file: {keys}", what=what, keys=keys)
        return None

    def update(self, change: Callable[[Model], Model]) -> str | None:
        """Change `value`, and write it to the file atomically; what another program has written there is changed.

        Args:
            change: returns the new value (`model_copy` keeps what is not understood); it is called again if the file
                could not be read before and can be now.

        Returns:
            None: it was stored, or there is no file to store it in. Else a translated message of one line: it could not
            be written, and holds only until the program ends, or until the file can be read; `retry` writes it again.
        """
        if self._path is not None:
            self._take_over(self._path)
        self.value = change(self.value)
        if self._path is None:
            return None
        if self._read_error is None:
            error = self._write(self._path)
        else:
            self._pending.append(change)
            error = self._read_again(self._path)
        if error is not None:
            return _("This holds for tonight only: it cannot be written down ({why})", why=error.strerror)
        return None

    def replace(self, value: Model) -> str | None:
        """Put another value in force, and write it to the file; nothing of the old one stays, see `update`."""
        self._pending.clear()
        problem = self.update(lambda _old: value)
        self.ignored_keys = []
        return problem

    def retry(self) -> bool:
        """Read the file again if it could not be read before; the changes that were made since are added.

        What could not be written is written again, and a copy that is not that of the file.

        Returns:
            Whether it could be read now; `value` may be another one.
        """
        if self._path is None:
            return False
        if self._read_error is None:
            if self._is_unwritten:
                self._write(self._path)
            elif self._uncopied is not None:
                self._write_copy(self._path, self._uncopied)
            return False
        self._read_again(self._path)
        return not self.is_unread

    def set_aside(self) -> Path | None:
        """Rename the file so that its suffix is DAMAGED_SUFFIX: it is no longer read at the next start, but not lost.

        `value` is not changed.

        Returns:
            The new path; None if there is no file or it cannot be renamed.
        """
        if self._path is None:
            return None
        try:
            moved_to = self._path.replace(_find_free_name(self._path))
        except OSError:
            return None
        self._is_damaged, self._damaged_path = False, None
        return moved_to

    def _read_again(self, path: Path) -> OSError | None:
        self._read(path)
        if self._read_error is not None or not self._pending:
            return self._read_error
        for change in self._pending:
            self.value = change(self.value)
        self._pending.clear()
        return self._write(path)

    def _take_over(self, path: Path) -> None:
        """Read the file again if another program has written it, such as `companion rules --import`."""
        if self._read_error is not None or self._is_unwritten or _identify(path) in (None, self._identity):
            return
        known = self.value, self.ignored_keys
        self._read(path)
        if self._is_damaged:
            self.value, self.ignored_keys = known

    def _read(self, path: Path) -> None:
        self._read_error, self._is_damaged = None, False
        self._identity = _identify(path)
        try:
            text = read_text(path, MAX_FILE_BYTES)
            self.value = self._parse(text)
        except FileNotFoundError:
            self.value, self.ignored_keys = self._model(), []
        except OSError as error:
            self._read_error = error
        except (ValueError, RecursionError):
            self._is_damaged, self._damaged_path = True, path
            self.value, self.ignored_keys = self._model(), []
            self._has_copy = self._read_copy(path)
        else:
            with suppress(OSError, ValueError):
                self._uncopied = text
                if read_text(_find_copy(path), MAX_FILE_BYTES) == text:
                    self._uncopied = None

    def _read_copy(self, path: Path) -> bool:
        try:
            self.value = self._parse(read_text(_find_copy(path), MAX_FILE_BYTES))
        except (OSError, ValueError, RecursionError):
            return False
        return True

    def _parse(self, text: str) -> Model:
        try:
            value = self._model.model_validate_json(text, strict=True)
        except ValueError:
            document = json.loads(text)
        else:
            self.ignored_keys = []
            return value
        if not isinstance(document, dict):
            raise ValueError("no JSON object")
        valid = validate_partly(
            lambda part: self._model.model_validate_json(json.dumps(part, ensure_ascii=False).encode(), strict=True),
            document,
            _hide_part,
        )
        ignored_keys = [".".join(map(str, fault["loc"])) for fault in valid.faults]
        if self._vital_key and self._vital_key in ignored_keys:
            raise ValueError(f"a wrong {self._vital_key}")
        self.ignored_keys = ignored_keys
        return valid.value

    def _write(self, path: Path) -> OSError | None:
        text = self.value.model_dump_json(indent=self._indent, exclude_unset=True)
        if self.ignored_keys:
            document = json.loads(text)
            _restore_parts(document)
            text = json.dumps(document, ensure_ascii=False, indent=self._indent)
        self._is_unwritten = True
        try:
            if self._is_damaged:
                self._damaged_path, self._is_damaged = _keep_damaged(path), False
            write_atomic(path, text.encode())
        except OSError as error:
            return error
        self._is_unwritten, self._identity = False, _identify(path)
        self._write_copy(path, text)
        return None

    def _write_copy(self, path: Path, text: str) -> None:
        self._uncopied = text
        with suppress(OSError):
            write_atomic(_find_copy(path), text.encode())
            self._uncopied = None


def _identify(path: Path) -> tuple[int, int, int] | None:
    """Return what differs between two files that were written to the same place; None: there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _find_copy(path: Path) -> Path:
    return path.with_name(path.name + COPY_SUFFIX)


def _keep_damaged(path: Path) -> Path:
    """Give the file a name with DAMAGED_SUFFIX; it keeps its own until another one is written in its place."""
    kept = _find_free_name(path)
    try:
        os.link(path, kept)  # without it, a disk that is full now would leave no file: then the copy is not read
    except OSError:
        path.replace(kept)  # the file system has no links
    return kept


def _find_free_name(path: Path) -> Path:
    """Return the path of a file with DAMAGED_SUFFIX that does not exist yet."""
    names = (path.with_suffix(f"{DAMAGED_SUFFIX}{number}") for number in chain([""], count(2)))
    return next(name for name in names if not name.exists())


def _hide_part(document: dict[str, Any], path: PartPath) -> None:
    """Move a part to where the model keeps what it does not know: into the nearest list's element, or the document."""
    part, owner = drop_part(document, path), len(path) - 1
    while owner and not (isinstance(path[owner - 1], int) and isinstance(get_part(document, path[:owner]), dict)):
        owner -= 1
    for key in reversed(path[owner:]):
        part = [part] if isinstance(key, int) else {key: part}
    _merge(get_part(document, path[:owner]).setdefault(_NOT_UNDERSTOOD, {}), part)


def _restore_parts(part: Any) -> None:
    """Put the parts that `_hide_part` moved back into their places, unless something else was set there since."""
    if isinstance(part, list):
        for each in part:
            _restore_parts(each)
    elif isinstance(part, dict):
        for each in part.values():
            _restore_parts(each)
        _merge(part, part.pop(_NOT_UNDERSTOOD, {}))


def _merge(document: dict[str, Any], hidden: dict[str, Any]) -> None:
    for key, part in hidden.items():
        here = document.setdefault(key, part)
        if here is part:
            continue
        if isinstance(here, dict) and isinstance(part, dict):
            _merge(here, part)
        elif isinstance(here, list) and isinstance(part, list):
            here += part
