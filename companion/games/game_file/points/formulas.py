"""The expressions of a game of entered points: compiled once, evaluated with the numbers of a round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from companion.games.game_file.expressions import Expression
from companion.games.game_file.file_rules import FileRules
from companion.games.game_file.points_model import CheckModel, PointsModel

Entered = tuple[int, ...]
"""Numbers that a player has entered in this round or turn, in the order of the file's entries."""
MAX_SCORE = 99_999
"""Highest score, and with a minus sign the lowest: what a formula yields beyond it counts as this."""


@dataclass(frozen=True, eq=False)
class PointsRules(FileRules[PointsModel]):
    """The rules of the part `[points]` of one file."""

    def __post_init__(self) -> None:
        """Compile all expressions, so that mistakes are found before the game."""
        self._compiled  # noqa: B018 - computed here once

    @cached_property
    def _compiled(self) -> Mapping[str, Expression]:
        model = self.model
        ids = [entry.id for entry in model.entries]
        everybody = {*(f"all_{name}" for name in ids), "round", "players"}
        own = {*ids, *everybody, "score"}
        texts = {"score": (model.score or " + ".join(ids), own), "bust": (model.bust, own | {"points"})}
        texts["end"] = (model.end, {"score", "best", "round", "players"})
        texts |= {f"check {i}": (check.when, everybody) for i, check in enumerate(model.checks)}
        # A condition may use what was entered before.
        texts |= {
            f"when {entry.id}": (entry.when, {*ids[:i], "score", "round", "players"})
            for i, entry in enumerate(model.entries)
        }
        return {name: Expression.parse(text, known) for name, (text, known) in texts.items() if text}

    def label_entry(self, entry: int) -> str:
        """Return the translated name of an entry, by its index."""
        return self.translate(self.model.entries[entry].name)

    def find_next_entry(self, entered: Entered, score: int, round_number: int, players: int) -> int | None:
        """Return the index of the entry that a player is asked for next (G62); None: the player is done.

        Args:
            entered: the numbers of entries before it; entries that are not asked for count as 0.
            score: the player's score.
            round_number: the round in play.
            players: number of players at the table.
        """
        for i in range(len(entered), len(self.model.entries)):
            condition = self._compiled.get(f"when {self.model.entries[i].id}")
            padded = (*entered, *(0,) * (i - len(entered)))
            values = self._list_own(padded) | {"score": score, "round": round_number, "players": players}
            if condition is None or condition.evaluate(values):
                return i
        return None

    def pad(self, entered: Entered, count: int | None = None) -> Entered:
        """Return the numbers with 0 for each entry up to `count` (None: all) that was not asked for."""
        return (*entered, *(0,) * ((len(self.model.entries) if count is None else count) - len(entered)))

    @cached_property
    def before_play_count(self) -> int:
        """Number of entries that are made before a round is played (G70)."""
        return sum(entry.before_play for entry in self.model.entries)

    def compute_points(
        self, entered: Entered, everybody: Sequence[Entered], score: int, round_number: int
    ) -> tuple[int, bool]:
        """Return what a player's numbers add to the score (G63), and whether the turn is lost (G65).

        Args:
            entered: the player's numbers, one for each entry.
            everybody: those of all players at the table, in the order of the seats.
            score: the player's score before.
            round_number: the round in play.
        """
        values = self._list_values(entered, everybody, round_number) | {"score": score}
        points = self._compiled["score"].evaluate(values)
        bust = self._compiled.get("bust")
        if bust is not None and bust.evaluate(values | {"points": points}):
            return 0, True
        return max(-MAX_SCORE, min(MAX_SCORE, score + points)) - score, False

    def find_broken_check(self, everybody: Sequence[Entered], round_number: int) -> CheckModel | None:
        """Return the check that the numbers of a round do not fulfil (G64), one that people may overrule last.

        Args:
            everybody: the numbers of all players at the table.
            round_number: the round in play.

        Returns:
            None: the round is right.
        """
        values = self._list_values((), everybody, round_number)
        broken = [c for i, c in enumerate(self.model.checks) if not self._compiled[f"check {i}"].evaluate(values)]
        return min(broken, key=lambda check: check.ask, default=None)

    def is_end(self, scores: Sequence[int], round_number: int) -> bool:
        """Return whether the score of a player ends the game (G67)."""
        end = self._compiled.get("end")
        best = min(scores) if self.model.lowest_wins else max(scores)
        common = {"best": best, "round": round_number, "players": len(scores)}
        return end is not None and any(end.evaluate({**common, "score": score}) for score in scores)

    def _list_own(self, entered: Entered) -> dict[str, int | tuple[int, ...]]:
        return {entry.id: number for entry, number in zip(self.model.entries, entered, strict=False)}

    def _list_values(
        self, entered: Entered, everybody: Sequence[Entered], round_number: int
    ) -> dict[str, int | tuple[int, ...]]:
        of_all = {f"all_{entry.id}": tuple(e[i] for e in everybody) for i, entry in enumerate(self.model.entries)}
        return {**self._list_own(entered), **of_all, "round": round_number, "players": len(everybody)}
