"""The watcher of a Memo Dice row on the simulated table, with a classifier that knows the truth.

The frames are real; the net itself is tested in test_classifier.py. Also here: the row itself, `cup_row.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from unittest.mock import ANY

import cv2
import numpy as np
import pytest

from companion.events import CameraState, CameraStateChanged, CupLifted, CupPlaced, CupRowEvent, DieShown, MemoColour
from companion.events import MemoColour as Colour
from companion.games.memo_dice.simulator.objects import MemoDiceAppearance
from companion.games.memo_dice.simulator.table import MemoDiceRenderer, MemoDiceTable, RowSlot, create_memo_dice_table
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.cups.classifier import Detection
from companion.vision.cups.cup_row import CupRow, PlaceContent
from companion.vision.cups.watcher import CupRowWatcher
from companion.vision.reading import Image
from tests.vision.cups.truth import TrueClassifier

RED, BLUE, BLACK, GOLD = Colour.RED, Colour.BLUE, Colour.BLACK, Colour.GOLD
FRAME = 1 / 8


class TableFilm:
    """A simulated table before a watcher, frame by frame."""

    def __init__(self, seed: int = 1) -> None:
        self.look = MemoDiceAppearance()
        self.rng = random.Random(seed)
        self.table: MemoDiceTable
        self.renderer: MemoDiceRenderer
        self.table, self.renderer = create_memo_dice_table(self.look, self.rng)
        self.classifier = TrueClassifier(lambda: self.table.objects, self.look)
        self.watcher = CupRowWatcher(self.classifier)
        self.now = 0.0
        self.gain = 1.0
        self.develop: Callable[[Image], Image] = lambda image: image
        self.states: list[CameraState] = []

    def frame(self) -> Image:
        self.now += FRAME
        self.table.step(self.now)
        image = self.develop(self.renderer.render(self.table))
        return image if self.gain == 1.0 else np.asarray(cv2.convertScaleAbs(image, alpha=self.gain), np.uint8)

    def film(self, seconds: float = 1.4) -> list[CupRowEvent]:
        found: list[CupRowEvent] = []
        for _ in range(round(seconds / FRAME)):
            for event in self.watcher.process_frame(self.frame(), self.now):
                if isinstance(event, CameraStateChanged):
                    self.states.append(event.state)
                else:
                    found.append(event)
        return found

    def copy(self) -> TableFilm:
        """Return a film that goes on from here by itself."""
        module = self.renderer._draw  # a module, which cannot be copied
        copied = deepcopy(self, {id(module): module})
        copied.classifier.list_objects = lambda: copied.table.objects
        return copied

    def roll(self) -> DieShown:
        self.table.roll(self.rng, self.now)
        (event,) = self.film()
        assert isinstance(event, DieShown)
        return event

    def cover(self, paint: Colour | None = None) -> CupPlaced:
        fitting = paint if paint is not None else self.table.fitting_cup
        assert fitting is not None
        self.table.cover(fitting, self.now)
        (event,) = self.film()
        assert isinstance(event, CupPlaced)
        return event


@pytest.fixture(scope="session")
def baseline() -> TableFilm:
    """A table after its baseline was read: no events for the supply."""
    film = TableFilm()
    assert film.film(0.8) == []
    assert film.watcher.state is CameraState.STEADY
    return film


@pytest.fixture(scope="session")
def first_cover(baseline: TableFilm) -> TableFilm:
    """A table on which the first die was rolled and covered."""
    film = baseline.copy()
    film.roll()
    film.cover()
    return film


@pytest.fixture
def film(baseline: TableFilm) -> TableFilm:
    return baseline.copy()


@pytest.fixture
def film_with_cup(first_cover: TableFilm) -> TableFilm:
    return first_cover.copy()


@pytest.mark.full
def test_a_row_is_followed_from_the_first_die_to_the_last_cup(film: TableFilm) -> None:
    for place in range(2):
        shown = film.roll()
        top = film.table.row[-1].placed_die.top.colour
        assert (shown.place, int(shown.colour)) == (place, int(top))
        assert shown.confidence >= 0.9
        put = film.cover()
        assert put.place == place
    paints = [int(place.cup or 0) for place in film.table.row]
    places = film.watcher.row.places
    assert [int(p.colour) for p in places] == paints
    assert [int(p.colour) for p in sorted(places, key=lambda p: p.center[0])] == paints
    assert all(p.content is PlaceContent.CUP for p in places)
    film.table.lift(1, film.now)
    assert film.film() == [CupLifted(1, ANY, ANY)]


def test_the_face_is_cut_out_straight_and_enlarged(film: TableFilm) -> None:
    shown = film.roll()
    picture = cv2.imdecode(np.frombuffer(shown.face_jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (224, 224, 3)
    # The die's light face fills the picture, but for the margin: its middle rows and columns begin and end in light.
    inner = picture[30:-30, 30:-30].astype(int)
    rim = np.concatenate([inner[0], inner[-1], inner[:, 0], inner[:, -1]])
    assert np.median(rim.min(axis=1)) > 150
    assert inner.min() < 120, "the symbol"


@pytest.mark.full
def test_a_hand_makes_no_event(film_with_cup: TableFilm) -> None:
    film = film_with_cup
    film.table.hold_hand_over((-150.0, 0.0), film.now)
    assert film.film(1.5) == []
    assert CameraState.HAND in film.states
    film.table.withdraw_hand(film.now)
    assert film.film(1.2) == []


@pytest.mark.full
def test_a_lamp_makes_no_event(film_with_cup: TableFilm) -> None:
    film = film_with_cup
    for gain in (0.6, 1.0, 0.75):
        film.gain = gain
        assert film.film(0.8) == []
    assert film.roll().place == 1


@pytest.mark.full
def test_a_pushed_die_and_a_pushed_cup_make_no_event(film: TableFilm) -> None:
    film.roll()
    nudge(film, 5.0)
    assert film.film(1.0) == []
    film.cover()
    nudge(film, -7.0)
    assert film.film(1.0) == []
    assert film.roll().place == 1


def nudge(film: TableFilm, by: float) -> None:
    """Push the whole row by `by` millimetres."""
    state = film.table._state

    def move(slot: RowSlot) -> RowSlot:
        x, *others = slot.placed_die.center
        return replace(slot, placed_die=replace(slot.placed_die, center=(x + by, *others)))

    row = tuple(move(slot) for slot in state.row)
    film.table._state = film.table._planned = replace(state, row=row)
    film.table.version += 1


@pytest.mark.full
def test_a_die_that_is_rolled_again_is_reported_if_it_differs(film: TableFilm) -> None:
    first = film.roll()
    for _ in range(20):
        film.table.roll_again(film.rng, film.now)
        events = film.film()
        top = film.table.row[-1].placed_die.top.colour
        if int(top) != int(first.colour):
            (again,) = events
            assert isinstance(again, DieShown)
            assert (again.place, int(again.colour)) == (0, int(top))
            return
    pytest.fail("twenty rolls of one colour")


@pytest.mark.full
def test_the_row_is_put_back_and_another_begins(film_with_cup: TableFilm) -> None:
    film = film_with_cup
    film.table.lift(0, film.now)
    film.film(1.4)
    film.table.clear(film.now)
    assert film.film(2.6) == []
    assert film.watcher.row.places == ()
    assert film.roll().place == 0


@pytest.mark.parametrize("rolled", [(), (BLUE,)])
def test_a_die_rolled_while_the_row_is_cleared_is_asked_about(rolled: tuple[Colour, ...]) -> None:
    """The supply lies there again as well, and nothing tells which of the dice was rolled but its place."""
    image = np.zeros((480, 640, 3), np.uint8)

    def see(is_die: bool, colour: Colour, x: float, y: float) -> Detection:
        return Detection(is_die, colour, (x, y), 30.0 if is_die else 66.0, 0.0, presence=0.99, confidence=0.98)

    row = CupRow()
    for index, colour in enumerate((RED, BLACK)):
        row.update([see(True, colour, 100 + 80 * index, 300)], [], image, 1.0)
        row.update([see(False, colour, 100 + 80 * index, 300)], [index], image, 2.0)
    supply = [see(True, colour, 90 + 50 * k, 40) for k, colour in enumerate((RED, BLACK))]
    new = [see(True, colour, 60, 240) for colour in rolled]
    events = row.update([*supply, *new], [0, 1], image, 3.0)
    shown = [(event.place, event.colour) for event in events if isinstance(event, DieShown)]
    assert shown == [(0, colour) for colour in rolled]
    assert all(event.confidence < MIN_PLAY_CONFIDENCE for event in events)
    assert len(events) == len(row.places) == len(rolled)


def grey(image: Image) -> Image:
    """Return the picture without colours, but with a tint."""
    level = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[..., None]
    return np.asarray(np.clip(level * np.array((0.8, 1.0, 0.7)), 0, 255), np.uint8)


@pytest.mark.full
def test_a_camera_without_colours_makes_them_uncertain() -> None:
    film = TableFilm()
    film.develop = grey
    assert film.film(1.0) == []
    assert film.roll().confidence < MIN_PLAY_CONFIDENCE
    assert film.cover().confidence < MIN_PLAY_CONFIDENCE


def test_a_dim_camera_with_colours_may_be_certain(film: TableFilm) -> None:
    film.gain = 0.4
    film.film(1.0)
    assert film.roll().confidence >= MIN_PLAY_CONFIDENCE


def test_an_uncertain_reading_stays_uncertain(film: TableFilm) -> None:
    film.classifier.sure = 0.7
    shown = film.roll()
    assert shown.confidence < 0.9
    assert set(shown.alternatives) == {MemoColour.RED, MemoColour.BLUE, MemoColour.BLACK} - {shown.colour}
    assert film.watcher.state is CameraState.UNSURE


def test_a_table_at_rest_is_not_read_again(film: TableFilm) -> None:
    film.roll()
    asked = film.classifier.asked
    assert film.film(3.0) == []
    assert film.classifier.asked == asked


@pytest.mark.full
def test_a_restart_in_the_middle_of_a_row_continues(film_with_cup: TableFilm) -> None:
    film = film_with_cup
    film.roll()
    kept = film.watcher.snapshot()
    film.watcher = CupRowWatcher(film.classifier)
    film.watcher.restore(kept)
    assert film.film(0.8) == []
    assert [place.content for place in film.watcher.row.places] == [PlaceContent.CUP, PlaceContent.DIE]
    assert film.cover().place == 1
    assert film.roll().place == 2


@pytest.mark.parametrize("damaged", [{}, {"memo row": 3, "memo size": []}, {"memo row": {}, "memo size": []}])
def test_a_damaged_snapshot_is_refused(damaged: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        CupRowWatcher(TableFilm().classifier).restore(damaged)
