"""Errors of pydantic in plain words, for people who write settings and games in TOML files."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from typing import get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

MAX_SHOWN_LETTERS = 40
"""Most letters of a wrong value in a message; a longer one is cut off."""


def describe_error(
    error: ErrorDetails,
    where: tuple[str, ...],
    model: type[BaseModel],
    thing: str = "setting",
    refused: Collection[str] = (),
) -> str:
    """Return one of pydantic's errors in plain words, beginning with the key; with the nearest valid word, if any.

    Args:
        error: an element of `ValidationError.errors()`, with its context.
        where: keys before those of the error.
        model: the model that was to be validated.
        thing: what an unknown key is said to be no such one of.
        refused: keys, each with all before it, that are not proposed since they are refused later.
    """
    location = [str(part) for part in error["loc"]]
    key = ".".join([*where, *location]) or "the file"
    value, context = error["input"], error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden":
            section = location[:-1]
            known = [name for name in _list_names(model, section) if ".".join([*section, name]) not in refused]
            close = difflib.get_close_matches(location[-1], known, 1)
            close += [name for name in known if name.startswith(f"{location[-1]}_")]
            hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(known) or 'none'}"
            return f"{key}: there is no such {thing}; {hint}"
        case "model_type" | "model_attributes_type":
            return f"{key} must be a section: [{key}]"
        case "literal_error":
            wanted = context["expected"].replace("'", '"')
        case "int_type" | "int_parsing" | "int_from_float":
            wanted = "a whole number"
        case "float_type" | "float_parsing" | "finite_number":
            wanted = "a number"
        case "bool_type" | "bool_parsing":
            wanted = "true or false"
        case "string_type" | "path_type" | "is_instance_of":
            wanted = 'text in quotes, "like this"'
        case "missing":
            return f"{key} is missing"
        case "string_pattern_mismatch" if context["pattern"].startswith("^[a-z]["):
            wanted = "lower case letters, digits and underscores, a letter first"
        case "string_too_long":
            return f"{key} must be at most {context['max_length']} characters long, not {len(value)}"
        case "string_too_short":
            wanted = f"at least {context['min_length']} characters long"
        case "too_short":
            return f"{key}: at least {context['min_length']} must be there"
        case "too_long":
            return f"{key}: {context['actual_length']} are too many: at most {context['max_length']}"
        case "tuple_type" | "list_type" if isinstance(value, Mapping):
            return f"{key} must be a list of sections: each begins with [[{key}]]"
        case "tuple_type" | "list_type":
            wanted = "a list: [ ... ]"
        case "dict_type" | "mapping_type":
            return f"{key} must be a section: [{key}]"
        case "greater_than_equal":
            wanted = f"{context['ge']:g} or more"
        case "less_than_equal":
            wanted = f"{context['le']:g} or less"
        case _:
            return f"{key}: {format_validation_message(error)}"
    return f"{key} must be {wanted}, not {_format_value(value)}"


def _list_names(model: type[BaseModel], location: Sequence[str]) -> list[str]:
    """Return the names of the keys in that section of the model; empty if it is no section."""
    for part in location:
        if part.isdigit():
            continue  # the model of a list's elements
        annotation = model.model_fields[part].annotation if part in model.model_fields else None
        possible = (annotation, *get_args(annotation))
        inner = next((each for each in possible if isinstance(each, type) and issubclass(each, BaseModel)), None)
        if inner is None:
            return []
        model = inner
    return list(model.model_fields)


def _format_value(value: object) -> str:
    import json  # only a mistake needs it

    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return "that"  # a number of thousands of digits, or a list within a list within a list
    return replace_control_characters(text, MAX_SHOWN_LETTERS)


def replace_control_characters(text: str, max_letters: int) -> str:
    """Return a text for one line of a terminal: line ends and what cannot be printed as escapes, cut off if it is long.

    Args:
        text: the text.
        max_letters: most characters, at least 3.

    >>> replace_control_characters("two\\nlines, too long", 14)
    'two\\\\nlines, ...'
    """
    if len(text) > max_letters:
        text = f"{text[: max_letters - 3]}..."
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def format_validation_message(error: ErrorDetails) -> str:
    """Return the message of one of pydantic's errors in English: as a validator of ours raised it, else pydantic's own.

    Args:
        error: an element of `ValidationError.errors()`, with its context.
    """
    return str(error["ctx"]["error"]) if error["type"] == "value_error" else error["msg"]
