"""From readings at rest to events, reading by reading, without pictures.

Also here: dice_comparison.py. Tokens: test_token_agreement.py. Through frames: test_watcher_dice.py.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.frames.view_shift import ViewShift
from companion.vision.reading import Die
from companion.vision.table.dice_agreement import AgreedReading, DiceAgreement, compute_confidence
from companion.vision.table.dice_comparison import sort_values


def die(value: int, x: float, y: float = 100.0, sure: float = 0.99, *, tilted: bool = False) -> Die:
    """Return a die of 40 pixels with its centre at (x, y)."""
    return Die(value, (x - 20, y - 20, x + 20, y + 20), sure, tilted=tilted)


def rest(agreement: DiceAgreement, *dice: Die, readings: int = 8, **how: bool) -> AgreedReading | None:
    """Return the result for dice at rest; None: none within `readings` readings."""
    agreement.reset()
    for at in range(readings):
        result = agreement.add_reading(dice, float(at), **how)
        if result is not None:
            return result
    return None


def make_agreement(*dice: Die) -> DiceAgreement:
    """Return an agreement after its baseline with these dice."""
    agreement = DiceAgreement()
    first = rest(agreement, *dice)
    assert first == AgreedReading(None, is_unsure=False)
    return agreement


def get_values(result: AgreedReading | None) -> tuple[int, ...] | None:
    assert result is not None
    return None if result.event is None else result.event.values


class TestDice:
    def test_two_agreeing_readings_make_one_event(self) -> None:
        agreement = make_agreement(die(1, 100), die(2, 300))
        agreement.reset()
        assert agreement.add_reading((die(6, 150), die(3, 250)), 1.0) is None
        result = agreement.add_reading((die(6, 150), die(3, 250)), 1.1)
        assert result is not None
        assert result.event is not None
        assert (result.event.values, result.event.at, result.is_unsure) == ((3, 6), 1.1, False)

    @pytest.mark.parametrize(
        ("sure", "tilted", "clear"),
        [(0.69, False, (3, 6)), (0.05, False, (3, 6)), (0.7, False, ()), (0.4, True, ())],
    )
    def test_dice_are_clear_beside_what_only_looks_a_little_like_one(
        self, sure: float, tilted: bool, clear: tuple[int, ...]
    ) -> None:
        agreement = make_agreement()
        result = rest(agreement, die(6, 150), die(3, 250), die(4, 350, sure=sure, tilted=tilted))
        assert result is not None
        assert result.event is not None
        assert (result.event.values, result.event.clear_values) == ((3, 4, 6), clear)

    @pytest.mark.parametrize(("values", "known"), [((6, 6, 6, 6), 0.96), ((6, 5, 6, 6), 0.0)])
    def test_where_a_die_is_known_to_lie_it_is_confident_if_all_readings_agree(
        self, values: tuple[int, ...], known: float
    ) -> None:
        agreement = make_agreement()
        agreement.reset()
        faint = [replace(die(value, 150, sure=0.4), known_confidence=0.96) for value in values]
        results = (agreement.add_reading((one, die(3, 250)), float(at)) for at, one in enumerate(faint))
        result = next(one for one in results if one is not None)
        assert result.event is not None
        assert (result.event.values, result.event.confidence) == ((3, 6), 0.4)
        assert result.event.known_confidence == known

    def test_dice_are_not_clear_if_readings_disagree(self) -> None:
        agreement = make_agreement()
        agreement.reset()
        other = die(4, 350, sure=0.4)
        for at in range(4):
            result = agreement.add_reading((die(6 if at else 5, 150), die(3, 250), other), float(at))
        assert result is not None
        assert result.event is not None
        assert result.event.clear_values == ()

    def test_dice_in_the_same_place_are_no_throw_even_if_read_differently(self) -> None:
        agreement = make_agreement(die(1, 100), die(2, 300))
        assert get_values(rest(agreement, die(1, 101), die(5, 299))) is None

    def test_pushed_dice_are_no_throw_and_thrown_ones_with_the_same_faces_are(self) -> None:
        agreement = make_agreement(die(1, 100), die(2, 300))
        assert get_values(rest(agreement, die(1, 100), die(2, 340))) is None
        far = rest(agreement, die(1, 100), die(2, 460))
        assert far is not None
        assert far.event is not None
        assert (far.event.values, far.event.lying) == ((1, 2), (True, False))
        assert get_values(rest(agreement, die(1, 100), die(2, 460))) is None
        assert get_values(rest(agreement, die(1, 200), die(2, 100, 200))) == (1, 2)

    def test_uncertain_dice_are_reported_after_the_last_reading(self) -> None:
        agreement = make_agreement(die(1, 100), die(2, 300))
        result = rest(agreement, die(4, 150, sure=0.6), die(3, 220))
        assert get_values(result) == (3, 4)
        assert result is not None
        assert result.is_unsure

    def test_a_tilted_die_is_never_certain_and_may_be_waited_for(self) -> None:
        tilted_die = die(4, 150, tilted=True)
        assert compute_confidence([tilted_die]) < 0.9
        agreement = make_agreement(die(1, 100), die(2, 300))
        assert rest(agreement, tilted_die, die(3, 220), wait_for_tilted=True) is None
        assert agreement.waits_for_tilted
        assert get_values(rest(agreement, die(4, 150), die(3, 220), wait_for_tilted=True)) == (3, 4)

    def test_uncertain_dice_at_the_start_are_clutter(self) -> None:
        agreement = DiceAgreement()
        screw = die(1, 50, sure=0.5)
        rest(agreement, screw, die(2, 300))
        assert get_values(rest(agreement, screw, die(5, 200))) == (5,)

    def test_known_positions_move_with_the_view(self) -> None:
        agreement = make_agreement(die(1, 100), die(2, 300))
        agreement.apply_shift(ViewShift(np.array([[1.0, 0, 60], [0, 1, 0], [0, 0, 1]]), 640, 360))
        assert get_values(rest(agreement, die(1, 160), die(2, 360))) is None

    def test_an_emptied_tray_is_reported_once(self) -> None:
        agreement = make_agreement(die(1, 100), die(2, 300))
        assert get_values(rest(agreement)) == ()
        assert get_values(rest(agreement)) is None

    def test_values_are_sorted_and_an_empty_reading_is_certain(self) -> None:
        assert sort_values([die(5, 0), die(2, 50)]) == (2, 5)
        assert compute_confidence([]) == 1.0
