"""The virtual table's frames: the same from the same seed, true to the camera's geometry, free while nothing moves."""

from __future__ import annotations

import random

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.lid import LAYOUTS, LID_HEIGHT_MM
from companion.games.macroscope.simulator.render import MacroscopeRenderer
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.games.macroscope.simulator.tray import TRAY_CENTER_MM, TRAY_HALF_WIDTH_MM
from companion.simulation.appearance import TableAppearance
from companion.simulation.dice_throws import FACE_NORMALS, DiePose, turn_face_up
from companion.simulation.light import compute_brightness
from companion.simulation.optics import FRAME_SIZE_PX, Optics
from companion.simulation.render_hand import PIXELS_PER_UNIT, HandSprite
from companion.simulation.render_pips import compute_die_box, draw_die
from tests.doubles.random_appearance import draw_random_appearance

Image = npt.NDArray[np.uint8]


def table(seed: int = 1, appearance: MacroscopeAppearance | None = None) -> MacroscopeTable:
    appearance = appearance or MacroscopeAppearance()
    return MacroscopeTable(random.Random(seed), appearance.layout, appearance.die_size_mm)


def patch(frame: Image, virtual: MacroscopeTable, optics: Optics, window: int, z: float, reach: int = 12) -> Image:
    """Return the part of the frame around a window's centre, 2 * `reach` pixels square."""
    at = virtual.lid.to_table(virtual.shape.windows[window])
    x, y = (round(float(c)) for c in optics.project([(*at, z)])[0])
    return frame[y - reach : y + reach, x - reach : x + reach]


def difference(a: Image, b: Image) -> float:
    return float(np.abs(a.astype(int) - b.astype(int)).mean())


@given(st.floats(0.0, 20.0), st.floats(-5.0, 5.0), st.floats(0.0, 60.0), st.floats(0.0, 1280.0), st.floats(0.0, 720.0))
def test_pixels_and_millimetres_go_round(tilt: float, roll: float, z: float, x: float, y: float) -> None:
    optics = Optics(tilt_deg=tilt, roll_deg=roll)
    there = optics.to_table((x, y), z)
    back = optics.project([(*there, z)])[0]
    assert back == pytest.approx((x, y), abs=1e-6)


def test_the_picture_is_upright_and_nearer_is_larger() -> None:
    optics = Optics(tilt_deg=0.0)
    origin, right, down, high = optics.project([(0, 0, 0), (100, 0, 0), (0, 100, 0), (100, 0, 50)])
    assert origin == pytest.approx((640, 360))
    assert right[0] > origin[0]
    assert right[1] == pytest.approx(origin[1])
    assert down[1] > origin[1]
    assert down[0] == pytest.approx(origin[0])
    assert high[0] > right[0]


def test_equal_seeds_give_equal_frames() -> None:
    frames = []
    for _ in range(2):
        virtual, renderer = table(), MacroscopeRenderer(MacroscopeAppearance(), seed=7)
        shown = [renderer.render(virtual)]
        virtual.take_token(4, 0.0)
        virtual.throw_dice((3, 6), random.Random(1), 0.0)
        for now in (0.3, 5.0):
            virtual.step(now)
            shown.append(renderer.render(virtual))
        frames.append(shown)
    for first, second in zip(*frames, strict=True):
        assert first.shape == (720, 1280, 3)
        assert first.dtype == np.uint8
        assert np.array_equal(first, second)


def test_an_unchanged_table_differs_by_noise_alone(renderer: MacroscopeRenderer) -> None:
    virtual = table()
    first, second = renderer.render(virtual), renderer.render(virtual)
    assert first is not second
    assert not np.array_equal(first, second)
    assert difference(first, second) < 8.0
    assert difference(cv2.blur(first, (9, 9)), cv2.blur(second, (9, 9))) < 1.0


def test_a_frame_that_was_handed_out_is_not_drawn_upon(renderer: MacroscopeRenderer) -> None:
    virtual = table()
    frame = renderer.render(virtual)
    before = frame.copy()
    virtual.throw_dice(None, random.Random(1), 0.0)
    virtual.step(0.8)
    renderer.render(virtual)
    assert np.array_equal(frame, before)


def test_two_tables_may_share_a_renderer(renderer: MacroscopeRenderer) -> None:
    one, other = table(1), table(2)
    renderer.render(one)
    assert difference(renderer.render(one), renderer.render(other)) > difference(
        renderer.render(one), renderer.render(one)
    )


def test_an_open_window_shows_the_card(renderer: MacroscopeRenderer) -> None:
    virtual, optics = table(), renderer.appearance.optics
    for window in range(6):
        virtual.take_token(window, 0.0)
    virtual.step(10.0)
    before = renderer.render(virtual)
    virtual.pull_card(10.0)
    virtual.step(12.0)
    after = renderer.render(virtual)
    changes = [
        difference(*(patch(f, virtual, optics, w, LID_HEIGHT_MM - 12.0) for f in (before, after))) for w in range(12)
    ]
    assert max(changes[:6]) > 20.0
    assert max(changes[6:]) < 8.0


def test_rolling_dice_smear_and_resting_ones_are_sharp(renderer: MacroscopeRenderer) -> None:
    virtual = table()
    virtual.throw_dice((5, 5), random.Random(3), 0.0)
    (x0, y0), (x1, y1) = (
        renderer.appearance.optics.project(
            [(TRAY_CENTER_MM[0] + s * TRAY_HALF_WIDTH_MM, TRAY_CENTER_MM[1] + s * TRAY_HALF_WIDTH_MM, 2.0)]
        )[0]
        for s in (-1, 1)
    )

    def sharpness() -> float:
        frame = renderer.render(virtual)[
            round(float(y0)) + 12 : round(float(y1)) - 4, round(float(x0)) + 4 : round(float(x1)) - 4
        ]
        grey = cv2.GaussianBlur(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
        return float(np.percentile(np.abs(np.asarray(cv2.Laplacian(grey, cv2.CV_32F))), 99.5))

    virtual.step(0.81)
    assert virtual.is_rolling
    assert virtual.hand is None
    rolling = sharpness()
    virtual.step(5.0)
    assert sharpness() > 1.15 * rolling


@pytest.mark.parametrize("where", ["tray", "lid"])
def test_a_hand_covers_what_it_is_over(renderer: MacroscopeRenderer, where: str) -> None:
    virtual, optics = table(), renderer.appearance.optics
    before = renderer.render(virtual)
    over = TRAY_CENTER_MM if where == "tray" else (virtual.lid.x, virtual.lid.y)
    virtual.hold_hand_over(over, 0.0)
    virtual.step(1.0)
    x, y = (round(float(c)) for c in optics.project([(*over, 30.0)])[0])
    part = slice(y - 15, y + 15), slice(x - 15, x + 15)
    hand = renderer.render(virtual)[part]
    assert difference(before[part], hand) > 20.0
    assert hand[..., 2].mean() > hand[..., 0].mean() + 30, "skin is redder than blue"
    virtual.withdraw_hand(1.0)
    virtual.step(2.0)
    assert difference(before, renderer.render(virtual)) < 8.0


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(2))
def test_every_appearance_can_be_drawn(seed: int) -> None:
    appearance = draw_random_appearance(random.Random(seed))
    assert appearance == draw_random_appearance(random.Random(seed))
    assert appearance.layout in LAYOUTS
    virtual = table(seed, appearance)
    virtual.take_token(0, 0.0)
    virtual.throw_dice((1, 6), random.Random(seed), 0.0)
    virtual.step(5.0)
    frame = MacroscopeRenderer(appearance, seed).render(virtual)
    assert frame.shape == (FRAME_SIZE_PX[1], FRAME_SIZE_PX[0], 3)
    assert 30 < frame.mean() < 220


@pytest.mark.parametrize("value", FACE_NORMALS)
def test_the_face_on_top_has_as_many_pips_as_its_value_around_its_middle(value: int) -> None:
    appearance = TableAppearance(die_size_mm=60.0, optics=Optics(tilt_deg=0.0))
    pose = DiePose((0.0, 0.0, 30.0), turn_face_up(value, 0.0))
    colours, _ = draw_die(pose, appearance, compute_die_box(pose, appearance), 1, 1.0)
    face = colours[16:-16, 16:-16].max(axis=2)  # without the rounded edges, which are dark in the shade
    number, _, pips, centres = cv2.connectedComponentsWithStats((face < 100).astype(np.uint8))
    assert number - 1 == value
    areas, middle = pips[1:, cv2.CC_STAT_AREA], (len(face) - 1) / 2
    assert np.ptp(areas) < 0.1 * areas.mean(), "all of one size"
    for centre in centres[1:]:
        assert np.abs(centres[1:] - (2 * middle - centre)).max(axis=1).min() < 1.0, "each has another opposite"


def test_a_hand_has_five_fingers_and_its_arm_reaches_the_edge_of_its_picture() -> None:
    cover = (HandSprite(TableAppearance()).cover > 127).astype(np.uint8)
    assert cv2.connectedComponents(cover)[0] == 2, "the ground, and a hand in one piece"
    across_fingers, across_arm = cover[round(75 * PIXELS_PER_UNIT)], cover[-1]
    assert [int((np.diff(row.astype(int)) == 1).sum()) for row in (across_fingers, across_arm)] == [5, 1]


def test_the_table_is_brightest_near_its_lamp() -> None:
    x, y = np.meshgrid(np.arange(-150, 151, 10), np.arange(-150, 151, 10))
    brightness = compute_brightness(TableAppearance(glow=(-100.0, 80.0)), x, y)
    brightest = np.unravel_index(brightness.argmax(), brightness.shape)
    assert -100 <= x[brightest] < -40, "the lens darkens what is far from the middle"
    assert 40 < y[brightest] <= 80
