"""Translations through gettext: whole sentences with named {places}, never joined from pieces.

A message stands in the code in English and is its own key. Each game has a catalogue (a gettext domain) of its own; the
domain "companion" has all the rest. A message without a translation is shown in English. Where catalogues and languages
are found: `companion/catalogues.py`; how to add a language: docs/translating.md.

The language belongs to the process: one device has one language at a time, and games, which are plain values, need not
carry it.
"""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from companion.catalogues import DEFAULT_DOMAIN, Languages, load_catalogue
from companion.catalogues import DEFAULT_LANGUAGE as DEFAULT_LANGUAGE  # so that callers find it here
from companion.po_file import TRIED_NUMBERS

LANGUAGES: Mapping[str, str] = Languages()
"""The languages' own names, by code; English first."""
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Variables of the environment that name the language of messages; the first one that is set counts."""
DOTTED_I_LANGUAGES = ("az", "tr")
"""Languages in which "İ" is the capital of "i"; "I" is that of "ı"."""

_language = DEFAULT_LANGUAGE
_added_messages: dict[str, Mapping[str, Mapping[str, str]]] = {}
"""By domain and by language: translations that no catalogue has."""
_catalogue_names: dict[str, str] = {}
"""By domain: the catalogue of its other messages, if that has another name."""


def current_language() -> str:
    """Return the code of the current language, a key of `LANGUAGES`."""
    return _language


def set_language(language: str) -> None:
    """Set the language into which all messages of the process are translated from now on, in all threads.

    Args:
        language: code of the language, a key of `LANGUAGES`, such as "de".

    Raises:
        ValueError: there is no such language; the previous one stays.
    """
    if language not in LANGUAGES:
        raise ValueError(f"{language!r} is no language here; there are {', '.join(LANGUAGES)}")
    global _language
    _language = language


def find_system_language(environment: Mapping[str, str]) -> str:
    """Find the language of the system's messages, as POSIX has it: LC_ALL before LC_MESSAGES before LANG.

    On Windows, where nothing sets these, it is the language of its own menus.

    Args:
        environment: the variables of the environment.

    Returns:
        Its code, a key of `LANGUAGES`; that of English if the system has another one or none.

    >>> find_system_language({"LANG": "de_AT.UTF-8"}), find_system_language({"LANG": "tlh_QO.UTF-8"})
    ('de', 'en')
    """
    locale = next((value for name in LOCALE_VARIABLES if (value := environment.get(name))), "")
    locale = locale or _read_windows_locale()
    with_country = re.split("[.@]", locale)[0]
    possible = (with_country, with_country.partition("_")[0].lower())
    return next((code for code in possible if code in LANGUAGES), DEFAULT_LANGUAGE)


def format_language_tag(code: str) -> str:
    """Return the tag of a language as BCP 47 has it, for pages and voices.

    >>> format_language_tag("pt_BR")
    'pt-BR'
    """
    return code.replace("_", "-")


def _read_windows_locale() -> str:
    """Return the locale of Windows' menus, such as "de_DE"; empty: it is unknown, or this is another system."""
    if sys.platform != "win32":
        return ""
    import ctypes
    from locale import windows_locale

    return windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")


def replace_unprintable(text: str) -> str:
    """Return the text with a space in place of each control character and line break; its length stays the same.

    The no-break space stays: French has it before a colon, and it is a space that no line may break at.

    A font cannot draw them, and a terminal might execute them. `str.isprintable` decides.

    >>> replace_unprintable("Ada\\x1b[2J")
    'Ada [2J'
    """
    return "".join(letter if letter.isprintable() or letter == "\xa0" else " " for letter in text)


def add_messages(domain: str, messages: Mapping[str, Mapping[str, str]], catalogue: str) -> None:
    """Add translations to a domain for the rest of the process, such as those of a game that a file describes.

    Args:
        domain: the domain; translations that were added to it before are forgotten.
        messages: by language, the English messages and their translations; they come before those of a catalogue.
        catalogue: name of the catalogue that has those of other languages.
    """
    _added_messages[domain], _catalogue_names[domain] = messages, catalogue


def _translate(domain: str, language: str, package: str, message: str) -> str:
    if not message:
        return ""  # a catalogue has its header there
    added = _added_messages.get(domain, {}).get(language, {})
    catalogue = load_catalogue(_catalogue_names.get(domain, domain), language, package)
    return added.get(message) or catalogue.gettext(message)


class Translator:
    """Translates the messages of one gettext domain into the current language of the process.

    A game makes one for all its modules, ``_ = Translator("my_game")``; their functions call ``_("...")``.

    Args:
        domain: name of the catalogue: a game's name, or "companion". Without such a catalogue messages stay English.
        package: the package with the folder `locale`: that of a game in a distribution of its own.

    >>> _ = Translator("companion")
    >>> _("{who}: roll the dice", who="Ada")
    'Ada: roll the dice'
    >>> _.plural("{n} crystal", "{n} crystals", 3)
    '3 crystals'
    """

    def __init__(self, domain: str, package: str = "companion") -> None:
        self.domain, self.package = domain, package

    def __call__(self, message: str, **values: object) -> str:
        """Translate a message into the current language, and fill in its {places}.

        Args:
            message: the English message, a literal; without a translation it is used itself.
            values: by the name of each {place} in the message; without any, braces are left as they are. Negative
                numbers get a minus sign.

        Raises:
            KeyError: values are given, but not for every place.
        """
        translated = _translate(self.domain, _language, self.package, message)
        return translated.format(**_format_values(values)) if values else translated

    def in_language(self, code: str, message: str) -> str:
        """Translate a message into a language, whichever is the current one, without filling in its {places}.

        Args:
            code: code of the language; of one that is not there the message stays English.
            message: the English message, as it stands in the code.
        """
        return _translate(self.domain, code if code in LANGUAGES else DEFAULT_LANGUAGE, self.package, message)

    def in_all_languages(self, message: str) -> frozenset[str]:
        """Return the English message and its translations into every language, without filling in its {places}.

        Equal ones are in the set once, and a language without a translation adds none. The current language does not
        matter.

        Args:
            message: the English message, as it stands in the code.
        """
        return frozenset(self.in_language(code, message) for code in LANGUAGES)

    def plural(self, one: str, many: str, n: int, **values: object) -> str:
        """Translate a message into the current language in the grammatical number that `n` needs.

        Args:
            one: the English message for one thing.
            many: the English message for any other number of things.
            n: number of things, whose sign does not matter; it also fills the place {n}.
            values: by the name of each other {place} in the messages.

        Raises:
            KeyError: a place has no value.
        """
        # The last two digits decide; a user's rule was tried with small numbers only, and may divide by zero later.
        size = abs(n) if abs(n) < TRIED_NUMBERS else 900 + abs(n) % 100
        translated = load_catalogue(self.domain, _language, self.package).ngettext(one, many, size)
        return translated.format(**_format_values({"n": n, **values}))


def _format_values(values: Mapping[str, object]) -> dict[str, object]:
    return {
        name: format_number(value) if isinstance(value, int) and value < 0 else value for name, value in values.items()
    }


def N_(message: str) -> str:  # noqa: N802 - gettext's own name for it
    """Return `message` unchanged: mark a module's constant for extraction, which ``_(message)`` translates later.

    >>> N_("{who} throws")
    '{who} throws'
    """
    return message


_ = Translator(DEFAULT_DOMAIN)
"""Translates the companion's own messages: ``from companion.i18n import _``. Games have a `Translator` of their own."""

MONTH_NAMES = (
    *(N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun")),
    *(N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec")),
)
"""Abbreviated names of the months, January first, untranslated."""


def join_and(items: Sequence[str]) -> str:
    """Join all items in the current language: "Ada, Bob and Cleo". One item is returned alone; no items give "".

    >>> join_and(["Ada", "Bob", "Cleo"]), join_and(["Ada"]), join_and([])
    ('Ada, Bob and Cleo', 'Ada', '')
    """
    return _join(items, lambda before, last: _("{before} and {last}", before=before, last=last))


def join_label(label: str, text: str) -> str:
    """Join a label, such as a name, with what belongs to it: "Ada: 24". French has a space before the colon."""
    return _("{label}: {text}", label=label, text=text)


def join_or(items: Sequence[str]) -> str:
    """Join alternatives in the current language: "Ada, Bob or Cleo". One item is returned alone; no items give "".

    >>> join_or(["2 and 5", "2 and 6"])
    '2 and 5 or 2 and 6'
    """
    return _join(items, lambda before, last: _("{before} or {last}", before=before, last=last))


def capitalize_first_letter(text: str) -> str:
    """Return the text with its language's capital as first letter, also after a mark that opens a sentence.

    >>> capitalize_first_letter("¿cuántos cometas tienes?")
    '¿Cuántos cometas tienes?'
    """
    # Unicode's capital of "i" is wrong in Turkish. title(), not upper(): Georgian has capitals that begin no sentence.
    capital_of_i = "İ" if _language in DOTTED_I_LANGUAGES else "I"
    return re.sub(r"^[¿¡«“„(]*\w", lambda beginning: beginning[0].replace("i", capital_of_i).title(), text)


def format_number(number: int | str) -> str:
    """Format a number for the screen: each hyphen becomes a minus sign (U+2212), which is as wide as a plus.

    >>> format_number(-3)
    '−3'

    Args:
        number: a whole number, or a text with numbers such as "-3".
    """
    return str(number).replace("-", "−")


def format_day_of_year(date: datetime) -> str:
    """Format a day without its year in the current language.

    >>> format_day_of_year(datetime(2026, 11, 21))
    '21 Nov'
    """
    return _("{day} {month}", day=date.day, month=_(MONTH_NAMES[date.month - 1]))


def format_day(date: datetime) -> str:
    """Format a day with its year in the current language; the time of day and the time zone are not used.

    >>> format_day(datetime(2026, 11, 21))
    '21 Nov 2026'
    """
    return _("{day} {month} {year}", day=date.day, month=_(MONTH_NAMES[date.month - 1]), year=date.year)


def _join(items: Sequence[str], join_last_two: Callable[[str, str], str]) -> str:
    if len(items) < 2:
        return "".join(items)
    # All languages here put a comma between all but the last two.
    return join_last_two(", ".join(items[:-1]), items[-1])
