"""The simulated table: deeds take time, keep the twelve tokens together, and end in rest."""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.simulation.actions import Hand
from companion.simulation.macroscope.board import Board, NotPossible
from companion.simulation.macroscope.dice import FACES, TRAY, TRAY_INNER, DiePose, Fall
from companion.simulation.macroscope.lid import LAYOUTS, LidPose
from companion.simulation.macroscope.table import VirtualTable
from companion.simulation.optics import FRAME_SIZE, Optics

TWO_OF_EACH = Counter(dict.fromkeys(range(1, 7), 2))


def table(seed: int = 1, layout: str = "3x4") -> VirtualTable:
    return VirtualTable(random.Random(seed), layout)


def settle(virtual: VirtualTable, now: float = 0.0) -> float:
    """Steps at 15 frames a second until nothing is under way; the time then."""
    for _ in range(3000):
        virtual.step(now)
        if not virtual.busy(now) and not virtual.moving:
            return now
        now += 1 / 15
    raise AssertionError("the table never comes to rest")


def tokens(board: Board) -> Counter[int]:
    return Counter(token.number for token in (*board.windows, *board.aside) if token)


def top_face(pose: DiePose) -> int:
    return max(FACES, key=lambda value: float((pose.rotation @ np.array(FACES[value]))[2]))


def test_a_new_table_is_fully_covered_with_two_of_each_number() -> None:
    virtual = table()
    assert None not in virtual.board.windows
    assert tokens(virtual.board) == TWO_OF_EACH
    assert not virtual.moving
    assert virtual.dice() == ()


deeds = st.lists(
    st.tuples(st.sampled_from(["take", "put", "put number", "cover", "card", "turn", "throw"]), st.integers(0, 11)),
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(deeds, st.integers(0, 2**16), st.booleans())
def test_deeds_keep_two_of_each_number(todo: list[tuple[str, int]], seed: int, wait: bool) -> None:
    virtual, rng, now = table(seed), random.Random(seed), 0.0
    for deed, k in todo:
        try:
            match deed:
                case "take":
                    virtual.take(k, now)
                case "put":
                    virtual.put(k, None, now)
                case "put number":
                    virtual.put(k, 1 + k % 6, now)
                case "cover":
                    virtual.cover_all(rng, now)
                case "card":
                    virtual.new_card(now)
                case "turn":
                    virtual.turn(30.0 * k, now)
                case "throw":
                    virtual.throw(None, rng, now)
        except NotPossible:
            pass
        now = settle(virtual, now) if wait else now + 0.2
        virtual.step(now)
        assert tokens(virtual.board) == TWO_OF_EACH
    settle(virtual, now)
    assert tokens(virtual.board) == TWO_OF_EACH


def test_taking_takes_as_long_as_a_hand_does() -> None:
    virtual = table()
    number = virtual.board.numbers[5]
    virtual.take(5, now=0.0)
    assert virtual.busy(0.0)
    assert virtual.moving
    virtual.step(0.3)
    assert virtual.hand is not None
    assert virtual.hand.reach > 0.9
    assert virtual.board.numbers[5] == number, "the hand has not closed yet"
    now = settle(virtual)
    assert virtual.hand is None
    assert not virtual.busy(now)
    assert virtual.board.numbers[5] is None
    assert [token.number for token in virtual.board.aside] == [number]


def test_deeds_wait_for_each_other_and_are_refused_by_what_will_be() -> None:
    virtual = table()
    virtual.take(0, now=0.0)
    virtual.take(1, now=0.0)
    with pytest.raises(NotPossible, match="window 1 is open"):
        virtual.take(1, now=0.1)
    virtual.step(0.6)
    assert virtual.board.numbers[0] is None
    assert virtual.board.numbers[1] is not None
    settle(virtual, 0.6)
    assert virtual.board.numbers[1] is None


def test_putting_back_gives_the_token_last_taken_or_the_one_named() -> None:
    virtual = table()
    first, second = virtual.board.windows[0], virtual.board.windows[1]
    assert first is not None
    assert second is not None
    other = next(w for w, token in enumerate(virtual.board.windows) if token and token.number != first.number)
    virtual.take(0, 0.0)
    virtual.take(other, 0.0)
    virtual.put(other, first.number, 0.0)
    now = settle(virtual)
    assert virtual.board.numbers[other] == first.number
    virtual.put(0, None, now)
    settle(virtual, now)
    assert virtual.board.aside == ()
    with pytest.raises(NotPossible, match="covered already"):
        virtual.put(0, None, now)


def test_putting_needs_a_token_beside_the_lid() -> None:
    virtual = table()
    number = virtual.board.numbers[3]
    virtual.take(3, 0.0)
    with pytest.raises(NotPossible, match="no token"):
        virtual.put(3, 1 + number % 6 if number else 1, 0.0)


def test_a_number_is_taken_from_wherever_it_lies() -> None:
    virtual = table()
    windows = virtual.board.covering(4)
    assert virtual.take_number(4, 0.0) in windows
    assert virtual.take_number(4, 0.0) in windows
    with pytest.raises(NotPossible, match="no token 4"):
        virtual.take_number(4, 0.0)


def test_covering_all_shuffles_and_keeps_the_card_until_a_new_one_is_pulled() -> None:
    virtual = table()
    before = virtual.board
    virtual.take(0, 0.0)
    virtual.cover_all(random.Random(5), 0.0)
    now = settle(virtual)
    assert None not in virtual.board.windows
    assert virtual.board.numbers != before.numbers
    assert virtual.board.card == before.card
    virtual.new_card(now)
    settle(virtual, now)
    assert virtual.board.card != before.card


@pytest.mark.parametrize("seed", range(40))
def test_a_throw_ends_at_rest_in_the_tray_with_the_values_it_announced(seed: int) -> None:
    virtual = table()
    values = virtual.throw(None, random.Random(seed), 0.0)
    virtual.step(0.6)
    assert virtual.rolling
    assert virtual.moving
    now = settle(virtual, 0.6)
    resting = virtual.dice()
    assert not virtual.rolling
    assert tuple(top_face(die) for die in resting) == values == virtual.values
    for die in resting:
        assert die.middle[2] == pytest.approx(2.0 + virtual.die_size / 2)
        assert all(abs(c - m) < TRAY_INNER - virtual.die_size / 2 for c, m in zip(die.middle[:2], TRAY, strict=True))
    virtual.step(now + 10.0)
    assert [die.middle for die in virtual.dice()] == [die.middle for die in resting]


@pytest.mark.parametrize("seed", range(10))
def test_dice_never_lie_in_each_other_and_never_leave_the_tray_on_their_way(seed: int) -> None:
    virtual = table()
    virtual.throw((1, 2, 3), random.Random(seed), 0.0)
    for k in range(60):
        virtual.step(k / 30)
        for die in virtual.dice():
            assert all(abs(c - m) < TRAY_INNER for c, m in zip(die.middle[:2], TRAY, strict=True))
    places = [die.middle for die in virtual.dice()]
    assert len(places) == 3
    assert min(math.dist(a, b) for k, a in enumerate(places) for b in places[:k]) > math.sqrt(2) * virtual.die_size


def test_dice_may_end_otherwise_for_tests_of_faults() -> None:
    virtual = table()
    virtual.throw((6, 5, 4, 3), random.Random(2), 0.0, [Fall.TRAY, Fall.COCKED, Fall.TABLE, Fall.FLOOR])
    settle(virtual)
    flat, cocked, outside = virtual.dice()
    assert virtual.values == (6, 5)
    assert [top_face(die) for die in (flat, cocked, outside)] == [6, 5, 4]
    assert float((flat.rotation @ np.array(FACES[6]))[2]) == pytest.approx(1.0)
    assert 0.7 < float((cocked.rotation @ np.array(FACES[5]))[2]) < 0.95
    assert outside.middle[0] > TRAY[0] + TRAY_INNER


def test_picking_up_empties_the_tray_and_a_new_throw_replaces_the_old() -> None:
    virtual = table()
    virtual.throw((1, 1), random.Random(3), 0.0)
    virtual.throw((2,), random.Random(3), 0.0)
    now = settle(virtual)
    assert virtual.values == (2,)
    virtual.pick_up_dice(now)
    settle(virtual, now)
    assert virtual.dice() == ()
    assert virtual.values == ()


def test_opposite_faces_sum_to_seven_and_a_die_is_right_handed() -> None:
    for value, normal in FACES.items():
        assert FACES[7 - value] == tuple(-c for c in normal)
    # Seen with 1 up and 2 towards the player (+y), 3 is to the right (+x).
    assert (FACES[1], FACES[2], FACES[3]) == ((0, 0, 1), (0, 1, 0), (1, 0, 0))


def test_a_resting_table_needs_no_new_picture() -> None:
    virtual = table()
    virtual.throw(None, random.Random(1), 0.0)
    now = settle(virtual)
    version = virtual.version
    virtual.step(now + 5.0)
    assert virtual.version == version
    assert not virtual.moving


def test_a_held_hand_comes_stays_and_leaves() -> None:
    virtual = table()
    virtual.hand_over("tray", 0.0)
    assert virtual.moving
    virtual.step(1.0)
    assert virtual.hand == Hand(TRAY, 1.0)
    assert not virtual.moving
    assert not virtual.busy(1.0)
    virtual.hand_over((0.0, 50.0), 1.1)
    assert virtual.hand == Hand((0.0, 50.0), 1.0)
    virtual.hand_away(1.2)
    assert virtual.moving
    virtual.step(2.0)
    assert virtual.hand is None
    assert not virtual.moving


def test_turning_and_pushing_glide_and_add_up() -> None:
    virtual = table()
    home = virtual.lid
    virtual.turn(90.0, 0.0)
    virtual.push(10.0, -5.0, 0.0)
    virtual.step(0.55)
    assert 0.0 < virtual.lid.angle < 90.0
    settle(virtual, 0.55)
    assert virtual.lid == LidPose(home.x + 10.0, home.y - 5.0, 90.0)


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=40, deadline=None)
@given(st.floats(-1000, 1000), st.floats(-1000, 1000), st.floats(-360, 360))
def test_the_lid_stays_in_view(layout: str, dx: float, dy: float, angle: float) -> None:
    virtual = table(layout=layout)
    virtual.place_lid(LidPose(dx, dy, angle))
    corners = [(*virtual.lid.to_table(corner), 30.0) for corner in virtual.shape.corners]
    pixels = Optics(tilt=0.0).project(corners)
    assert (pixels > 0).all()
    assert (pixels < FRAME_SIZE).all()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_windows_lie_apart_on_the_lid_row_by_row(layout: str) -> None:
    shape = LAYOUTS[layout]
    assert len(shape.windows) == 12
    rows = [round(y) for _, y in shape.windows]
    assert rows == sorted(rows)
    for k, (x, y) in enumerate(shape.windows):
        assert abs(x) + shape.token_radius < shape.size[0] / 2
        assert abs(y) + shape.token_radius < shape.size[1] / 2
        assert all(math.dist((x, y), other) > 2 * shape.token_radius for other in shape.windows[:k])
        assert all(math.dist((x, y), corner) > shape.token_radius for corner in shape.arrow)


def test_equal_seeds_and_deeds_give_equal_tables() -> None:
    first, second = table(9), table(9)
    for virtual in (first, second):
        virtual.take(2, 0.0)
        virtual.throw(None, random.Random(4), 0.0)
        settle(virtual)
    assert first.board == second.board
    assert first.values == second.values
    assert [die.middle for die in first.dice()] == [die.middle for die in second.dice()]
