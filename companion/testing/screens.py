"""Checks of the screens that a game draws: nothing cut, overlapping or too small, every character in its font."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple

import pygame

from companion.display import Screen
from companion.display.toolkit.canvas import Region
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.text_drawing import DrawnText
from companion.display.toolkit.type_sizes import FAR_TEXT_EM, FAR_TYPE_SCALE, KEY_LABEL_EM, TEXT_EM, TYPE_SCALE
from companion.events import SEAT_BUTTONS
from companion.i18n import LANGUAGES, current_language, set_language
from companion.screen_state import ScreenState

SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080), (3840, 2160), (480, 800))
"""The screens that are supported, in pixels."""
CORNERS = tuple(product(((800, 480), (1920, 1080), (480, 800)), LANGUAGES))
"""Sizes and languages at which every sample of a game is checked."""
ALL_CORNERS = tuple(product(SIZES, LANGUAGES))
"""All supported sizes and languages."""
SEAT_AREAS = frozenset(str(button) for button in SEAT_BUTTONS)
"""Regions of the seats' touch areas, which are keys too."""
MIN_TEXT_UNITS = 6.0
"""Smallest text, in units: details that are read at the table (docs/face.md, Sizes)."""
MIN_KEY_LABEL_UNITS = 5.0
"""Smallest label of a key, in units: on a screen of 10 inches it can be read from two metres."""
READ_TO_ACT = re.compile(r"header|keys .*|players.*|scores|clock")
"""Regions of what must be read to act; besides these a question, a menu, and the stage's figure."""
MAX_SIZES = 4
"""Most sizes of text in one picture."""


@cache
def get_screen(size: tuple[int, int], palette: str = "dark", *, is_far: bool = False) -> Screen:
    """Return a screen of that size in pixels; the same one each time, since making it takes long."""
    return Screen(size, DisplayPreferences(palette, is_far=is_far))


@contextmanager
def use_language(code: str) -> Iterator[None]:
    """Set the language, a key of `LANGUAGES`, within the block.

    Raises:
        ValueError: there is no such language.
    """
    before = current_language()
    set_language(code)
    try:
        yield
    finally:
        set_language(before)


@cache
def build_states(build_samples: Callable[[], Mapping[str, ScreenState]], code: str = "en") -> Mapping[str, ScreenState]:
    """Return the sample states of a game in that language; built once."""
    with use_language(code):
        return build_samples()


class SampleStates(Mapping[str, ScreenState]):
    """Sample states of a game by name, built when the first one is asked for, so that collecting tests stays fast.

        SAMPLES = SampleStates(build_samples)

    Args:
        build_samples: builds them, as `GameDefinition.samples` names it.
        code: the language.
    """

    def __init__(self, build_samples: Callable[[], Mapping[str, ScreenState]], code: str = "en") -> None:
        self._build_samples = build_samples
        self._code = code

    def __getitem__(self, name: str) -> ScreenState:
        return build_states(self._build_samples, self._code)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(build_states(self._build_samples, self._code))

    def __len__(self) -> int:
        return len(build_states(self._build_samples, self._code))


def format_corner(value: object) -> str:
    """Return the name of a size, or of anything else, in the names of tests: "800x480"."""
    return f"{value[0]}x{value[1]}" if isinstance(value, tuple) else str(value)


class DrawnScreen(NamedTuple):
    """What a picture consists of: its lines of text, and its regions by name."""

    texts: list[DrawnText]
    regions: Mapping[str, Region]


def draw_screen(
    shown: ScreenState, size: tuple[int, int], code: str = "en", palette: str = "dark", *, is_far: bool = False
) -> DrawnScreen:
    """Draw a state on a screen of that size in pixels, in a language; once, however many tests look at the picture."""
    return _draw_once(shown, size, code, palette, is_far)


@lru_cache(maxsize=8192)  # all samples at all corners
def _draw_once(shown: ScreenState, size: tuple[int, int], code: str, palette: str, is_far: bool) -> DrawnScreen:
    screen = get_screen(size, palette, is_far=is_far)
    with use_language(code):
        screen.render(shown)
    return DrawnScreen(screen.drawn_texts(), dict(screen.canvas.regions))


def draw_texts(shown: ScreenState, size: tuple[int, int], code: str = "en", palette: str = "dark") -> list[DrawnText]:
    """Return the lines of text in the picture that `draw_screen` draws."""
    return draw_screen(shown, size, code, palette).texts


def find_problems(
    shown: ScreenState, size: tuple[int, int], code: str = "en", palette: str = "dark", *, is_far: bool = False
) -> list[object]:
    """Return what is cut, overlapping, too small, set in a size outside the type scale, or missing in its font.

    >>> from companion.screen_state import ScreenKind
    >>> find_problems(ScreenState(ScreenKind.LOBBY, "pig", prompt="Press your button"), (800, 480))
    []

    One figure a picture may have any size from that of text on: two would be no dominant one. In the far layout, unless
    upright, also what must be read to act and is too small for that.

    Args:
        shown: the state; players' names may be cut with an ellipsis.
        size: size of the screen in pixels.
        code: language in which it is drawn.
        palette: name of the palette.
        is_far: draw the far layout.

    Returns:
        The problems, each with the text concerned; empty: the picture is well.
    """
    texts, regions = draw_screen(shown, size, code, palette, is_far=is_far)
    canvas = get_screen(size, palette, is_far=is_far).canvas
    scale = {canvas.px_at_least(em) for em in (FAR_TYPE_SCALE if is_far else TYPE_SCALE)}
    used = set[int]()
    names = [player.name for player in shown.players]
    problems: list[object] = [] if texts else ["no text"]
    figures = [text for text in texts if text.is_figure]
    if len(figures) > 1 or any(figure.em_px < canvas.px_at_least(TEXT_EM) for figure in figures):
        problems.append(("not one large figure", figures))
    for name, part in regions.items():
        is_key = name.startswith("keys ") or (name in SEAT_AREAS and canvas.preferences.touch_seats)
        label_px = canvas.px_at_least(KEY_LABEL_EM) if is_key else 0
        used |= {text.em_px for text in part.texts if not text.is_figure and text.em_px != label_px}
        least_px = (MIN_KEY_LABEL_UNITS if is_key else MIN_TEXT_UNITS) * canvas.unit_px
        problems += [("too small", text) for text in part.texts if text.em_px < least_px]
        for text in part.texts:
            if not part.rect.contains(text.ink_rect) or not pygame.Rect((0, 0), size).contains(text.ink_rect):
                problems.append(("cut off", text, part.rect))
            if not text.is_figure and text.em_px not in scale and text.em_px != label_px:
                problems.append(("not a size of the type scale", text))
            if text.text.endswith("…") and not any(each.startswith(text.text[:-1].strip()) for each in names):
                problems.append(("shortened", text))
            if text.text == "…":
                problems.append(("shortened to nothing", text))
            if re.search(r"(?<!\w)-\d", text.text):  # shorter than a plus: a loss would look smaller than a gain
                problems.append(("a hyphen for a minus sign", text))
            missing = find_missing_glyphs(canvas.fonts.load_font(text.face, text.em_px), text.text)
            problems += [("not in the font", missing, text)] if missing else []
    if is_far and not canvas.is_portrait:
        least_px = canvas.px_at_least(FAR_TEXT_EM)
        for text in list_texts_to_act_on(shown, texts, regions):
            if text.em_px < least_px:
                problems.append(("too small to act on from afar", text))
    problems += [("too many sizes", used)] if len(used) > MAX_SIZES + is_far else []
    problems += [("overlap", a, b) for a, b in combinations(texts, 2) if a.ink_rect.colliderect(b.ink_rect)]
    for (a, p), (b, q) in combinations(regions.items(), 2):
        # A cell may lie on another of the same group.
        is_on_it = " " in a and a.rpartition(" ")[0] == b.rpartition(" ")[0] and p.rect.contains(q.rect)
        problems += [("parts overlap", a, b)] if p.rect.colliderect(q.rect) and not is_on_it else []
    return problems


def list_texts_to_act_on(
    shown: ScreenState, texts: Sequence[DrawnText], regions: Mapping[str, Region]
) -> list[DrawnText]:
    """Return the lines of a picture that must be read to act: who does what, keys, questions, scores, clocks.

    Players' names are left out: a shape and a colour stand beside each.

    Args:
        shown: the state that is drawn.
        texts: all lines of the picture.
        regions: its regions by name.
    """
    is_dialog = shown.menu is not None or shown.question is not None
    names = [player.name for player in shown.players]
    read = [text for text in texts if text.is_figure]
    for name, part in regions.items():
        if READ_TO_ACT.fullmatch(name) or (is_dialog and name == "main"):
            read += [text for text in part.texts if not text.is_figure]
    return [text for text in read if not any(name.startswith(text.text.removesuffix("…")) for name in names)]


def find_missing_glyphs(font: pygame.font.Font, text: str) -> str:
    """Return the characters of the text that the font has no glyph for, so that a box would be drawn."""
    return "".join(letter for letter, metrics in zip(text, font.metrics(text) or (), strict=False) if metrics is None)


def check_screen(
    shown: ScreenState,
    size: tuple[int, int],
    code: str = "en",
    palette: str = "dark",
    note: str = "",
    *,
    is_far: bool = False,
) -> None:
    """Check that `find_problems` finds none; `note` is shown if the check fails."""
    assert not find_problems(shown, size, code, palette, is_far=is_far), (note, format_corner(size), code, palette)
