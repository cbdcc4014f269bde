"""`companion doctor --live`: pictures and checks side by side, advice as lines and in a window, a table to try it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
import pygame
import pytest

from companion.commands.doctor import live_view
from companion.commands.doctor.adjustable_table import AdjustableTable
from companion.commands.doctor.camera_checks import ViewCheck, ViewChecker
from companion.commands.doctor.live_view import (
    CHECKING,
    END_HINT,
    FLICKER_FRAMES,
    LiveView,
    draw_live_view,
    print_advice,
    show_window,
)
from companion.display.toolkit import Canvas, DisplayPreferences
from companion.vision.reading import Image, ProblemKind, Reading
from companion.vision.view_check.problem import PROBLEM_MESSAGES
from hardware.cameras.live_camera import CameraLost, Frame
from tests.commands.command_line import run_main

DARK_ADVICE = "It is too dark"
ALL_WELL = "The picture is good. Read: no lid, no dice yet"


class Pictures:
    """A camera that gives these pictures, and then is lost; with `end` Ctrl-C is pressed instead."""

    name = "pictures"

    def __init__(self, *levels: int, end: type[BaseException] = CameraLost) -> None:
        self.frames = [Frame(np.full((48, 64, 3), level, np.uint8), 0.0, i) for i, level in enumerate(levels)]
        self.end = end

    def read(self) -> Frame | None:
        """Return the next picture."""
        if not self.frames:
            raise self.end
        return self.frames.pop(0)

    def close(self) -> None:
        """Do nothing."""


class AtOnce(Executor):
    """Runs what is submitted at once."""

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return the finished future of a call."""
        done = Future[Any]()
        done.set_result(function(*args, **kwargs))
        return done


def check_light(image: Image) -> ViewCheck:
    """Give the advice DARK_ADVICE for pictures below level 50."""
    level = float(image.mean())
    return ViewCheck(Reading(), (), (DARK_ADVICE,) if level < 50 else (), level)


def test_a_check_follows_each_picture_and_the_last_picture_of_a_recording_stays() -> None:
    view = LiveView(Pictures(200, 10), check_light, AtOnce())
    assert view.list_advice() == (CHECKING,)
    assert view.poll()
    assert view.poll(), "the first check has ended, and there is a second picture"
    assert view.list_advice() == (ALL_WELL,)
    assert view.poll(), "the second check has ended"
    assert view.list_advice() == (DARK_ADVICE,)
    assert view.poll() is False
    assert view.picture is not None
    assert view.picture.mean() == 10


def test_a_camera_without_a_picture_is_an_error() -> None:
    with pytest.raises(CameraLost):
        LiveView(Pictures(), check_light, AtOnce()).poll()


def test_a_lamp_that_flickers_is_named_first() -> None:
    bands = np.tile((120 + 60 * np.sin(np.arange(48) / 4)).astype(np.uint8)[:, None, None], (1, 64, 3))
    camera = Pictures(*[120] * FLICKER_FRAMES)
    camera.frames[::2] = [Frame(bands, 0.0, 0)] * len(camera.frames[::2])
    view = LiveView(camera, check_light, AtOnce())
    for _ in range(FLICKER_FRAMES):
        view.poll()
    assert view.list_advice() == (PROBLEM_MESSAGES[ProblemKind.FLICKERING],)


def test_without_a_screen_advice_is_printed_when_it_changes(capsys: pytest.CaptureFixture[str]) -> None:
    view = LiveView(Pictures(200, 210, 10, 12, 200, 201, end=KeyboardInterrupt), check_light, AtOnce())
    with pytest.raises(KeyboardInterrupt):
        print_advice(view, lambda _key: None, io.StringIO())
    assert capsys.readouterr().out.splitlines() == [CHECKING, ALL_WELL, DARK_ADVICE, ALL_WELL]


def test_arrows_on_a_terminal_move_the_camera_and_esc_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    keys: list[str] = []
    typed = iter(("\x1b[A\x1bOB", "\x1b[1;2Cf\x1b[3~", "\x1b"))
    monkeypatch.setattr(live_view, "unbuffered_keys", lambda _terminal: nullcontext(lambda: next(typed)))
    print_advice(LiveView(Pictures(200), check_light, AtOnce()), keys.append, io.StringIO())
    assert keys == ["w", "s", "d", "f"]


@contextmanager
def open_window(size: tuple[int, int]) -> Iterator[pygame.Surface]:
    """Open a window of SDL's driver that draws nowhere."""
    pygame.display.init()
    try:
        yield pygame.display.set_mode(size)
    finally:
        pygame.display.quit()


@pytest.mark.parametrize("end", [pygame.K_ESCAPE, pygame.K_q])
def test_the_window_passes_keys_on_and_ends(end: int) -> None:
    keys: list[str] = []
    with open_window((800, 480)) as surface:
        for key, letter in ((pygame.K_RIGHT, ""), (pygame.K_f, "f"), (end, "\x1b" if end == pygame.K_ESCAPE else "q")):
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=letter))
        view = LiveView(Pictures(200), check_light, AtOnce())
        show_window(view, keys.append, END_HINT, surface, DisplayPreferences())
    assert keys == ["d", "f"]


def test_the_window_shows_the_advice_and_the_keys() -> None:
    canvas = Canvas((800, 480), DisplayPreferences())
    view = LiveView(Pictures(10, 10), check_light, AtOnce())
    view.poll()
    view.poll()
    draw_live_view(canvas, view, END_HINT)
    assert {text.text for text in canvas.drawn_texts()} >= {DARK_ADVICE, END_HINT}


@pytest.mark.full
def test_lamp_lens_and_camera_of_the_virtual_table_are_moved_with_keys() -> None:
    now = [0.0]
    table = AdjustableTable(lambda: now[0])

    def see(keys: str) -> Image:
        for key in keys:
            table.handle_key(key)
        now[0] += 0.1
        frame = table.read()
        assert frame is not None
        return frame.image

    before = see("x")
    assert see("---").mean() < 0.6 * before.mean()
    assert see("+++d").mean() > 0.9 * before.mean()
    assert np.abs(np.diff(see("afff").astype(int), axis=1)).mean() < np.abs(np.diff(before.astype(int), axis=1)).mean()


@pytest.mark.full
def test_the_checks_see_what_was_moved_at_the_virtual_table() -> None:
    now, checker = [0.0], ViewChecker()
    table = AdjustableTable(lambda: now[0])
    for keys, advice in (("", ""), ("ddddd", "cut off at the left"), ("aaaaafffff", "blurred"), ("f--------", "dark")):
        for key in keys:
            table.handle_key(key)
        now[0] += 0.1
        frame = table.read()
        assert frame is not None
        assert advice in "".join(checker.check(frame.image).advice)


def test_options_that_do_not_go_with_the_live_view(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("doctor", "--live", "--json") == 2
    assert "leave out --json" in capsys.readouterr().err
