"""Arithmetic in games' files: what it means, and what is said of mistakes."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.game_file.expressions import MAX_LENGTH, MAX_VALUE, Expression, ExpressionError
from tests.games.game_file.hostile_files import EVIL_EXPRESSIONS

NAMES = frozenset({"dice", "round", "score", "all_hand", "others_hand", "hand"})
VALUES = {"dice": (5, 5, 2, 5, 3), "round": 4, "score": 120, "all_hand": (0, 30, 12), "hand": 12}


def compute(text: str) -> int:
    return Expression.parse(text, NAMES).evaluate(VALUES)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("7 // 2", 3), ("-7 // 2", -4), ("-7 % 3", 2), ("10 - 4 - 3", 3)),
        *(("--3", 3), ("2 * -3", -6), ("5 // 0", 0), ("5 % (round - 4)", 0)),
        *(("round == 4", 1), ("round != 4", 0), ("3 < 3", 0), ("3 <= 3", 1), ("4 > 3", 1), ("2 >= 3", 0)),
        *(("1 or 0 and 0", 1), ("(1 or 0) and 0", 0), ("not 0", 1), ("not not 7", 1), ("not round == 3", 1)),
        *(("5 or 7", 1), ("5 and 7", 1), ("round * (score > 100)", 4)),
        *(("sum(dice)", 20), ("len(dice)", 5), ("count(dice, 5)", 3), ("count(dice, round)", 0), ("same(dice)", 3)),
        *(("run(dice)", 2), ("kinds(dice)", 3), ("best(dice, 2)", 10), ("best(dice, 0)", 0), ("best(dice, 99)", 20)),
        *(("min(dice)", 2), ("max(dice)", 5), ("min(3, round, 9)", 3), ("max(hand, 2)", 12)),
        *(("if(round == 4, 10, 20)", 10), ("if(0, 1 // 0, score)", 120), ("if(hand == 0, sum(all_hand), 0)", 0)),
        *(("count(all_hand, 0) == 1", 1), ("max(all_hand)", 30)),
    ],
)
def test_value(text: str, value: int) -> None:
    assert compute(text) == value


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        *(("dcie", 1, "there is no 'dcie' here (did you mean 'dice'?)"), ("1 + scor", 5, "did you mean 'score'?")),
        *(("sun(dice)", 1, "there is no function 'sun' (did you mean 'sum'?)"), ("score = 1", 7, "did you mean '=='?")),
        *(
            ("1 / 2", 3, "did you mean '//'?"),
            ("sum(dice", 9, "')' is expected, not the end"),
            ("1 1", 3, "not expected"),
        ),
        *(("", 1, "something is missing"), ("1 +", 4, "something is missing"), ("or 1", 1, "a number or a name")),
        *(
            ("dice", 1, "use a function such as sum(dice)"),
            ("sum(other_hand)", 5, "there is no 'other_hand' here (did you mean 'others_hand'?)"),
            ("zzz", 1, "there is no 'zzz' here; there are hand, round"),
            ("sum(round)", 5, "sum needs several numbers, such as sum(all_hand)"),
            ("if 1 then 2", 1, "if needs brackets"),
        ),
        *(
            (
                "max(all_hand + 1)",
                14,
                "max of several players' numbers takes one name alone, such as max(all_hand); a sum",
            ),
            ("max(all_hand, hand)", 19, "takes one name alone, such as max(all_hand)"),
            ("count(others_hand * 2, 0)", 19, "takes one name alone, such as count(others_hand, 1)"),
            ("sum(dice + 1)", 10, "sum of dice takes one name alone, such as sum(dice)"),
        ),
        *(("count(dice)", 11, "count has 2 values, not 1"), ("if(1, 2)", 8, "if has 3 values, not 2")),
        *(
            ("1 < 2 < 3", 7, "join two with 'and'"),
            ("12345678", 1, "7 digits at most"),
            ("a$", 2, "'$' is not allowed"),
            ("a && b", 3, "'&' is not allowed (did you mean 'and'?)"),
            ("2.5 * a", 2, "numbers are whole ones"),
        ),
        ("(" * 31 + "1" + ")" * 31, 31, "too many brackets"),
    ],
)
def test_mistake(text: str, column: int, said: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        Expression.parse(text, NAMES)
    assert said in str(caught.value)
    assert caught.value.column == column
    assert caught.value.text == text


@pytest.mark.parametrize(
    ("text", "names", "said"),
    [
        ("sum(all_over)", {"over"}, "there is no 'all_over' here: other players' numbers cannot be used in this place"),
        ("max(others_over)", {"over"}, "other players' numbers cannot be used in this place"),
        ("hand", {"all_hand"}, "there is no 'hand' here, but numbers of all players, such as sum(all_hand)"),
        ("max(others_hand)", {"all_hand"}, "here, but numbers of all players, such as sum(all_hand)"),
    ],
)
def test_whose_numbers_a_place_has(text: str, names: set[str], said: str) -> None:
    with pytest.raises(ExpressionError, match=re.escape(said)):
        Expression.parse(text, names)


def test_a_long_expression_is_refused() -> None:
    assert compute("+".join(["1"] * (MAX_LENGTH // 2))) == MAX_LENGTH // 2
    with pytest.raises(ExpressionError, match="longer than"):
        Expression.parse("1 " * MAX_LENGTH, NAMES)


def compute_or_refuse(text: str) -> int | ExpressionError:
    try:
        return compute(text)
    except ExpressionError as error:
        return error


def check_small_or_refused(text: str) -> None:
    found = compute_or_refuse(text)
    if isinstance(found, ExpressionError):
        assert 1 <= found.column <= max(len(text), MAX_LENGTH) + 1, text
        assert found.reason, text
    else:
        assert abs(found) <= MAX_VALUE, text


def test_an_evil_expression_is_a_small_number_or_a_mistake() -> None:
    for text in EVIL_EXPRESSIONS:
        check_small_or_refused(text)


@given(st.text(max_size=40))
def test_any_text_is_a_number_or_a_mistake(text: str) -> None:
    check_small_or_refused(text)


def make_random(random: Random, depth: int) -> str:
    """An expression that Python reads alike, but for the brackets that it needs around `not`."""
    if depth == 0 or random.random() < 0.2:
        return random.choice(("round", "score", "hand", str(random.randint(0, 99))))
    left, right = make_random(random, depth - 1), make_random(random, depth - 1)
    match random.randrange(4):
        case 0:
            return f"{left} {random.choice('+-*')} {right}"
        case 1:
            return f"({left} {random.choice(('==', '!=', '<', '<=', '>', '>='))} {right})"
        case 2:
            return f"{random.choice(('min', 'max'))}({left}, {right}, {make_random(random, 0)})"
        case _:
            return f"({left}) {random.choice(('//', '%'))} ({right} * {right} + 1)"


@settings(max_examples=200)
@given(st.randoms(use_true_random=False))
def test_arithmetic_agrees_with_python(random: Random) -> None:
    text = make_random(random, 3)
    if len(text) <= MAX_LENGTH:
        expected = eval(text, {"__builtins__": {}, "min": min, "max": max}, dict(VALUES))
        assert compute(text) == max(-MAX_VALUE, min(MAX_VALUE, int(expected))), text
