"""Read and write gettext's .po files, and check their messages: translators' own files need no compiler.

The format: https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html. Contexts and obsolete messages (`#~`)
are not used here, and left out.
"""

import gettext
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO
from string import Formatter

NAME_HEADER = "X-Language-Name"
"""Header with the language's own name, such as "Deutsch"."""
DEFAULT_PLURALS = "nplurals=2; plural=(n != 1);"
"""Plural forms of a file that states none, as in English."""
TRIED_NUMBERS = 1001
"""Numbers, from 0, with which the rule of the plural forms is tried."""
KNOWN_HEADERS = {name.lower(): name for name in ("Language", "Content-Type", "Plural-Forms", NAME_HEADER)}
"""Headers that are found however their capitals are written, by their names in small letters."""
MAX_GROWTH, SPARE_LETTERS = 4, 40
"""A translation may be this many times as long as the message, and that many letters longer: a longer one is a mistake,
and would keep the screen busy for seconds. The longest ones that come with the program are three times as long."""
ADDRESS = re.compile("\\{who\\}\u00a0?: ")
"""Beginning of a message that addresses a player; its translation begins with it, too. French has a space in it."""
_SPACES = "\xa0\u2007\u2009\u202f"
"""Spaces other than the usual one that translations may have, such as the narrow one before a French "!"."""
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d)\])?\s+)?"((?:[^"\\]|\\.)*)"')


class PoError(ValueError):
    """A .po file that cannot be read; the message says where and why."""


@dataclass(frozen=True, slots=True)
class PoEntry:
    """A message of a .po file with its translation."""

    message: str
    """The English message; its singular if it has a plural."""
    plural: str = ""
    """The English plural; empty: there is none."""
    texts: tuple[str, ...] = ("",)
    """The translation, or that of each plural form; empty: not translated."""
    comments: tuple[str, ...] = ()
    """Lines before the message, each beginning with "#"."""
    line: int = 0
    """Line of the message in its file, from 1; 0: unknown."""

    @property
    def is_fuzzy(self) -> bool:
        """Whether the translation is marked as a guess, which nobody has checked."""
        return any(line.startswith("#,") and "fuzzy" in line for line in self.comments)

    @property
    def is_translated(self) -> bool:
        """Whether the message has a whole translation that somebody has checked."""
        return all(self.texts) and not self.is_fuzzy


@dataclass(frozen=True, slots=True)
class PoFile:
    """The headers and the messages of a .po file."""

    headers: Mapping[str, str]
    entries: tuple[PoEntry, ...]

    @property
    def plural_count(self) -> int:
        """Number of the language's plural forms.

        Raises:
            PoError: as `find_plural_rule`.
        """
        return self.find_plural_rule()[0]

    def find_plural_rule(self) -> tuple[int, str]:
        """Return the number of the language's plural forms, and the rule that chooses one for a number.

        Raises:
            PoError: the header "Plural-Forms" does not say it, or its rule is wrong for a number.
        """
        stated = self.headers.get("Plural-Forms", DEFAULT_PLURALS)
        found = re.fullmatch(r"\s*nplurals\s*=\s*([1-9])\s*;\s*plural\s*=\s*([^;]+);?\s*", stated)
        try:
            if found:
                choose, count = gettext.c2py(found[2]), int(found[1])
                if all(0 <= choose(n) < count for n in range(TRIED_NUMBERS)):
                    return count, found[2]
        except (ValueError, ArithmeticError, RecursionError):
            pass
        raise PoError(f'the header Plural-Forms is wrong: "{stated[:80]}"; that of English is "{DEFAULT_PLURALS}"')


def parse_po(text: str) -> PoFile:
    r"""Parse a .po file.

    Raises:
        PoError: a line is none of a .po file, or a message stands there twice.

    >>> po = parse_po('msgid ""\nmsgstr "Language: de\\n"\n\n#: a.py\nmsgid "Yes"\nmsgstr "Ja"\n')
    >>> po.headers, po.entries[0].message, po.entries[0].texts
    ({'Language': 'de'}, 'Yes', ('Ja',))
    """
    headers, entries = dict[str, str](), dict[tuple[str, str], PoEntry]()
    for entry in _parse_entries(text):
        if entry.message:
            before = entries.setdefault((entry.message, entry.plural), entry)
            if before is not entry:
                raise PoError(f'line {entry.line}: this message is in line {before.line}, too: "{entry.message[:40]}"')
        else:
            pairs = (line.partition(":") for line in entry.texts[0].splitlines())
            named = {name.strip(): value.strip() for name, _colon, value in pairs if value}
            headers.update({KNOWN_HEADERS.get(name.lower(), name): value for name, value in named.items()})
    return PoFile(headers, tuple(entries.values()))


def _parse_entries(text: str) -> Iterator[PoEntry]:
    comments, parts, field, first = list[str](), dict[str, list[str]](), "", 0
    for number, line in enumerate([*text.split("\n"), ""], 1):
        line = line.strip()
        is_comment, found = line.startswith("#"), _LINE.fullmatch(line)
        if line and not is_comment and (found is None or not (found[1] or field)):
            raise PoError(f'line {number}: neither a comment nor msgid or msgstr with a text in quotes: "{line[:40]}"')
        begins = found is not None and found[1] in ("msgctxt", "msgid")
        if "msgstr" in parts and (not line or is_comment or begins):
            yield _make_entry(parts, comments, first)
            comments, parts, field = [], {}, ""
        if line.startswith("#~"):
            comments = []  # those of a message that is not used any more
        elif is_comment:
            comments.append(line)
        elif found is not None:
            if found[1]:
                field = "msgstr" if found[1] == "msgstr" and found[2] in (None, "0") else f"{found[1]}{found[2] or ''}"
                first = number if found[1] == "msgid" else first
                if field in parts:
                    raise PoError(f"line {number}: {field} stands there twice, or the one before has no msgstr")
            text = re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), found[3])
            parts.setdefault(field, []).append(text)
    if parts:
        raise PoError(f"line {first}: this message has no msgstr")


def _make_entry(parts: Mapping[str, Sequence[str]], comments: Sequence[str], line: int) -> PoEntry:
    if "msgid" not in parts:
        raise PoError(f"line {line}: a msgstr without a msgid")
    whole = {field: "".join(pieces) for field, pieces in parts.items()}
    texts = [whole["msgstr"]]
    while (form := f"msgstr{len(texts)}") in whole:
        texts.append(whole[form])
    return PoEntry(whole["msgid"], whole.get("msgid_plural", ""), tuple(texts), tuple(comments), line)


def format_po(po: PoFile) -> str:
    r"""Format a .po file, one line for each text.

    >>> print(format_po(PoFile({}, (PoEntry("a tile", "{n} tiles", ("", "")),))).partition("\n\n")[2])
    msgid "a tile"
    msgid_plural "{n} tiles"
    msgstr[0] ""
    msgstr[1] ""
    <BLANKLINE>
    """
    head = "".join(f"{name}: {value}\n" for name, value in po.headers.items())
    blocks = []
    for entry in (PoEntry("", texts=(head,)), *po.entries):
        lines = [*entry.comments, f"msgid {_quote(entry.message)}"]
        if entry.plural:
            lines.append(f"msgid_plural {_quote(entry.plural)}")
            lines += [f"msgstr[{form}] {_quote(text)}" for form, text in enumerate(entry.texts)]
        else:
            lines.append(f"msgstr {_quote(entry.texts[0])}")
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _quote(text: str) -> str:
    escaped = text.replace("\\", r"\\").replace('"', r"\"").replace("\t", r"\t").replace("\r", r"\r")
    if "\n" not in escaped:
        return f'"{escaped}"'
    lines = (line.replace("\n", "\\n") for line in escaped.splitlines(keepends=True))
    return "\n".join(('""', *(f'"{line}"' for line in lines)))


def list_fields(text: str) -> frozenset[tuple[str, str, str]]:
    """Return the {fields} of a message: of each its name, format and conversion.

    Raises:
        ValueError: a brace stands alone.

    >>> list_fields("{who} has {n}")  == {("who", "", ""), ("n", "", "")}
    True
    """
    return frozenset(
        (name, form or "", conversion or "")
        for _text, name, form, conversion in Formatter().parse(text)
        if name is not None
    )


def find_fault(entry: PoEntry, plural_count: int) -> str | None:
    """Return why a translation cannot be used; None: it can, or there is none yet.

    Args:
        entry: the message.
        plural_count: number of the language's plural forms.

    >>> find_fault(PoEntry("{who} wins", texts=("{wer} gewinnt",)), 2)
    'it must have the same fields as the message: {who}'
    """
    if not any(entry.texts):
        return None
    wanted = plural_count if entry.plural else 1
    if len(entry.texts) != wanted:
        return f"it has {len(entry.texts)} forms, but Plural-Forms says {wanted}"
    return next((fault for text in entry.texts if text and (fault := _find_text_fault(entry, text))), None)


def _find_text_fault(entry: PoEntry, text: str) -> str | None:
    if len(text) > MAX_GROWTH * max(len(entry.message), len(entry.plural)) + SPARE_LETTERS:
        return f"it is more than {MAX_GROWTH} times as long as the message"
    if unusable := next((letter for letter in text if not letter.isprintable() and letter not in _SPACES), None):
        return f"it has a line break or an invisible letter: {unusable!a}"
    if fault := _find_field_fault(entry, text):
        return fault
    if bool(ADDRESS.match(entry.message)) != bool(ADDRESS.match(text)):
        return '"{who}: " must stand at the beginning of both or of neither'
    return None


def _find_field_fault(entry: PoEntry, text: str) -> str | None:
    try:
        fields = list_fields(entry.message) | list_fields(entry.plural)
    except ValueError:  # a message that is never filled in
        return None
    # A form of a plural may leave its number out: "a tile".
    spare = {("n", "", "")} if entry.plural else frozenset[tuple[str, str, str]]()
    with suppress(ValueError):
        if list_fields(text) | spare == fields | spare:
            return None
    names = ", ".join(f"{{{name}}}" for name, _form, _conversion in sorted(fields))
    return f"it must have the same fields as the message: {names or 'none, and no braces'}"


def load_translations(po: PoFile) -> tuple[gettext.GNUTranslations, dict[int, str]]:
    """Return the translations that can be used, and why others cannot, by their lines.

    Raises:
        PoError: its plural forms are wrong.
    """
    count = po.plural_count
    faults = {entry.line: fault for entry in po.entries if (fault := find_fault(entry, count))}
    good = [entry for entry in po.entries if entry.is_translated and entry.line not in faults]
    return gettext.GNUTranslations(BytesIO(compile_mo(replace(po, entries=tuple(good))))), faults


def compile_mo(po: PoFile) -> bytes:
    """Return the content of the .mo file: https://www.gnu.org/software/gettext/manual/html_node/MO-Files.html.

    Raises:
        PoError: its plural forms are wrong.
    """
    # Only what was checked: gettext reads headers less patiently, and believes them.
    forms, rule = po.find_plural_rule()
    headers = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Plural-Forms": f"nplurals={forms}; plural={rule};",
        NAME_HEADER: po.headers.get(NAME_HEADER, ""),
    }
    texts = {b"": "".join(f"{name}: {value}\n" for name, value in headers.items()).encode()}
    for entry in po.entries:
        ids = f"{entry.message}\0{entry.plural}" if entry.plural else entry.message
        texts[ids.encode()] = "\0".join(entry.texts).encode()
    strings = sorted(texts)
    strings += [texts[each] for each in strings]
    count, offset, table = len(texts), 28 + 8 * len(strings), bytearray()
    for string in strings:
        table += struct.pack("<2I", len(string), offset)
        offset += len(string) + 1
    return struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, offset) + table + b"\0".join([*strings, b""])
