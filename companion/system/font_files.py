"""Which font draws a letter: one of the package, else one that the machine has; and which letters none can draw.

The fonts' own tables are read, not pygame: who asks for a name knows what can be drawn without a screen.
"""

import os
import struct
from bisect import bisect_right
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import IO

from platformdirs import user_data_path

PACKAGE_FONTS = ("Roboto-Medium.ttf", "SofiaSansExtraCondensed-Bold.ttf")
FONT_FOLDERS = (
    *(Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), user_data_path("fonts")),
    *(Path("/System/Library/Fonts"), Path("/Library/Fonts"), Path.home() / "Library/Fonts"),
    Path(os.environ.get("SYSTEMROOT", "/"), "Fonts"),
)
"""Where machines have their fonts: Linux, macOS, Windows. A folder that is not there has none."""
FONT_SUFFIXES = (".ttf", ".otf", ".ttc")
MAX_FONTS = 2_000
"""Most installed fonts that are looked at."""
MAX_TABLE_BYTES = 1 << 20
"""Longest table of letters; that of a font with all of Unicode is shorter."""
UNLIKE_OURS = ("bold", "italic", "oblique", "mono", "condensed", "serif", "light", "thin", "black")
"""Words in a font's name that make it look less like the package's."""
USELESS = ("emoji", "lastresort")
"""Fonts of pictures, which cannot be scaled, and of boxes."""
SHAPED_SCRIPTS = (
    range(0x0600, 0x0E00),  # Arabic and its relatives, the scripts of India
    range(0x0F00, 0x10A0),  # Tibetan, Burmese
    range(0x1780, 0x18B0),  # Khmer, Mongolian
    range(0x1A20, 0x1C50),  # Tai Tham, Balinese, Sundanese, Lepcha
    range(0xA840, 0xAAE0),
    range(0xFB50, 0xFE00),
    range(0xFE70, 0xFEFF),
)
"""Scripts whose letters join or change their order, which pygame does not do: single they would be misread."""


@cache
def find_font(letter: str, first: str = PACKAGE_FONTS[0]) -> str | Path | None:
    """Return which font draws a letter: the name of a package's font or the path of an installed one; None: none does.

    Args:
        letter: one character.
        first: name of the package's font that is taken if it has the letter.
    """
    code = ord(letter)
    if any(code in script for script in SHAPED_SCRIPTS):
        return None
    for name in (first, *PACKAGE_FONTS):
        if _has_code(_read_package_font(name), code):
            return name
    return next((path for path, starts_ends in _list_installed_fonts() if _has_code(starts_ends, code)), None)


def find_undrawable(text: str) -> str:
    """Return the letters of a text that no font draws, each once.

    >>> find_undrawable("Zoë"), find_undrawable("\\u0645")
    ('', 'م')
    """
    return "".join(dict.fromkeys(letter for letter in text if find_font(letter) is None))


Letters = tuple[tuple[int, ...], tuple[int, ...]]
"""First and last codes of the runs of letters that a font has, each rising."""


def read_letters(file: IO[bytes]) -> Letters:
    """Read which letters a font has: its table `cmap` (OpenType 1.9), formats 4 and 12; of a collection the first font.

    Args:
        file: the font.

    Raises:
        OSError: it cannot be read.
        struct.error: it is no font, or a damaged one.
    """
    start = 0
    if file.read(4) == b"ttcf":
        file.seek(12)
        start = struct.unpack(">I", file.read(4))[0]
    file.seek(start + 4)
    count = struct.unpack(">H6x", file.read(8))[0]
    tables = {tag: (at, size) for tag, at, size in (struct.unpack(">4s4xII", file.read(16)) for _ in range(count))}
    at, size = tables.get(b"cmap", (0, 0))
    file.seek(at)
    table = file.read(min(size, MAX_TABLE_BYTES))
    runs: set[tuple[int, int]] = set()
    for number in range(struct.unpack_from(">2xH", table)[0]):
        platform, encoding, begin = struct.unpack_from(">HHI", table, 4 + 8 * number)
        if (platform, encoding) not in ((0, 3), (0, 4), (0, 6), (3, 1), (3, 10)):
            continue  # not Unicode
        form = struct.unpack_from(">H", table, begin)[0]
        if form == 12:
            groups = struct.unpack_from(">12xI", table, begin)[0]
            runs |= {struct.unpack_from(">II", table, begin + 16 + 12 * group) for group in range(groups)}
        elif form == 4:
            twice = struct.unpack_from(">6xH", table, begin)[0]
            ends = struct.unpack_from(f">{twice // 2}H", table, begin + 14)
            starts = struct.unpack_from(f">{twice // 2}H", table, begin + 16 + twice)
            runs |= set(zip(starts, ends, strict=True)) - {(0xFFFF, 0xFFFF)}
    rising = sorted(runs)
    return tuple(first for first, _last in rising), tuple(last for _first, last in rising)


def _has_code(letters: Letters, code: int) -> bool:
    starts, ends = letters
    place = bisect_right(starts, code) - 1
    return place >= 0 and code <= ends[place]


@cache
def _read_package_font(name: str) -> Letters:
    return read_letters(BytesIO((files("companion.display") / "fonts" / name).read_bytes()))


@cache
def _list_installed_fonts() -> tuple[tuple[Path, Letters], ...]:
    """Return the installed fonts and their letters, the most like ours first; read once, for the first rare letter."""
    found: list[Path] = []
    for folder in FONT_FOLDERS:
        for place, _folders, names in os.walk(folder):
            found += [Path(place, name) for name in names if name.lower().endswith(FONT_SUFFIXES)]
    useful = [path for path in found if not any(word in path.name.lower() for word in USELESS)]
    useful.sort(key=lambda path: (sum(word in path.name.lower() for word in UNLIKE_OURS), path.name))
    fonts = []
    for path in useful[:MAX_FONTS]:
        try:
            with path.open("rb") as file:
                fonts.append((path, read_letters(file)))
        except (OSError, struct.error):
            continue  # another one may have the letter
    return tuple(fonts)
