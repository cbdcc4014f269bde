"""The pictures of a film: what the screen showed, move by move, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random

import numpy as np
import pygame
import pytest

from companion.api import IllegalMove, registry
from companion.display import Screen
from companion.display.toolkit import Canvas, DisplayPreferences, lay_out_screen
from companion.events import SEAT_BUTTONS
from companion.film import FilmPicture, draw_film, write_film
from companion.i18n import set_language
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.die_pictures import DiePictures
from companion.journal.entry import GameSetup
from companion.journal.replay import Replay
from companion.journal.saved_game import SavedGame
from companion.referee.referee import Referee
from companion.referee.services import GameServices
from companion.screen_state import CameraView, ScreenState
from companion.vision.reading import Image
from tests.journal.play import SETUP, act, random_move

SIZE = (800, 480)
DAY = datetime(2026, 11, 23)  # noqa: DTZ001 - a day in local time
NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay")
MOVES = 7
PREFERENCES = DisplayPreferences(animations=False, keyboard_hints=False)


@pytest.fixture(autouse=True)
def fonts() -> None:
    pygame.font.init()


def begin(journal: Journal, game: str) -> SavedGame:
    definition = registry.find_game(game)
    count = min(definition.player_counts)
    setup = GameSetup(
        game=game,
        players=NAMES[:count],
        buttons=SEAT_BUTTONS[:count],
        settings=definition.settings_model().model_dump(mode="json"),
    )
    return SavedGame.begin(journal, setup, definition)


def play(saved_game: SavedGame, rng: Random) -> bool:
    """Play a random move; return whether one was played."""
    if saved_game.game.compute_outcome() is not None:
        return False
    try:
        saved_game.play_move(random_move(rng, saved_game.game))
    except IllegalMove:  # the range of a value is not all there is to it
        return False
    return True


def cut_caption(pixels: Image) -> Image:
    """Return the part of a picture above status line and keys."""
    return pixels[: lay_out_screen(Canvas(SIZE)).status.top]


def draw_screen(state: ScreenState) -> Image:
    """Draw what the screen shows, as the film does: without what is running and what can be pressed."""
    still = replace(state, soft_keys=(), clocks=(), hold=None, uses_camera=False, last_move=None)
    surface = Screen(SIZE, PREFERENCES).render(still)
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1)[:, :, ::-1])


def film(replay: Replay) -> list[FilmPicture]:
    return list(draw_film(replay, DAY, SIZE, "dark"))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "game", ["counting_tray", "hearts", "macroscope", "memo_dice", "pictomania", "score_keeper", "starfall", "yacht"]
)
def test_each_picture_is_what_the_screen_showed_after_the_move(game: str, tmp_path: Path) -> None:
    """So an unfinished game's film shows nothing that the table has not seen."""
    rng = Random(game)
    shown: list[Image] = []
    captions: list[str] = []
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, game)
        referee = Referee(saved_game, GameServices(lambda: 0.0, has_camera=False))
        for _i in range(MOVES):
            if play(saved_game, rng):
                state = referee.build_screen_state(CameraView())
                shown.append(draw_screen(state))
                captions.append(state.last_move or "")
        title, *pictures = film(saved_game.replay)
        assert [picture.caption for picture in pictures] == captions
        assert captions
        same = [np.array_equal(cut_caption(a.pixels), cut_caption(b)) for a, b in zip(pictures, shown, strict=True)]
        assert same == [True] * len(shown)
        assert title.caption == ""


def test_undone_moves_are_left_out_and_corrections_are_told(tmp_path: Path) -> None:
    rng = Random(3)
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, "macroscope")
        for _i in range(45):
            act(rng, saved_game)
        kinds = {entry.what.kind.value for entry, _step in saved_game.replay.history}
        assert {"move", "undo", "redo", "correction"} <= kinds
        _title, *pictures = film(saved_game.replay)
        assert tuple(picture.caption for picture in pictures) == saved_game.describe_steps()
        again = SavedGame(journal, saved_game.id, saved_game.definition)
        assert np.array_equal(film(again.replay)[-1].pixels, pictures[-1].pixels)


@pytest.mark.full
def test_the_last_picture_is_the_result_with_its_chart(tmp_path: Path) -> None:
    rng = Random(4)
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = SavedGame.begin(journal, SETUP, registry.find_game(SETUP.game))
        while saved_game.game.compute_outcome() is None:
            saved_game.play_move(random_move(rng, saved_game.game))
        screen = draw_screen(Referee(saved_game, GameServices(lambda: 0.0)).build_screen_state(CameraView()))
        last = film(saved_game.replay)[-1]
        assert np.array_equal(cut_caption(last.pixels), cut_caption(screen))


def test_captions_are_in_the_language_of_the_box(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, "score_keeper")
        play(saved_game, Random(1))
        english = film(saved_game.replay)
        set_language("de")
        try:
            german = film(saved_game.replay)
        finally:
            set_language("en")
        assert not np.array_equal(english[0].pixels, german[0].pixels), "the title's day"
        assert not np.array_equal(english[1].pixels, german[1].pixels)


@pytest.mark.full
def test_pictures_of_the_camera_are_not_used(tmp_path: Path) -> None:
    """Memo Dice stores pictures of its dice beside the journal."""
    rng = Random(2)
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, "memo_dice")
        while sum(play(saved_game, rng) for _i in range(4)) and len(saved_game.replay.steps) < 5:
            pass
        before, _problem = write_film(journal, saved_game.id, tmp_path / "before.webp", SIZE)
        dice = DiePictures(journal.path, journal.get_game(saved_game.id).uid)
        for cup in range(1, 13):
            dice.save(f"1-{cup}", b"\xff\xd8\xff\xe0 a picture")
        assert dice.list_names()
        after, _problem = write_film(journal, saved_game.id, tmp_path / "after.webp", SIZE)
        assert before.read_bytes() == after.read_bytes()


def test_pictures_are_made_one_at_a_time(tmp_path: Path) -> None:
    """A long game needs no more memory than a short one."""
    described: list[object] = []

    def note(describe: Callable[..., str]) -> Callable[..., str]:
        return lambda *args: described.append(args) or describe(*args)  # type: ignore[func-returns-value]

    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, "pig")
        rng = Random(1)
        for _i in range(20):
            play(saved_game, rng)
        replay = replace(saved_game.replay)
        object.__setattr__(replay, "describe", note(saved_game.replay.describe))
        pictures = draw_film(replay, DAY, SIZE, "dark")
        next(pictures)
        assert len(described) == 0
        next(pictures)
        assert len(described) == 1
