"""`companion gallery`: every scene in every phase as pictures, to be looked at."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _SubParsersAction
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import product
from pathlib import Path

from companion.commands.common import run_reporting_errors

SCREEN_SIZES = ("800x480", "1024x600", "1280x720", "1920x1080", "3840x2160", "480x800")
"""All that the screens are made for."""
LANGUAGES = ("en", "it", "de")
PALETTES = ("dark", "light", "contrast")
COLOUR_DEFICIENCIES = ("protanopia", "deuteranopia", "tritanopia")
INDEX_FILE = "index.html"


@dataclass(frozen=True, slots=True)
class GalleryVariant:
    """One way in which every state is drawn."""

    size: str
    language: str
    palette: str
    colour_deficiency: str
    touch: bool

    def format_file_name(self, game: str, state: str) -> str:
        """GAME-PHASE-WxH.png, and after the size what is not the usual.

        >>> GalleryVariant("800x480", "de", "dark", "", False).format_file_name("macroscope", "roll")
        'macroscope-roll-800x480-de.png'
        """
        unusual = (
            self.language if self.language != LANGUAGES[0] else "",
            self.palette if self.palette != PALETTES[0] else "",
            self.colour_deficiency,
            "touch" if self.touch else "",
        )
        return "-".join(part for part in (game, state, self.size, *unusual) if part) + ".png"


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the program's."""
    parser = subparsers.add_parser(
        "gallery",
        help="every scene in every phase as pictures",
        description="Draws every scene in every phase as PNG, named GAME-PHASE-WxH.png, with a page that shows them.",
    )
    parser.add_argument("folder", metavar="DIR", type=Path, help="where the pictures are written")
    parser.add_argument(
        "--size", nargs="+", metavar="WxH", type=_parse_size, default=SCREEN_SIZES, help=f"({' '.join(SCREEN_SIZES)})"
    )
    parser.add_argument("--language", nargs="+", choices=LANGUAGES, default=LANGUAGES[:1], help="(en)")
    parser.add_argument("--palette", nargs="+", choices=PALETTES, default=PALETTES[:1], help="(dark)")
    parser.add_argument("--only", nargs="+", metavar="GAME", help="of these games or places only")
    parser.add_argument("--state", nargs="+", metavar="PHASE", help="only states whose name begins so")
    parser.add_argument(
        "--seen-as",
        nargs="+",
        choices=COLOUR_DEFICIENCIES,
        default=("",),
        help="as people with that colour deficiency see it",
    )
    parser.add_argument("--touch", action="store_true", help="a touch screen without buttons: seats along its edges")
    parser.set_defaults(run=run)


def _parse_size(text: str) -> str:
    found = re.fullmatch(r"([1-9]\d{2,3})x([1-9]\d{2,3})", text)
    if found is None:
        raise ArgumentTypeError(f"{text!r} is no size such as 800x480")
    return text


def run(args: Namespace) -> int:
    """Do what the command line says; the exit status."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    views = [
        GalleryVariant(*each, args.touch) for each in product(args.size, args.language, args.palette, args.seen_as)
    ]
    return run_reporting_errors(lambda: draw_gallery(args.folder, views, args.only, args.state))


def draw_gallery(
    folder: Path, variants: Sequence[GalleryVariant], only: Sequence[str] | None, states: Sequence[str] | None
) -> int:
    """Draws all that is asked for, and the page.

    Raises:
        OSError: something cannot be written.
    """
    from companion.gallery import SAMPLE_BUILDERS

    unknown = sorted(set(only or ()) - set(SAMPLE_BUILDERS))
    if unknown:
        print(f"There is no {', '.join(unknown)} here, but {', '.join(SAMPLE_BUILDERS)}.", file=sys.stderr)
        return 2
    folder.mkdir(parents=True, exist_ok=True)
    made: dict[str, dict[str, list[str]]] = {}
    count = 0
    for game in only or SAMPLE_BUILDERS:
        for view in variants:
            for state, file in _draw_states(folder, game, view, states):
                made.setdefault(game, {}).setdefault(state, []).append(file)
                count += 1
        print(f"{game}: {sum(map(len, made.get(game, {}).values()))} pictures", flush=True)
    (folder / INDEX_FILE).write_text(format_page(made), encoding="utf-8")
    print(f"{count} pictures; look at {(folder / INDEX_FILE).resolve()}")
    return 0


def _draw_states(
    folder: Path, game: str, view: GalleryVariant, states: Sequence[str] | None
) -> Iterator[tuple[str, str]]:
    """Draws a game's states; name of the state and of its file, one after the other."""
    from companion.display import Screen, save_png
    from companion.display.toolkit.preferences import DisplayPreferences
    from companion.gallery import SAMPLE_BUILDERS
    from companion.gallery.colour_blindness import simulate_deficiency
    from companion.i18n import current_language, set_language

    width, _by, height = view.size.partition("x")
    screen = Screen((int(width), int(height)), DisplayPreferences(view.palette, touch_seats=view.touch))
    before = current_language()
    set_language(view.language)
    try:
        for state, shown in SAMPLE_BUILDERS[game]().items():
            if states and not state.startswith(tuple(states)):
                continue
            picture = screen.render(shown)
            if view.colour_deficiency:
                picture = simulate_deficiency(picture, view.colour_deficiency)
            file = view.format_file_name(game, state)
            save_png(picture, folder / file)
            yield state, file
    finally:
        set_language(before)


def format_page(files_by_state: dict[str, dict[str, list[str]]]) -> str:
    """The page: by game, by state, each picture small and a press away from its full size."""
    parts = []
    for game, states in files_by_state.items():
        parts.append(f'<h2 id="{escape(game)}">{escape(game)}</h2>')
        for state, files in states.items():
            pictures = "\n".join(
                f'<a href="{escape(file)}"><img loading="lazy" src="{escape(file)}" alt="{escape(file)}"></a>'
                for file in files
            )
            parts.append(f'<section id="{escape(game)}-{escape(state)}"><h3>{escape(state)}</h3>\n{pictures}</section>')
    links = " ".join(f'<a href="#{escape(game)}">{escape(game)}</a>' for game in files_by_state)
    return PAGE_TEMPLATE.format(links=links, parts="\n".join(parts))


PAGE_TEMPLATE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The companion's screens</title>
<style>
  body {{ font: 16px/1.4 system-ui, sans-serif; margin: 1rem; background: #333; color: #eee; }}
  a {{ color: #9cf; }}
  h2 {{ margin: 2rem 0 0; }}
  h3 {{ margin: 1rem 0 0.3rem; font-size: 1rem; font-weight: 400; }}
  img {{ height: 270px; margin: 0 0.4rem 0.4rem 0; vertical-align: top; background: #555; }}
</style>
<p>{links}</p>
{parts}
</html>
"""
