"""A sitting as one JSON file, to keep or to hand on; what comes in is validated and replayed before it is believed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, field_validator, model_validator

from companion.games import kits
from companion.games.offer import Kit
from companion.journal.entry import Entry, Setup, Stamp, Stored
from companion.journal.errors import BadSitting
from companion.journal.sitting import Replay
from companion.journal.store import Journal

VERSION = 1
"""Of the file format."""

LARGEST = 16_000_000
"""Bytes; a long evening takes about 100 kB."""


class SittingFile(Stored):
    """The content of an exported sitting: its setup and every entry, with what was taken back."""

    format: Literal["companion sitting"] = "companion sitting"
    version: int = VERSION
    uid: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
    setup: Setup
    begun: Stamp
    entries: Annotated[tuple[Entry, ...], Field(max_length=100_000)]

    @field_validator("version")
    @classmethod
    def _is_known(cls, version: int) -> int:
        if version != VERSION:
            raise ValueError(f"this companion reads version {VERSION} and the file is of version {version}")
        return version

    @model_validator(mode="after")
    def _without_gaps(self) -> Self:
        for number, entry in enumerate(self.entries, start=1):
            if entry.seq != number:
                raise ValueError(f"entry {number} is missing")
        return self

    def replay(self, find: Callable[[str], Kit] = kits.find) -> Replay:
        """The game that the file tells of.

        Raises:
            BadSitting: the game is not installed, or its setup does not fit.
        """
        return replay_of(self.setup, self.entries, find)


def replay_of(setup: Setup, entries: tuple[Entry, ...], find: Callable[[str], Kit] = kits.find) -> Replay:
    """Replay a sitting of whichever game it is.

    Raises:
        BadSitting: the game is not installed, or its setup does not fit.
    """
    try:
        kit = find(setup.game)
    except kits.UnknownGame as error:
        raise BadSitting(str(error)) from error
    return Replay.of(kit, setup, entries)


def content(journal: Journal, sitting: int) -> SittingFile:
    """The sitting as it would be exported.

    Raises:
        BadSitting: there is no such sitting, or this version does not understand it.
    """
    record = journal.record(sitting)
    setup = Setup.from_json(record.setup)
    return SittingFile(uid=record.uid, setup=setup, begun=record.begun, entries=journal.entries(sitting))


def export_sitting(journal: Journal, sitting: int, file: Path) -> None:
    """Write the sitting to `file`, whole or not at all; a file of that name is replaced.

    Raises:
        BadSitting: see `content`.
        OSError: the file cannot be written.
    """
    text = content(journal, sitting).model_dump_json(indent=1, exclude_none=True)
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with unfinished.open("x", encoding="utf-8") as stream:
            stream.write(text + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def read_sitting(file: Path) -> SittingFile:
    """Read an exported sitting.

    Raises:
        BadSitting: the file is none.
        OSError: it cannot be read.
    """
    with file.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise BadSitting(f"{file} is larger than any sitting ({LARGEST // 1_000_000} MB)")
    try:
        return SittingFile.from_json(data)
    except BadSitting as error:
        raise BadSitting(f"{file} is no exported sitting: {error}") from error


def import_sitting(journal: Journal, file: Path, find: Callable[[str], Kit] = kits.find) -> int:
    """Add the sitting in `file` to the journal, if it is valid to its end; its number there.

    Raises:
        BadSitting: the file is no sitting, cannot be replayed to its end, or is in the journal already.
        JournalUnwritable: nothing was written.
        OSError: the file cannot be read.
    """
    sitting = read_sitting(file)
    trouble = sitting.replay(find).trouble
    if trouble is not None:
        raise BadSitting(f"{file} was not imported. {trouble}")
    return journal.add(sitting.uid, sitting.setup, sitting.begun, sitting.entries, imported=True)
