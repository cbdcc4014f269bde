"""The display for plug-ins: the one place from which the scene of a game of another distribution imports.

What `__all__` lists belongs to the contract of `companion.api` and has its version.
"""

from pygame import Rect

from companion.display.scenes.base import GameScene, Movement
from companion.display.scenes.text_lines import TextLinesScene
from companion.display.sound_effects import SoundEffect, SoundFile
from companion.display.toolkit import (
    BACKGROUND,
    BAD,
    BIG_EM,
    BUTTON_COLOURS,
    GAP,
    GOOD,
    HUGE_EM,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    RGB,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
    RegionCell,
    ScreenLayout,
    Tone,
    Typeface,
    format_signed,
    split_bottom,
    split_columns,
    split_grid,
    split_left,
    split_right,
    split_rows,
    split_top,
)
from companion.display.toolkit.icons import IconShape
from companion.display.toolkit.package_file import PackageFile
from companion.display.widgets import draw_clock, draw_sentence, draw_time_bar, find_clock, format_clock
from companion.screen_state import Player, RunningClock, ScreenState

__all__ = [
    "BACKGROUND",
    "BAD",
    "BIG_EM",
    "BUTTON_COLOURS",
    "GAP",
    "GOOD",
    "HUGE_EM",
    "INK",
    "LINE",
    "MUTED",
    "PANEL",
    "RAISED",
    "RGB",
    "TEXT_EM",
    "TITLE_EM",
    "WARN",
    "Canvas",
    "Colour",
    "GameScene",
    "IconShape",
    "Movement",
    "PackageFile",
    "Player",
    "Rect",
    "RegionCell",
    "RunningClock",
    "ScreenLayout",
    "ScreenState",
    "SoundEffect",
    "SoundFile",
    "TextLinesScene",
    "Tone",
    "Typeface",
    "draw_clock",
    "draw_sentence",
    "draw_time_bar",
    "find_clock",
    "format_clock",
    "format_signed",
    "split_bottom",
    "split_columns",
    "split_grid",
    "split_left",
    "split_right",
    "split_rows",
    "split_top",
]
