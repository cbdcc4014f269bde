"""The virtual table beside the display: what its camera sees, for the people who move things on it with the mouse.

The camera is read here, by the window's loop, because the table is moved here too; its frames are handed on to the
eyes, and nothing else is.
"""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable

import cv2
import numpy as np
import pygame

from companion.display.toolkit.text import LINE_PITCH_EM, FontCache, FontWeight
from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE, INK, MUTED, Tone
from companion.games.macroscope.view import MacroscopeView
from companion.games.memo_dice.state import MemoDiceState
from companion.i18n import N_, Translator
from companion.journal.replay import SavedGame
from companion.simulation.camera import VirtualCamera, virtual_table
from companion.simulation.macroscope.appearance import Look
from companion.simulation.macroscope.mouse import MouseHand
from companion.simulation.macroscope.render import Renderer
from companion.simulation.macroscope.table import VirtualTable
from companion.simulation.memo_dice.mouse import MemoMouseHand
from companion.simulation.memo_dice.objects import MemoLook, Paint
from companion.simulation.memo_dice.table import MemoRenderer, MemoTable, memo_table
from companion.simulation.optics import FRAME_SIZE
from hardware.cameras.sources import Frame

_ = Translator("companion")

KEYS_HELP = N_("Keys: 1 to 6 seats   Enter OK   Backspace NO, held: undo   + and -   Esc ends")
SETTLE_SECONDS = 1.0
"""Seconds for which frames keep coming fast after the last movement, so that the eyes see it end."""
IDLE_FRAME_SECONDS = 0.2
"""Seconds between two frames while nothing moves: enough to notice a hand, and next to no work."""
PADDING_PX = 14
"""Pixels between the panel's edge and its text."""
MAX_HELP_TEXT_PX, MIN_HELP_TEXT_PX = 22, 12
"""Of the help's letters, in pixels."""


class FrameRelay:
    """Hands the virtual camera's latest frame from the window's thread to the camera reader's thread. A `Camera`."""

    name = "virtual table"

    def __init__(self) -> None:
        self._latest: Frame | None = None
        self._lock = threading.Lock()

    def put(self, frame: Frame) -> None:
        """A new frame; one that nobody has read yet is dropped."""
        with self._lock:
            self._latest = frame

    def read(self) -> Frame | None:
        """See `hardware.cameras.sources.Camera`."""
        with self._lock:
            frame, self._latest = self._latest, None
        return frame

    def close(self) -> None:
        """Nothing is held open."""


class SimulatorPanel:
    """The panel with the virtual table.

    Args:
        table: the things on it.
        renderer: draws what the camera sees.
        monotonic: the host's monotonic clock, in seconds.
        rng: throws the dice and shuffles the tokens.
    """

    def __init__(
        self,
        table: VirtualTable | MemoTable,
        renderer: Renderer | MemoRenderer,
        monotonic: Callable[[], float],
        rng: random.Random,
    ) -> None:
        self.relay = FrameRelay()
        self._table = table
        self._camera = VirtualCamera(table, renderer, monotonic)
        self._hand: MouseHand | MemoMouseHand = (
            MemoMouseHand(table, renderer.look.optics, rng)
            if isinstance(table, MemoTable)
            else MouseHand(table, renderer.look.optics, rng)
        )
        self._monotonic = monotonic
        self._fonts = FontCache()
        self._moved_at = self._next_at = monotonic()
        self._picture_area = pygame.Rect(0, 0, 1, 1)
        self._area = self._picture_area
        self._drawn_version: int | None = None

    @property
    def is_moving(self) -> bool:
        """Whether something moves on the table, or did a moment ago."""
        if self._table.moving:
            self._moved_at = self._monotonic()
        return self._monotonic() - self._moved_at < SETTLE_SECONDS

    def place(self, panel: pygame.Rect) -> None:
        """Where it is drawn, in the window's pixels."""
        self._area = panel
        scale = min(panel.width / FRAME_SIZE[0], panel.height / FRAME_SIZE[1])
        self._picture_area = pygame.Rect(panel.topleft, (round(FRAME_SIZE[0] * scale), round(FRAME_SIZE[1] * scale)))
        self._drawn_version = None

    def handle_mouse(self, event: pygame.event.Event, at: tuple[int, int], now: float) -> None:
        """A mouse event of pygame, wherever it was; `at`: which of the window's pixels, upright."""
        self._moved_at = self._next_at = now
        x, y = self._to_frame_pixel(at)
        if event.type == pygame.MOUSEBUTTONDOWN:
            self._hand.press(event.button, x, y, now)
        elif event.type == pygame.MOUSEBUTTONUP:
            self._hand.release(event.button, x, y, now)
        elif event.type == pygame.MOUSEMOTION:
            self._hand.move(x, y, now)
        elif event.type == pygame.MOUSEWHEEL:
            self._hand.wheel(event.y, x, y, now)

    def handle_key(self, key: int, now: float, *, down: bool) -> None:
        """A key that is no button."""
        self._moved_at = self._next_at = now
        self._hand.key(pygame.key.name(key), down, now)

    def _to_frame_pixel(self, at: tuple[int, int]) -> tuple[float, float]:
        scale = FRAME_SIZE[0] / self._picture_area.width
        return (at[0] - self._picture_area.left) * scale, (at[1] - self._picture_area.top) * scale

    def to_window_pixel(self, at: tuple[float, float]) -> tuple[int, int]:
        """Where in the window a pixel of the camera's frame is shown."""
        scale = self._picture_area.width / FRAME_SIZE[0]
        return self._picture_area.left + round(at[0] * scale), self._picture_area.top + round(at[1] * scale)

    def draw(self, surface: pygame.Surface) -> list[pygame.Rect]:
        """Take a picture if it is time, hand it on, and show it if anything on the table has changed."""
        now = self._monotonic()
        if now < self._next_at:
            return []
        frame = self._camera.read()
        if frame is None:
            return []
        self._next_at = now if self.is_moving else now + IDLE_FRAME_SECONDS
        self.relay.put(frame)
        if self._table.version == self._drawn_version:
            return []
        changed = [self._picture_area]
        if self._drawn_version is None:
            self._draw_help(surface)
            changed = [self._area]
        self._drawn_version = self._table.version
        small = cv2.resize(frame.image, self._picture_area.size, interpolation=cv2.INTER_AREA)
        rgb = np.ascontiguousarray(small[:, :, ::-1])
        surface.blit(pygame.image.frombuffer(rgb.tobytes(), self._picture_area.size, "RGB"), self._picture_area)
        return changed

    def _draw_help(self, surface: pygame.Surface) -> None:
        """What mouse and keys do, beneath the picture, as large as there is room."""
        room = pygame.Rect(
            self._area.left + PADDING_PX,
            self._picture_area.bottom + PADDING_PX,
            self._area.width - 2 * PADDING_PX,
            self._area.bottom - self._picture_area.bottom - 2 * PADDING_PX,
        )
        surface.fill(DARK_PALETTE[BACKGROUND], self._area)
        lines: list[tuple[str, Tone]] = [(_(line), MUTED) for line in self._hand.help_lines()]
        lines.insert(0, (_(KEYS_HELP), INK))
        widest = max(
            (line for line, _tone in lines),
            key=lambda line: self._fonts.measure_width(line, FontWeight.MEDIUM, MAX_HELP_TEXT_PX),
        )
        size = MAX_HELP_TEXT_PX
        while size > MIN_HELP_TEXT_PX and (
            self._fonts.measure_width(widest, FontWeight.MEDIUM, size) > room.width
            or LINE_PITCH_EM * size * len(lines) > room.height
        ):
            size -= 1
        for index, (line, tone) in enumerate(lines):
            drawn = self._fonts.render_line(line, FontWeight.MEDIUM, size, DARK_PALETTE[tone])
            surface.blit(drawn, (room.left, room.top + round(index * LINE_PITCH_EM * size)))


def make_macroscope_table(sitting: SavedGame | None, rng: random.Random) -> tuple[VirtualTable, Renderer]:
    """A virtual table and what draws it; its tokens lie as an interrupted sitting left them, or all on the lid."""
    table, renderer = virtual_table(Look(), rng)
    view = sitting.game.build_view() if sitting else None
    if isinstance(view, MacroscopeView):
        board, wanted = table.board, Counter(dict(enumerate(view.tokens, 1)))
        for window, number in enumerate(board.numbers):
            if number is None:
                continue
            if wanted[number]:
                wanted[number] -= 1
            else:
                board = board.taken(window)
        table.lay_tokens(board)
    return table, renderer


def make_memo_dice_table(sitting: SavedGame | None, rng: random.Random) -> tuple[MemoTable, MemoRenderer]:
    """A virtual Memo Dice table and what draws it; its row stands as an interrupted sitting left it."""
    table, renderer = memo_table(MemoLook(), rng)
    game = sitting.game if sitting else None
    if isinstance(game, MemoDiceState) and game.cup_row:
        table.lay(tuple(Paint(cup.colour) for cup in game.cup_row if cup.owner is None), rng)
    return table, renderer
