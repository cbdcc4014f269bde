"""A sitting as one JSON file, to keep or to hand on; what comes in is validated and replayed before it is believed."""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, field_validator, model_validator

from companion.games import registry
from companion.games.api.cup_row import RowGame
from companion.games.api.offers import Kit
from companion.journal.database import Journal
from companion.journal.die_pictures import MOST, Faces, FacesUnwritable, is_picture
from companion.journal.entry import Entry, Setup, Stamp, Stored
from companion.journal.errors import BadSitting
from companion.journal.replay import Replay

VERSION = 1
"""Of the file format."""

Picture = Annotated[str, StringConstraints(max_length=300_000)]
PictureName = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4}-[0-9]{1,2}$")]
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
    pictures: Annotated[dict[PictureName, Picture], Field(max_length=MOST)] | None = None
    """JPEGs in base64, by name: dice whose cups have been lifted. None: there are none."""

    @field_validator("pictures")
    @classmethod
    def _are_pictures(cls, pictures: dict[str, str] | None) -> dict[str, str] | None:
        for name, text in (pictures or {}).items():
            try:
                good = is_picture(b64decode(text, validate=True))
            except ValueError:
                good = False
            if not good:
                raise ValueError(f"picture {name} is none")
        return pictures

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

    def replay(self, find: Callable[[str], Kit] = registry.find) -> Replay:
        """The game that the file tells of.

        Raises:
            BadSitting: the game is not installed, or its setup does not fit.
        """
        return replay_of(self.setup, self.entries, find)


def replay_of(setup: Setup, entries: tuple[Entry, ...], find: Callable[[str], Kit] = registry.find) -> Replay:
    """Replay a sitting of whichever game it is.

    Raises:
        BadSitting: the game is not installed, or its setup does not fit.
    """
    try:
        kit = find(setup.game)
    except registry.UnknownGame as error:
        raise BadSitting(str(error)) from error
    return Replay.of(kit, setup, entries)


def content(journal: Journal, sitting: int) -> SittingFile:
    """The sitting as it would be exported.

    Raises:
        BadSitting: there is no such sitting, or this version does not understand it.
    """
    record = journal.record(sitting)
    setup = Setup.from_json(record.setup)
    entries = journal.entries(sitting)
    pictures = _told(journal, record.uid, replay_of(setup, entries)) if setup.game in registry.names() else None
    return SittingFile(uid=record.uid, setup=setup, begun=record.begun, entries=entries, pictures=pictures)


def _told(journal: Journal, uid: str, replay: Replay) -> dict[str, str] | None:
    """The pictures that are no secret any more: those of earlier rounds, and of cups that were lifted in this one."""
    faces, game = Faces(journal.path, uid), replay.game
    now = f"{replay.kit.round_of(game)}-"
    row = game.row if isinstance(game, RowGame) else ()
    lifted = {f"{now}{cup.face}" for cup in row if cup.taker is not None}
    told = {
        name: b64encode(picture).decode("ascii")
        for name in faces.names()[:MOST]
        if (name in lifted or not name.startswith(now)) and (picture := faces.picture(name)) is not None
    }
    return told or None


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


def import_sitting(journal: Journal, file: Path, find: Callable[[str], Kit] = registry.find) -> int:
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
    number = journal.add(sitting.uid, sitting.setup, sitting.begun, sitting.entries, imported=True)
    with suppress(FacesUnwritable):  # a sitting is whole without them
        Faces(journal.path, sitting.uid).keep_all({n: b64decode(t) for n, t in (sitting.pictures or {}).items()})
    return number
