"""`companion gallery`: draw every scene in every phase as pictures."""

import os
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import product
from pathlib import Path

from companion.commands import CommandError
from companion.commands.common import report_errors
from companion.i18n import DEFAULT_LANGUAGE, LANGUAGES
from companion.screen_state import ScreenState
from companion.system.atomic_file import write_atomic
from companion.system.progress import show_progress

DESCRIPTION = "Draw every scene in every phase as PNG, named GAME-PHASE-WxH.png, and a page that shows them."

SCREEN_SIZES = ("800x480", "1024x600", "1280x720", "1920x1080", "3840x2160", "480x800")
"""All screen sizes that the scenes are designed for, in pixels."""
PALETTES = ("dark", "light", "contrast")
COLOUR_DEFICIENCIES = ("protanopia", "deuteranopia", "tritanopia")
INDEX_FILE = "index.html"


@dataclass(frozen=True, slots=True)
class GalleryVariant:
    """One combination of options with which every state is drawn."""

    size: str
    """Width and height in pixels, such as "800x480"."""
    language: str
    """Code of the language of the texts, a key of `LANGUAGES`."""
    palette: str
    """One of PALETTES."""
    colour_deficiency: str
    """One of COLOUR_DEFICIENCIES, which is simulated; empty: none."""
    touch: bool = False
    """Draw the seats' areas of a touch screen."""
    far: bool = False
    """Draw the layout for a screen that is far away."""

    def format_file_name(self, game: str, state: str) -> str:
        """Return the name of a picture, GAME-PHASE-WxH.png, with options other than the default after the size.

        Args:
            game: name of the game or other scene, such as "farkle".
            state: name of the state that is drawn, such as "roll".

        >>> GalleryVariant("800x480", "de", "dark", "", far=True).format_file_name("farkle", "roll")
        'farkle-roll-800x480-de-far.png'
        """
        unusual = (
            self.language if self.language != DEFAULT_LANGUAGE else "",
            self.palette if self.palette != PALETTES[0] else "",
            self.colour_deficiency,
            "touch" if self.touch else "",
            "far" if self.far else "",
        )
        return "-".join(part for part in (game, state, self.size, *unusual) if part) + ".png"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `companion gallery` (`folder`, and lists of options to combine) to its parser."""
    parser.add_argument("folder", metavar="DIR", type=Path, help="folder for the pictures")
    parser.add_argument(
        "--size",
        nargs="+",
        metavar="WxH",
        type=_parse_size,
        default=SCREEN_SIZES,
        help="default: all that are supported",
    )
    parser.add_argument(
        "--language",
        nargs="+",
        metavar="LANG",
        choices=tuple(LANGUAGES),
        default=(DEFAULT_LANGUAGE,),
        help="of %(choices)s (default: en)",
    )
    parser.add_argument(
        "--palette",
        nargs="+",
        metavar="PALETTE",
        choices=PALETTES,
        default=PALETTES[:1],
        help="of %(choices)s (default: dark)",
    )
    parser.add_argument("--only", nargs="+", metavar="GAME", help="only these games or other scenes")
    parser.add_argument("--state", nargs="+", metavar="PHASE", help="only states whose name starts with PHASE")
    parser.add_argument(
        "--seen-as",
        nargs="+",
        metavar="DEFICIENCY",
        choices=COLOUR_DEFICIENCIES,
        default=("",),
        help="as seen with a colour deficiency: %(choices)s",
    )
    parser.add_argument("--touch", action="store_true", help="for a touch screen: seats along its edges")
    parser.add_argument("--far", action="store_true", help="for a small screen far away: larger letters")


def _parse_size(text: str) -> str:
    found = re.fullmatch(r"([1-9]\d{2,3})x([1-9]\d{2,3})", text)
    if found is None:
        raise ArgumentTypeError(f"{text!r} is no size such as 800x480")
    return text


def run(args: Namespace) -> None:
    """Draw every state in every combination of the options as PNG, and a page that shows them.

    Nothing appears on the screen: $SDL_VIDEODRIVER is set to "dummy" in this process if it is not set.

    Args:
        args: `folder` (path); `size` (texts such as "800x480"), `language`, `palette`, `seen_as` (lists of one or more,
            combined with one another); `touch`, `far` (bool); `only` and `state` (lists, None: all).

    Raises:
        CommandError: a name in `only` is unknown (status 2), or a file cannot be written (status 1).
        Exception: an error of a game's own scene is passed on.
    """
    hide_window()
    variants = [
        GalleryVariant(*each, args.touch, args.far)
        for each in product(args.size, args.language, args.palette, args.seen_as)
    ]
    with report_errors():
        draw_gallery(args.folder, variants, args.only, args.state)


def hide_window() -> None:
    """Let SDL draw without a screen, unless $SDL_VIDEODRIVER says something else."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")


def draw_gallery(
    folder: Path, variants: Sequence[GalleryVariant], only: Sequence[str] | None, states: Sequence[str] | None
) -> None:
    """Draw the pictures and the page INDEX_FILE that shows them, and print how many there are of each game.

    Files of the same names are replaced.

    Args:
        folder: folder of the files; made if necessary.
        variants: each state is drawn with each of these.
        only: names of games and other scenes; None: all.
        states: beginnings of names of states; None: all.

    Raises:
        CommandError: a name in `only` is unknown; exit status 2. Nothing was written.
        OSError: a file cannot be written.
        Exception: an error of a game's own scene is passed on.
    """
    from companion.gallery import load_sample_builders

    builders = load_sample_builders()
    unknown = sorted(set(only or ()) - set(builders))
    if unknown:
        raise CommandError(f"There is no {', '.join(unknown)} here, but {', '.join(builders)}.", status=2)
    folder.mkdir(parents=True, exist_ok=True)
    files_by_state: dict[str, dict[str, list[str]]] = {}
    count = 0
    for game in only or builders:
        drawn = [named for variant in variants for named in _draw_states(folder, game, builders[game], variant, states)]
        for state, file in drawn:
            files_by_state.setdefault(game, {}).setdefault(state, []).append(file)
        count += len(drawn)
        print(f"{game}: {len(drawn)} pictures", flush=True)
    if not count:
        raise CommandError(f"No state begins with {', '.join(states or ())}.", status=2)
    write_atomic(folder / INDEX_FILE, format_page(files_by_state).encode(), 0o666)
    print(f"{count} pictures; look at {(folder / INDEX_FILE).resolve()}")


def _draw_states(
    folder: Path,
    game: str,
    build_samples: Callable[[], Mapping[str, ScreenState]],
    variant: GalleryVariant,
    states: Sequence[str] | None,
) -> Iterator[tuple[str, str]]:
    """Draw the states of a game; yield the name of each and of its file."""
    from companion.display import Screen, save_png
    from companion.display.toolkit.preferences import DisplayPreferences
    from companion.gallery.colour_blindness import simulate_deficiency
    from companion.i18n import current_language, set_language

    width, _by, height = variant.size.partition("x")
    preferences = DisplayPreferences(variant.palette, touch_seats=variant.touch, is_far=variant.far)
    screen = Screen((int(width), int(height)), preferences)
    language = current_language()
    set_language(variant.language)
    try:
        samples = build_samples()
        chosen = [state for state in samples if not states or state.startswith(tuple(states))]
        for state in show_progress(chosen, f"{game}, {variant.size}"):
            picture = screen.render(samples[state])
            if variant.colour_deficiency:
                picture = simulate_deficiency(picture, variant.colour_deficiency)
            file = variant.format_file_name(game, state)
            save_png(picture, folder / file)
            yield state, file
    finally:
        set_language(language)


def format_page(files_by_state: dict[str, dict[str, list[str]]]) -> str:
    """Return the HTML page: by game and state, each picture small and linked to its full size.

    Args:
        files_by_state: by game and by state, the pictures' file names relative to the page.
    """
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
