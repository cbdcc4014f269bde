"""Names of players and games: one normal form for all that takes, stores and shows them, and one key to compare them.

Capitals are kept and not told apart: "ada" and "Ada" are one player, and so are the two ways to write "Zoë" in Unicode.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Annotated, Any

INVISIBLE_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that nobody sees though Unicode does not call them formats: fillers, joiners, the empty Braille."""
MAX_NAME_LETTERS = 40
"""Longest name that is stored."""
MAX_CACHED_NAMES = 4_096
"""Names whose form is kept: each move of a long game asks for those of its players."""
TABLE_ID_PATTERN = r"^[a-z0-9-]{1,40}$"
"""Id of a table, in topics and names of files."""
VARIATION_SELECTORS = (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))


@lru_cache(MAX_CACHED_NAMES)
def normalize_name(text: str) -> str:
    r"""Return a name in normal form: composed (NFC), with single spaces, without marks that cannot be seen.

    Those are marks of direction, joiners and fillers. Control characters and lone surrogates stay, for whoever refuses
    them. It may be empty.

    >>> normalize_name("  Zoe\u0308  \u202eMarie\u200b ")
    'Zoë Marie'
    """
    visible = "".join(
        letter
        for letter in text
        if unicodedata.category(letter) != "Cf"
        and letter not in INVISIBLE_LETTERS
        and ord(letter) not in VARIATION_SELECTORS
    )
    return unicodedata.normalize("NFC", " ".join(visible.split()))


@lru_cache(MAX_CACHED_NAMES)
def make_name_key(name: str) -> str:
    """Return what two spellings of one name have in common.

    >>> make_name_key("ADA ") == make_name_key("Ada")
    True
    """
    return unicodedata.normalize("NFC", normalize_name(name).casefold())


def strip_address(text: str, name: str) -> str:
    r"""Return a text without the name at its beginning and the colon behind it, before which French has a space.

    >>> strip_address("Ada: roll the dice", "Ada"), strip_address("Ada\u00a0: lance les dés", "Ada")
    ('roll the dice', 'lance les dés')
    """
    rest = text.removeprefix(name).removeprefix("\u00a0")
    return rest[2:] if text.startswith(name) and rest.startswith(": ") else text


def has_name(names: Iterable[str], name: str) -> bool:
    """Return whether a name is among some, in whichever spelling.

    >>> has_name(["Ada", "Bob"], "ada")
    True
    """
    key = make_name_key(name)
    return any(make_name_key(other) == key for other in names)


def resolve_names(names: Sequence[str], resolve: Callable[[str], str]) -> tuple[str, ...]:
    """Return the names that the players of one game have now, each once.

    Who was merged with somebody at the same table keeps the own name there.

    >>> resolve_names(["Bob", "Ada"], {"Bob": "Robert", "Ada": "Ada"}.__getitem__)
    ('Robert', 'Ada')
    >>> resolve_names(["Bob", "Robert"], {"Bob": "Robert", "Robert": "Robert"}.__getitem__)
    ('Bob', 'Robert')

    Args:
        names: by seat, no two the same.
        resolve: returns the name that a player has now.
    """
    resolved: list[str] = []
    for seat, name in enumerate(names):
        now = resolve(name)
        is_taken = now != name and has_name((*resolved, *names[:seat], *names[seat + 1 :]), now)
        resolved.append(name if is_taken else now)
    return tuple(resolved)


def check_name(text: str) -> str:
    """Return a name from elsewhere in normal form, as a validator of pydantic.

    Raises:
        ValueError: nothing of it can be seen.
    """
    name = normalize_name(text)
    if text and not name:
        raise ValueError("no letter of this name can be seen")
    return name


def limit_letters(most: int) -> Callable[[str], str]:
    """Return a validator of pydantic for the length of a normal form, in which some Indian letters become two.

    >>> limit_letters(3)("Ada")
    'Ada'
    """

    def check_length(text: str) -> str:
        if len(text) > most:
            raise ValueError(f"it is too long: at most {most} letters")
        return text

    return check_length


def normalize_input(value: Any) -> Any:
    r"""Return a text in normal form, as a validator before those of pydantic; they refuse what is no text.

    >>> normalize_input(" Romme\u0301 "), normalize_input(3)
    ('Rommé', 3)
    """
    return normalize_name(value) if isinstance(value, str) else value


class _NormalForm:
    """Validates a field by `normalize_input`; pydantic is loaded by the models that have one, not by each command."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(normalize_input, handler(source))


NormalName = Annotated[str, _NormalForm()]
"""A field of a model for a name: composed, with single spaces, without marks that cannot be seen."""
