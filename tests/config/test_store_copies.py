"""Stored files and their copies: lost sectors, full disks, and other programs that write the same file."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from companion.config import json_store
from tests.config.lamp_store import Bulb, Disk, Lamps, open_lamps, read, switch_on


def test_a_damaged_file_is_kept_and_does_not_replace_an_earlier_one(tmp_path: Path) -> None:
    for content, where in ((b"first", "lamps.damaged"), (b"second", "lamps.damaged2")):
        (tmp_path / "lamps.json").write_bytes(content)
        (tmp_path / "lamps.json.copy").unlink(missing_ok=True)
        store = open_lamps(tmp_path)
        assert store.problem == f"The lamps: the file is damaged and not used; it is kept ({tmp_path / 'lamps.json'})"
        assert (tmp_path / "lamps.json").read_bytes() == content, (
            "reading changes nothing: the next program says so too"
        )
        store.update(switch_on)
        assert store.problem == f"The lamps: the file is damaged and not used; it is kept ({tmp_path / where})", (
            "nobody may have read it yet"
        )
        assert (open_lamps(tmp_path).value.on, open_lamps(tmp_path).problem) == (True, None)
        assert (tmp_path / where).read_bytes() == content
    assert (tmp_path / "lamps.damaged").read_bytes() == b"first"


@pytest.mark.parametrize("what", [b"", bytes(40), b"\xff" * 40, b'{"on": tr', b"[]"])
def test_a_lost_sector_costs_nothing_that_was_set(tmp_path: Path, what: bytes) -> None:
    open_lamps(tmp_path).update(switch_on)
    (tmp_path / "lamps.json").write_bytes(what)
    store = open_lamps(tmp_path)
    assert store.value.on
    assert store.problem == f"The lamps: the file is damaged; its copy is used ({tmp_path / 'lamps.json'})"
    store.update(lambda lamps: lamps.model_copy(update={"bulbs": (Bulb(pin=4),)}))
    assert (tmp_path / "lamps.damaged").read_bytes() == what
    after = open_lamps(tmp_path)
    assert (after.value, after.problem) == (Lamps(bulbs=(Bulb(pin=4),), on=True), None)


def test_a_lost_copy_is_not_missed_and_a_deleted_file_stays_deleted(tmp_path: Path) -> None:
    open_lamps(tmp_path).update(switch_on)
    (tmp_path / "lamps.json.copy").write_bytes(b"")
    assert (open_lamps(tmp_path).value.on, open_lamps(tmp_path).problem) == (True, None)
    open_lamps(tmp_path).update(switch_on)
    (tmp_path / "lamps.json").unlink()
    assert not open_lamps(tmp_path).value.on


def test_the_copy_counts_while_the_file_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_lamps(tmp_path).update(switch_on)
    read_text = json_store.read_text

    def fail(path: Path, max_bytes: int) -> str:
        if path.suffix == ".json":
            raise OSError(errno.EIO, "Input/output error", str(path))
        return read_text(path, max_bytes)

    with monkeypatch.context() as patch:
        patch.setattr(json_store, "read_text", fail)
        store = open_lamps(tmp_path)
        assert (store.value.on, store.is_unread) == (True, True)
        store.update(lambda lamps: lamps.model_copy(update={"bulbs": (Bulb(pin=4),)}))
        assert not store.retry()
        assert store.value == Lamps(bulbs=(Bulb(pin=4),), on=True)
    assert store.retry()
    assert open_lamps(tmp_path).value == Lamps(bulbs=(Bulb(pin=4),), on=True)


def test_what_a_full_disk_did_not_take_is_written_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    store = open_lamps(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(json_store, "write_atomic", refuse)
        assert "No space left" in (store.update(switch_on) or "")
        store.retry()
    assert not open_lamps(tmp_path).value.on
    store.retry()
    assert open_lamps(tmp_path).value.on
    (tmp_path / "lamps.json").unlink()
    store.retry()
    assert not (tmp_path / "lamps.json").exists(), "it is written once"


def test_a_copy_that_was_not_written_is_written_later_so_that_nothing_forgotten_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "lamps.json.copy"
    write_atomic = json_store.write_atomic

    def refuse_copy(path: Path, data: bytes) -> None:
        if path == copy:
            raise OSError(errno.ENOSPC, "No space left on device")
        write_atomic(path, data)

    store = open_lamps(tmp_path)
    store.update(lambda lamps: lamps.model_copy(update={"names": {"hall": ["a"]}}))
    with monkeypatch.context() as patch:
        patch.setattr(json_store, "write_atomic", refuse_copy)
        assert store.replace(Lamps(on=True)) is None
    assert read(copy) == {"names": {"hall": ["a"]}}
    store.retry()
    assert read(copy) == {"on": True}
    for lost in (b"", b'{"names": {"hall": ["a"]}}'):  # a sector; a power cut between the file and the copy
        copy.write_bytes(lost)
        open_lamps(tmp_path).retry()
        assert read(copy) == {"on": True}


def test_a_damaged_file_stays_in_its_place_while_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the next start finds no file, and does not ask the copy."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    open_lamps(tmp_path).update(switch_on)
    (tmp_path / "lamps.json").write_bytes(b"")
    with monkeypatch.context() as patch:
        patch.setattr(json_store, "write_atomic", refuse)
        open_lamps(tmp_path).update(lambda lamps: lamps.model_copy(update={"bulbs": (Bulb(pin=4),)}))
    assert open_lamps(tmp_path).value.on


@pytest.mark.parametrize("has_links", [True, False])
def test_what_another_program_damaged_or_made_unreadable_is_kept(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    """Somebody edits the file by hand while the box is running."""
    if not has_links:
        monkeypatch.setattr("os.link", fail_to_link)
    box = open_lamps(tmp_path, {"on": "yes"})
    assert box.problem is not None
    (tmp_path / "lamps.json").write_text('{"on": true,}', encoding="utf-8")
    box.update(lambda lamps: lamps.model_copy(update={"bulbs": (Bulb(pin=4),)}))
    assert (tmp_path / "lamps.damaged").read_text(encoding="utf-8") == '{"on": true,}'
    assert read(tmp_path / "lamps.json") == {"on": "yes", "bulbs": [{"pin": 4}]}
    (tmp_path / "lamps.json").write_text('{"on": true}', encoding="utf-8")
    disk.broken = True
    assert "(Input/output error)" in (box.update(lambda lamps: lamps.model_copy(update={"names": {"a": ["b"]}})) or "")
    assert read(tmp_path / "lamps.json") == {"on": True}
    disk.broken = False
    box.retry()
    assert read(tmp_path / "lamps.json") == {"on": True, "names": {"a": ["b"]}}
    assert box.ignored_keys == []


def fail_to_link(*_: object) -> None:
    raise PermissionError(errno.EPERM, "Operation not permitted")


@pytest.mark.parametrize("then", [b"{", None])
def test_a_change_is_made_once_if_the_file_is_damaged_or_gone_after_a_failed_read(
    tmp_path: Path, disk: Disk, then: bytes | None
) -> None:
    disk.broken = True
    store = open_lamps(tmp_path, {"on": True})
    store.update(lambda lamps: lamps.model_copy(update={"bulbs": (*lamps.bulbs, Bulb(pin=4))}))
    disk.broken = False
    if then is None:
        (tmp_path / "lamps.json").unlink()
    else:
        (tmp_path / "lamps.json").write_bytes(then)
    store.retry()
    assert store.value.bulbs == (Bulb(pin=4),)


def test_what_another_program_wrote_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    """Somebody imports house rules while the box is running, and then a button changes another one."""
    box = open_lamps(tmp_path)
    box.update(switch_on)
    open_lamps(tmp_path).update(lambda lamps: lamps.model_copy(update={"bulbs": (Bulb(pin=4),)}))
    box.update(lambda lamps: lamps.model_copy(update={"names": {"hall": ["a"]}}))
    assert open_lamps(tmp_path).value == Lamps(bulbs=(Bulb(pin=4),), names={"hall": ["a"]}, on=True)
    (tmp_path / "lamps.json").write_bytes(bytes(9))
    box.update(switch_on)
    assert open_lamps(tmp_path).value == box.value, "what is in memory is better than a damaged file"
