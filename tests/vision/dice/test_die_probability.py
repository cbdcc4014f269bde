"""How probably a face is a die, by what the nets say and how it compares with others, and is read right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.dice import die_probability
from companion.vision.dice.assembly import FaceReading, compute_colour_distances, measure_face_colours
from companion.vision.dice.detector import Candidate
from companion.vision.dice.die_probability import FEATURES, load_decision, measure_faces
from companion.vision.onnx import DamagedDataFile

WHITE, RED, BLACK = (235, 240, 240), (40, 30, 200), (20, 20, 20)
Color = tuple[int, int, int]


def table(*dice: tuple[float, float, float, Color, Color]) -> np.ndarray:
    """Return a brown table with squares (x, y, edge, body, pips) that have four pips."""
    image = np.full((300, 400, 3), (60, 90, 120), np.uint8)
    for x, y, edge, body, pips in dice:
        half = edge / 2
        cv2.rectangle(image, (int(x - half), int(y - half)), (int(x + half), int(y + half)), body, -1)
        for dx in (-0.25, 0.25):
            for dy in (-0.25, 0.25):
                cv2.circle(image, (int(x + dx * edge), int(y + dy * edge)), int(edge * 0.09), pips, -1, cv2.LINE_AA)
    return image


def at(x: float, y: float, edge: float = 40.0) -> Candidate:
    return Candidate(x, y, edge, 0.7)


def test_colours_of_body_and_pips_are_those_that_were_painted() -> None:
    image = table((100, 100, 40, RED, WHITE))
    ((body, pips),) = measure_face_colours(image, [at(100, 100)])
    red, white = cv2.cvtColor(np.array([[RED, WHITE]], np.float32) / 255, cv2.COLOR_BGR2LAB)[0]
    assert np.linalg.norm(body - red) < 8
    assert pips[0] > 0.8 * white[0]


def test_shade_makes_less_difference_than_another_colour() -> None:
    image = table((60, 60, 40, WHITE, BLACK), (200, 60, 40, (175, 180, 180), BLACK), (60, 200, 40, RED, BLACK))
    one, shaded, red = measure_face_colours(image, [at(60, 60), at(200, 60), at(60, 200)])[:, None]
    assert compute_colour_distances(one, one) == 0
    assert compute_colour_distances(one, shaded) < 20 < compute_colour_distances(one, red)
    several = np.concatenate([one, red])
    assert compute_colour_distances(several, np.concatenate([red, shaded])) == pytest.approx(
        [compute_colour_distances(one, shaded)[0], 0.0]
    )
    assert compute_colour_distances(several, several[:0]).tolist() == [np.inf, np.inf]


@pytest.mark.parametrize("edge", [3.0, 40.0, 900.0])
def test_colours_are_measured_at_the_border_and_beyond(edge: float) -> None:
    image = table((0, 0, 40, WHITE, BLACK))
    colours = measure_face_colours(image, [at(-5, -5, edge), at(399, 299, edge), at(420, 310, edge)])
    assert colours.shape == (3, 2, 3)
    assert np.isfinite(colours).all()


def face(c: Candidate, not_face: float, value: int = 4) -> FaceReading:
    states = np.array([not_face, (1 - not_face) * 0.98, (1 - not_face) * 0.01, (1 - not_face) * 0.01], np.float32)
    values = np.full(6, 0.002, np.float32)
    values[value - 1] = 0.99
    return FaceReading(c, states, values, (0.0, 0.0))


def decide(image: np.ndarray, *faces: FaceReading) -> list[float]:
    return [face.die_probability for face in load_decision().decide_faces(image, faces)]


def test_a_face_that_looks_like_a_certain_die_is_more_probably_one() -> None:
    image = table((80, 80, 40, WHITE, BLACK), (180, 140, 40, WHITE, BLACK), (180, 60, 40, RED, WHITE))
    sure, same, foreign = decide(image, face(at(80, 80), 0.0), face(at(180, 140), 0.4), face(at(180, 60), 0.4))
    assert sure > 0.95 > same > foreign


def test_a_face_of_another_size_is_less_probably_a_die() -> None:
    image = table((80, 80, 40, WHITE, BLACK), (250, 200, 40, WHITE, BLACK), (250, 80, 90, WHITE, BLACK))
    _, same, large = decide(image, face(at(80, 80), 0.0), face(at(250, 200), 0.4), face(at(250, 80, 90), 0.4))
    assert same > large


def test_what_the_detector_and_the_reader_say_counts() -> None:
    image = table((80, 80, 40, WHITE, BLACK))
    trusted, doubted, seen, denied = (
        decide(image, one)[0]
        for one in (
            face(replace(at(80, 80), score=0.9), 0.3),
            face(replace(at(80, 80), score=0.2), 0.3),
            face(at(80, 80), 0.05),
            face(at(80, 80), 0.95),
        )
    )
    assert trusted > doubted
    assert seen > denied


def test_faces_are_copied_and_no_faces_are_no_faces() -> None:
    image = table((80, 80, 40, WHITE, BLACK))
    one = face(at(80, 80), 0.4)
    assert load_decision().decide_faces(image, [one])[0] is not one
    assert one.die_probability == 1
    assert load_decision().decide_faces(image, []) == []
    assert measure_faces(image, []).shape == (0, len(FEATURES))


def test_a_confidence_follows_slope_and_offset() -> None:
    """Odds are raised to `slope` and multiplied by e to the power of `offset`."""
    decision = replace(load_decision(), slope=0.5, offset=1.0)
    assert decision.calibrate(0.8) == pytest.approx(1 / (1 + np.exp(-1) / 2))
    assert decision.calibrate(0.5) < decision.calibrate(0.9) < decision.calibrate(1.0) < 1


@pytest.mark.parametrize("text", ["", "{}", '{"weights": {"detector": "x"}, "bias": 0, "slope": 1, "offset": 0}', None])
def test_a_damaged_model_is_named(text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "models").mkdir()
    if text is not None:
        (tmp_path / "models" / "dice_decision.json").write_text(text)
    monkeypatch.setattr(die_probability, "files", lambda _package: tmp_path)
    load_decision.cache_clear()
    with pytest.raises(DamagedDataFile, match=r"dice_decision\.json"):
        load_decision()
    load_decision.cache_clear()
