"""Checks of the translation catalogues that a game brings."""

import gettext
from collections.abc import Iterator

from companion.catalogues import find_packaged_folder, list_packaged_languages
from companion.po_file import ADDRESS, list_fields


def list_translations(package: str, domain: str) -> Iterator[tuple[str, str, str]]:
    """Yield language, English message and translation of each entry in the catalogues of a package, plurals too.

    Args:
        package: the package with the folder `locale`.
        domain: name of the catalogue: the game's name.
    """
    for code in sorted(list_packaged_languages(package)):
        file = find_packaged_folder(code, package) / f"{domain}.mo"
        if file.is_file():
            with file.open("rb") as opened:
                catalogue = gettext.GNUTranslations(opened)
            entries: dict[str | tuple[str, int], str] = catalogue._catalog  # type: ignore[attr-defined]  # gettext shows no list
            for message, text in entries.items():
                if message:
                    yield code, message[0] if isinstance(message, tuple) else message, text


def check_translations(package: str, domain: str) -> None:
    """Check that translations have the places of their messages, address the same player, and end alike.

    A package without catalogues passes: its texts stay English.
    """
    for code, message, text in list_translations(package, domain):
        assert text, (code, message)
        # A plural may leave its number out: "one point".
        number = {("n", "", "")}
        assert list_fields(text) | number == list_fields(message) | number, (code, message, text)
        assert bool(ADDRESS.match(message)) == bool(ADDRESS.match(text)), (code, message, text)
        assert message.endswith(".") == text.endswith("."), (code, message, text)
