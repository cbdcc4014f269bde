"""The dialog in which an amount is added up, key by key."""

import pytest

from companion.api import ConsolePress, Move, NumberPress, ValueRange
from companion.referee.dialogs.amount_input import AmountInput
from tests.referee.dialogs.answering import answers


@pytest.mark.parametrize(
    ("low", "amount", "keys"),
    [(-10, 0, {1: 1, 2: 2, 3: 5, 4: 10}), (-10, -8, {1: -9, 2: -10}), (-3, -2, {1: -3}), (-3, 8, {1: 9, 2: 10})],
)
def test_an_amount_is_added_up_to_either_limit_and_not_beyond(low: int, amount: int, keys: dict[int, int]) -> None:
    points = Move("score", value_range=ValueRange(1, low, 10))
    offered = answers(AmountInput("Points", points, abs(amount), is_negative=amount < 0))
    reached = {key.number: answer.step for key, answer in offered.items() if isinstance(key, NumberPress)}
    assert {key: step.value for key, step in reached.items() if isinstance(step, AmountInput)} == keys


@pytest.mark.parametrize(
    ("high", "labels"),
    [
        (999, ["+1", "+2", "+5", "+10", "+20", "+50", "+100"]),
        (9999, ["+1", "+5", "+10", "+50", "+100", "+500", "+1000"]),
        (999_999, ["+1", "+10", "+100", "+1000", "+5000", "+10000", "+100000"]),
    ],
)
def test_the_larger_an_amount_may_be_the_more_the_keys_add(high: int, labels: list[str]) -> None:
    listed = AmountInput("Points", Move("score", value_range=ValueRange(1, 0, high))).list_answers()
    assert [answer.label for answer in listed if answer.label.startswith("+")] == labels


@pytest.mark.parametrize(("amount", "can_be_taken_away"), [(3, True), (4, False)])
def test_an_amount_gets_a_minus_only_within_the_limits(amount: int, can_be_taken_away: bool) -> None:
    offered = answers(AmountInput("Points", Move("score", value_range=ValueRange(1, -3, 10)), amount))
    assert (ConsolePress.MINUS in offered) is can_be_taken_away
