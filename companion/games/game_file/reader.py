"""From the text of a game's file to its content, or to a message that says which line is wrong, why, and what may be
meant."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from companion.file_reader import decode_text
from companion.games.game_file.expressions import ExpressionError
from companion.games.game_file.file_part import OptionValue
from companion.games.game_file.model import GameFile, find_option_values
from companion.names import normalize_name
from companion.validation_messages import describe_error, replace_control_characters

MAX_FILE_BYTES = 1 << 15
"""Longest file, in bytes."""
MAX_NESTING = 20
"""Most brackets within each other, and most parts of a dotted key; the parser's time and stack grow with them."""
MAX_WORD_LETTERS = 100
"""Longest key or number; such of thousands of digits cannot be printed."""
MAX_REASON_LETTERS = 300
"""Characters of a reason; a longer one is cut off."""
MAX_NAMED_KEYS = 3
"""Unknown keys that are named beside a missing one."""

CACHED_FILES = 64
"""Files that are kept with their compiled rules: those of all games of a table, and some older versions in its
journal."""

REFUSED_KEYS = ("score_keeper.players_min", "score_keeper.players_max")
"""Keys that stand at the top of the file, although the score keeper has them as settings."""

Path = tuple[str, ...]
"""Keys from the top of a file to a value; elements of a list by their number from 0."""
TOML_REASONS = {
    "Illegal character '\\n'": "the quote at the end of a text is missing",
    "Invalid value": "a text stands in quotes, a number has digits alone, and else there is true or false",
    "Cannot overwrite a value": "this key, or section, is there twice",
    "Cannot declare": "this section is there twice; one of several stands in two brackets, as [[points.entries]]",
    "Expected '=' after a key": "between a key and its value stands =",
    "Expected newline or end of document": (
        "nothing follows a value on its line; a number has digits alone, and an expression stands in quotes"
    ),
}
"""Beginnings of the parser's reasons, and the same in words that say what to do."""
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")

_QUOTE_OR_COMMENT = re.compile(r"\"{3}|'{3}|[\"'#]")
_STRING_ENDS = {
    '"': re.compile(r'(?:[^"\\]|\\.)*"'),
    "'": re.compile(r"[^']*'"),
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*"""'),
    "'''": re.compile(r"(?:[^']|'(?!''))*'''"),
}
"""By the quotes that begin a string: its rest on a line, with the quotes that end it."""
_LONG_WORD = re.compile(rf"[A-Za-z0-9_+-]{{{MAX_WORD_LETTERS + 1}}}")


class GameFileError(ValueError):
    """A game's file that cannot be used.

    Attributes:
        source: name of the file.
        line: number of the wrong line, from 1; 0: the file as a whole.
        reason: what is wrong, with the nearest valid word where there is one.
    """

    def __init__(self, source: str, line: int, reason: str) -> None:
        reason = replace_control_characters(reason, MAX_REASON_LETTERS)
        super().__init__(f"{source}, line {line}: {reason}" if line else f"{source}: {reason}")
        self.source, self.line, self.reason = source, line, reason


@lru_cache(maxsize=CACHED_FILES)
def parse_game_file(
    data: bytes | str, source: str = "the game's file", options: tuple[tuple[str, OptionValue], ...] = ()
) -> GameFile:
    """Parse and check the content of a game's file; the results of the last `CACHED_FILES` calls are kept.

    Args:
        data: the content, TOML 1.0 in UTF-8, at most `MAX_FILE_BYTES`.
        source: name of the file in messages.
        options: house rules by id that are chosen in place of the defaults (G8); unknown ones are ignored.

    Raises:
        GameFileError: it cannot be used; no content raises anything else.
    """
    text = decode_game_file(data, source) if isinstance(data, bytes) else data
    if len(text) > MAX_FILE_BYTES:
        raise GameFileError(source, 0, f"it is longer than {MAX_FILE_BYTES} bytes")
    text = unicodedata.normalize("NFC", text)  # a name and the key of its translation are written alike
    check_structure(text, source)
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        found = _TOML_PLACE.search(str(error))
        line = int(found[1]) if found and found[1] else text.count("\n") + 1
        reason = _TOML_PLACE.sub("", str(error))
        reason = next((words for start, words in TOML_REASONS.items() if reason.startswith(start)), reason)
        raise GameFileError(source, line, f"not TOML: {reason}") from error
    file = _validate(raw, text, source)
    if options:
        return _validate(_choose(raw, dict(options)), text, source)
    for option in file.options:
        for value in option.list_values():
            _validate(_choose(raw, {option.id: value}), text, f"{source} with {option.id} = {value}")
    _check_translations(file, text, source)
    return file


def _choose(raw: dict[str, Any], chosen: Mapping[str, OptionValue]) -> dict[str, Any]:
    """Return the content of a file, which is right, with other defaults of its options."""
    options = [
        {**each, "default": type(each["default"])(chosen.get(each["id"], each["default"]))}
        for each in raw.get("options", ())
    ]
    return {**raw, "options": options}


def _validate(raw: dict[str, Any], text: str, source: str) -> GameFile:
    """Return the checked content of a file with its expressions compiled.

    Args:
        raw: its values.
        text: the file, for the lines of mistakes.
        source: its name in messages.

    Raises:
        GameFileError: it cannot be used.
    """
    try:
        file = GameFile.model_validate(raw)
    except ValidationError as error:
        lines = dict(list_key_lines(text))
        faults = error.errors(include_url=False)
        # A list counts as too short if its elements are wrong: they say more.
        faults = [each for each in faults if each["type"] != "too_short"] or faults
        fault = min(faults, key=lambda each: _find_line(lines, _to_path(each["loc"])) or 1 << 30)
        # A missing key is often there under another name, or in another section.
        unknown = [each for each in faults if each["type"] == "extra_forbidden"]
        misplaced = [each for each in unknown if each["loc"][-1] == fault["loc"][-1]]
        unknown = [each for each in unknown if each["loc"][:-1] == fault["loc"][:-1]]
        named = unknown[:MAX_NAMED_KEYS] if fault["type"] == "missing" and unknown else [fault]
        path = _to_path(named[0]["loc"])
        reason = "; and ".join(describe_error(each, (), GameFile, "key", REFUSED_KEYS) for each in named)
        if fault["type"] == "missing" and misplaced:
            path = _to_path(misplaced[0]["loc"])
            reason = f"{'.'.join(path)} is in the wrong section: {'.'.join(_to_path(fault['loc']))} is meant"
            path = path if path in lines else (*path, "0")  # a list of sections
        reason += _suggest_option(raw, fault["input"], fault["type"])
        if "entries" in path and path[-1] == "high" and isinstance(fault["input"], str):
            reason += '; "most" is a limit that depends on other numbers'
        if fault["type"] == "string_too_long" and path == ("points", "score"):
            reason += '; a kept number may add up a part of it, which "total" adds to the score'
        if fault["type"] == "wrong_id":
            same = [each for each in lines if each[-1:] == ("id",) and _find_value(raw, each) == fault["ctx"]["id"]]
            path = (path, *same)[-1]
        elif first_word := re.match(r"\w+", str(fault.get("ctx", {}).get("error", ""))):
            # A check of several keys begins with the one to change, or with a list of sections.
            key_path = (*path, first_word[0])
            path = key_path if key_path in lines else (*key_path, "0")
        raise GameFileError(source, _find_line(lines, path), reason) from error
    if file.translations:
        file = file.model_copy(update={"translations": _match_translations(file)})
    try:
        file.compiled_rules  # noqa: B018 - wrong expressions are found here
    except ExpressionError as error:
        lines = dict(list_key_lines(text))
        path = next((path for path in lines if _find_value(raw, path) == error.text), ())
        key = ".".join(path) or "an expression"
        raise GameFileError(source, _find_line(lines, path), f"{key}: {error}") from error
    return file


def _suggest_option(raw: dict[str, Any], value: object, kind: str) -> str:
    """Return the option that may be meant by a text in place of a number, a word, or true and false (G8); else ""."""
    if not isinstance(value, str) or not kind.startswith(("int_", "bool_", "literal_")):
        return ""
    close = get_close_matches(value, find_option_values(raw), 1)
    return f'; did you mean the option "{close[0]}"?' if close else ""


def decode_game_file(data: bytes, source: str) -> str:
    """Return the text of a file.

    Args:
        data: the content, UTF-8.
        source: name of the file in messages.

    Raises:
        GameFileError: it is longer than `MAX_FILE_BYTES`, or not UTF-8.
    """
    if len(data) > MAX_FILE_BYTES:
        raise GameFileError(source, 0, f"it is longer than {MAX_FILE_BYTES} bytes")
    try:
        return decode_text(data)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise GameFileError(source, line, "it is not UTF-8 text: save the file as UTF-8") from error


def check_structure(text: str, source: str) -> None:
    """Check that nothing in a file would cost the parser its stack or a long time: brackets and words.

    Args:
        text: the content of the file.
        source: name of the file in messages.

    Raises:
        GameFileError: brackets or the parts of a key are more than `MAX_NESTING`, or a word has more than
            `MAX_WORD_LETTERS`.
    """
    depth = 0
    for line, code in _list_code_lines(text):
        if _LONG_WORD.search(code):
            raise GameFileError(source, line, f"a key or number of more than {MAX_WORD_LETTERS} characters")
        dots = 0
        for character in code:
            depth += (character in "[{") - (character in "]}")
            dots = 0 if character in "[]{},=" else dots + (character == ".")
            if depth > MAX_NESTING:
                raise GameFileError(source, line, "too many brackets within brackets")
            if dots > MAX_NESTING:
                raise GameFileError(source, line, "too many dots in a key")


def list_key_lines(text: str) -> Iterator[tuple[Path, int]]:
    """Yield the path of each key and section of a TOML text, with the line on which it stands.

    Keys within inline tables are not listed: the key of the whole stands for them.

    Args:
        text: the content of the file, valid TOML.

    >>> [*list_key_lines('a = 1\\n[[b.c]]\\nd = [\\n2]\\n"x y" = 3')]
    [(('a',), 1), (('b', 'c', '0'), 2), (('b', 'c', '0', 'd'), 3), (('b', 'c', '0', 'x y'), 5)]
    """
    table: Path = ()
    counts: dict[Path, int] = {}
    depth = 0
    sources = text.split("\n")
    for line, code in _list_code_lines(text):
        stripped = code.strip()
        if depth == 0 and stripped.startswith("["):
            name = _split_key(sources[line - 1].strip().strip("[]").partition("]")[0])
            path = _resolve(name[:-1], counts) + name[-1:]
            if stripped.startswith("[["):
                counts[path] = counts.get(path, -1) + 1
                path = (*path, str(counts[path]))
            elif path in counts:
                path = (*path, str(counts[path]))
            table = path
            yield table, line
            continue
        if depth == 0 and "=" in code:
            yield (*table, *_split_key(sources[line - 1][: code.index("=")])), line
        value = code.partition("=")[2] if depth == 0 else code
        depth = max(0, depth + sum((c in "[{") - (c in "]}") for c in value))


def _resolve(name: Path, counts: dict[Path, int]) -> Path:
    """Return a path with the number of the present element after each list of sections in it."""
    path: Path = ()
    for part in name:
        path = (*path, part)
        if path in counts:
            path = (*path, str(counts[path]))
    return path


def _split_key(text: str) -> Path:
    """Split a dotted key, whose parts may be in quotes."""
    found = re.findall(r'"((?:[^"\\]|\\.)*)"|\'([^\']*)\'|([A-Za-z0-9_-]+)', text)
    return tuple(next(part for part in parts if part) if any(parts) else "" for parts in found) or ("",)


def _list_code_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and code of each line, strings replaced by spaces of the same length, comments left out."""
    quote = ""
    for number, line in enumerate(text.split("\n"), 1):
        code, at = "", 0
        while at < len(line):
            if quote:
                end = _STRING_ENDS[quote].match(line, at)
                stop = end.end() if end else len(line)
                code, at, quote = code + " " * (stop - at), stop, "" if end else quote
                continue
            found = _QUOTE_OR_COMMENT.search(line, at)
            stop = found.start() if found else len(line)
            code, at = code + line[at:stop], stop
            if found is None or found[0] == "#":
                break
            quote = found[0]
            code, at = code + " " * len(quote), at + len(quote)
        if len(quote) == 1:
            quote = ""  # a string of one line that is not closed: the parser says so
        yield number, code


def _to_path(location: Sequence[int | str]) -> Path:
    return tuple(str(part) for part in location if part != "[key]")


def _find_line(lines: dict[Path, int], path: Path) -> int:
    """Return the line of a path, or of the nearest key around it; 0: there is none."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 0)


def _find_value(raw: object, path: Path) -> object:
    for part in path:
        if isinstance(raw, dict):
            raw = raw.get(part)
        elif isinstance(raw, list) and part.isdigit() and int(part) < len(raw):
            raw = raw[int(part)]
    return raw.strip() if isinstance(raw, str) else raw


def _match_translations(file: GameFile) -> dict[str, dict[str, str]]:
    """Return the translations by the texts of the file as they are now: names have their normal form."""
    texts = file.list_texts()
    return {
        language: {
            name if english not in texts and (name := normalize_name(english)) in texts else english: words
            for english, words in translated.items()
        }
        for language, translated in file.translations.items()
    }


def _check_translations(file: GameFile, text: str, source: str) -> None:
    texts = file.list_texts()
    for language, translated in file.translations.items():
        for english in translated:
            if english not in texts:
                close = get_close_matches(english, texts, 1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                hint += " A translation may be left out" if close else ""
                line = _find_line(dict(list_key_lines(text)), ("translations", language, english))
                raise GameFileError(source, line, f"translations.{language}: no text of this file is {english!r}{hint}")
