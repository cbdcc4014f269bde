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
from companion.games.api.offers import GameDefinition
from companion.journal.database import Journal
from companion.journal.die_pictures import MAX_PICTURES_PER_GAME, DiePictures, PictureUnwritable, is_valid_picture
from companion.journal.entry import GameSetup, JournalEntry, StoredModel, Timestamp
from companion.journal.errors import InvalidSavedGame
from companion.journal.replay import Replay

FORMAT_VERSION = 1
"""Of the file format."""

Base64Jpeg = Annotated[str, StringConstraints(max_length=300_000)]
PictureName = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4}-[0-9]{1,2}$")]
MAX_FILE_BYTES = 16_000_000
"""Bytes; a long evening takes about 100 kB."""


class ExportedGame(StoredModel):
    """The content of an exported sitting: its setup and every entry, with what was taken back."""

    format: Literal["companion sitting"] = "companion sitting"
    version: int = FORMAT_VERSION
    uid: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
    setup: GameSetup
    begun: Timestamp
    entries: Annotated[tuple[JournalEntry, ...], Field(max_length=100_000)]
    pictures: Annotated[dict[PictureName, Base64Jpeg], Field(max_length=MAX_PICTURES_PER_GAME)] | None = None
    """JPEGs in base64, by name: dice whose cups have been lifted. None: there are none."""

    @field_validator("pictures")
    @classmethod
    def _are_pictures(cls, pictures: dict[str, str] | None) -> dict[str, str] | None:
        for name, text in (pictures or {}).items():
            try:
                good = is_valid_picture(b64decode(text, validate=True))
            except ValueError:
                good = False
            if not good:
                raise ValueError(f"picture {name} is none")
        return pictures

    @field_validator("version")
    @classmethod
    def _is_known(cls, version: int) -> int:
        if version != FORMAT_VERSION:
            raise ValueError(f"this companion reads version {FORMAT_VERSION} and the file is of version {version}")
        return version

    @model_validator(mode="after")
    def _without_gaps(self) -> Self:
        for number, entry in enumerate(self.entries, start=1):
            if entry.seq != number:
                raise ValueError(f"entry {number} is missing")
        return self

    def replay(self, find_game: Callable[[str], GameDefinition] = registry.find_game) -> Replay:
        """The game that the file tells of.

        Raises:
            BadSitting: the game is not installed, or its setup does not fit.
        """
        return replay_game(self.setup, self.entries, find_game)


def replay_game(
    setup: GameSetup, entries: tuple[JournalEntry, ...], find_game: Callable[[str], GameDefinition] = registry.find_game
) -> Replay:
    """Replay a sitting of whichever game it is.

    Raises:
        BadSitting: the game is not installed, or its setup does not fit.
    """
    try:
        kit = find_game(setup.game)
    except registry.UnknownGame as error:
        raise InvalidSavedGame(str(error)) from error
    return Replay.from_entries(kit, setup, entries)


def build_export(journal: Journal, game_id: int) -> ExportedGame:
    """The sitting as it would be exported.

    Raises:
        BadSitting: there is no such sitting, or this version does not understand it.
    """
    record = journal.get_game(game_id)
    setup = GameSetup.from_json(record.setup_json)
    entries = journal.read_entries(game_id)
    pictures = (
        _encode_public_pictures(journal, record.uid, replay_game(setup, entries))
        if setup.game in registry.list_game_names()
        else None
    )
    return ExportedGame(uid=record.uid, setup=setup, begun=record.started, entries=entries, pictures=pictures)


def _encode_public_pictures(journal: Journal, uid: str, replay: Replay) -> dict[str, str] | None:
    """The pictures that are no secret any more: those of earlier rounds, and of cups that were lifted in this one."""
    faces, camera = DiePictures(journal.path, uid), replay.definition.camera
    now = f"{replay.definition.round_number(replay.game)}-"
    lifted = {f"{now}{number}" for number in camera.public_pictures(replay.game)} if camera else set()
    told = {
        name: b64encode(picture).decode("ascii")
        for name in faces.list_names()[:MAX_PICTURES_PER_GAME]
        if (name in lifted or not name.startswith(now)) and (picture := faces.load(name)) is not None
    }
    return told or None


def export_game(journal: Journal, game_id: int, file: Path) -> None:
    """Write the sitting to `file`, whole or not at all; a file of that name is replaced.

    Raises:
        BadSitting: see `content`.
        OSError: the file cannot be written.
    """
    text = build_export(journal, game_id).model_dump_json(indent=1, exclude_none=True)
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with unfinished.open("x", encoding="utf-8") as stream:
            stream.write(text + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def read_exported_game(file: Path) -> ExportedGame:
    """Read an exported sitting.

    Raises:
        BadSitting: the file is none.
        OSError: it cannot be read.
    """
    with file.open("rb") as stream:
        data = stream.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise InvalidSavedGame(f"{file} is larger than any sitting ({MAX_FILE_BYTES // 1_000_000} MB)")
    try:
        return ExportedGame.from_json(data)
    except InvalidSavedGame as error:
        raise InvalidSavedGame(f"{file} is no exported sitting: {error}") from error


def import_game(journal: Journal, file: Path, find_game: Callable[[str], GameDefinition] = registry.find_game) -> int:
    """Add the sitting in `file` to the journal, if it is valid to its end; its number there.

    Raises:
        BadSitting: the file is no sitting, cannot be replayed to its end, or is in the journal already.
        JournalUnwritable: nothing was written.
        OSError: the file cannot be read.
    """
    sitting = read_exported_game(file)
    trouble = sitting.replay(find_game).problem
    if trouble is not None:
        raise InvalidSavedGame(f"{file} was not imported. {trouble}")
    number = journal.add_game(sitting.uid, sitting.setup, sitting.begun, sitting.entries, imported=True)
    with suppress(PictureUnwritable):  # a sitting is whole without them
        DiePictures(journal.path, sitting.uid).save_all({n: b64decode(t) for n, t in (sitting.pictures or {}).items()})
    return number
