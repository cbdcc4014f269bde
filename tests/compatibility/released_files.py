"""Write the files of a released version, and check that this version finds the same in them (see data/README.md).

python -m tests.compatibility.released_files FOLDER
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from companion.api import Move, registry
from companion.app.table_identity import TableIdentity
from companion.camera.learnt_layouts import LayoutCache
from companion.club.database import ClubDatabase
from companion.club.messages import parse_result
from companion.club.tournaments import create_tournament, draw_round, list_tournaments, read_tournament
from companion.config.json_store import JsonStore
from companion.config.settings_file import SETTINGS_FILE, load_settings
from companion.config.taught_buttons import TaughtButtons
from companion.config.taught_dice_store import TaughtDice
from companion.events import SEAT_BUTTONS, Button, ControllerId
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.die_pictures import DiePictures
from companion.journal.entry import GameSetup
from companion.journal.exported_game import export_game, import_game
from companion.journal.game_summary import summarise_game
from companion.journal.saved_game import SavedGame
from companion.lobby.house_rules import HouseRules
from companion.lobby.preferences import Preferences
from companion.lobby.results_cache import RESULTS_FILE, ResultsCache
from companion.lobby.results_file import ResultsFile
from companion.porch.publisher import MEMORY_FILE, PorchMemory
from companion.porch.table_result import build_table_result
from tests.conftest import REPOSITORY

SETTINGS = Path(__file__).parent / SETTINGS_FILE
NAMES = ("Ada", "Bob", "Zoë", "Dan", "Eve", "Fay")
MOVES_OF_GAMES = (40, 12)
"""Random moves of the games of each kind: the first is put aside, the second is to be resumed."""
FILE_GAME = "pig"
"""A game of a text file, of which one is played to its end."""
FILE_GAMES = (FILE_GAME, "yacht", "hearts", "rummy", "euchre", "chess")
"""Dice that are thrown, a score sheet, points with flags, points with a goal, teams, clocks."""
OWN_GAME = REPOSITORY / "examples" / "games" / "island.toml"
"""A file that the household has put among its own games."""
MAX_MOVES = 2_000
"""More than any random game of it has."""
FACTS_FILE, EXPORT_FILE, LAYOUT_FILE, CLUB_FILE = "facts.json", "exported.json", "table.json", "club.sqlite3"
TOURNAMENT = "Spring"
COMPARED_KEYS = ("uid", "game", "players", "moves", "scores", "rounds", "over", "winners", "put_away", "trouble")
"""Keys of a game's summary that no later version may see in another way."""
LAYOUT = {"size": [720, 1280], "corners": [0.25, -1.5, 1e-9]}


def write_files(folder: Path) -> None:
    """Write all files of a data folder, and the facts in them.

    Args:
        folder: a new folder.
    """
    folder.mkdir(parents=True)
    shutil.copy(SETTINGS, folder)
    (folder / registry.GAME_FOLDER).mkdir()
    shutil.copy(OWN_GAME, folder / registry.GAME_FOLDER)
    with use_games(folder):
        _write_stores(folder)
        (folder / FACTS_FILE).write_text(json.dumps(read_facts(folder), indent=1) + "\n", "utf-8")


@contextmanager
def use_games(folder: Path) -> Iterator[None]:
    """Let the own games of a data folder be those that are played."""
    before = registry.find_game_folder()
    registry.use_game_folder(folder / registry.GAME_FOLDER)
    try:
        yield
    finally:
        registry.use_game_folder(before)


def _write_stores(folder: Path) -> None:
    with Journal(folder / JOURNAL_FILE) as journal:
        for name in (*FILE_GAMES, OWN_GAME.stem, *registry.list_installed_names()):
            for count in MOVES_OF_GAMES:
                _play(journal, name, count)
        _play(journal, FILE_GAME, MAX_MOVES)
        export_game(journal, 1, folder / EXPORT_FILE)
        journal.player_names.rename("Bob", "Robert")
        cache = ResultsCache(journal, folder)
        cache.restart()
        cache.read_more()
        results = _publish(journal, folder)
    _write_club(folder, results)
    picture = np.full((8, 8, 3), 90, np.uint8)
    DiePictures(folder / JOURNAL_FILE, "0" * 32).save("1-1", bytes(cv2.imencode(".jpg", picture)[1]))
    TaughtDice(folder).add([(3, bytes(cv2.imencode(".png", picture)[1]))])
    LayoutCache(folder / LAYOUT_FILE).save(LAYOUT)
    buttons = TaughtButtons(folder)
    buttons.teach(ControllerId(1, 2, "pad", "", ""), "BTN_SOUTH", Button.OK)
    buttons.end_teaching()
    Preferences(folder=folder).change("palette", "contrast")
    rules = HouseRules(folder=folder)
    rules.change(registry.find_game("secret_number"), "round_seconds", 90)
    rules.change(registry.find_game("score_keeper"), "name", "Rummy")


def _publish(journal: Journal, folder: Path) -> list[dict[str, Any]]:
    """Write what the porch keeps for its readers; return the results of the games, as tables publish them."""
    results = []
    for record in journal.list_games():
        saved_game = SavedGame(journal, record.id, registry.find_game(GameSetup.from_json(record.setup_json).game))
        results.append(build_table_result(record, saved_game.replay, journal.clock, TableIdentity(folder).id))
    memory = {result["sitting"]: result for result in results}
    JsonStore(folder / MEMORY_FILE, PorchMemory, "").update(lambda _: PorchMemory(path_token="abc", results=memory))
    return results


def _write_club(folder: Path, results: list[dict[str, Any]]) -> None:
    """Write the database of a club with these results, another name, and a tournament."""
    with ClubDatabase(f"sqlite:///{folder / CLUB_FILE}") as club:
        finished = [result for result in results if result["finished"]]
        club.save_results([parse_result(json.dumps(result).encode()) for result in finished])
        club.name_player("Zoë", "Zoe")
        create_tournament(club, TOURNAMENT, "", range(2, 4), NAMES, datetime.now(UTC))
        draw_round(club, TOURNAMENT, Random(1))


def _play(journal: Journal, name: str, count: int) -> None:
    """Play random moves, undo two of them and redo one."""
    definition, random = registry.find_game(name), Random(f"{name} {count}")
    players = random.choice(definition.player_counts)
    settings = definition.settings_model().model_dump(mode="json")  # as the lobby begins it: all of them
    setup = GameSetup(game=name, players=NAMES[:players], buttons=SEAT_BUTTONS[:players], settings=settings)
    saved_game = SavedGame.begin(journal, setup, definition)
    for _ in range(count):
        if saved_game.game.compute_outcome() is None:
            moves = saved_game.game.list_moves()
            drawn = (_fill(move, random) for move in random.sample(moves, len(moves)))
            # Most games can be ended by hand at any time; only the one of MAX_MOVES comes to an end.
            going_on = (
                move
                for move in drawn
                if str(move.kind) != "end"
                and (count == MAX_MOVES or saved_game.game.play(move).compute_outcome() is None)
            )
            saved_game.play_move(next(going_on, None) or _fill(moves[0], random))
    saved_game.undo()
    if count != MAX_MOVES:
        saved_game.undo()
    saved_game.redo()
    if count == MOVES_OF_GAMES[0]:
        saved_game.set_aside()


def _fill(move: Move, random: Random) -> Move:
    if (wanted := move.value_range) is None:
        return move
    numbers = [number for number in range(wanted.low, wanted.high + 1) if number not in wanted.excluded]
    return move.fill(*random.choices(numbers, k=wanted.count))


def read_facts(folder: Path) -> dict[str, Any]:
    """Return what this version finds in the files of a folder, which stay as they are."""
    with TemporaryDirectory() as place:  # opening a data folder may write to it
        copy = shutil.copytree(folder, Path(place, "copy"))
        with use_games(copy):
            return _read_facts(copy)


def _read_facts(folder: Path) -> dict[str, Any]:
    loaded = load_settings(folder / SETTINGS_FILE)
    rules = HouseRules(folder=folder)
    with Journal(folder / JOURNAL_FILE) as journal:
        games = [summarise_game(journal, game, registry.find_game, None) for game in journal.list_games()]
        resumable = journal.find_resumable_game()
        damage = journal.damage
        names = {name: journal.player_names.resolve(name) for name in NAMES}
    results = ResultsFile(folder / RESULTS_FILE)
    stored = {game["uid"]: results.get(game["uid"]) for game in games}
    memory = JsonStore(folder / MEMORY_FILE, PorchMemory, "").value
    with ClubDatabase(f"sqlite:///{folder / CLUB_FILE}") as club:
        sittings = {sitting.id: dataclasses.asdict(sitting) for sitting in club.read_sittings()}
        tournaments = [dataclasses.asdict(read_tournament(club, name)) for name in list_tournaments(club)]
    with Journal(folder / "imported" / JOURNAL_FILE) as journal:
        imported = journal.get_game(import_game(journal, folder / EXPORT_FILE)).uid
    return {
        "refused settings": [str(problem) for problem in loaded.problems],
        "settings": loaded.settings.model_dump(mode="json", exclude={"games"}),
        "house rules in settings": {name: each.model_dump(mode="json") for name, each in loaded.settings.games.items()},
        "house rules": {
            name: rules.rules_of(registry.find_game(name)).model_dump(mode="json")
            for name in registry.list_installed_names()
        },
        "own games": [
            name
            for name in registry.list_game_names()
            if (file := registry.find_game_file(name)) and file.is_relative_to(folder)
        ],
        "named games": list(rules.named.load(registry.find_game("score_keeper"))),
        "preferences": Preferences(folder=folder).values.model_dump(mode="json"),
        "games": [{key: game.get(key) for key in COMPARED_KEYS} for game in games],
        "damage": damage and damage.message,
        "resumable": resumable,
        "imported": imported,
        "pictures": list(DiePictures(folder / JOURNAL_FILE, "0" * 32).list_names()),
        "taught dice": [value for value, _picture in TaughtDice(folder).faces],
        "taught buttons": [[str(each.button), each.control] for each in TaughtButtons(folder).bindings],
        "layout": LayoutCache(folder / LAYOUT_FILE).load(),
        "player names": names,
        "stored results": {uid: each and each.model_dump(mode="json") for uid, each in stored.items()},
        "table id": TableIdentity(folder).id,
        "porch": memory.model_dump(mode="json"),
        "club": json.loads(json.dumps([sittings, tournaments], default=str)),
        "set aside": sorted(path.name for path in folder.glob("*damaged*")),
    }


def check_same_facts(then: Any, now: Any, where: str = "") -> None:
    """Check that all facts of then hold now; what was added since is not compared.

    Raises:
        AssertionError: a fact is lost or another one; the message says which.
    """
    if isinstance(then, dict) and isinstance(now, dict):
        for key in then:
            assert key in now, f"{where}/{key} is lost"
            check_same_facts(then[key], now[key], f"{where}/{key}")
    else:
        assert then == now, where


if __name__ == "__main__":
    write_files(Path(sys.argv[1]))
