"""The simulated table: actions take time, keep the twelve tokens together, and end in rest."""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.macroscope.simulator.board import LidBoard
from companion.games.macroscope.simulator.lid import LAYOUTS, LidPlacement
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.games.macroscope.simulator.tray import TRAY_CENTER_MM, TRAY_HALF_WIDTH_MM
from companion.simulation.actions import ImpossibleAction
from companion.simulation.dice_throws import FACE_NORMALS, DiePose, LandingPlace
from companion.simulation.optics import FRAME_SIZE_PX, Optics

TWO_OF_EACH = Counter(dict.fromkeys(range(1, 7), 2))


def table(seed: int = 1, layout: str = "3x4") -> MacroscopeTable:
    return MacroscopeTable(random.Random(seed), layout)


def settle(virtual: MacroscopeTable, now: float = 0.0) -> float:
    """Step at 15 frames a second until the table is at rest; return the time."""
    for _ in range(3000):
        virtual.step(now)
        if not virtual.is_busy(now) and not virtual.is_moving:
            return now
        now += 1 / 15
    raise AssertionError("the table never comes to rest")


def tokens(board: LidBoard) -> Counter[int]:
    return Counter(token.number for token in (*board.windows, *board.removed_tokens) if token)


def top_face(pose: DiePose) -> int:
    return max(FACE_NORMALS, key=lambda value: float((pose.rotation @ np.array(FACE_NORMALS[value]))[2]))


actions = st.lists(
    st.tuples(st.sampled_from(["take", "put", "put number", "cover", "card", "turn", "throw"]), st.integers(0, 11)),
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(actions, st.integers(0, 2**16), st.booleans())
def test_actions_keep_two_of_each_number(todo: list[tuple[str, int]], seed: int, wait: bool) -> None:
    virtual, rng, now = table(seed), random.Random(seed), 0.0
    for action, k in todo:
        try:
            match action:
                case "take":
                    virtual.take_token(k, now)
                case "put":
                    virtual.put_token(k, None, now)
                case "put number":
                    virtual.put_token(k, 1 + k % 6, now)
                case "cover":
                    virtual.cover_all(rng, now)
                case "card":
                    virtual.pull_card(now)
                case "turn":
                    virtual.turn_lid(30.0 * k, now)
                case "throw":
                    virtual.throw_dice(None, rng, now)
        except ImpossibleAction:
            pass
        now = settle(virtual, now) if wait else now + 0.2
        virtual.step(now)
        assert tokens(virtual.board) == TWO_OF_EACH
    settle(virtual, now)
    assert tokens(virtual.board) == TWO_OF_EACH


def test_taking_takes_as_long_as_a_hand_does() -> None:
    virtual = table()
    number = virtual.board.numbers[5]
    virtual.take_token(5, now=0.0)
    assert virtual.is_busy(0.0)
    assert virtual.is_moving
    virtual.step(0.3)
    assert virtual.hand.reach > 0.9
    assert virtual.board.numbers[5] == number, "the hand has not closed yet"
    now = settle(virtual)
    assert virtual.hand is None
    assert not virtual.is_busy(now)
    assert virtual.board.numbers[5] is None
    assert [token.number for token in virtual.board.removed_tokens] == [number]


def test_actions_wait_for_each_other_and_are_refused_by_what_will_be() -> None:
    virtual = table()
    virtual.take_token(0, now=0.0)
    virtual.take_token(1, now=0.0)
    with pytest.raises(ImpossibleAction, match="window 1 is open"):
        virtual.take_token(1, now=0.1)
    virtual.step(0.6)
    assert virtual.board.numbers[0] is None
    assert virtual.board.numbers[1] is not None
    settle(virtual, 0.6)
    assert virtual.board.numbers[1] is None


def test_putting_back_gives_the_token_last_taken_or_the_one_named() -> None:
    virtual = table()
    first, second = virtual.board.windows[0], virtual.board.windows[1]
    assert second is not None
    other = next(w for w, token in enumerate(virtual.board.windows) if token and token.number != first.number)
    virtual.take_token(0, 0.0)
    virtual.take_token(other, 0.0)
    virtual.put_token(other, first.number, 0.0)
    now = settle(virtual)
    assert virtual.board.numbers[other] == first.number
    virtual.put_token(0, None, now)
    settle(virtual, now)
    assert virtual.board.removed_tokens == ()
    with pytest.raises(ImpossibleAction, match="covered already"):
        virtual.put_token(0, None, now)


def test_putting_needs_a_token_beside_the_lid() -> None:
    virtual = table()
    number = virtual.board.numbers[3]
    virtual.take_token(3, 0.0)
    with pytest.raises(ImpossibleAction, match="no token"):
        virtual.put_token(3, 1 + number % 6 if number else 1, 0.0)


def test_covering_all_shuffles_and_keeps_the_card_until_a_new_one_is_pulled() -> None:
    virtual = table()
    before = virtual.board
    virtual.take_token(0, 0.0)
    virtual.cover_all(random.Random(5), 0.0)
    now = settle(virtual)
    assert None not in virtual.board.windows
    assert virtual.board.numbers != before.numbers
    assert virtual.board.card_number == before.card_number
    virtual.pull_card(now)
    settle(virtual, now)
    assert virtual.board.card_number != before.card_number


@pytest.mark.parametrize("seed", range(8))
def test_a_throw_ends_at_rest_in_the_tray_with_the_values_it_announced(seed: int) -> None:
    virtual = table()
    values = virtual.throw_dice(None, random.Random(seed), 0.0)
    virtual.step(0.6)
    assert virtual.is_rolling
    assert virtual.is_moving
    now = settle(virtual, 0.6)
    resting = virtual.list_dice()
    assert not virtual.is_rolling
    assert tuple(top_face(die) for die in resting) == values == virtual.values
    for die in resting:
        assert die.center[2] == pytest.approx(2.0 + virtual.die_size / 2)
        assert all(
            abs(c - m) < TRAY_HALF_WIDTH_MM - virtual.die_size / 2
            for c, m in zip(die.center[:2], TRAY_CENTER_MM, strict=True)
        )
    virtual.step(now + 10.0)
    assert [die.center for die in virtual.list_dice()] == [die.center for die in resting]


@pytest.mark.parametrize("seed", range(4))
def test_dice_never_lie_in_each_other_and_never_leave_the_tray_on_their_way(seed: int) -> None:
    virtual = table()
    virtual.throw_dice((1, 2, 3), random.Random(seed), 0.0)
    for k in range(60):
        virtual.step(k / 30)
        for die in virtual.list_dice():
            assert all(abs(c - m) < TRAY_HALF_WIDTH_MM for c, m in zip(die.center[:2], TRAY_CENTER_MM, strict=True))
    places = [die.center for die in virtual.list_dice()]
    assert len(places) == 3
    assert min(math.dist(a, b) for k, a in enumerate(places) for b in places[:k]) > math.sqrt(2) * virtual.die_size


def test_dice_may_end_otherwise_for_tests_of_faults() -> None:
    virtual = table()
    virtual.throw_dice(
        (6, 5, 4, 3),
        random.Random(2),
        0.0,
        [LandingPlace.TRAY, LandingPlace.COCKED, LandingPlace.TABLE, LandingPlace.FLOOR],
    )
    settle(virtual)
    flat, cocked, outside = virtual.list_dice()
    assert virtual.values == (6, 5)
    assert [top_face(die) for die in (flat, cocked, outside)] == [6, 5, 4]
    assert float((flat.rotation @ np.array(FACE_NORMALS[6]))[2]) == pytest.approx(1.0)
    assert 0.7 < float((cocked.rotation @ np.array(FACE_NORMALS[5]))[2]) < 0.95
    assert outside.center[0] > TRAY_CENTER_MM[0] + TRAY_HALF_WIDTH_MM


def test_opposite_faces_sum_to_seven_and_a_die_is_right_handed() -> None:
    for value, normal in FACE_NORMALS.items():
        assert FACE_NORMALS[7 - value] == tuple(-c for c in normal)
    # Seen with 1 up and 2 towards the player (+y), 3 is to the right (+x).
    assert (FACE_NORMALS[1], FACE_NORMALS[2], FACE_NORMALS[3]) == ((0, 0, 1), (0, 1, 0), (1, 0, 0))


def test_turns_glide_and_add_up() -> None:
    virtual = table()
    home = virtual.lid
    virtual.turn_lid(90.0, 0.0)
    virtual.turn_lid(30.0, 0.0)
    virtual.step(0.55)
    assert 0.0 < virtual.lid.angle_deg < 90.0
    settle(virtual, 0.55)
    assert virtual.lid == LidPlacement(home.x, home.y, 120.0)


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=40, deadline=None)
@given(st.floats(-1000, 1000), st.floats(-1000, 1000), st.floats(-360, 360))
def test_the_lid_stays_in_view(layout: str, dx: float, dy: float, angle: float) -> None:
    virtual = table(layout=layout)
    virtual.place_lid(LidPlacement(dx, dy, angle))
    corners = [(*virtual.lid.to_table(corner), 30.0) for corner in virtual.shape.corners]
    pixels = Optics(tilt_deg=0.0).project(corners)
    assert (pixels > 0).all()
    assert (pixels < FRAME_SIZE_PX).all()


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


def test_each_round_has_a_card_of_its_own_and_the_same_again_after_an_undo() -> None:
    virtual = table()
    virtual.lay_card(1)
    first = virtual.board.card_number
    virtual.lay_card(2)
    assert virtual.board.card_number != first
    virtual.lay_card(1)
    assert virtual.board.card_number == first
    virtual.shuffle_cards()
    virtual.lay_card(1)
    assert virtual.board.card_number != first, "another game"


def test_a_lid_is_covered_at_once_only_while_nothing_moves() -> None:
    virtual = table()
    virtual.take_token(0, 0.0)
    virtual.step(0.1)
    virtual.cover_at_once()
    settle(virtual)
    assert virtual.board.windows[0] is None
    virtual.cover_at_once()
    assert all(virtual.board.windows)
    assert virtual.board.removed_tokens == ()
