"""Validate a document part by part: a wrong or unknown key costs that key, and the rest of the document holds.

Used by `settings_file.py` (TOML) and `json_store.py` (what people set and taught), which name the key.
"""

import copy
from collections.abc import Callable, Iterator
from functools import reduce
from operator import getitem
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

Model = TypeVar("Model", bound=BaseModel)
PartPath = tuple[int | str, ...]
"""Keys and indexes that lead from a document to one of its parts."""
_RULE_ERRORS = frozenset({"value_error", "assertion_error"})
"""Types of errors that a validator of a model raises; they name the section, not the key that is to blame."""


class PartlyValid(NamedTuple, Generic[Model]):
    """A document without its invalid parts."""

    value: Model
    document: dict[str, Any]
    """What `value` was made from: the document, or a copy of it without the parts that were left out."""
    faults: list[ErrorDetails]
    """Errors of the parts that were left out; empty: there were none."""


def drop_part(document: dict[str, Any], path: PartPath) -> Any:
    """Remove the part at `path` from a document, and return it.

    >>> document = {"lamp": {"pin": 4, "colour": "red"}}
    >>> drop_part(document, ("lamp", "pin")), document
    (4, {'lamp': {'colour': 'red'}})
    """
    return get_part(document, path[:-1]).pop(path[-1])


def get_part(document: Any, path: PartPath) -> Any:
    """Return the part at `path`; for an empty path the document itself."""
    return reduce(getitem, path, document)


def validate_partly(
    validate: Callable[[dict[str, Any]], Model],
    document: dict[str, Any],
    drop: Callable[[dict[str, Any], PartPath], object] = drop_part,
) -> PartlyValid[Model]:
    """Validate a document, and leave out what is wrong in it until the rest is valid.

    Args:
        validate: makes the value, or raises pydantic's ValidationError; it must not change the document.
        document: keys and values as of JSON or TOML; it is not changed.
        drop: removes the part at a path, or replaces it by a valid one.

    Raises:
        ValidationError: not even an empty document is valid.

    >>> class Lamp(BaseModel):
    ...     pin: int = 0
    ...     colour: str = "white"
    >>> found = validate_partly(Lamp.model_validate, {"pin": "four", "colour": "red"})
    >>> found.value, [fault["loc"] for fault in found.faults]
    (Lamp(pin=0, colour='red'), [('pin',)])
    """
    faults = list[ErrorDetails]()
    while True:
        try:
            return PartlyValid(validate(document), document, faults)
        except ValidationError as error:
            if not document:
                raise
            found = error.errors(include_url=False)
        if not faults:
            document = copy.deepcopy(document)
        # In later rounds a key is missing only because its value was left out before.
        faults += [fault for fault in found if not faults or fault["type"] != "missing"]
        paths = dict.fromkeys(_find_culprit(validate, document, fault, drop) for fault in found)
        # Backwards, so that the indexes of a list stay right.
        for path in reversed(paths):
            if not path:
                for key in [*document]:
                    drop(document, (key,))
            elif not any(path[:length] in paths for length in range(len(path))):
                drop(document, path)


def _find_culprit(
    validate: Callable[[dict[str, Any]], BaseModel],
    document: dict[str, Any],
    fault: ErrorDetails,
    drop: Callable[[dict[str, Any], PartPath], object],
) -> PartPath:
    """Return the path of the part to leave out because of an error: the smallest that can be found."""
    path: PartPath = ()
    part: Any = document
    key: Any
    for key in fault["loc"]:
        # Where the location goes on with the name of a type or a missing key, the part that has it is wrong.
        if not ((isinstance(part, dict) and key in part) or (isinstance(part, list) and key in range(len(part)))):
            break
        part, path = part[key], (*path, key)
    if fault["type"] in _RULE_ERRORS and isinstance(part, dict):
        for leaf in reversed([*_list_leaves(part)]):
            rest = copy.deepcopy(document)
            drop(rest, (*path, *leaf))
            if not _has_fault(validate, rest, fault):
                return (*path, *leaf)
    return path


def _list_leaves(part: dict[str, Any]) -> Iterator[PartPath]:
    for key, value in part.items():
        if isinstance(value, dict) and value:
            yield from ((key, *leaf) for leaf in _list_leaves(value))
        else:
            yield (key,)


def _has_fault(validate: Callable[[dict[str, Any]], BaseModel], document: dict[str, Any], fault: ErrorDetails) -> bool:
    try:
        validate(document)
    except ValidationError as error:
        found = {(each["loc"], each["msg"]) for each in error.errors(include_url=False)}
        return (fault["loc"], fault["msg"]) in found
    return False
