"""From readings of a tray at rest to events, reading by reading, without pictures."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.events import DiceRead
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.onnx import Float32Array
from companion.vision.reading import Die
from companion.vision.table.dice_agreement import AgreedReading, DiceAgreement
from companion.vision.table.face_picture import cut_face_picture
from companion.vision.tray.agreement import TrayAgreement, compute_tray_confidence


def die(value: int, x: float, y: float = 100.0, sure: float = 0.99, *, tilted: bool = False) -> Die:
    """Return a die of 40 pixels with its centre at (x, y)."""
    return Die(value, (x - 20, y - 20, x + 20, y + 20), sure, tilted=tilted)


def draw_face_pictures() -> tuple[Float32Array, Float32Array]:
    """Return pictures of a six: as it lay, and turned by 30 degrees."""
    face = np.full((80, 80, 3), 60, np.uint8)
    cv2.rectangle(face, (20, 20), (60, 60), (220, 220, 220), -1)
    for x in (29, 51):
        for y in (28, 40, 52):
            cv2.circle(face, (x, y), 4, (30, 30, 30), -1)
    turned = cv2.warpAffine(face, cv2.getRotationMatrix2D((40, 40), 30, 1.0), (80, 80), borderMode=cv2.BORDER_REPLICATE)
    at = die(6, 40.5, 40.5)
    return cut_face_picture(face, at), cut_face_picture(np.asarray(turned, np.uint8), at)


THROW = (die(1, 100), die(5, 200), die(5, 300), die(2, 400), die(6, 500))


def rest(agreement: DiceAgreement, *readings: tuple[Die, ...]) -> AgreedReading:
    """Return the result of a rest with these readings; the last one is repeated as often as needed."""
    agreement.reset()
    for at in range(10):
        result = agreement.add_reading(readings[min(at, len(readings) - 1)], float(at))
        if result is not None:
            return result
    raise AssertionError("no result after ten readings")


def read(agreement: DiceAgreement, *dice: Die) -> DiceRead:
    """Return the event of a rest with these dice."""
    event = rest(agreement, dice).event
    assert event is not None
    return event


@pytest.fixture
def agreement() -> TrayAgreement:
    """A `TrayAgreement` after readings of the empty tray and of `THROW`."""
    made = TrayAgreement()
    assert rest(made, ()) == AgreedReading(None, is_unsure=False)
    thrown = read(made, *THROW)
    assert (thrown.values, thrown.lying, thrown.thrown_values) == ((1, 2, 5, 5, 6), (False,) * 5, (1, 2, 5, 5, 6))
    return made


def test_dice_that_were_taken_out_leave_the_others_lying(agreement: TrayAgreement) -> None:
    event = read(agreement, THROW[0], THROW[3], THROW[4])
    assert (event.values, event.lying, event.thrown_values) == ((1, 2, 6), (True, True, True), ())


def test_a_die_thrown_beside_others_is_the_new_one(agreement: TrayAgreement) -> None:
    event = read(agreement, *THROW[:4], die(6, 560, 300))  # it shows the same again, elsewhere
    assert (event.values, event.thrown_values) == ((1, 2, 5, 5, 6), (6,))
    assert event.lying == (True, True, True, True, False)


def test_a_die_nearly_where_an_equal_one_lay_need_not_be_the_same(agreement: TrayAgreement) -> None:
    """All were thrown, or it was left lying and pushed by the others: nobody can know."""
    new = (die(3, 120, 300), die(4, 220, 300), die(1, 320, 300), die(1, 420, 300))
    event = read(agreement, die(6, 508, 104), *new)
    assert (event.values, event.thrown_values) == ((1, 1, 3, 4, 6), (1, 1, 3, 4))
    assert event.confidence >= MIN_PLAY_CONFIDENCE
    assert event.doubtful_values == (6,)


def test_a_die_exactly_where_it_lay_was_left_lying(agreement: TrayAgreement) -> None:
    new = (die(3, 120, 300), die(4, 220, 300), die(1, 320, 300))
    event = read(agreement, die(6, 502, 101), die(2, 403, 102), *new)
    assert (event.values, event.thrown_values) == ((1, 2, 3, 4, 6), (1, 3, 4))
    assert event.doubtful_values == ()


def test_a_pushed_die_beside_others_that_lie_still_is_in_doubt(agreement: TrayAgreement) -> None:
    event = read(agreement, *THROW[:3], die(6, 508, 104), die(2, 420, 300))
    assert (event.thrown_values, event.doubtful_values) == ((2,), (6,))
    assert event.doubtful == (False, False, False, False, True)


@pytest.mark.parametrize(("picture", "doubtful"), [(0, ()), (1, (6,))])
def test_a_die_in_its_place_that_looks_turned_is_in_doubt(picture: int, doubtful: tuple[int, ...]) -> None:
    pictures = draw_face_pictures()
    agreement = TrayAgreement()
    rest(agreement, ())
    read(agreement, *THROW[:4], replace(THROW[4], picture=pictures[0]))
    event = read(agreement, *THROW[:3], replace(THROW[4], picture=pictures[picture]), die(4, 420, 300))
    assert (event.thrown_values, event.doubtful_values) == ((4,), doubtful)


def test_the_same_dice_and_a_pushed_tray_make_no_event(agreement: TrayAgreement) -> None:
    for x, y in ((3, 3), (60, 30)):
        assert (
            rest(agreement, tuple(die(one.value, one.center[0] + x, one.center[1] + y) for one in THROW)).event is None
        )


@pytest.mark.parametrize(
    ("moved", "picture", "doubtful"), [(0, 0, ()), (3, 0, ()), (8, 0, (6,)), (0, 1, (6,)), (12, 1, (6,))]
)
def test_a_single_die_where_an_equal_one_lay_may_have_been_thrown(
    moved: int, picture: int, doubtful: tuple[int, ...]
) -> None:
    """It was pushed a little or turned, or it was thrown: a throw was lost in silence here (Pig, seed 3)."""
    pictures, agreement = draw_face_pictures(), TrayAgreement()
    rest(agreement, ())
    read(agreement, replace(die(6, 100), picture=pictures[0]))
    event = rest(agreement, (replace(die(6, 100 + moved), picture=pictures[picture]),)).event
    assert (event.doubtful_values if event else ()) == doubtful
    assert event is None or (event.values, event.thrown_values) == ((6,), ())


@pytest.mark.parametrize("is_hidden", [False, True], ids=["seen", "below a hand"])
def test_a_die_that_was_not_in_its_place_for_a_while_may_have_been_thrown(is_hidden: bool) -> None:
    picture, agreement = draw_face_pictures()[0], TrayAgreement()
    rest(agreement, ())
    read(agreement, replace(die(6, 100), picture=picture))
    agreement.note_missing_dice(np.full((480, 640, 3), 60, np.uint8), lambda die: is_hidden)
    event = rest(agreement, (replace(die(6, 100), picture=picture),)).event
    assert (event.doubtful_values if event else ()) == (() if is_hidden else (6,))
    assert rest(agreement, (replace(die(6, 100), picture=picture),)).event is None, "once"


def test_dice_that_were_pushed_together_were_not_thrown(agreement: TrayAgreement) -> None:
    """The camera was bumped or the tray pushed: all were out of their places for a while, one seems to be turned."""
    pictures = draw_face_pictures()
    dice = tuple(replace(one, picture=pictures[0]) for one in THROW)
    rest(agreement, dice)
    agreement.note_missing_dice(np.full((480, 640, 3), 60, np.uint8), lambda die: False)
    moved = [replace(die(one.value, one.center[0] + 9, one.center[1] + 3), picture=pictures[0]) for one in dice]
    assert rest(agreement, (*moved[:4], replace(moved[4], picture=pictures[1]))).event is None


@pytest.mark.parametrize(("turned", "doubtful"), [((), ()), ((1,), (5, 6)), ((0, 1), (5, 6))])
@pytest.mark.parametrize("is_view_known", [True, False])
@pytest.mark.parametrize("make_agreement", [TrayAgreement, DiceAgreement])
def test_two_turned_dice_that_lie_to_each_other_as_they_lay_may_have_been_thrown(
    make_agreement: type[DiceAgreement], turned: tuple[int, ...], doubtful: tuple[int, ...], is_view_known: bool
) -> None:
    """A throw of two dice was lost in silence here (Yacht, seed 55 of impatient people)."""
    pictures, agreement = draw_face_pictures(), make_agreement()
    rest(agreement, ())
    before = [replace(d, picture=pictures[0]) for d in (die(5, 100), die(6, 220, 130))]
    read(agreement, *before)
    if not is_view_known:
        agreement.apply_shift(None)  # on a plain tray only the dice can be seen
    dx, dy, shares = 90, 40, (1, 1) if is_view_known else (1, 1.05)
    now = [
        die(one.value, one.center[0] + dx * k, one.center[1] + dy * k) for k, one in zip(shares, before, strict=True)
    ]
    event = rest(agreement, tuple(replace(d, picture=pictures[at in turned]) for at, d in enumerate(now))).event
    assert (event.doubtful_values if event else ()) == doubtful
    assert event is None or (event.values, event.thrown_values) == ((5, 6), ())


def test_one_of_several_dice_that_is_turned_in_its_place_may_have_been_thrown(agreement: TrayAgreement) -> None:
    pictures = draw_face_pictures()
    rest(agreement, (*THROW[:4], replace(THROW[4], picture=pictures[0])))
    event = read(agreement, *THROW[:4], replace(THROW[4], picture=pictures[1]))
    assert (event.values, event.thrown_values, event.doubtful_values) == ((1, 2, 5, 5, 6), (), (6,))


LEANING = (die(3, 150), die(6, 250, sure=0.5, tilted=True))


@pytest.mark.parametrize(
    ("waiting", "now", "picked_up"),
    [
        (LEANING, (die(3, 150), die(6, 252)), None),  # straightened
        (LEANING, (die(3, 150), die(5, 500)), None),  # thrown again by itself
        (LEANING, (die(3, 190), die(6, 290)), None),  # straightened, and the tray pushed
        (LEANING, (die(3, 150),), (3, 6)),  # the other was set aside
        (LEANING, (), (3, 6)),
        (LEANING, (die(1, 400), die(2, 560)), (3, 6)),  # both thrown again
        (LEANING[1:], (die(6, 300),), None),  # a single die that is straightened moves far
        (LEANING[1:], (die(6, 500),), (6,)),
        (LEANING[1:], (), (6,)),
        ((*LEANING, die(4, 275, sure=0.2)), (die(3, 150), die(6, 252)), None),  # the side of the leaning die
        ((*LEANING, THROW[4]), (die(3, 150), THROW[4]), None),  # one of them lay there before
    ],
)
def test_a_throw_that_waits_for_a_leaning_die_is_reported_if_people_go_on(
    agreement: TrayAgreement, waiting: tuple[Die, ...], now: tuple[Die, ...], picked_up: tuple[int, ...] | None
) -> None:
    agreement.reset()
    for at in range(4):
        assert agreement.add_reading(waiting, float(at), wait_for_tilted=True) is None
    assert agreement.waits_for_tilted
    event = rest(agreement, now).picked_up
    assert (event and (event.values, event.was_picked_up)) == (picked_up and (picked_up, True))


def test_the_emptied_tray_is_an_event(agreement: TrayAgreement) -> None:
    event = read(agreement)
    assert event.values == ()


@pytest.mark.parametrize("readings", [(5, 4, 4), (5, 4, 5, 4)], ids=["one reading", "some readings"])
def test_a_die_that_only_some_readings_see_is_asked_about(readings: tuple[int, ...]) -> None:
    agreement = TrayAgreement()
    rest(agreement, ())
    event = rest(agreement, *(THROW[:count] for count in readings)).event
    assert event is not None
    assert event.confidence < MIN_PLAY_CONFIDENCE


def test_an_uncertain_die_beside_others_that_lie_still_is_asked_about(agreement: TrayAgreement) -> None:
    event = read(agreement, *THROW, die(3, 600, sure=0.4))
    assert event.values == (1, 2, 3, 5, 5, 6)
    assert event.confidence < MIN_PLAY_CONFIDENCE


def test_a_die_that_lies_still_keeps_the_better_reading(agreement: TrayAgreement) -> None:
    doubtful = replace(THROW[1], value=4, confidence=0.5)
    event = read(agreement, THROW[0], doubtful, THROW[2])
    assert event.values == (1, 5, 5)
    assert event.confidence >= MIN_PLAY_CONFIDENCE


def test_another_certain_value_in_the_same_place_was_thrown(agreement: TrayAgreement) -> None:
    event = read(agreement, *THROW[:4], replace(THROW[4], value=1))
    assert event.thrown_values == (1,)


def test_the_doubts_of_many_dice_add_up() -> None:
    few, many = [die(3, 50.0 * i, sure=0.95) for i in range(6)], [die(3, 50.0 * i, sure=0.95) for i in range(30)]
    assert compute_tray_confidence(few) == pytest.approx(0.95)
    assert compute_tray_confidence(many) < MIN_PLAY_CONFIDENCE
    assert compute_tray_confidence([]) == 1.0
    assert compute_tray_confidence([replace(few[0], tilted=True)]) < MIN_PLAY_CONFIDENCE
