"""The kernel's connectors, as sysfs shows them."""

from __future__ import annotations

from pathlib import Path

from hardware.display_connector import is_display_connected


def connectors(folder: Path, **states: str) -> Path:
    for name, state in states.items():
        place = folder / name.replace("_", "-")
        place.mkdir(parents=True)
        (place / "status").write_text(f"{state}\n")
    return folder


def test_one_of_several(tmp_path: Path) -> None:
    assert is_display_connected(connectors(tmp_path, card0_HDMI="disconnected", card1_DSI="connected")) is True


def test_all_of_them_out(tmp_path: Path) -> None:
    assert is_display_connected(connectors(tmp_path, card0_HDMI="disconnected", card1_DSI="unknown")) is False


def test_no_connectors(tmp_path: Path) -> None:
    (tmp_path / "card0").mkdir()
    assert is_display_connected(tmp_path) is None
    assert is_display_connected(tmp_path / "nothing") is None


def test_one_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "card0-HDMI" / "status").mkdir(parents=True)
    assert is_display_connected(tmp_path) is None
