"""Words in the language of the evening, through gettext: whole sentences with named places, never glued together.

A message stands in the code in English and is its own key. Each game has a catalogue of its own, so has all the rest
("companion"): `companion/locale/LANGUAGE/LC_MESSAGES/DOMAIN.po`, compiled to `.mo` by `make words`. What has no
translation is said in English.

The language belongs to the process, as it belongs to the table: one box speaks one language at a time, and games, which
are plain values, need not carry it.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from types import MappingProxyType

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "it": "Italiano", "de": "Deutsch"})
"""By code, in their own words."""
DEFAULT_LANGUAGE = "en"

_language = DEFAULT_LANGUAGE


def current_language() -> str:
    """The language spoken now, a key of `LANGUAGES`."""
    return _language


def set_language(language: str) -> None:
    """From now on, speak this language.

    Raises:
        ValueError: there is no such language here.
    """
    if language not in LANGUAGES:
        raise ValueError(f"{language!r} is not spoken here; there are {', '.join(LANGUAGES)}")
    global _language
    _language = language


def replace_unprintable(text: str) -> str:
    """`text` with anything that a font cannot draw and a terminal might obey (controls, line breaks) as a space.

    >>> printable("Ada\\x1b[2J")
    'Ada [2J'
    """
    return "".join(letter if letter.isprintable() else " " for letter in text)


@cache
def _load_catalogue(domain: str, language: str) -> gettext.NullTranslations:
    if language == DEFAULT_LANGUAGE:
        return gettext.NullTranslations()
    with as_file(files("companion") / "locale") as folder:
        return gettext.translation(domain, str(folder), [language], fallback=True)


class Translator:
    """The words of one domain; `_ = Words("macroscope")` at the head of a module, then ``_("...")`` in its functions.

    >>> _ = Words("companion")
    >>> _("{who}: roll the dice", who="Ada")
    'Ada: roll the dice'
    >>> _.plural("{n} crystal", "{n} crystals", 3)
    '3 crystals'
    """

    def __init__(self, domain: str) -> None:
        self.domain = domain

    def __call__(self, message: str, **values: object) -> str:
        """The message in the language of the evening, its {places} filled in."""
        said = _load_catalogue(self.domain, _language).gettext(message)
        return said.format(**values) if values else said

    def in_all_languages(self, message: str) -> frozenset[str]:
        """The message in every language."""
        return frozenset(_load_catalogue(self.domain, code).gettext(message) for code in LANGUAGES)

    def plural(self, one: str, many: str, n: int, **values: object) -> str:
        """The message for `n` things, which is also the place {n}."""
        return _load_catalogue(self.domain, _language).ngettext(one, many, n).format(n=n, **values)


def N_(message: str) -> str:  # noqa: N802 - gettext's own name for it
    """Marks a message that is said later (a constant of a module); say it with ``_(message)``."""
    return message


_ = Translator("companion")


def join_and(items: Sequence[str]) -> str:
    """All of them: "Ada, Bob and Cleo"."""
    return _join(items, lambda before, last: _("{before} and {last}", before=before, last=last))


def join_or(items: Sequence[str]) -> str:
    """One of them: "Ada, Bob or Cleo"."""
    return _join(items, lambda before, last: _("{before} or {last}", before=before, last=last))


def format_number(number: int | str) -> str:
    """A number as it is printed, with a minus sign as wide as a plus."""
    return str(number).replace("-", "−")


def _join(items: Sequence[str], join_last_two: Callable[[str, str], str]) -> str:
    if len(items) < 2:
        return "".join(items)
    # A comma between all but the last two is common to the languages spoken here.
    return join_last_two(", ".join(items[:-1]), items[-1])
