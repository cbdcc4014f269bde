"""Stored files: nothing in them is dropped because it cannot be read or understood."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.app.table_identity import TABLE_FILE, TableIdentity
from companion.camera.learnt_layouts import LayoutCache
from companion.config.json_store import COPY_SUFFIX
from companion.config.taught_buttons import TAUGHT_BUTTONS_FILE, TaughtButtons
from companion.config.taught_dice_store import TAUGHT_DICE_FILE, TaughtDice
from companion.events import Button, ControllerId
from companion.games.macroscope import GAME as MACROSCOPE
from companion.games.score_keeper import GAME as SCORE_KEEPER
from companion.journal.renamed_players import NAMES_FILE, PlayerNames
from companion.lobby import HouseRules, Preferences
from companion.lobby.house_rules import HOUSE_RULES_FILE, NAMED_GAMES_FILE
from companion.lobby.preferences import PREFERENCES_FILE
from companion.porch.publisher import MEMORY_FILE, PorchPublisher
from tests.config.lamp_store import Bulb, Disk, Lamps, open_lamps, read, switch_on
from tests.conftest import REPOSITORY

PNG = b"\x89PNG"
PAD, OTHER = ControllerId(0x79, 6, "Pad", port="usb-1"), ControllerId(0x79, 6, "Pad", port="usb-2")


def get_known(lamps: Lamps) -> tuple[list[tuple[int, str]], dict[str, list[str]], bool]:
    return [(bulb.pin, bulb.colour) for bulb in lamps.bulbs], lamps.names, lamps.on


@pytest.mark.parametrize(
    ("wrong", "known", "keys"),
    [
        ({"on": "yes"}, {}, "on"),
        ({"bulbs": 3}, {}, "bulbs"),
        ({"bulbs": [{"pin": 4, "colour": 5}]}, {"bulbs": (Bulb(pin=4),)}, "bulbs.0.colour"),
        ({"bulbs": [{"pin": "4"}, {"pin": 5}]}, {"bulbs": (Bulb(pin=5),)}, "bulbs.0.pin"),
        ({"bulbs": [{"pin": "4", "colour": 5}, {"pin": 5}]}, {"bulbs": (Bulb(pin=5),)}, "bulbs.0.pin, bulbs.0.colour"),
        ({"bulbs": [{"colour": "red"}, {"pin": 5}]}, {"bulbs": (Bulb(pin=5),)}, "bulbs.0.pin"),
        ({"names": {"a": 3, "b": ["x", 4]}}, {"names": {"b": ["x"]}}, "names.a, names.b.1"),
        ({"names": {str(n): n for n in range(5)}}, {"names": {}}, "names.0, names.1, names.2, ..."),
    ],
)
def test_a_wrong_value_costs_that_value_and_stays_in_the_file(
    tmp_path: Path, wrong: dict[str, Any], known: dict[str, Any], keys: str
) -> None:
    store = open_lamps(tmp_path, wrong)
    assert get_known(store.value) == get_known(Lamps(**known))
    assert store.problem == f"The lamps: not valid and ignored, but still in the file: {keys}"
    add = Bulb(pin=9)
    store.update(lambda lamps: lamps.model_copy(update={"bulbs": (*lamps.bulbs, add)}))
    assert get_known(open_lamps(tmp_path).value)[0] == get_known(Lamps(bulbs=(*known.get("bulbs", ()), add)))[0]
    after = read(tmp_path / "lamps.json")
    assert all(after[key] == part for key, part in wrong.items() if key != "bulbs")
    if isinstance(wrong.get("bulbs"), list):
        assert all(bulb in after["bulbs"] for bulb in wrong["bulbs"])


def test_what_people_set_replaces_a_wrong_value(tmp_path: Path) -> None:
    open_lamps(tmp_path, {"on": "yes"}).update(switch_on)
    assert read(tmp_path / "lamps.json") == {"on": True}


def test_keys_of_a_newer_version_stay_with_their_values(tmp_path: Path) -> None:
    newer = {"bulbs": [{"pin": 4, "bright": 3}, {"pin": 5}], "edition": {"of": 2}, "on": False}
    store = open_lamps(tmp_path, newer)
    assert store.problem is None
    store.update(switch_on)
    assert read(tmp_path / "lamps.json") == newer | {"on": True}
    store.replace(Lamps(on=True))
    assert read(tmp_path / "lamps.json") == {"on": True}, "who forgets everything means everything"


def test_a_failed_read_changes_nothing_and_is_tried_again(tmp_path: Path, disk: Disk) -> None:
    open_lamps(tmp_path, {"bulbs": [{"pin": 4}]})
    before = (tmp_path / "lamps.json").read_bytes()
    disk.broken = True
    store = open_lamps(tmp_path)
    assert store.problem == "The lamps: the file cannot be read (Input/output error); it stays, and is tried again"
    assert "(Input/output error)" in (store.update(switch_on) or "")
    assert not store.retry()
    assert (tmp_path / "lamps.json").read_bytes() == before
    assert [*tmp_path.iterdir()] == [tmp_path / "lamps.json"]
    disk.broken = False
    assert store.retry()
    assert (store.problem, store.is_unread) == (None, False)
    assert store.value == Lamps(bulbs=(Bulb(pin=4),), on=True), "what was set meanwhile is added"
    assert read(tmp_path / "lamps.json") == {"bulbs": [{"pin": 4}], "on": True}


def test_a_change_reads_the_file_first_if_it_could_not_be_read(tmp_path: Path, disk: Disk) -> None:
    disk.broken = True
    store = open_lamps(tmp_path, {"bulbs": [{"pin": 4}]})
    disk.broken = False
    assert store.update(switch_on) is None
    assert read(tmp_path / "lamps.json") == {"bulbs": [{"pin": 4}], "on": True}


def teach_pad(folder: Path) -> TaughtButtons:
    taught = TaughtButtons(folder)
    taught.begin_teaching()
    for number, button in enumerate(Button):
        taught.teach(PAD, f"key {number}", button)
    taught.end_teaching()
    return taught


def set_all(folder: Path) -> None:
    """Set and teach something in each of the stores."""
    teach_pad(folder)
    TaughtDice(folder).add([(3, PNG)])
    house = HouseRules(folder=folder)
    house.change(MACROSCOPE, "rounds", 4)
    house.change(SCORE_KEEPER, "name", "Rummy")
    preferences = Preferences(folder=folder)
    preferences.change("palette", "light")
    preferences.mark_set_up()
    make_publisher(folder)
    PlayerNames(folder).rename("Bob", "Robert")
    TableIdentity(folder)
    LayoutCache(folder / "table.json").save({"corners": [1, 2]})


def change_all(folder: Path) -> None:
    """Set and teach something else in each of the stores."""
    taught = TaughtButtons(folder)
    taught.begin_teaching()
    taught.teach(OTHER, "key 1", Button.OK)
    taught.end_teaching()
    TaughtDice(folder).add([(4, PNG)])
    house = HouseRules(folder=folder)
    house.change(MACROSCOPE, "challenge_cost", 5)
    house.named.save(SCORE_KEEPER, SCORE_KEEPER.settings_model.model_validate({"name": "Rummy", "target_points": 7}))
    Preferences(folder=folder).change("turned", 90)
    PlayerNames(folder).rename("Bea", "Beatrice")


def make_publisher(folder: Path) -> PorchPublisher:
    nowhere = Path("/dev/null/socket")  # no socket, and no thread
    return PorchPublisher(nowhere, "table", memory_file=folder / MEMORY_FILE)


def find_all(folder: Path) -> list[object]:
    """Return what is found in each of the stores."""
    house, preferences = HouseRules(folder=folder), Preferences(folder=folder)
    named = house.named.load(SCORE_KEEPER)
    return [
        len([each for each in TaughtButtons(folder).bindings if each.controller == PAD]),
        TaughtDice(folder).faces[0],
        house.rules_of(MACROSCOPE).rounds,
        list(named),
        (preferences.values.palette, preferences.is_set_up),
        make_publisher(folder).path_token,
        PlayerNames(folder).resolve("Bob"),
        TableIdentity(folder).id,
        LayoutCache(folder / "table.json").load(),
    ]


def read_all(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


STORES = {
    "companion/app/table_identity.py": (TABLE_FILE,),
    "companion/camera/learnt_layouts.py": ("table.json",),
    "companion/config/taught_buttons.py": (TAUGHT_BUTTONS_FILE,),
    "companion/config/taught_dice_store.py": (TAUGHT_DICE_FILE,),
    "companion/journal/renamed_players.py": (NAMES_FILE,),
    "companion/lobby/house_rules.py": (HOUSE_RULES_FILE, NAMED_GAMES_FILE),
    "companion/lobby/preferences.py": (PREFERENCES_FILE,),
    "companion/porch/publisher.py": (MEMORY_FILE,),
}
"""The files of the stores by the modules that open them."""
FILES = [file for files in STORES.values() for file in files]


def test_every_store_is_tried_here(tmp_path: Path) -> None:
    opened = {
        path.relative_to(REPOSITORY).as_posix(): len(re.findall(r"\bJsonStore\(", path.read_text(encoding="utf-8")))
        for path in (REPOSITORY / "companion").rglob("*.py")
        if path.name != "json_store.py"
    }
    assert {module: count for module, count in opened.items() if count} == {
        module: len(files) for module, files in STORES.items()
    }
    set_all(tmp_path)
    assert {path.name for path in tmp_path.glob("*.json")} == set(FILES)


def add_unknown_keys(part: Any) -> Any:
    """Return a document with an unknown key in its root, and in each element of its lists."""
    return add_to_elements(part) | {"edition": 2}


def add_to_elements(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: add_to_elements(each) for key, each in part.items()}
    if isinstance(part, list):
        return [add_to_elements(each) | {"made": "later"} if isinstance(each, dict) else each for each in part]
    return part


def test_an_upgrade_that_is_taken_back_loses_nothing_in_any_store(tmp_path: Path) -> None:
    """A newer version wrote keys that this one does not know; this one writes, and the newer one comes again."""
    set_all(tmp_path)
    found = find_all(tmp_path)
    newer = {name: add_unknown_keys(read(tmp_path / name)) for name in FILES}
    newer[NAMED_GAMES_FILE]["games"]["score_keeper"]["Rummy"]["house"] = 1
    newer[HOUSE_RULES_FILE]["rules"]["macroscope"]["house"] = 1
    newer[TAUGHT_BUTTONS_FILE]["controllers"][0]["buttons"]["key 99"] = "seat 9"
    for name, content in newer.items():
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    assert find_all(tmp_path)[:-1] == found[:-1], "the layout is the camera's own"
    change_all(tmp_path)
    assert find_all(tmp_path)[:-1] == found[:-1]
    for name in FILES:
        check_contains(read(tmp_path / name), newer[name], name)
    assert not [*tmp_path.glob("*.damaged*")]


def check_contains(found: Any, expected: Any, where: str) -> None:
    if isinstance(expected, dict):
        for key, part in expected.items():
            assert key in found, f"{where}: {key}"
            check_contains(found[key], part, f"{where}: {key}")
    elif isinstance(expected, list):
        assert all(part in found for part in expected), where


def test_no_store_drops_a_file_that_cannot_be_read_for_a_moment(tmp_path: Path, disk: Disk) -> None:
    set_all(tmp_path)
    found, before = find_all(tmp_path), read_all(tmp_path)
    disk.broken = True
    taught, dice, house = TaughtButtons(tmp_path), TaughtDice(tmp_path), HouseRules(folder=tmp_path)
    preferences, publisher = Preferences(folder=tmp_path), make_publisher(tmp_path)
    names, table = PlayerNames(tmp_path), TableIdentity(tmp_path)
    assert preferences.is_set_up, "the wizard is not for a device that was set up"
    assert publisher.path_token != found[5]
    assert (names.resolve("Bob"), table.id) == ("Bob", "")
    stores: list[Callable[[], None]] = [taught.retry, dice.retry, house.retry, house.named.retry, preferences.retry]
    stores += [names.retry, table.retry]
    for retry in stores:
        retry()
    assert not taught.bindings
    assert taught.is_empty, "nothing is known that new buttons would replace"
    preferences.change("turned", 90)
    disk.broken = False
    for retry in stores:
        retry()
    assert (len(taught.bindings), taught.is_empty, dice.faces) == (10, False, ((3, PNG),))
    assert (house.rules_of(MACROSCOPE).rounds, [*house.named.load(SCORE_KEEPER)]) == (4, ["Rummy"])
    assert (preferences.values.palette, preferences.values.turned) == ("light", 90)
    assert [names.resolve("Bob"), table.id] == found[6:8]
    assert find_all(tmp_path) == found
    after = read_all(tmp_path)
    changed = {name for name in before if after[name] != before[name]}
    assert changed == {PREFERENCES_FILE, PREFERENCES_FILE + COPY_SUFFIX}
    assert after.keys() == before.keys()


WRITERS = {
    "companion/config/json_store.py": "what people set and taught",
    "companion/lobby/results_file.py": "made from the journal",
    "companion/system/atomic_file.py": "defines them",
    "companion/file_reader.py": "an example",
    "companion/system/appliance.py": "notes to systemd in /run",
    "companion/porch/local_socket.py": "the number of a port on Windows",
    "companion/journal/boot_notes.py": "what the program learnt about the clock",
    "companion/journal/die_pictures.py": "pictures, each a file",
    "companion/journal/exported_game.py": "a file that somebody named",
    "companion/journal/usb_export.py": "a file on a stick",
    "companion/film/writer.py": "a file that somebody named",
    "companion/games/game_file/exchange.py": "game files from a stick, and onto one",
    "companion/system/language_files.py": "languages from a stick",
    "companion/commands": "files that somebody named",
}


def test_no_module_writes_a_store_of_its_own() -> None:
    writes = re.compile(r"\b(write_atomic|open_atomic|write_text|write_bytes|json\.dump)\(")
    found = {
        path.relative_to(REPOSITORY).as_posix()
        for path in (REPOSITORY / "companion").rglob("*.py")
        if writes.search(path.read_text(encoding="utf-8"))
    }
    assert {path for path in found if not path.startswith(tuple(WRITERS))} == set()
    assert {name for name in WRITERS if not any(path.startswith(name) for path in found)} == set()


def test_the_taught_buttons_survive_a_key_of_a_newer_version(tmp_path: Path) -> None:
    teach_pad(tmp_path)
    file = tmp_path / TAUGHT_BUTTONS_FILE
    file.write_text(json.dumps(read(file) | {"edition": 2}), encoding="utf-8")
    assert len(TaughtButtons(tmp_path).bindings) == len(Button)
    assert file.exists()


def test_what_was_set_aside_before_stays(tmp_path: Path) -> None:
    for name in ("lamps.damaged", "lamps.damaged2"):
        store = open_lamps(tmp_path, {"on": True})
        assert store.set_aside() == tmp_path / name
