"""Which letters fonts have: those of the package, installed ones, and damaged files."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path

import pytest

from companion.system import font_files
from companion.system.font_files import find_font, find_undrawable, read_letters

ROBOTO = Path(font_files.__file__).parents[1] / "display" / "fonts" / "Roboto-Medium.ttf"


def test_letters_of_the_package_s_fonts_are_known() -> None:
    assert find_font("A") == "Roboto-Medium.ttf"
    assert find_undrawable("Zo\u00eb \u0416 \u0141 \u03a9") == ""


@pytest.mark.parametrize("letters", ["\u0645", "\u0939", "\U0001f469", "\x07"])
def test_letters_that_no_font_can_draw_are_named(letters: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arabic and Hindi letters join: single ones would be misread with any font."""
    monkeypatch.setattr(font_files, "_list_installed_fonts", lambda: ())
    find_font.cache_clear()
    assert find_undrawable(f"Ada{letters}{letters}") == letters
    find_font.cache_clear()


def test_an_installed_font_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a folder with a font without letters, a file that is none, and a link to nowhere."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "Other.ttf").write_bytes(ROBOTO.read_bytes())
    (tmp_path / "a.ttf").write_bytes(b"\x00\x01\x00\x00" + b"\xff" * 40)
    (tmp_path / "b.otf").symlink_to(tmp_path / "nowhere")
    monkeypatch.setattr(font_files, "FONT_FOLDERS", (tmp_path,))
    monkeypatch.setattr(font_files, "_read_package_font", lambda _name: ((), ()))
    for function in (font_files._list_installed_fonts, find_font):
        function.cache_clear()
    assert find_font("A") == tmp_path / "sub" / "Other.ttf"
    assert find_font("\ud55c") is None
    for function in (font_files._list_installed_fonts, find_font):
        function.cache_clear()


def test_letters_of_a_font_are_read() -> None:
    with ROBOTO.open("rb") as file:
        starts, ends = read_letters(file)
    assert len(starts) == len(ends) > 20
    assert all(start <= end for start, end in zip(starts, ends, strict=True))


def build_font(*encodings: tuple[int, int, bytes]) -> bytes:
    """Return a font that has but the table `cmap`, with these encodings (platform, number, letters)."""
    records, tables, begin = b"", b"", 4 + 8 * len(encodings)
    for platform, number, table in encodings:
        records += struct.pack(">HHI", platform, number, begin + len(tables))
        tables += table
    cmap = struct.pack(">HH", 0, len(encodings)) + records + tables
    return struct.pack(">4sH6x4s4xII", b"\0\1\0\0", 1, b"cmap", 28, len(cmap)) + cmap


MACINTOSH = struct.pack(">HHH4x", 6, 12, 0)
PLANE_0 = struct.pack(">HHHHHHH2H2x2H4x4x", 4, 32, 0, 4, 0, 0, 0, ord("Z"), 0xFFFF, ord("A"), 0xFFFF)
ALL_PLANES = struct.pack(">HHIIIIIIIII", 12, 0, 40, 0, 2, ord("a"), ord("z"), 0, 0x1F3B2, 0x1F3B3, 0)


def test_letters_of_all_encodings_of_unicode_are_read() -> None:
    font = build_font((1, 0, MACINTOSH), (3, 1, PLANE_0), (3, 10, ALL_PLANES))
    starts, ends = (ord("A"), ord("a"), 0x1F3B2), (ord("Z"), ord("z"), 0x1F3B3)
    assert read_letters(BytesIO(font)) == (starts, ends)
    header = struct.pack(">4sIII", b"ttcf", 0x10000, 1, 16)
    moved = font.replace(struct.pack(">I", 28), struct.pack(">I", 28 + len(header)), 1)
    assert read_letters(BytesIO(header + moved)) == (starts, ends), "a collection"
