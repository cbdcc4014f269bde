"""A user's own languages on their way from a USB stick into the data folder."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from companion.catalogues import LANGUAGE_CODE, read_own_file, use_language_folder
from companion.i18n import LANGUAGES
from companion.po_file import PoError, parse_po
from companion.system.atomic_file import write_atomic

STICK_FOLDER = "companion-languages"
"""Folder at the top of a stick with a folder of .po files for each language, as in the data folder."""
MAX_FILES = 100
"""Most files of a stick that are taken: five languages."""


def take_languages(stick: Path, folder: Path) -> tuple[list[str], list[str]]:
    """Copy the .po files of a stick that are new or differ, and use them at once; those of other messages stay.

    Args:
        stick: its top folder.
        folder: that of the user's own languages; it is created if need be.

    Returns:
        The names of the languages that have a new file; and a line on each file that cannot be used.
    """
    codes, problems = set[str](), list[str]()
    for path in [*_list_files(stick / STICK_FOLDER)][:MAX_FILES]:
        target = folder / path.parent.name / path.name
        try:
            text = read_own_file(path)
            _count = parse_po(text).plural_count  # raises as it would later
            if _read_present(target) == text:
                continue
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomic(target, text.encode())
            codes.add(path.parent.name)
        except (OSError, PoError) as error:
            problems.append(f"{path.parent.name}/{path.name}: {error}")
    if codes:
        use_language_folder(folder)
    return [LANGUAGES[code] for code in sorted(codes)], problems


def _list_files(folder: Path) -> Iterator[Path]:
    """Yield the .po files of each language in a folder; no links, which may lead to files of this device."""
    with suppress(OSError):
        languages = [] if folder.is_symlink() else sorted(folder.iterdir())
        for language in languages:
            if re.fullmatch(LANGUAGE_CODE, language.name) and language.is_dir() and not language.is_symlink():
                files = (each for each in sorted(language.iterdir()) if re.fullmatch(r"\w{1,60}\.po", each.name))
                yield from (each for each in files if not each.is_symlink())


def _read_present(path: Path) -> str | None:
    with suppress(OSError, PoError):
        return read_own_file(path)
    return None
