"""Points of dice as a file describes them: throws, combinations, boxes, and which box is best for the dice.

What may be set aside: `DiceGame.legal_keeps` in `state.py`; why not: `Keep` in `moves.py`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, prod

from companion.games.game_file.dice_model import CategoryModel, DiceModel
from companion.games.game_file.expressions import Expression
from companion.games.game_file.file_part import MAX_NUMBER
from companion.games.game_file.file_rules import FileRules

THROW_NAMES = frozenset(
    {"dice", "round", "throws", "throw_points", "turn_points", "round_points", "score", "players", "target"}
)
"""Names in the expressions of a throw."""
DICE_NAMES = frozenset({"dice", "round", "throws"})
"""Names in the expressions of combinations, and with `joker` of boxes."""
TURN_NAMES = THROW_NAMES | {"points", "bust"}
"""Names in the expressions of what a turn adds and changes."""
MAX_AVERAGED_DICE_SETS = 500
"""Most different throws whose average is computed (G43); with more the points alone rank the boxes."""
MAX_POINTS = MAX_NUMBER
"""Most points of one throw, combination or box, and with a minus sign the fewest."""

Dice = tuple[int, ...]
"""Values of dice."""
Values = Mapping[str, int | tuple[int, ...]]
"""Values of the names in an expression."""


def list_subsets(dice: Sequence[int]) -> Iterator[Dice]:
    """Yield each different choice of some of the dice, at least one, values descending.

    >>> [*list_subsets((5, 1, 5))]
    [(5,), (1,), (5, 5), (5, 1), (5, 5, 1)]
    """
    ordered = sorted(dice, reverse=True)
    for count in range(1, len(ordered) + 1):
        yield from dict.fromkeys(combinations(ordered, count))


def remove_dice(dice: Sequence[int], taken: Sequence[int]) -> Dice | None:
    """Return the dice without those that are taken, in their order; None: they are not all among the dice.

    >>> remove_dice((4, 2, 4), (4,)), remove_dice((4,), (4, 4))
    ((2, 4), None)
    """
    left = list(dice)
    for value in taken:
        if value not in left:
            return None
        left.remove(value)
    return tuple(left)


@dataclass(frozen=True, eq=False)
class DiceRules(FileRules[DiceModel]):
    """The rules of the part `[dice]` of one file."""

    _points: dict[tuple[object, ...], int] = field(default_factory=dict, init=False, repr=False)
    """Points that were computed already, by what they are for and the dice."""
    _best: dict[tuple[Dice, int, int], int | None] = field(default_factory=dict, init=False, repr=False)
    _combined: dict[tuple[Dice, int, int], int | None] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        """Compile all expressions, so that mistakes are found before the game."""
        self._throw_expressions  # noqa: B018 - computed here once
        self._combinations  # noqa: B018 - as above
        self._categories  # noqa: B018 - as above
        self._bonuses  # noqa: B018 - as above

    # Expressions ------------------------------------------------------------------------------------------------

    @cached_property
    def _throw_expressions(self) -> Mapping[str, Expression]:
        model, kept, boxes = self.model, self._kept_names, self._box_names
        texts = {
            name: (str(getattr(model, name)), THROW_NAMES | kept)
            for name in ("points", "bust", "lose_all", "turn_ends")
        }
        texts["score"] = (model.score, TURN_NAMES | kept)
        texts |= {f"next {each.id}": (each.next, TURN_NAMES | boxes | kept | {"joker"}) for each in model.kept}
        texts["joker"] = (model.joker, DICE_NAMES | boxes | kept)
        texts |= {f"must {c.id}": (c.must, DICE_NAMES | boxes | kept | {"joker"}) for c in model.categories}
        return {name: self._parse(text, known) for name, (text, known) in texts.items() if text}

    @property
    def _kept_names(self) -> frozenset[str]:
        return frozenset(kept.id for kept in self.model.kept)

    @property
    def _box_names(self) -> frozenset[str]:
        """A box's points, and with has_ before it whether it is filled."""
        return frozenset(name for c in self.model.categories for name in (c.id, f"has_{c.id}"))

    def _parse(self, text: str, known: Set[str]) -> Expression:
        return Expression.parse(text, known, self.options)

    @cached_property
    def _combinations(self) -> tuple[tuple[int, Expression | None, Expression], ...]:
        return tuple(
            (c.count, self._parse(c.when, DICE_NAMES) if c.when else None, self._parse(c.points, DICE_NAMES))
            for c in self.model.combinations
        )

    @cached_property
    def _categories(self) -> tuple[tuple[Expression | None, Expression], ...]:
        known = DICE_NAMES | {"joker"}
        return tuple(
            (self._parse(c.when, known) if c.when else None, self._parse(c.points, known))
            for c in self.model.categories
        )

    @cached_property
    def _bonuses(self) -> tuple[tuple[Expression, Expression], ...]:
        known = self._box_names | self._kept_names
        return tuple(
            (self._parse(bonus.when, known), self._parse(str(bonus.points), known)) for bonus in self.model.bonuses
        )

    # Throws -----------------------------------------------------------------------------------------------------

    def compute_throw_points(self, values: Values) -> int:
        """Return the points of a throw (G35): `points` of the file, 0 without it.

        Args:
            values: values of `THROW_NAMES`.
        """
        return self._evaluate("points", values)

    def holds(self, name: str, values: Values) -> bool:
        """Return whether a condition on a throw holds (G34, G36); without it in the file it does not.

        Args:
            name: "bust", "lose_all" or "turn_ends".
            values: values of `THROW_NAMES`.
        """
        return bool(self._evaluate(name, values))

    def compute_turn_score(self, values: Values) -> int:
        """Return what a turn adds to the score (G52).

        Args:
            values: values of `TURN_NAMES` and of what the player keeps.
        """
        return self._evaluate("score", values)

    def compute_memory(self, values: Values) -> tuple[int, ...]:
        """Return what the player keeps after a turn (G72).

        Args:
            values: values of `TURN_NAMES`, of the boxes before the turn, of `joker` and of what the player keeps.
        """
        return tuple(self._evaluate(f"next {kept.id}", values) for kept in self.model.kept)

    def list_memory(self, memory: Sequence[int]) -> Values:
        """Return the values of what a player keeps, by name."""
        return {kept.id: number for kept, number in zip(self.model.kept, memory, strict=True)}

    def list_box_values(self, boxes: Sequence[int | None]) -> dict[str, int | tuple[int, ...]]:
        """Return the values of a player's boxes, by name: points, and whether they are filled."""
        values: dict[str, int | tuple[int, ...]] = {}
        for category, points in zip(self.model.categories, boxes, strict=False):
            values |= {category.id: points or 0, f"has_{category.id}": int(points is not None)}
        return values

    def list_musts(self, open_boxes: Sequence[int], values: Values) -> tuple[int, ...]:
        """Return those of the open boxes that must be filled (G53), by index; empty: any may be."""
        return tuple(i for i in open_boxes if self._evaluate(f"must {self.model.categories[i].id}", values))

    def _evaluate(self, name: str, values: Values) -> int:
        expression = self._throw_expressions.get(name)
        return limit_points(expression.evaluate(values)) if expression else 0

    # Combinations -----------------------------------------------------------------------------------------------

    def compute_best_points(self, dice: Sequence[int], round_number: int, throws: int) -> int | None:
        """Return the most points of dice all of which belong to combinations, each die to one (G38).

        Args:
            dice: dice set aside from one throw; none score 0.
            round_number: the round.
            throws: throws of the turn so far.

        Returns:
            None: some of the dice score in no combination.
        """
        key = (tuple(sorted(dice)), round_number, throws)
        if key not in self._best:
            self._best[key] = self._find_best_points(*key)
        return self._best[key]

    def _find_best_points(self, dice: Dice, round_number: int, throws: int) -> int | None:
        if not dice:
            return 0
        splits = self._split_combination_off(dice, round_number, throws)
        return max((points + more for _combination, points, _left, more in splits), default=None)

    def list_best_combinations(
        self, dice: Sequence[int], round_number: int, throws: int
    ) -> tuple[tuple[str, int], ...]:
        """List the combinations that bring the most points, each with its translated name and points (G38).

        Args:
            dice, round_number, throws: as of `compute_best_points`.

        Returns:
            Empty: no dice, or some of them score in no combination.
        """
        splits = [*self._split_combination_off(tuple(sorted(dice)), round_number, throws)]
        if not splits:
            return ()
        combination, points, left, _more = max(splits, key=lambda split: split[1] + split[3])
        name, _points = max(self._list_scores(combination, round_number, throws), key=lambda score: score[1])
        return ((self.translate(name), points), *self.list_best_combinations(left, round_number, throws))

    def _split_combination_off(
        self, dice: Dice, round_number: int, throws: int
    ) -> Iterator[tuple[Dice, int, Dice, int]]:
        """Yield each combination with the first die if the others score too, its points, the others and theirs."""
        first, rest = dice[:1], dice[1:]
        for count in range(len(dice)):
            for others in dict.fromkeys(combinations(rest, count)):
                points = self._compute_combination_points((*first, *others), round_number, throws)
                left = remove_dice(rest, others)
                assert left is not None, "they were chosen among them"
                if points is not None and (more := self.compute_best_points(left, round_number, throws)) is not None:
                    yield (*first, *others), points, left, more

    def _compute_combination_points(self, dice: Dice, round_number: int, throws: int) -> int | None:
        """Return the points of the best combination that consists of exactly these dice; None: there is none."""
        key = (tuple(sorted(dice)), round_number, throws)
        if key not in self._combined:
            self._combined[key] = self._find_combination_points(*key)
        return self._combined[key]

    def _find_combination_points(self, dice: Dice, round_number: int, throws: int) -> int | None:
        return max((points for _name, points in self._list_scores(dice, round_number, throws)), default=None)

    def _list_scores(self, dice: Dice, round_number: int, throws: int) -> Iterator[tuple[str, int]]:
        """Yield the name and the points of each combination that consists of exactly these dice."""
        values: Values = {"dice": dice, "round": round_number, "throws": throws}
        for model, (count, when, points) in zip(self.model.combinations, self._combinations, strict=True):
            if count == len(dice) and (when is None or when.evaluate(values)):
                yield model.name, limit_points(points.evaluate(values))

    # Score sheet ------------------------------------------------------------------------------------------------

    def compute_category_points(
        self, index: int, dice: Sequence[int], round_number: int, throws: int, joker: int = 0
    ) -> int:
        """Return the points of dice in a box (G42).

        Args:
            index: index of the box in the file, from 0.
            dice: all dice of the turn.
            round_number: the round.
            throws: throws of the turn so far.
            joker: whether the dice are a joker (G53).
        """
        key = (index, tuple(sorted(dice)), round_number, throws, joker)
        if key not in self._points:
            when, points = self._categories[index]
            values: Values = {"dice": tuple(sorted(dice)), "round": round_number, "throws": throws, "joker": joker}
            scores = when is None or bool(when.evaluate(values))
            self._points[key] = limit_points(points.evaluate(values)) if scores else 0
        return self._points[key]

    def compute_bonus_points(self, boxes: Sequence[int | None], memory: Sequence[int]) -> tuple[int, ...]:
        """Return the points of each bonus (G44) for a score sheet.

        Args:
            boxes: points by box, None for an open one.
            memory: what the player keeps.
        """
        values = {**self.list_box_values(boxes), **self.list_memory(memory)}
        return tuple(
            limit_points(points.evaluate(values)) if when.evaluate(values) else 0 for when, points in self._bonuses
        )

    def rank_categories(
        self, open_boxes: Sequence[int], dice: Sequence[int], round_number: int, throws: int, joker: int
    ) -> tuple[int, ...]:
        """Return indexes of boxes, best proposal first (G43).

        Boxes that score come first; among equals the one whose points exceed most those of one average throw.
        """

        def rate(index: int) -> tuple[bool, float, int]:
            points = self.compute_category_points(index, dice, round_number, throws, joker)
            return points > 0, points - self._average_points[index], points

        order = sorted(open_boxes, key=rate, reverse=not self.model.lowest_wins)
        return tuple(order)

    @cached_property
    def _average_points(self) -> tuple[float, ...]:
        """By box: mean points of one throw of all dice; 0 if there are too many different throws."""
        model = self.model
        if comb(model.count + model.sides - 1, model.count) > MAX_AVERAGED_DICE_SETS:
            return (0.0,) * len(model.categories)
        sums = [0.0] * len(model.categories)
        for dice in combinations_with_replacement(range(1, model.sides + 1), model.count):
            weight = factorial(model.count) / prod(map(factorial, Counter(dice).values()))
            for index in range(len(sums)):
                sums[index] += weight * self.compute_category_points(index, dice, 1, 1)
        return tuple(total / model.sides**model.count for total in sums)

    def label_category(self, index: int) -> str:
        """Return the translated name of a box."""
        return self.translate(self.model.categories[index].name)

    def label_category_key(self, index: int) -> str:
        """Return the translated label of the key that chooses a box."""
        category: CategoryModel = self.model.categories[index]
        return self.translate(category.key_label)


def limit_points(points: int) -> int:
    """Return points within what a score may gain or lose at once."""
    return max(-MAX_POINTS, min(MAX_POINTS, int(points)))
