"""Update the translation catalogues: extract messages into the .po files, compile them, report missing translations.

    python tools/translations.py            update, compile and report
    python tools/translations.py --check    change nothing; fail if a catalogue is out of date or incomplete

A file's messages belong to the catalogue that its `Translator` names, to the companion's if it imports `_`, or else to
that of its folder's game; all others, those of hardware/ among them, are the companion's. The languages are the folders
in companion/locale: a new one gets its catalogues here, too. The headers Plural-Forms and X-Language-Name stay as they
are in each file.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from companion.api.registry import SHIPPED_GAME_FOLDER
from companion.catalogues import DEFAULT_DOMAIN, list_packaged_languages
from companion.games.game_file.file_rules import SHIPPED_GAMES_DOMAIN
from companion.games.game_file.shipped_texts import list_untranslated_texts
from companion.po_file import DEFAULT_PLURALS, NAME_HEADER, PoFile, find_fault, parse_po

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "companion"
LOCALE = PACKAGE / "locale"
KEYWORDS = {"_": None, "N_": None, "LazyMessage": None, "plural": (1, 2)}


class StableCatalog(Catalog):
    """A catalogue whose files do not change with the version of Babel.

    Babel names its version in the header, and has plurals of its own: since 2.19 a third one in Italian, for millions,
    which no text needs.

    Args:
        po: the headers are taken from it.
        options: arguments of `Catalog`.
    """

    def __init__(self, po: PoFile, **options: Any) -> None:
        super().__init__(header_comment="", **options)
        self._kept = po

    @property
    def num_plurals(self) -> int:
        return self._kept.plural_count

    def _get_mime_headers(self) -> list[tuple[str, str]]:
        kept: Mapping[str, str] = {"Plural-Forms": DEFAULT_PLURALS, **self._kept.headers}
        fixed = {"Language": self.locale_identifier or "", "Content-Type": "text/plain; charset=utf-8"}
        return [*fixed.items(), *((name, kept[name]) for name in ("Plural-Forms", NAME_HEADER) if name in kept)]

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


def make_shipped_template(code: str) -> Iterator[tuple[str, Catalog]]:
    """Yield the name and the messages of the catalogue of the games in files, if they lack that language."""
    texts = list_untranslated_texts(code)
    template = Catalog(domain=SHIPPED_GAMES_DOMAIN, charset="utf-8")
    for text, file in texts.items():
        template.add(text, locations=[(f"{SHIPPED_GAME_FOLDER.relative_to(ROOT)}/{file}", 0)])
    if texts:
        yield SHIPPED_GAMES_DOMAIN, template


def get_catalogue_path(code: str, name: str, kind: str) -> Path:
    """Return the file of a catalogue; `kind` is "po" or "mo"."""
    return LOCALE / code / "LC_MESSAGES" / f"{name}.{kind}"


def update_catalogue(code: str, name: str, template: Catalog) -> Catalog:
    """Return the catalogue of a language with exactly the messages of `template`; present translations are kept."""
    file = get_catalogue_path(code, name, "po")
    data = file.read_bytes() if file.exists() else b""
    old, po = read_po(io.BytesIO(data), domain=name), parse_po(data.decode())
    # Fixed dates: the files must not change with every build.
    then = datetime(2026, 1, 1, tzinfo=UTC)
    new = StableCatalog(
        po, locale=code, domain=name, charset="utf-8", fuzzy=False, creation_date=then, revision_date=then
    )
    for message in template:
        if message.id:
            kept = old.get(message.id)
            # No line numbers: they would change with every edit of the code.
            files: Any = sorted({(where, None) for where, _ in message.locations})
            new.add(message.id, kept.string if kept else None, locations=files, flags=message.flags)
    return new


def list_problems(po: PoFile) -> Iterator[str]:
    """Yield a problem for each message without a translation, or whose translation cannot be used."""
    count = po.plural_count
    for entry in po.entries:
        if not entry.is_translated:
            yield f"not translated: {entry.message!r}"
        if fault := find_fault(entry, count):
            yield f"{entry.message!r}: {fault}"


def encode_catalogue(catalogue: Catalog) -> tuple[bytes, bytes]:
    """Return the contents of the .po and of the .mo file."""
    po, mo = io.BytesIO(), io.BytesIO()
    write_po(po, catalogue, width=110, sort_output=True, include_lineno=False)
    write_mo(mo, catalogue)
    return po.getvalue().lstrip(), mo.getvalue()  # Babel begins with its comment, which is empty here


def check_catalogues(*, write: bool) -> list[str]:
    """Return the problems of all catalogues; with `write` the files are updated first."""
    found = []
    extracted = extract_messages()
    for code in sorted(list_packaged_languages("companion")):
        for name, template in [*extracted.items(), *make_shipped_template(code)]:
            catalogue = update_catalogue(code, name, template)
            contents = encode_catalogue(catalogue)
            for kind, data in zip(("po", "mo"), contents, strict=True):
                file = get_catalogue_path(code, name, kind)
                if file.exists() and file.read_bytes() == data:
                    continue
                if write:
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(data)
                else:
                    found.append(f"{file.relative_to(ROOT)} is out of date: run make words")
            found += [f"{code}/{name}: {fault}" for fault in list_problems(parse_po(contents[0].decode()))]
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    wrong = check_catalogues(write=not parser.parse_args().check)
    print("\n".join(wrong) or "All messages are translated.")
    sys.exit(bool(wrong))
