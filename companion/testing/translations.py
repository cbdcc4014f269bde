"""Checks of the translation catalogues that a game brings."""

import gettext
from collections.abc import Iterator
from importlib.resources import files
from string import Formatter

from companion.i18n import DEFAULT_LANGUAGE, LANGUAGES


def list_translations(package: str, domain: str) -> Iterator[tuple[str, str, str]]:
    """Yield language, English message and translation of each entry in the catalogues of a package, plurals too.

    Args:
        package: the package with the folder `locale`.
        domain: name of the catalogue: the game's name.
    """
    for code in LANGUAGES:
        file = files(package) / "locale" / code / "LC_MESSAGES" / f"{domain}.mo"
        if code != DEFAULT_LANGUAGE and file.is_file():
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
        assert _find_places(text) | {"n"} == _find_places(message) | {"n"}, (code, message, text)
        assert message.startswith("{who}: ") == text.startswith("{who}: "), (code, message, text)
        assert message.endswith(".") == text.endswith("."), (code, message, text)


def _find_places(text: str) -> set[str]:
    """Return the names of the {places} in a text."""
    return {name for _text, name, _format, _conversion in Formatter().parse(text) if name}
