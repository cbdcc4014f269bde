"""What there is to translate: the messages of the program and its plug-ins, with the translations that there are."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from companion.api.registry import load_games
from companion.catalogues import (
    DEFAULT_DOMAIN,
    find_packaged_folder,
    list_packaged_languages,
    read_own_file,
    read_packaged_file,
)
from companion.games.game_file.file_rules import SHIPPED_GAMES_DOMAIN
from companion.games.game_file.shipped_texts import list_untranslated_texts
from companion.po_file import DEFAULT_PLURALS, NAME_HEADER, PoEntry, PoFile, format_po, parse_po
from companion.system.atomic_file import write_atomic

UNUSED = "#. not used any more"
"""Comment at messages that the program does not have any more; they are kept."""
PLURAL_HEADER = "Plural-Forms"
"""The header that all files of a language take from its first one."""


def list_templates(language: str) -> Iterator[tuple[str, PoFile]]:
    """Yield the name of each catalogue and its messages, with the translations that come with it, if any.

    Args:
        language: code of the language.
    """
    for package, domain, messages in _list_messages(language):
        file = find_packaged_folder(language, package) / f"{domain}.po"
        template = PoFile({}, tuple(messages))
        yield domain, merge_translations(template, read_packaged_file(file)) if file.is_file() else template


def _list_messages(language: str) -> Iterator[tuple[str, str, Sequence[PoEntry]]]:
    """Yield package, domain and messages of each catalogue, the companion's first; a complete one has them all."""
    packages = {game.locale_package for game in load_games()} - {"companion"}
    for package in ("companion", *sorted(packages)):
        there = list_packaged_languages(package)
        files = find_packaged_folder(min(there), package).iterdir() if there else ()
        by_domain = {file.name.removesuffix(".po"): file for file in files if file.name.endswith(".po")}
        by_domain.pop(SHIPPED_GAMES_DOMAIN, None)
        for domain in sorted(by_domain, key=lambda name: (name != DEFAULT_DOMAIN, name)):
            entries = read_packaged_file(by_domain[domain]).entries
            yield package, domain, [replace(each, texts=("", "") if each.plural else ("",)) for each in entries]
    if texts := list_untranslated_texts(language):
        untranslated = [PoEntry(text, comments=(f"#: {file}",)) for text, file in texts.items()]
        yield "companion", SHIPPED_GAMES_DOMAIN, untranslated


def merge_translations(template: PoFile, own: PoFile) -> PoFile:
    """Return the messages of a template with translations, comments and headers of a translator; nothing is lost.

    Args:
        template: the messages, perhaps with other translations of them.
        own: what the translator has.
    """
    known = {(entry.message, entry.plural): entry for entry in own.entries}
    merged = []
    for entry in template.entries:
        mine = known.pop((entry.message, entry.plural), None)
        if mine is not None and any(mine.texts):
            remarks = tuple(line for line in mine.comments if line[1:2] not in (":", "."))
            entry = replace(entry, texts=mine.texts, comments=(*remarks, *_list_places(entry)))
        merged.append(entry)
    unused = (
        replace(entry, comments=(*(line for line in entry.comments if line != UNUSED), UNUSED))
        for entry in known.values()
        if any(entry.texts)
    )
    return PoFile({**template.headers, **own.headers}, (*merged, *unused))


def _list_places(entry: PoEntry) -> tuple[str, ...]:
    return tuple(line for line in entry.comments if line[1:2] in (":", "."))


def _add_forms(texts: Sequence[str], count: int) -> tuple[str, ...]:
    """Return the forms of a plural, as many as there should be, or as there are texts.

    >>> _add_forms(("a", ""), 3), _add_forms(("a", "b"), 1), _add_forms(("", ""), 1)
    (('a', '', ''), ('a', 'b'), ('',))
    """
    last = max((number for number, text in enumerate(texts, 1) if text), default=0)
    return (*texts, *("",) * count)[: max(count, last)]


def update_file(file: Path, language: str, template: PoFile, first: PoFile | None) -> PoFile:
    """Bring a translator's file up to date, and return its content as it is now.

    Args:
        file: the file; it need not exist, but its folder must.
        language: code of the language.
        template: all messages of the catalogue.
        first: the language's first file, which has the plural forms; None: this one is it.

    Raises:
        OSError: it cannot be read or written.
        PoError: it is no .po file in UTF-8; it stays as it is.
    """
    before = read_own_file(file) if file.exists() else ""
    po = merge_translations(template, parse_po(before))
    name = {NAME_HEADER: ""} if first is None else {}
    usual = {"Language": language, "Content-Type": "text/plain; charset=UTF-8", PLURAL_HEADER: DEFAULT_PLURALS, **name}
    shared = {} if first is None else {PLURAL_HEADER: first.headers[PLURAL_HEADER]}
    po = replace(po, headers={**usual, **po.headers, **shared})
    count = po.plural_count
    entries = (replace(entry, texts=_add_forms(entry.texts, count)) if entry.plural else entry for entry in po.entries)
    after = format_po(replace(po, entries=tuple(entries)))
    if after != before:
        write_atomic(file, after.encode())
    return parse_po(after)
