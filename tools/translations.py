"""Update the translation catalogues: extract messages into the .po files, compile them, report missing translations.

    python tools/translations.py            update, compile and report
    python tools/translations.py --check    change nothing; fail if a catalogue is out of date or incomplete

A file's messages belong to the catalogue that its `Translator` names, to the companion's if it imports `_`, or else to
that of its folder's game; all others, those of hardware/ among them, are the companion's.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "companion"
LOCALE = PACKAGE / "locale"
KEYWORDS = {"_": None, "N_": None, "LazyMessage": None, "plural": (1, 2)}
LANGUAGES = ("it", "de")
DEFAULT_DOMAIN = "companion"


class StableCatalog(Catalog):
    """A catalogue whose files do not change with the version of Babel.

    Babel names its version in the header, and since 2.19 it has a third plural in Italian, for millions, which no text
    needs.
    """

    @property
    def num_plurals(self) -> int:
        return 2

    @property
    def plural_expr(self) -> str:
        return "(n != 1)"

    def _get_mime_headers(self) -> list[tuple[str, str]]:
        return [("Content-Type", "text/plain; charset=utf-8"), ("Plural-Forms", self.plural_forms)]

    mime_headers = property(_get_mime_headers)


@cache
def list_games() -> tuple[str, ...]:
    """Return the names of the games that have a package in companion/games."""
    games = PACKAGE / "games"
    return tuple(sorted({path.relative_to(games).parts[0] for path in games.rglob("game.py")}))


def find_domain(path: Path) -> str:
    """Return the gettext domain of the messages of a file."""
    if not path.is_relative_to(PACKAGE):
        return DEFAULT_DOMAIN
    inside = path.relative_to(PACKAGE)
    text = path.read_text(encoding="utf-8")
    named = re.search(r'^_ = Translator\("(\w+)"', text, re.MULTILINE)
    if named:
        return named[1]
    if re.search(r"^from companion\.i18n import .*\b_\b", text, re.MULTILINE):
        return DEFAULT_DOMAIN
    if "simulator" in inside.parts:  # the help on the mouse is shown by the simulator's panel
        return DEFAULT_DOMAIN
    return inside.parts[1] if inside.parts[0] == "games" and inside.parts[1] in list_games() else DEFAULT_DOMAIN


def mentions_message(code: str) -> bool:
    """Return whether code may have a message: to read its tokens takes long, and most files have none."""
    return re.search(rf"\b(?:{'|'.join(KEYWORDS)})\(", code) is not None


def extract_messages() -> dict[str, Catalog]:
    """Extract the messages of the code, by domain."""
    found = {name: Catalog(domain=name, charset="utf-8") for name in (*list_games(), DEFAULT_DOMAIN)}
    for path in sorted((*PACKAGE.rglob("*.py"), *(ROOT / "hardware").rglob("*.py"))):
        if path.parent.name == "gallery" or path.name == "samples.py":
            continue  # its messages are those of other modules
        if not mentions_message(path.read_text(encoding="utf-8")):
            continue
        mine, where = found[find_domain(path)], str(path.relative_to(ROOT))
        for line, message, _comments, context in extract_from_file("python", path, keywords=KEYWORDS):
            mine.add(message, locations=[(where, line)], context=context)
    return found


def get_catalogue_path(code: str, name: str, kind: str) -> Path:
    """Return the file of a catalogue; `kind` is "po" or "mo"."""
    return LOCALE / code / "LC_MESSAGES" / f"{name}.{kind}"


def update_catalogue(code: str, name: str, template: Catalog) -> Catalog:
    """Return the catalogue of a language with exactly the messages of `template`; present translations are kept."""
    file = get_catalogue_path(code, name, "po")
    old = Catalog(domain=name)
    if file.exists():
        with file.open("rb") as opened:
            old = read_po(opened, domain=name)
    # Fixed dates: the files must not change with every build.
    then = datetime(2026, 1, 1, tzinfo=UTC)
    new = StableCatalog(locale=code, domain=name, charset="utf-8", fuzzy=False, creation_date=then, revision_date=then)
    for message in template:
        if message.id:
            kept = old.get(message.id)
            # No line numbers: they would change with every edit of the code.
            files: Any = sorted({(where, None) for where, _ in message.locations})
            new.add(message.id, kept.string if kept else None, locations=files, flags=message.flags)
    return new


def _list_forms(text: str | Sequence[str] | None) -> Sequence[str]:
    """Return the text, or its singular and plural."""
    return (text or "",) if isinstance(text, str | None) else text


def list_problems(catalogue: Catalog) -> Iterator[str]:
    """Yield a problem for each message without a translation or whose translation has other {placeholders}."""
    for message in catalogue:
        if not message.id:
            continue
        texts, ids = _list_forms(message.string), _list_forms(message.id)
        if not all(texts):
            yield f"not translated: {message.id!r}"
        wanted = set().union(*map(find_placeholders, ids))
        # The singular may omit its number: "a tile".
        spare = {"n"} if message.pluralizable else set()
        yield from (
            f"other placeholders than in {message.id!r}: {text!r}"
            for text in texts
            if text and find_placeholders(text) | spare != wanted | spare
        )


def find_placeholders(text: str) -> set[str]:
    """Return the names of the {placeholders} of a message."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def encode_catalogue(catalogue: Catalog) -> tuple[bytes, bytes]:
    """Return the contents of the .po and of the .mo file."""
    po, mo = io.BytesIO(), io.BytesIO()
    write_po(po, catalogue, width=110, sort_output=True, omit_header=True, include_lineno=False)
    write_mo(mo, catalogue)
    return po.getvalue(), mo.getvalue()


def check_catalogues(*, write: bool) -> list[str]:
    """Return the problems of all catalogues; with `write` the files are updated first."""
    found = []
    templates = extract_messages()
    for code in LANGUAGES:
        for name, template in templates.items():
            catalogue = update_catalogue(code, name, template)
            for kind, data in zip(("po", "mo"), encode_catalogue(catalogue), strict=True):
                file = get_catalogue_path(code, name, kind)
                if file.exists() and file.read_bytes() == data:
                    continue
                if write:
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(data)
                else:
                    found.append(f"{file.relative_to(ROOT)} is out of date: run make words")
            found += [f"{code}/{name}: {fault}" for fault in list_problems(catalogue)]
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    wrong = check_catalogues(write=not parser.parse_args().check)
    print("\n".join(wrong) or "All messages are translated.")
    sys.exit(bool(wrong))
