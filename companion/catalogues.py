"""Catalogues of translations: which languages there are, and their messages.

A language is there if it has a folder with catalogues: one that comes with the program, `locale/LANGUAGE/LC_MESSAGES`
in a package, with DOMAIN.po compiled to DOMAIN.mo, or a user's own, `LANGUAGE/DOMAIN.po` in the folder of
`use_language_folder`. In a user's own language missing messages stay English, and so do those that cannot be used
(`find_fault` in `po_file.py`).
"""

import gettext
import re
import struct
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path

from companion.file_reader import decode_text, read_text
from companion.log import log
from companion.po_file import NAME_HEADER, PoError, PoFile, load_translations, parse_po

DEFAULT_LANGUAGE = "en"
"""The language of the messages in the code, and of the program until another one is set."""
DEFAULT_DOMAIN = "companion"
"""The catalogue of all messages that are no game's own; it has the language's name."""
LANGUAGE_CODE = "[a-z]{2,3}(?:_[A-Z]{2})?"
"""Pattern of a language's code: ISO 639, and the country where that matters, as in "pt_BR"."""
LANGUAGE_FOLDER = "languages"
"""Name of the folder in the data folder that holds the user's own languages."""
MAX_FILE_BYTES = 1 << 20
"""Longest .po file of a user, in bytes; the longest one that comes with the program has 90,000."""
MAX_SHOWN_FAULTS = 5
"""Most faults of one file that are logged; `companion translate` lists all."""
MAX_NAME_LETTERS = 24
"""Longest name of a language."""

_own_folder: Path | None = None


def use_language_folder(folder: Path | None) -> None:
    """Set the folder of the user's own languages; those that come with the companion are always there.

    Args:
        folder: it need not exist; None: there is none.
    """
    global _own_folder
    _own_folder = folder
    _list_codes.cache_clear()
    load_catalogue.cache_clear()


def find_language_folder() -> Path | None:
    """Return the folder that `use_language_folder` has set; None: there is none."""
    return _own_folder


class Languages(Mapping[str, str]):
    """The languages' own names by code: English, then those that have catalogues, in the order of their codes.

    >>> languages = Languages()
    >>> next(iter(languages)), languages["de"]
    ('en', 'Deutsch')
    """

    def __iter__(self) -> Iterator[str]:
        return iter(_list_codes())

    def __len__(self) -> int:
        return len(_list_codes())

    def __contains__(self, code: object) -> bool:
        return code in _list_codes()  # without reading its catalogue

    def __getitem__(self, code: str) -> str:
        if code not in self:
            raise KeyError(code)
        if code == DEFAULT_LANGUAGE:
            return "English"
        name = load_catalogue(DEFAULT_DOMAIN, code, "companion").info().get(NAME_HEADER.lower(), "")
        return name if name.isprintable() and 0 < len(name) <= MAX_NAME_LETTERS else code


@cache
def _list_codes() -> tuple[str, ...]:
    codes = list_packaged_languages("companion")
    own = [each for each in _list_folder(_own_folder) if re.fullmatch(LANGUAGE_CODE, each.name)] if _own_folder else []
    codes |= {folder.name for folder in own if any(file.suffix == ".po" for file in _list_folder(folder))}
    return (DEFAULT_LANGUAGE, *sorted(codes - {DEFAULT_LANGUAGE}))


def _list_folder(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        log.warning("The languages in %s cannot be read: %s", folder, error)
        return []


def list_packaged_languages(package: str) -> set[str]:
    """Return the codes of the languages that come with a package in its folder `locale`; not of English."""
    folder = files(package) / "locale"
    return {each.name for each in folder.iterdir() if (each / "LC_MESSAGES").is_dir()} if folder.is_dir() else set()


def find_packaged_folder(language: str, package: str) -> Traversable:
    """Return the folder of the catalogues of a language that come with a package; it need not exist."""
    return files(package) / "locale" / language / "LC_MESSAGES"


def read_packaged_file(file: Traversable) -> PoFile:
    """Read a .po file that comes with a package.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no .po file in UTF-8.
    """
    return parse_po(decode_text(file.read_bytes()))


@cache
def load_catalogue(domain: str, language: str, package: str) -> gettext.NullTranslations:
    """Return the translations of a domain: the user's own before those of a package. What is wrong is logged.

    Args:
        domain: name of the catalogue.
        language: code of a language.
        package: the package with the folder `locale`.
    """
    if language == DEFAULT_LANGUAGE:
        return gettext.NullTranslations()
    packaged = _load_packaged(domain, language, package)
    own = _load_own(_own_folder / language / f"{domain}.po") if _own_folder else None
    if own is None:
        return packaged
    own.add_fallback(packaged)
    return own


def _load_packaged(domain: str, language: str, package: str) -> gettext.NullTranslations:
    folder = find_packaged_folder(language, package)
    compiled, source = folder / f"{domain}.mo", folder / f"{domain}.po"
    try:
        if compiled.is_file():
            return gettext.GNUTranslations(BytesIO(compiled.read_bytes()))
        if source.is_file():  # not compiled yet: `make words`
            return load_translations(read_packaged_file(source))[0]
    except (OSError, ValueError, LookupError, struct.error) as error:  # whichever part of it gettext stumbles over
        log.error("The translations %s/%s are damaged (%s): install the companion again.", language, domain, error)
    return gettext.NullTranslations()


def read_own_file(file: Path) -> str:
    """Return the text of a user's .po file.

    Raises:
        OSError: it cannot be read, or is too long.
        PoError: it is not UTF-8.
    """
    try:
        return read_text(file, MAX_FILE_BYTES)
    except UnicodeDecodeError as error:
        raise PoError("it is not in UTF-8: choose that encoding when you save it") from error


def _load_own(file: Path) -> gettext.NullTranslations | None:
    try:
        translations, faults = load_translations(parse_po(read_own_file(file)))
    except FileNotFoundError:
        return None
    except (OSError, PoError) as error:
        log.error("%s is left out, its messages stay as they are: %s", file, error)
        return None
    for line, fault in list(faults.items())[:MAX_SHOWN_FAULTS]:
        log.warning("%s, line %d: this translation is left out: %s", file, line, fault)
    return translations
