"""`companion translate`: write the files of a language, say what is missing in them, draw its screens."""

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from unicodedata import bidirectional

from companion.catalogues import DEFAULT_LANGUAGE, LANGUAGE_CODE, LANGUAGE_FOLDER, use_language_folder
from companion.commands import CommandError
from companion.commands.common import add_data_option, add_settings_option, load_command_settings, report_errors
from companion.commands.gallery import PALETTES, GalleryVariant, draw_gallery, hide_window
from companion.commands.translation_templates import list_templates, update_file
from companion.i18n import LANGUAGES, replace_unprintable
from companion.po_file import NAME_HEADER, PoError, PoFile, find_fault
from companion.system.font_files import PACKAGE_FONTS, find_font

DESCRIPTION = (
    "Write the files of a language, LANG/NAME.po, or bring them up to date, and say what is not translated or wrong in "
    "them, and which letters the screen cannot draw. The companion has the language from its next start on; what is "
    "missing stays English (docs/translating.md)."
)
MAX_SHOWN_MESSAGES = 3
"""Messages without a translation that are shown of each file."""
GALLERY_SIZE = "800x480"
"""Size of the pictures: the smallest screen, on which long texts are tight."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `companion translate` (`language`, `folder`, `gallery`, `settings`, `data`)."""
    parser.add_argument("language", metavar="LANG", type=_parse_language, help='code of the language: "fr", "pt_BR"')
    parser.add_argument(
        "--folder",
        metavar="DIR",
        type=Path,
        help=f"where languages are (default: {LANGUAGE_FOLDER} in the data folder)",
    )
    parser.add_argument(
        "--gallery",
        metavar="DIR",
        type=Path,
        help=f"then draw every screen in this language, {GALLERY_SIZE}, into DIR",
    )
    add_settings_option(parser)
    add_data_option(parser)


def _parse_language(text: str) -> str:
    if not re.fullmatch(LANGUAGE_CODE, text) or text == DEFAULT_LANGUAGE:
        raise ArgumentTypeError(f'{text!r} is no code of another language than English, such as "fr" or "pt_BR"')
    return text


def run(args: Namespace) -> None:
    """Write or update the files of a language, report on each, and draw the gallery if asked to.

    Nothing is lost: translations and a translator's comments stay, messages that are not used any more too.

    Args:
        args: `language`; `folder` (None: the user's own), `gallery` (folder of the pictures; None: draw none),
            `settings` (file or None), `data` (folder or None).

    Raises:
        CommandError: status 1: a file is no .po file, and is left as it is; or a file cannot be read or written.
        Exception: an error of a game's own scene is passed on.
    """
    with report_errors():
        languages = args.folder or load_command_settings(args).find_data_folder(args.data) / LANGUAGE_FOLDER
        folder = languages / args.language
        folder.mkdir(parents=True, exist_ok=True)
        print(f"Translated in {folder.resolve()}:", flush=True)
        files = dict[str, PoFile]()
        for domain, template in list_templates(args.language):
            file = folder / f"{domain}.po"
            try:
                files[domain] = update_file(file, args.language, template, next(iter(files.values()), None))
            except PoError as error:
                raise CommandError(f"{file}: {error}. The file was left as it is.") from error
            for line in describe_file(file.name, files[domain]):
                print(replace_unprintable(line), flush=True)
        use_language_folder(languages)
        if LANGUAGES[args.language] == args.language:
            print(f"The language has no name yet: write its own one into the line {NAME_HEADER} of companion.po.")
        for line in describe_letters(files.values()):
            print(line)
        if args.gallery is not None:
            hide_window()
            variant = GalleryVariant(GALLERY_SIZE, args.language, PALETTES[0], "", touch=False)
            draw_gallery(args.gallery, [variant], None, None)


def describe_file(name: str, po: PoFile) -> Iterator[str]:
    """Yield lines about a file: how much is translated, the first messages that are not, all translations left out.

    >>> from companion.po_file import parse_po
    >>> text = 'msgid "Yes"\\nmsgstr "Oui"\\n\\nmsgid "No"\\nmsgstr ""\\n\\nmsgid "{n} m"\\nmsgstr "m"\\n'
    >>> print(*describe_file("a.po", parse_po(text)), sep="\\n")
    a.po: 1 of 3
      line 4, not translated: "No"
      line 7, "{n} m" is left out: it must have the same fields as the message: {n}
    """
    missing, count = [entry for entry in po.entries if not entry.is_translated], po.plural_count
    faults = [(entry, fault) for entry in po.entries if (fault := find_fault(entry, count))]
    good = len(po.entries) - len({entry.line for entry in [*missing, *(entry for entry, _fault in faults)]})
    yield f"{name}: {good} of {len(po.entries)}"
    for entry in missing[:MAX_SHOWN_MESSAGES]:
        what = "marked fuzzy" if entry.is_fuzzy else "not translated"
        yield f'  line {entry.line}, {what}: "{entry.message}"'
    if len(missing) > MAX_SHOWN_MESSAGES:
        yield f"  and {len(missing) - MAX_SHOWN_MESSAGES} more"
    for entry, fault in faults:
        yield f'  line {entry.line}, "{entry.message}" is left out: {fault}'


def describe_letters(files: Iterable[PoFile]) -> Iterator[str]:
    """Yield lines about letters that no font draws, and those for which the typefaces of the package do not suffice."""
    texts = [text for po in files for entry in po.entries for text in entry.texts]
    texts += [po.headers.get(NAME_HEADER, "") for po in files]
    letters = {letter for text in texts for letter in text if letter.isprintable() and letter != " "}
    if any(bidirectional(letter) in ("R", "AL") for letter in letters):
        yield "Text from right to left cannot be drawn: its words would stand in the wrong order."
    by_font = defaultdict[str, list[str]](list)
    for letter in sorted(letters):
        font = find_font(letter)
        if font not in PACKAGE_FONTS:
            by_font[str(font or "")].append(letter)
    for name, foreign in sorted(by_font.items()):
        with_font = f"only {name} has them: another machine may not" if name else "no font here draws them"
        yield f"Not in the companion's typefaces, {with_font}: {' '.join(foreign)}"
