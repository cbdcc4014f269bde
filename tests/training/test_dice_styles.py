"""Families of dice and grounds, for training and held back; dice without pips; how readings are judged."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from train_dice import appearance, labels, scenes, styles, tables, unreadable
from train_dice.appearance import DieAppearance
from train_dice.evaluate import ASKED, DISTORTIONS, RIGHT, WRONG, judge
from train_dice.fit_decision import fit, fit_sources
from train_dice.labels import CLEAR, IGNORED, SCENE_SIDE_PX, UNREADABLE, DieTruth
from train_dice.scenes import render_scene
from train_dice.solids import DistantLight, RandomCamera, draw_die

from companion.vision.reading import Die

pytestmark = pytest.mark.training

Pattern = Callable[[np.random.Generator, int], np.ndarray]
EVERY_FAMILY = [*styles.HELD_BACK_STYLES, *unreadable.HELD_BACK_UNREADABLE]


def test_eight_families_and_four_grounds_are_held_back_from_training(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(styles.HELD_BACK_STYLES) >= 8
    assert len(tables.HELD_BACK_GROUNDS) >= 4
    assert not styles.HELD_BACK_STYLES.keys() & styles.STYLES.keys()
    assert not set(tables.HELD_BACK_GROUNDS) & tables.GROUNDS.keys()

    def refuse(*_: object) -> None:
        raise AssertionError("a held-back family was drawn")

    for name in styles.HELD_BACK_STYLES:
        monkeypatch.setitem(styles.HELD_BACK_STYLES, name, refuse)
    for name in unreadable.HELD_BACK_UNREADABLE:
        monkeypatch.setitem(unreadable.HELD_BACK_UNREADABLE, name, refuse)
    for name in tables.HELD_BACK_GROUNDS:
        monkeypatch.setitem(tables._PATTERNS, name, refuse)
    for seed in range(25):
        render_scene(seed)
    with pytest.raises(AssertionError, match="held-back"):
        render_scene(1, family="glitter")


@pytest.mark.parametrize("family", EVERY_FAMILY)
def test_a_held_back_family_is_drawn_on_held_back_grounds_alone(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    for name, draw in tables._PATTERNS.items():

        def note(rng: np.random.Generator, size: int, name: str = name, draw: Pattern = draw) -> np.ndarray:
            drawn.append(name)
            return draw(rng, size)

        monkeypatch.setitem(tables._PATTERNS, name, note)
    image, truths, _ = render_scene(3, family=family)
    assert drawn[0] in tables.HELD_BACK_GROUNDS
    again = render_scene(3, family=family)[0]
    assert image.shape == (SCENE_SIDE_PX, SCENE_SIDE_PX, 3)
    assert (image == again).all()
    assert all(t.state != labels.COCKED for t in truths)
    readable = family in styles.HELD_BACK_STYLES
    assert all(1 <= t.value <= 6 for t in truths if t.state == CLEAR)
    assert not readable or all(t.state != UNREADABLE for t in truths)


def draw_from_above(look: DieAppearance, turn: np.ndarray) -> np.ndarray:
    """Return the picture of a die seen straight from above, colours with alpha."""
    camera = RandomCamera.look_down(0.0, 0.0, 0.0, 10.0, 1200.0, 200)
    light = DistantLight(np.array([0.2, 0.1, 0.97], np.float32), np.ones(3, np.float32), 0.5)
    drawn = draw_die(camera, np.array([0, 0, 0.5], np.float32), turn.astype(np.float32), look, light, 200, 1)
    assert drawn is not None
    return drawn[1]


def test_prints_are_not_mirrored() -> None:
    """An L is an L on each of the six faces."""
    letter = np.zeros((96, 96), np.float32)
    letter[20:76, 30:40] = 1
    letter[66:76, 30:66] = 1
    base = appearance.random_appearance(np.random.default_rng(5))
    white, black = np.full(3, 0.9, np.float32), np.zeros(3, np.float32)
    for face in range(6):
        look = DieAppearance(
            **{
                **base.__dict__,
                **dict.fromkeys(("marble", "gloss", "metal", "ghost", "worn", "chafed"), 0.0),
                "body": white,
                "ink": black,
                "vein": None,
                "prints": np.stack([letter] * 6),
                "without_pips": (1, 2, 3, 4, 5, 6),
            }
        )
        normal = np.zeros(3)
        normal[face // 2] = -1.0 if face % 2 else 1.0
        helper = np.roll(normal, 1)
        turn = np.stack([helper, np.cross(normal, helper), normal])
        dark = draw_from_above(look, turn)
        ink = (dark[..., :3].mean(2) < 0.3) & (dark[..., 3] > 0.5)
        fits = []
        for mirrored in (False, True):
            seen = ink[:, ::-1] if mirrored else ink
            for quarter in range(4):
                rows, columns = np.nonzero(turned := np.rot90(seen, quarter))
                crop = turned[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
                fits.append(float((cv2.resize(crop.astype(np.float32), (36, 56)) == letter[20:76, 30:66]).mean()))
        assert int(np.argmax(fits)) < 4, (face, fits)


@pytest.mark.parametrize("count", [4, 8, 10, 12, 20])
def test_a_solid_has_so_many_equal_faces_and_lies_on_one(count: int) -> None:
    sides = unreadable._list_sides(count)
    assert sides.shape == (count, 3)
    assert np.linalg.norm(sides, axis=1) == pytest.approx(1)
    nearest = np.sort(sides @ sides.T, axis=1)[:, -2]
    assert nearest == pytest.approx(nearest[0], abs=1e-5)
    for seed in range(3):
        turn = scenes.rest_on_side(sides, np.random.default_rng(seed))
        assert (sides @ turn.T)[:, 2].min() == pytest.approx(-1, abs=1e-5)


def die(value: int, x: float, sure: float = 0.99) -> Die:
    return Die(value, (x - 20, 80.0, x + 20, 120.0), sure)


def truth(value: int, x: float, state: int = CLEAR) -> DieTruth:
    return DieTruth(x, 100.0, 40.0, value, state)


@pytest.mark.parametrize(
    ("dice", "truths", "expected"),
    [
        ([die(3, 100), die(5, 200)], [truth(3, 100), truth(5, 200)], RIGHT),
        ([die(3, 100), die(5, 200, 0.6)], [truth(3, 100), truth(5, 200)], ASKED),
        ([], [truth(3, 100)], ASKED),
        ([die(3, 100)], [truth(3, 100), truth(5, 200)], WRONG),
        ([die(3, 100)], [truth(3, 100), truth(0, 200, UNREADABLE)], WRONG),
        ([die(3, 100)], [truth(3, 100), truth(5, 200, IGNORED)], RIGHT),
        ([die(3, 100), die(4, 200)], [truth(3, 100), truth(0, 200, UNREADABLE)], WRONG),
        ([die(4, 100)], [truth(3, 100)], WRONG),
        ([die(3, 100), die(3, 300)], [truth(3, 100)], WRONG),
    ],
)
def test_readings_are_judged(dice: list[Die], truths: list[DieTruth], expected: str) -> None:
    assert judge(dice, truths) == expected


@pytest.mark.parametrize("name", DISTORTIONS)
def test_distortions_change_the_picture(name: str) -> None:
    image = np.random.default_rng(0).integers(20, 200, (80, 120, 3)).astype(np.uint8)
    changed = DISTORTIONS[name](np.random.default_rng(1), image, 32.0)
    assert changed.dtype == np.uint8
    assert changed.shape == ((40, 60, 3) if name == "dice of 16 pixels" else image.shape)
    assert changed.shape != image.shape or (changed != image).mean() > 0.2


def test_the_decision_learns_what_separates_and_how_surely() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(0, 1, (4000, 2))
    y = (rng.random(4000) < 1 / (1 + np.exp(-(2 * x[:, 0] - 1)))).astype(float)
    weights = fit(x, y)
    assert weights == pytest.approx([2, 0, -1], abs=0.2)
    assert fit(x, y, counts=np.where(x[:, 0] > 0, 2.0, 1.0)) == pytest.approx([2, 0, -1], abs=0.2)


def test_rendered_faces_together_weigh_a_share_of_the_photographs() -> None:
    rng = np.random.default_rng(1)
    photographs = {"a": [((float(x),), int(x > 0)) for x in rng.normal(0, 1, 400)]}
    rendered = [((float(x),), 0) for x in rng.normal(0, 1, 200)]
    one = fit_sources(photographs, rendered=rendered)
    assert fit_sources(photographs, rendered=5 * rendered) == pytest.approx(one), "as much as before"
    assert one[-1] < fit_sources(photographs)[-1] - 0.1, "they are no dice"


def test_small_dice_touch_on_held_back_grounds() -> None:
    near = wide = 0
    for seed in range(8):
        _, truths, _ = render_scene(seed, family="plain", touching=True)
        places = [(t.x, t.y, t.edge) for t in truths]
        near += any(np.hypot(a[0] - b[0], a[1] - b[1]) < 1.5 * a[2] for a in places for b in places if a is not b)
        wide += any(edge > 50 for _, _, edge in places)
    assert near >= 5
    assert not wide
