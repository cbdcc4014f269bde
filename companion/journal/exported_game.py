"""Export one game to a JSON file and import it; an imported file is validated and replayed before it is stored.

All data of a device: `systemd/companion-backup`.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, field_validator, model_validator

from companion.api import AnyGameDefinition, registry
from companion.file_reader import read_text
from companion.journal.database import Journal
from companion.journal.die_pictures import MAX_PICTURES_PER_GAME, DiePictures, PictureUnwritable, is_valid_picture
from companion.journal.entry import GameSetup, InvalidSavedGame, JournalEntry, JournalModel, Timestamp
from companion.journal.replay import Replay
from companion.journal.saved_game import SavedGame
from companion.system.atomic_file import write_atomic

FORMAT_VERSION = 1
"""Version of the file format."""

PictureName = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4}-[0-9]{1,2}$")]
MAX_FILE_BYTES = 16_000_000
"""Largest file that is imported; a long game takes about 100 kB, with pictures some MB."""


class ExportedGame(JournalModel):
    """Content of an exported file: the setup of a game and all its entries, also the undone ones."""

    format: Literal["companion sitting"] = "companion sitting"
    """Tells such a file from other JSON."""
    version: int = FORMAT_VERSION
    """Version of the file format; only FORMAT_VERSION is valid."""
    uid: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
    """Unique id of the game, 32 hexadecimal digits."""
    setup: GameSetup
    begun: Timestamp
    """When the game was begun."""
    entries: Annotated[tuple[JournalEntry, ...], Field(max_length=100_000)]
    """At most 100 000, numbered from 1 without gaps."""
    pictures: Annotated[dict[PictureName, str], Field(max_length=MAX_PICTURES_PER_GAME)] | None = None
    """JPEGs in base64 of dice that are no longer secret, at most MAX_PICTURES_PER_GAME, by name (round and number of
    the die, such as "2-1"); None: there are none."""

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
    setup: GameSetup,
    entries: tuple[JournalEntry, ...],
    find_game: Callable[[str], AnyGameDefinition] = registry.find_game,
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
        Exception: any other error of `find_game` or of the game's own code is passed on, such as ImportError.
    """
    return Replay.from_entries(find_definition(setup, find_game), setup, entries)


def find_definition(
    setup: GameSetup, find_game: Callable[[str], AnyGameDefinition] = registry.find_game
) -> AnyGameDefinition:
    """Return the definition of a saved game: as installed, else from the text of its file in the journal (G5).

    Args:
        setup: the game's setup.
        find_game: returns the definition of a game by name, or raises `registry.UnknownGame`.

    Raises:
        InvalidSavedGame: the game is not installed, and no file's text describes it.
        Exception: any other error of `find_game` or of the game's own code is passed on, such as ImportError.
    """
    try:
        return find_game(setup.game)
    except registry.UnknownGame as error:
        definition = registry.find_described_game(setup.game, setup.settings)
        if definition is None:
            raise InvalidSavedGame(str(error)) from error
        return definition


def load_saved_game(journal: Journal, game_id: int) -> SavedGame:
    """Load a saved game from the journal by its number.

    Raises:
        InvalidSavedGame: it cannot be read, or its game is not installed.
        JournalUnwritable: the journal cannot be read.
        Exception: as `find_definition`.
    """
    setup = GameSetup.from_json(journal.get_game(game_id).setup_json)
    return SavedGame(journal, game_id, find_definition(setup))


def build_export(journal: Journal, game_id: int) -> ExportedGame:
    """Return the content of the exported file of a game, with the die pictures that are no longer secret.

    Its wall times are those of `TimestampClock.to_wall_time`: elsewhere nothing is known of this machine's clock.

    Args:
        journal: where the game is.
        game_id: its number in the journal, from 1.

    Returns:
        The content. Of a game that is not installed it has no pictures, since it is unknown which are secret.

    Raises:
        InvalidSavedGame: there is no such game, or this version cannot read its setup or entries.
        JournalUnwritable: the journal cannot be read.
        ValueError: the game has more than 100 000 entries, or a stored picture has a wrong name.
        Exception: an error of the game's own code is passed on, such as ImportError.
    """
    record = journal.get_game(game_id)
    setup = GameSetup.from_json(record.setup_json)
    entries = journal.read_entries(game_id)
    pictures = (
        _encode_public_pictures(journal, record.uid, replay_game(setup, entries))
        if setup.game in registry.list_game_names()
        else None
    )

    def correct(stamp: Timestamp) -> Timestamp:
        return stamp.model_copy(update={"wall": journal.clock.to_wall_time(stamp)})

    return ExportedGame(
        uid=record.uid,
        setup=setup,
        begun=correct(record.started),
        entries=tuple(entry.model_copy(update={"stamp": correct(entry.stamp)}) for entry in entries),
        pictures=pictures,
    )


def _encode_public_pictures(journal: Journal, uid: str, replay: Replay) -> dict[str, str] | None:
    """Return the pictures that are no longer secret: of earlier rounds, and of cups lifted in this one."""
    stored, definition = DiePictures(journal.path, uid), replay.definition
    this_round = f"{definition.get_round_number(replay.game)}-"
    lifted = {f"{this_round}{number}" for number in definition.list_public_pictures(replay.game)}
    encoded = {
        name: b64encode(picture).decode("ascii")
        for name in stored.list_names()[:MAX_PICTURES_PER_GAME]
        if (name in lifted or not name.startswith(this_round)) and (picture := stored.load(name)) is not None
    }
    return encoded or None


def export_game(journal: Journal, game_id: int, file: Path) -> None:
    """Write game number `game_id` to `file` as JSON, atomically, replacing a file of that name.

    Args:
        journal: where the game is.
        game_id: its number in the journal, from 1.
        file: the file, which only its owner can read; its folder must exist.

    Raises:
        InvalidSavedGame: there is no such game, or this version cannot read its setup or entries.
        JournalUnwritable: the journal cannot be read.
        OSError: the file cannot be written, see `companion.system.atomic_file.write_atomic`.
        ValueError: the game does not fit into the file format, see `build_export`.
        Exception: an error of the game's own code is passed on, such as ImportError.
    """
    text = build_export(journal, game_id).model_dump_json(indent=1, exclude_none=True)
    write_atomic(file, f"{text}\n".encode())


def read_exported_game(file: Path) -> ExportedGame:
    """Read and validate an exported file of at most MAX_FILE_BYTES; it is not replayed.

    Raises:
        InvalidSavedGame: it is no exported game, or one of another version of the format.
        OSError: it cannot be read, is too large, or is a folder, a pipe or a device.
    """
    try:
        return ExportedGame.from_json(read_text(file, MAX_FILE_BYTES))
    except UnicodeDecodeError as error:
        raise InvalidSavedGame(f"{file} is no exported game: it is not UTF-8 text") from error
    except InvalidSavedGame as error:
        raise InvalidSavedGame(f"{file} is no exported game: {error}") from error


def import_game(
    journal: Journal, file: Path, find_game: Callable[[str], AnyGameDefinition] = registry.find_game
) -> int:
    """Add the game in `file` to the journal, if all its entries can be replayed. The game itself need not have ended.

    Its pictures of dice are stored too; from the first that cannot be stored they are left out.

    Args:
        journal: opened for writing.
        file: a file that `export_game` has written.
        find_game: returns the definition of a game by name, or raises `registry.UnknownGame`.

    Returns:
        Its number in the journal, from 1.

    Raises:
        InvalidSavedGame: the file is no exported game, its game is not installed or cannot be replayed to the last
            entry, or it is in the journal already.
        JournalUnwritable: the journal cannot be written; nothing was added.
        OSError: the file cannot be read, is larger than MAX_FILE_BYTES, or is a folder, a pipe or a device.
        Exception: any other error of `find_game` or of the game's own code is passed on, such as ImportError.
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
