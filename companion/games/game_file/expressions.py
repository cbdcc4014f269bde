"""Arithmetic in a game's file, parsed once and evaluated without `eval` (docs/design/expressions-without-eval.md).

Grammar, loosest first: ``or``; ``and``; ``not``; comparisons ``== != < <= > >=``; ``+ -``; ``* // %``; a sign; then a
whole number, a name, a call or an expression in brackets. Conditions are 1 or 0.
"""

import operator
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

MAX_LENGTH = 500
"""Characters of an expression."""
MAX_DEPTH = 30
"""Brackets, calls and signs within each other."""
MAX_DIGITS = 7
"""Digits of a number."""
MAX_NAMES_LISTED = 10
"""Names in the message on one that there is not."""
MAX_VALUE = 10**12
"""Largest number that arises on the way, and with a minus sign the lowest; beyond them it stays there."""

Value = int | tuple[int, ...]
"""A number, or the values of dice."""
Values = Mapping[str, Value]
"""Values by name."""
Node = Callable[[Values], int]
"""A compiled part of an expression that is a number."""

_TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_][A-Za-z0-9_]*)|(//|==|!=|<=|>=|[-+*%<>(),]))")
_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_DIGITS = tuple("0123456789")
_MEANT = {"=": "==", "=>": ">=", "=<": "<=", "/": "//", "&": "and", "|": "or", "!": "not"}
"""By what is not allowed, one or two characters: what is meant, in the words of this grammar."""
LIST_NAME = "dice"
"""Name of the values of dice."""
LIST_PREFIXES = ("all_", "others_", "team_")
"""Names that begin with one of them have several players' numbers as their value."""
DICE_FUNCTIONS = ("sum", "len", "count", "same", "run", "kinds", "best", "min", "max")
"""Functions whose first argument may be dice."""
FUNCTIONS = (*DICE_FUNCTIONS, "if", "abs")
"""All functions."""
KEYWORDS = ("and", "or", "not")


class ExpressionError(ValueError):
    """An expression that cannot be read.

    Attributes:
        column: character at which the mistake is, from 1.
        reason: what is wrong, in a few words.
        nearest: the nearest valid word; empty: there is none.
        text: the whole expression.
    """

    def __init__(self, column: int, reason: str, nearest: str = "") -> None:
        super().__init__(f"column {column}: {reason}" + (f" (did you mean {nearest!r}?)" if nearest else ""))
        self.column, self.reason, self.nearest = column, reason, nearest
        self.text = ""


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression.

    >>> Expression.parse("sum(dice) + 10 * (same(dice) >= 3)", {"dice"}).evaluate({"dice": (2, 2, 2)})
    16
    """

    text: str
    names: frozenset[str]
    """Names whose values it needs."""
    _node: Node

    @classmethod
    def parse(cls, text: str, known_names: Collection[str], constants: Mapping[str, int] | None = None) -> "Expression":
        """Parse an expression.

        Args:
            text: the expression.
            known_names: names that it may use.
            constants: names that stand for a number; they are used before `known_names`.

        Raises:
            ExpressionError: it is wrong; the error says where and why.
        """
        try:
            parser = _Parser(text, known_names, constants or {})
            node = parser.parse()
            return cls(text, frozenset(parser.used_names), node)
        except ExpressionError as error:
            error.text = text
            raise

    def evaluate(self, values: Values) -> int:
        """Return the value of the expression; a condition is 1 or 0, and a division by 0 gives 0.

        Args:
            values: a value for each of its names.

        Raises:
            KeyError: a name has no value.
        """
        return self._node(values)


def is_list_name(name: str) -> bool:
    """Return whether the value of a name is several numbers: dice, or a number of each player."""
    return name == LIST_NAME or name.startswith(LIST_PREFIXES)


def count_same(dice: tuple[int, ...]) -> int:
    """Return the number of dice of the value that most of them show; 0 without dice."""
    return max(Counter(dice).values(), default=0)


def find_longest_run(dice: tuple[int, ...]) -> int:
    """Return the length of the longest row of following values, such as 4 for 1, 2, 3, 4, 6."""
    longest = length = 0
    for value in sorted(present := set(dice)):
        length = length + 1 if value - 1 in present else 1
        longest = max(longest, length)
    return longest


class _Parser:
    """Recursive descent over the tokens (text, column)."""

    def __init__(self, text: str, known_names: Collection[str], constants: Mapping[str, int]) -> None:
        if len(text) > MAX_LENGTH:
            raise ExpressionError(MAX_LENGTH, f"longer than {MAX_LENGTH} characters")
        self._names, self._constants = {*known_names, *constants}, constants
        self.used_names = set[str]()
        self._tokens, self._at, self._depth = _split_tokens(text), 0, 0

    def parse(self) -> Node:
        node = self._parse_or()
        if self._peek():
            raise self._error(f"{self._peek()!r} is not expected here")
        return node

    def _peek(self) -> str:
        return self._tokens[self._at][0]

    def _take(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _error(self, reason: str, nearest: str = "") -> ExpressionError:
        return ExpressionError(self._tokens[min(self._at, len(self._tokens) - 1)][1], reason, nearest)

    def _expect(self, token: str) -> None:
        if self._peek() != token:
            found = repr(self._peek()) if self._peek() else "the end"
            raise self._error(f"{token!r} is expected, not {found}")
        self._at += 1

    def _parse_or(self) -> Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._error("too many brackets within each other")
        left = self._parse_and()
        while self._peek() == "or":
            self._take()
            left = _make_or(left, self._parse_and())
        self._depth -= 1
        return left

    def _parse_and(self) -> Node:
        left = self._parse_not()
        while self._peek() == "and":
            self._take()
            left = _make_and(left, self._parse_not())
        return left

    def _parse_not(self) -> Node:
        negations = 0
        while self._peek() == "not":
            self._take()
            negations += 1
        node = self._parse_comparison()
        return _make_not(node, negations % 2 == 1) if negations else node

    def _parse_comparison(self) -> Node:
        left = self._parse_sum()
        if self._peek() not in _COMPARISONS:
            return left
        compare = _COMPARISONS[self._take()]
        right = self._parse_sum()
        if self._peek() in _COMPARISONS:
            raise self._error("one comparison only; join two with 'and'")
        return lambda values: int(compare(left(values), right(values)))

    def _parse_sum(self) -> Node:
        left = self._parse_product()
        while self._peek() in ("+", "-"):
            left = _make_arithmetic(self._take(), left, self._parse_product())
        return left

    def _parse_product(self) -> Node:
        left = self._parse_sign()
        while self._peek() in ("*", "//", "%"):
            left = _make_arithmetic(self._take(), left, self._parse_sign())
        return left

    def _parse_sign(self) -> Node:
        is_negative = False
        while self._peek() == "-":
            self._take()
            is_negative = not is_negative
        node = self._parse_atom()
        return (lambda values: -node(values)) if is_negative else node

    def _parse_atom(self) -> Node:
        token = self._peek()
        if token == "(":
            self._take()
            node = self._parse_or()
            self._expect(")")
            return node
        if token.isdigit():
            if len(token) > MAX_DIGITS:
                raise self._error(f"numbers have {MAX_DIGITS} digits at most")
            number = int(self._take())
            return lambda _values: number
        if not token or not (token[0].isalpha() or token[0] == "_") or token in KEYWORDS:
            raise self._error(f"a number or a name is expected, not {token!r}" if token else "something is missing")
        if self._tokens[self._at + 1][0] == "(":
            return self._parse_call()
        self._check_name(token)
        if is_list_name(token):
            thing = "dice" if token == LIST_NAME else "several players' numbers"
            raise self._error(f"{token!r} are {thing}, not a number: use a function such as sum({token})")
        self._take()
        if token in self._constants:
            constant = self._constants[token]
            return lambda _values: constant
        return lambda values: _as_number(values[token])

    def _check_name(self, name: str) -> None:
        if name in FUNCTIONS and name not in self._names:
            example = {"if": "if(condition, a, b)", "abs": "abs(a)"}.get(name, f"{name}(a, b)")
            raise self._error(f"{name} needs brackets, such as {example}")
        if name not in self._names:
            if (everybody := f"all_{name.removeprefix('others_')}") in self._names:
                raise self._error(f"there is no {name!r} here, but numbers of all players, such as sum({everybody})")
            if name.startswith(LIST_PREFIXES) and not any(each.startswith(LIST_PREFIXES) for each in self._names):
                raise self._error(f"there is no {name!r} here: other players' numbers cannot be used in this place")
            nearest = get_close_matches(name, [*self._names, *FUNCTIONS], 1)
            numbers = sorted(each for each in self._names if not is_list_name(each))[:MAX_NAMES_LISTED]
            listed = "" if nearest or not numbers else f"; there are {', '.join(numbers)}"
            raise self._error(f"there is no {name!r} here{listed}", nearest[0] if nearest else "")
        if name not in self._constants:
            self.used_names.add(name)

    def _parse_call(self) -> Node:
        name = self._peek()
        if name not in FUNCTIONS:
            if name in self._names:
                raise self._error(f"{name!r} is no function: before its brackets stands a sign such as *")
            nearest = get_close_matches(name, [*FUNCTIONS, *self._names], 1)
            raise self._error(f"there is no function {name!r}", nearest[0] if nearest else "")
        self._take()
        self._expect("(")
        dice = ""
        if name in DICE_FUNCTIONS and is_list_name(self._peek()):
            self._check_name(self._peek())
            dice = self._take()
        elif name not in ("if", "abs", "min", "max"):
            raise self._error(self._explain_list(name))
        arguments: list[Node] = []
        if not dice:
            arguments.append(self._parse_or())
        while self._peek() == ",":
            self._take()
            arguments.append(self._parse_or())
        wanted = {"if": 3, "abs": 1, "count": 1, "best": 1}.get(name, 0 if dice else None)
        if dice and (self._peek() not in (")", "") or (wanted == 0 and arguments)):
            raise self._error(_explain_lone_list(name, dice, bool(wanted)))
        if wanted is not None and len(arguments) != wanted:
            raise self._error(f"{name} has {wanted + bool(dice)} values, not {len(arguments) + bool(dice)}")
        self._expect(")")
        return _make_dice_call(name, dice, arguments) if dice else _make_call(name, arguments)

    def _explain_list(self, name: str) -> str:
        """Return what a function needs that is given one number.

        Raises:
            ExpressionError: it is given a name that there is not.
        """
        if self._peek()[:1].isalpha() and self._tokens[self._at + 1][0] != "(":
            self._check_name(self._peek())
        lists = sorted(each for each in self._names if is_list_name(each))
        if not lists:
            return f"{name} needs several numbers, and there are none here"
        own = f"all_{self._peek()}"
        return f"{name} needs several numbers, such as {name}({own if own in lists else lists[0]})"


def _explain_lone_list(name: str, dice: str, has_number: bool) -> str:
    """Return what a function of several numbers takes, which was given more."""
    thing = "dice" if dice == LIST_NAME else "several players' numbers"
    reason = f"{name} of {thing} takes one name alone, such as {name}({dice}{', 1' if has_number else ''})"
    return reason if dice == LIST_NAME else f"{reason}; a sum of each player needs an entry, or kept number, of its own"


def _split_tokens(text: str) -> list[tuple[str, int]]:
    tokens, at = [], 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None:
            column = at + len(text[at:]) - len(text[at:].lstrip()) + 1
            wrong = text[column - 1]
            reason = "numbers are whole ones" if wrong in ".,;" and text[: column - 1].endswith(_DIGITS) else ""
            if (both := text[column - 1 : column + 1]) in _MEANT:
                wrong = both
            raise ExpressionError(column, reason or f"{wrong!r} is not allowed", _MEANT.get(wrong, ""))
        tokens.append((found[0].strip(), found.end() - len(found[0].strip()) + 1))
        at = found.end()
    return [*tokens, ("", len(text) + 1), ("", len(text) + 1)]


def _as_number(value: Value) -> int:
    return value if isinstance(value, int) else sum(value)


def _limit(value: int) -> int:
    return max(-MAX_VALUE, min(MAX_VALUE, value))


def _make_or(left: Node, right: Node) -> Node:
    return lambda values: int(bool(left(values)) or bool(right(values)))


def _make_and(left: Node, right: Node) -> Node:
    return lambda values: int(bool(left(values)) and bool(right(values)))


def _make_not(node: Node, is_negated: bool) -> Node:
    return lambda values: int(bool(node(values)) != is_negated)


def _make_arithmetic(sign: str, left: Node, right: Node) -> Node:
    if sign in ("//", "%"):
        divide = operator.floordiv if sign == "//" else operator.mod

        def compute(values: Values) -> int:
            divisor = right(values)
            return int(divide(left(values), divisor)) if divisor else 0

        return compute
    combine = {"+": operator.add, "-": operator.sub, "*": operator.mul}[sign]
    return lambda values: _limit(combine(left(values), right(values)))


def _make_call(name: str, arguments: list[Node]) -> Node:
    if name == "if":
        condition, yes, no = arguments
        return lambda values: yes(values) if condition(values) else no(values)
    if name == "abs":
        return lambda values: abs(arguments[0](values))
    choose = min if name == "min" else max
    return lambda values: choose(node(values) for node in arguments)


def _make_dice_call(name: str, dice: str, arguments: list[Node]) -> Node:
    def get_dice(values: Values) -> tuple[int, ...]:
        value = values[dice]
        return value if isinstance(value, tuple) else (value,)

    match name:
        case "count":
            return lambda values: get_dice(values).count(arguments[0](values))
        case "best":
            return lambda values: sum(sorted(get_dice(values), reverse=True)[: max(0, arguments[0](values))])
        case "same":
            return lambda values: count_same(get_dice(values))
        case "run":
            return lambda values: find_longest_run(get_dice(values))
        case "kinds":
            return lambda values: len(set(get_dice(values)))
        case "min":
            return lambda values: min(get_dice(values), default=0)
        case "max":
            return lambda values: max(get_dice(values), default=0)
        case "len":
            return lambda values: len(get_dice(values))
    return lambda values: sum(get_dice(values))
