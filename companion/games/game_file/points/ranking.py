"""By what the winner of a game of entered points is found: the score, the rank of the file (G76), or being in (G77)."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.api import Seat, Translator, format_number, replace_at
from companion.api.game_state import number_places
from companion.games.game_file.file_game import Victory
from companion.games.game_file.points.formulas import PointsRules, RoundInfo, Side

_ = Translator("game_file")

SCORE = "score"
"""Name of the score in expressions."""


@dataclass(frozen=True, slots=True)
class PointsRanking:
    """The order of the players now.

    Attributes:
        rules: those of the file.
        sides: by seat, what the player keeps, and the score.
        info: the round in play.
    """

    rules: PointsRules
    sides: Sequence[Side]
    info: RoundInfo

    @property
    def sign(self) -> int:
        """What makes the least of scores and ranks the best one."""
        return 1 if self.rules.model.lowest_wins else -1

    def list_keys(self) -> list[tuple[bool, int]]:
        """Return by seat whether the player is out, and the rank: the least is the best."""
        return [(self.rules.is_out(side, self.info), self._rank(side)) for side in self.sides]

    def list_leaders(self) -> tuple[Seat, ...]:
        """Return the seats that are best, ascending."""
        keys = self.list_keys()
        best = min(keys)
        return tuple(Seat(q) for q, key in enumerate(keys) if key == best)

    def list_places(self) -> tuple[int, ...]:
        """Return by seat the place, from 1."""
        return number_places(self.list_keys())

    def explain(self, by_score: Victory) -> Victory:
        """Return by what the winners were found, with the places.

        Args:
            by_score: what is to be said where the score alone has found them.
        """
        scores = [self.sign * side.score for side in self.sides]
        keys = self.list_keys()
        places, score_places = number_places(keys), number_places([(False, score) for score in scores])
        victory = self._explain_other(keys, scores)
        if victory is not None:
            return victory._replace(places=places)
        return by_score if places == score_places else by_score._replace(places=places)

    def _explain_other(self, keys: Sequence[tuple[bool, int]], scores: Sequence[int]) -> Victory | None:
        """Return by what else than the score alone the winners were found; None: by the score.

        Args:
            keys: by seat (`list_keys`).
            scores: by seat, the least is the best.
        """
        best = min(keys)
        leaders = [q for q, key in enumerate(keys) if key == best]
        rivals = sorted((q for q, key in enumerate(keys) if key != best and key[0] == best[0]), key=keys.__getitem__)
        if len(leaders) == 1 and not best[0] and not rivals and len(keys) > 1:
            return Victory(_("The others are out."), names_score=False)
        winner = leaders[0]
        deciders = {rival: self._find_decider(winner, rival) for rival in rivals}
        names = {name for name in deciders.values() if name != SCORE}
        is_level = len({scores[q] for q in leaders}) == 1
        if not names and is_level:
            if scores[winner] == min(scores):
                return None
            points = format_number(self.sides[winner].score)
            return Victory(_("The best score of those who are not out wins: {n}.", n=points), names_score=False)
        if len(names) != 1 or "" in names:
            # What the file says itself is better than any guess.
            ending = self.rules.explain_ending() or _("This game's own rule decides, not the score alone.")
            return Victory(ending, names_score=False)
        (decider,) = names
        beaten = [rival for rival, name in deciders.items() if name == decider]
        index = self._find_index(decider)
        name = self.rules.translate(self.rules.remembered[index].name)
        how, noun = self._format_numbers(index, name, winner, beaten[0]), name.removesuffix(":").rstrip()
        if all(scores[rival] == scores[winner] and self._puts_score_first(winner, rival) for rival in beaten):
            return Victory(_("Equal scores: decided by {name}.", name=noun), how, is_level)
        if len(beaten) < len(rivals):
            return Victory(_("Decided by {name}, then by the score.", name=noun), how, is_level)
        return Victory(_("Decided by {name}, not by the score.", name=noun), how, names_score=False)

    def _format_numbers(self, index: int, name: str, winner: int, rival: int) -> str:
        """Return what the winner and the best rival have of what has decided: "Legs 3 to 1"; of a flag its name.

        Empty: the rival has the flag.
        """
        if index >= len(self.rules.model.kept):
            return name if self.sides[winner].memory[index] else ""
        n, other = (format_number(self.sides[q].memory[index]) for q in (winner, rival))
        return _("{name} {n} to {other}", name=name, n=n, other=other)

    def _find_decider(self, winner: int, rival: int) -> str:
        """Return the name of the one number by which a seat is ahead of another, whatever they have besides.

        Returns:
            The score, or the id of what is kept; empty: there is no such number.
        """
        a, b = self.sides[winner], self.sides[rival]
        values = [(name, self._get(a, name), self._get(b, name)) for name in self._list_rank_names()]
        different = [each for each in values if each[1] != each[2]]
        for name, mine, other in different:
            if sum(each != SCORE for each, *_values in different) > 1:
                # Of several that are kept it is the one that is ahead by the least difference, not a part of a sum.
                mine = other + (1 if mine > other else -1)
            # Ahead as it is, and ahead still if all other numbers are exchanged.
            is_ahead = self._rank(self._set(a, name, mine)) < self._rank(b)
            if is_ahead and self._rank(self._set(b, name, mine)) < self._rank(self._set(a, name, other)):
                is_behind = name == SCORE and self.sign * mine > self.sign * other
                return "" if is_behind else name
        return ""

    def _list_rank_names(self) -> Sequence[str]:
        """Return the names of the numbers of a side that the rank needs."""
        return [name for name in (SCORE, *(each.id for each in self.rules.remembered)) if name in self.rules.rank_names]

    def _get(self, side: Side, name: str) -> int:
        return side.score if name == SCORE else side.memory[self._find_index(name)]

    def _set(self, side: Side, name: str, value: int) -> Side:
        if name == SCORE:
            return side._replace(score=value)
        return side._replace(memory=replace_at(side.memory, self._find_index(name), value))

    def _find_index(self, name: str) -> int:
        return [each.id for each in self.rules.remembered].index(name)

    def _puts_score_first(self, winner: int, rival: int) -> bool:
        """Return whether a seat of equal score would be ahead with one point more, or less."""
        b = self.sides[rival]
        return self._rank(b._replace(score=b.score - self.sign)) < self._rank(self.sides[winner])

    def _rank(self, side: Side) -> int:
        return self.sign * self.rules.compute_rank(side, self.info)
