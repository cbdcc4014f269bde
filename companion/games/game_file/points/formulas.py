"""The formulas of a game of entered points: what numbers score, when a turn is lost (`bust`), what is kept of them."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from companion.games.game_file.expressions import Expression
from companion.games.game_file.file_part import MAX_NUMBER, KeptModel
from companion.games.game_file.file_rules import FileRules
from companion.games.game_file.points_model import CheckModel, FlagModel, PointsModel

Entered = tuple[int, ...]
"""Numbers that a player has entered in this round or turn, in the order of the file's entries."""
Memory = tuple[int, ...]
"""Numbers that a player or a team keeps: those of the file's `kept`, then 1 or 0 for each of its `flags`."""
Values = dict[str, int | tuple[int, ...]]
"""Values of the names in an expression."""


def list_names(model: PointsModel) -> Mapping[str, Set[str]]:
    """Return the names that expressions may use besides the options, by key; those of an entry by key and id.

    >>> model = PointsModel(rounds=1, entries=({"id": "bid", "name": "Bid"}, {"id": "won", "name": "Won"}))
    >>> sorted(list_names(model)["when won"])
    ['bid', 'players', 'round', 'score']
    """
    entries, kept = [entry.id for entry in model.entries], [each.id for each in (*model.kept, *model.flags)]
    common = {"round", "players"}
    own = {*kept, *common, "score"}
    everybody = {f"all_{name}" for name in (*entries, *kept)}
    others = {f"others_{name}" for name in (*entries, *kept)} | {f"team_{name}" for name in entries}
    in_round = {*entries, *everybody, *others, *own}
    names = {"score": in_round}
    names |= dict.fromkeys(("bust", "next", "takes", "passes"), in_round | {"points"})
    names |= dict.fromkeys(("end", "restart"), in_round | {"best"})
    names |= dict.fromkeys(("total", "rank", "out"), own)
    names["check"] = everybody | common
    for i, entry in enumerate(entries):
        names |= dict.fromkeys((f"when {entry}", f"most {entry}"), own | set(entries[:i]))
    return names


class Side(NamedTuple):
    """A player, or the players of a team (G74), as the expressions of a round see them.

    Attributes:
        numbers: by player at the table, a number for each entry; empty: they have entered nothing.
        score: the score before.
    """

    numbers: tuple[Entered, ...]
    memory: Memory
    score: int


class RoundInfo(NamedTuple):
    """What all sides of a round have in common: its number, and how many players there are."""

    number: int
    players: int


@dataclass(frozen=True, eq=False)
class PointsRules(FileRules[PointsModel]):
    """The rules of the part `[points]` of one file."""

    def __post_init__(self) -> None:
        """Compile all expressions, so that mistakes are found before the game."""
        self._compiled  # noqa: B018 - computed here once

    @cached_property
    def _compiled(self) -> Mapping[str, Expression]:
        model, names = self.model, list_names(self.model)
        texts = {key: str(getattr(model, key)) for key in names if key in PointsModel.model_fields}
        texts["score"] = model.score or " + ".join(entry.id for entry in model.entries)
        texts |= {f"check {i}": check.when for i, check in enumerate(model.checks)}
        texts |= {f"next {each.id}": each.next for each in model.kept}
        for flag in model.flags:
            texts |= {f"takes {flag.id}": flag.takes, f"passes {flag.id}": flag.passes}
        for entry in model.entries:
            texts |= {f"when {entry.id}": entry.when, f"most {entry.id}": entry.most}
        return {
            name: Expression.parse(text, names.get(name) or names[name.partition(" ")[0]], self.options)
            for name, text in texts.items()
            if text
        }

    @cached_property
    def remembered(self) -> Sequence[KeptModel | FlagModel]:
        """What `Memory` has a number for."""
        return (*self.model.kept, *self.model.flags)

    def label_entry(self, entry: int) -> str:
        """Return the translated name of an entry, by its index."""
        return self.translate(self.model.entries[entry].name)

    def find_next_entry(self, entered: Entered, side: Side, info: RoundInfo, *, is_first: bool) -> int | None:
        """Return the index of the entry that a player is asked for next (G62); None: the player is done.

        Args:
            entered: the numbers of entries before it; entries that are not asked for count as 0.
            side: the player's side; its numbers are not used.
            is_first: whether the player enters what is entered once by each team (G74).
        """
        for i in range(len(entered), len(self.model.entries)):
            entry = self.model.entries[i]
            if entry.team and not is_first:
                continue
            if not entry.when or self._evaluate_before(f"when {entry.id}", self.pad(entered, i), side, info):
                return i
        return None

    def find_most(self, entry: int, entered: Entered, side: Side, info: RoundInfo) -> int:
        """Return the highest number of an entry, by its index, as far as it depends on those before it (G61)."""
        most = f"most {self.model.entries[entry].id}"
        return self._evaluate_before(most, entered, side, info) if most in self._compiled else MAX_NUMBER

    def _evaluate_before(self, name: str, entered: Entered, side: Side, info: RoundInfo) -> int:
        """Return the value of an expression of an entry; `entered` has a number for each entry before it."""
        own = {entry.id: number for entry, number in zip(self.model.entries, entered, strict=False)}
        return self._compiled[name].evaluate(self._list_own(side, info) | own)

    def pad(self, entered: Entered, count: int | None = None) -> Entered:
        """Return the numbers with 0 for each entry up to `count` (None: all) that was not asked for."""
        return (*entered, *(0,) * ((len(self.model.entries) if count is None else count) - len(entered)))

    @cached_property
    def before_play_count(self) -> int:
        """Number of entries that are made before a round is played (G70)."""
        return sum(entry.before_play for entry in self.model.entries)

    def compute_points(self, sides: Sequence[Side], mine: int, info: RoundInfo) -> tuple[int, bool]:
        """Return what the numbers of a side add to its score (G63), and whether the turn is lost (G65).

        Args:
            sides: all sides.
            mine: index of the side.
        """
        values = self._list_values(sides, mine, info)
        points = self._compiled["score"].evaluate(values)
        if self._holds("bust", Values(points=points) | values):
            return 0, True
        score = sides[mine].score
        return max(-MAX_NUMBER, min(MAX_NUMBER, score + points)) - score, False

    def compute_memory(self, sides: Sequence[Side], mine: int, info: RoundInfo, points: int) -> Memory:
        """Return what a side keeps after a round or turn in which it scored `points` (G72); flags stay as they are."""
        values = Values(points=points) | self._list_values(sides, mine, info)
        kept = (self._compiled[f"next {each.id}"].evaluate(values) for each in self.model.kept)
        limited = (max(-MAX_NUMBER, min(MAX_NUMBER, number)) for number in kept)
        return (*limited, *sides[mine].memory[len(self.model.kept) :])

    def moves_flag(
        self, way: str, flag: FlagModel, sides: Sequence[Side], mine: int, info: RoundInfo, points: int
    ) -> bool:
        """Return whether a side takes a flag, or passes it on (G73).

        Args:
            way: "takes" or "passes".
            points: what the side scored in the round or turn.
        """
        return self._holds(f"{way} {flag.id}", Values(points=points) | self._list_values(sides, mine, info))

    def find_broken_check(self, sides: Sequence[Side], info: RoundInfo) -> CheckModel | None:
        """Return the check that the numbers of a round do not fulfil (G64), one that people may overrule last.

        Returns:
            None: the round is right.
        """
        if not self.model.checks:
            return None
        values = self._list_values(sides, 0, info)
        broken = [c for i, c in enumerate(self.model.checks) if not self._compiled[f"check {i}"].evaluate(values)]
        return min(broken, key=lambda check: check.ask, default=None)

    def is_end(self, sides: Sequence[Side], info: RoundInfo, condition: str = "end") -> bool:
        """Return whether `end` holds for a side (G67), or `restart` (G78)."""
        if condition not in self._compiled:
            return False
        scores = [side.score for side in sides]
        best = min(scores) if self.model.lowest_wins else max(scores)
        return any(
            self._holds(condition, self._list_values(sides, i, info) | {"best": best}) for i in range(len(sides))
        )

    def compute_total(self, side: Side, info: RoundInfo) -> int:
        """Return the score of a side from the sum of its points, which is the score given (G76)."""
        # Without a formula, too: corrections may lead beyond the limits (G66).
        total = self._compiled["total"].evaluate(self._list_own(side, info)) if self.model.total else side.score
        return max(-MAX_NUMBER, min(MAX_NUMBER, total))

    def compute_rank(self, side: Side, info: RoundInfo) -> int:
        """Return the number by which the winner is found (G76)."""
        return self._compiled["rank"].evaluate(self._list_own(side, info)) if self.model.rank else side.score

    @property
    def rank_names(self) -> frozenset[str]:
        """Names of the numbers by which the winner is found (G76)."""
        return self._compiled["rank"].names if self.model.rank else frozenset({"score"})

    def is_out(self, side: Side, info: RoundInfo) -> bool:
        """Return whether a side is out of the game (G77)."""
        return self._holds("out", self._list_own(side, info))

    def _holds(self, name: str, values: Values) -> bool:
        condition = self._compiled.get(name)
        return condition is not None and bool(condition.evaluate(values))

    def _list_own(self, side: Side, info: RoundInfo) -> Values:
        """Return the values of the names for which no other side counts, nor what was entered."""
        memory = zip(self.remembered, side.memory, strict=True)
        return {
            **{each.id: number for each, number in memory},
            "score": side.score,
            "round": info.number,
            "players": info.players,
        }

    def _list_values(self, sides: Sequence[Side], mine: int, info: RoundInfo) -> Values:
        values = Values()
        for k, each in enumerate(self.remembered):
            kept = tuple(side.memory[k] for side in sides)
            values |= {each.id: kept[mine], f"all_{each.id}": kept}
            values[f"others_{each.id}"] = (*kept[:mine], *kept[mine + 1 :])
        for i, entry in enumerate(self.model.entries):
            by_side = [tuple(numbers[i] for numbers in side.numbers) for side in sides]
            listed = [(sum(each),) if entry.team and each else each for each in by_side]
            values[entry.id] = sum(by_side[mine])
            values[f"team_{entry.id}"] = by_side[mine]
            values[f"all_{entry.id}"] = tuple(number for each in listed for number in each)
            values[f"others_{entry.id}"] = tuple(n for s, each in enumerate(listed) if s != mine for n in each)
        return values | {"score": sides[mine].score, "round": info.number, "players": info.players}
