"""Export a game to a JSON file and import it; an imported file is validated and replayed before it is stored."""

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
from companion.system.atomic_file import read_file, write_atomic

FORMAT_VERSION = 1
"""Version of the file format."""

Base64Jpeg = Annotated[str, StringConstraints(max_length=300_000)]
PictureName = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4}-[0-9]{1,2}$")]
MAX_FILE_BYTES = 16_000_000
"""Largest file that is imported; a long game takes about 100 kB, with pictures some MB."""


class ExportedGame(StoredModel):
    """Content of an exported file: the setup of a game and all its entries, also the undone ones."""

    format: Literal["companion sitting"] = "companion sitting"
    version: int = FORMAT_VERSION
    uid: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
    setup: GameSetup
    begun: Timestamp
    entries: Annotated[tuple[JournalEntry, ...], Field(max_length=100_000)]
    pictures: Annotated[dict[PictureName, Base64Jpeg], Field(max_length=MAX_PICTURES_PER_GAME)] | None = None
    """JPEGs in base64, by name, of dice that are no longer secret; None: there are none."""

    @field_validator("pictures")
    @classmethod
    def _are_pictures(cls, pictures: dict[str, str] | None) -> dict[str, str] | None:
        for name, text in (pictures or {}).items():
            try:
                good = is_valid_picture(b64decode(text, validate=True))
            except ValueError:
                good = False
            if not good:
                raise ValueError(f"picture {name} is no picture")
        return pictures

    @field_validator("version")
    @classmethod
    def _is_known(cls, version: int) -> int:
        if version != FORMAT_VERSION:
            raise ValueError(f"this companion reads version {FORMAT_VERSION}, and the file has version {version}")
        return version

    @model_validator(mode="after")
    def _without_gaps(self) -> Self:
        for number, entry in enumerate(self.entries, start=1):
            if entry.seq != number:
                raise ValueError(f"entry {number} is missing")
        return self


def replay_game(
    setup: GameSetup, entries: tuple[JournalEntry, ...], find_game: Callable[[str], GameDefinition] = registry.find_game
) -> Replay:
    """Replay `entries` with the game that `setup` names, up to the first that cannot be replayed.

    Args:
        setup: the game's setup.
        entries: all its entries, in order.
        find_game: returns the definition of a game by name, or raises `registry.UnknownGame`.

    Returns:
        The replay; its `problem` says why it was played only in part, or is None.

    Raises:
        InvalidSavedGame: the game is not installed, or its setup is not valid.
    """
    try:
        kit = find_game(setup.game)
    except registry.UnknownGame as error:
        raise InvalidSavedGame(str(error)) from error
    return Replay.from_entries(kit, setup, entries)


def build_export(journal: Journal, game_id: int) -> ExportedGame:
    """Return the content of the exported file of a game, with the die pictures that are no longer secret.

    Args:
        journal: where the game is.
        game_id: its number in the journal.

    Raises:
        InvalidSavedGame: there is no such game, or this version cannot read its setup or entries.
        JournalUnwritable: the journal cannot be read.
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
    """Return the pictures that are no longer secret: of earlier rounds, and of cups lifted in this one."""
    stored, camera = DiePictures(journal.path, uid), replay.definition.camera
    this_round = f"{replay.definition.round_number(replay.game)}-"
    lifted = {f"{this_round}{number}" for number in camera.public_pictures(replay.game)} if camera else set()
    encoded = {
        name: b64encode(picture).decode("ascii")
        for name in stored.list_names()[:MAX_PICTURES_PER_GAME]
        if (name in lifted or not name.startswith(this_round)) and (picture := stored.load(name)) is not None
    }
    return encoded or None


def export_game(journal: Journal, game_id: int, file: Path) -> None:
    """Write game number `game_id` to `file` as JSON, atomically, replacing a file of that name.

    Raises:
        InvalidSavedGame: there is no such game, or this version cannot read its setup or entries.
        JournalUnwritable: the journal cannot be read.
        OSError: the file cannot be written; an earlier file is unchanged.
    """
    text = build_export(journal, game_id).model_dump_json(indent=1, exclude_none=True)
    write_atomic(file, f"{text}\n".encode())


def read_exported_game(file: Path) -> ExportedGame:
    """Read and validate an exported file of at most MAX_FILE_BYTES; it is not replayed.

    Raises:
        InvalidSavedGame: it is no exported game.
        OSError: it cannot be read, is too large, or is a folder, a pipe or a device.
    """
    data = read_file(file, MAX_FILE_BYTES)
    try:
        return ExportedGame.from_json(data)
    except InvalidSavedGame as error:
        raise InvalidSavedGame(f"{file} is no exported game: {error}") from error


def import_game(journal: Journal, file: Path, find_game: Callable[[str], GameDefinition] = registry.find_game) -> int:
    """Add the game in `file` to the journal, if it can be replayed to its end.

    Pictures of dice that cannot be stored are left out.

    Args:
        journal: opened for writing.
        file: a file that `export_game` has written.
        find_game: returns the definition of a game by name, or raises `registry.UnknownGame`.

    Returns:
        Its number in the journal.

    Raises:
        InvalidSavedGame: the file is no game, cannot be replayed to its end, or is in the journal already.
        JournalUnwritable: nothing was written.
        OSError: the file cannot be read.
    """
    exported = read_exported_game(file)
    problem = replay_game(exported.setup, exported.entries, find_game).problem
    if problem is not None:
        raise InvalidSavedGame(f"{file} was not imported. {problem}")
    game_id = journal.add_game(exported.uid, exported.setup, exported.begun, exported.entries, imported=True)
    pictures = DiePictures(journal.path, exported.uid)
    with suppress(PictureUnwritable):  # the game is complete without them
        for name, text in (exported.pictures or {}).items():
            pictures.save(name, b64decode(text))
    return game_id
