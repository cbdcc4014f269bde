"""The part `[dice]` of a game's file: how dice are thrown, set aside and scored (G30 to G53 in
`docs/rules/game_files.md`). Expressions are checked when the rules are compiled (`dice.scoring.DiceRules`)."""

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from companion.games.game_file.expressions import MAX_LENGTH
from companion.games.game_file.file_part import (
    MAX_KEPT,
    MAX_NUMBER,
    ExpressionText,
    FilePart,
    KeptModel,
    NamedPart,
    NameText,
    PartWithOptions,
    check_ids,
)
from companion.names import NormalName

MAX_DICE = 40
"""Most dice of a game in which none are set aside."""
MAX_DICE_TO_KEEP = 6
"""Most dice of a game in which dice are set aside: each has a number key."""
MAX_SIDES_TO_KEEP = 6
"""Most sides of dice that are set aside."""
MAX_COMBINATIONS = 40
"""Most combinations; the time to find the best ones grows with them."""
MAX_CATEGORIES = 18
"""Most boxes of a score sheet: as many can be read from three metres."""
MAX_BONUSES = 4
"""Most bonuses of a score sheet."""
MAX_KEY_WORDS = 2
"""Words of a label on a key."""
MAX_KEY_WORD_LETTERS = 9
"""Letters of a word on a key."""


def fits_on_key(label: str) -> bool:
    """Return whether a label fits on a key: at most two words of at most nine letters.

    >>> fits_on_key("Full house"), fits_on_key("Three of a kind")
    (True, False)
    """
    words = label.split()
    return len(words) <= MAX_KEY_WORDS and all(len(word) <= MAX_KEY_WORD_LETTERS for word in words)


class CombinationModel(PartWithOptions):
    """G38: dice that score together, of those that are set aside from one throw."""

    name: NormalName = NameText
    count: int = Field(ge=1, le=MAX_DICE_TO_KEEP)
    """Number of its dice."""
    when: str = ExpressionText
    """Condition on its dice; empty: any."""
    points: str = Field(min_length=1, max_length=MAX_LENGTH)
    """Its points."""


class CategoryModel(NamedPart):
    """G42: a box of the score sheet, filled once by each player; its id stands for its points, 0 while it is open."""

    key: str = Field("", max_length=20)
    """Its label on a key: at most two short words; empty: its name."""
    when: str = ExpressionText
    """Condition on the dice under which they score there, else 0; empty: any."""
    points: str = Field(min_length=1, max_length=MAX_LENGTH)
    must: str = ExpressionText
    """G53: condition under which this box, while it is open, is the only one that may be filled."""

    @model_validator(mode="after")
    def _validate_key(self) -> Self:
        if not fits_on_key(self.key_label):
            raise ValueError(f"key: {self.key_label!r} does not fit on a key: two words of nine letters at most")
        return self

    @property
    def key_label(self) -> str:
        """The untranslated label on a key."""
        return self.key or self.name


class BonusModel(FilePart):
    """G44: points for a score sheet that fulfils a condition."""

    name: NormalName = NameText
    when: str = Field(min_length=1, max_length=MAX_LENGTH)
    """Condition on the points in the boxes, by their ids."""
    points: int | Annotated[str, StringConstraints(min_length=1, max_length=MAX_LENGTH)]
    """A number, or an expression."""


class RoundsModel(PartWithOptions):
    """G46 and G47: rounds of the game."""

    count: int = Field(0, ge=0, le=99)
    """Number of rounds; 0: any number."""
    points: int = Field(0, ge=0, le=MAX_NUMBER)
    """Points of a round with which it ends, once all have had as many turns; 0: a turn each."""
    score: Literal["points", "win"] = "points"
    """"win": the most points of a round score 1."""
    text: str = Field("", max_length=30)
    """What is special in the round, after the request to throw; {round} stands for its number."""


class DiceModel(PartWithOptions):
    """The whole part `[dice]`.

    >>> DiceModel(count=1, points="sum(dice)", bust="count(dice, 1) > 0", target=100).throws
    0
    """

    count: int = Field(ge=1, le=MAX_DICE)
    """G30: number of dice."""
    sides: int = Field(6, ge=2, le=20)
    """G30: sides of each die."""
    throws: int = Field(0, ge=0, le=20)
    """G31: most throws of a turn; 0: any number."""
    keep: Literal["none", "any", "scoring"] = "none"
    """G33: dice that may be set aside between two throws: none, any, or those that score (`combinations`)."""
    hot_dice: Literal["may", "must", "end"] = "may"
    """G37: if all dice score, all may be thrown again, all must be, or the turn ends."""
    points: str = ExpressionText
    """G35: points of a throw (keep = "none") or of the last dice of a turn (keep = "any")."""
    bust: str = ExpressionText
    """G34: condition under which a throw loses the points of the turn."""
    lose_all: str = ExpressionText
    """G34: condition under which a throw loses all points of the player."""
    turn_ends: str = ExpressionText
    """G36: condition under which a throw ends the turn, and its points count."""
    score: str = ExpressionText
    """G52: what a turn adds to the player's score; empty: its points."""
    joker: str = ExpressionText
    """G53: condition on the dice and the boxes under which `joker` is 1 in the boxes' expressions."""
    kept: tuple[KeptModel, ...] = Field((), max_length=MAX_KEPT)
    bank: bool = True
    """G36: the player may end the turn after any throw."""
    least_bank: int = Field(1, ge=0, le=MAX_NUMBER)
    """G36: least points of a turn that count."""
    first_bank: int = Field(0, ge=0, le=MAX_NUMBER)
    """G36: the same for a player without points; 0: no other."""
    target: int = Field(0, ge=0, le=MAX_NUMBER)
    """G48: points with which the game ends; 0: none."""
    last_round: Literal["none", "round", "others"] = "round"
    """G48: when the target is reached, the game ends at once, with the round, or after a turn of each other player."""
    lowest_wins: bool = False
    """G49: the fewest points win."""
    late_joiners: Literal["no", "from_start", "as_last"] = "no"
    """G7: whether people may join a running game, and with how many points: those of the start, or those of
    the last player."""
    combinations: tuple[CombinationModel, ...] = Field((), max_length=MAX_COMBINATIONS)
    categories: tuple[CategoryModel, ...] = Field((), max_length=MAX_CATEGORIES)
    bonuses: tuple[BonusModel, ...] = Field((), max_length=MAX_BONUSES)
    rounds: RoundsModel = Field(default_factory=lambda: RoundsModel.model_validate({}))

    @model_validator(mode="after")
    def _validate_together(self) -> Self:
        check_ids([*self.categories, *self.kept], "categories and kept")
        reason = next((reason for applies, reason in self._list_mistakes() if applies), "")
        if reason:
            raise ValueError(reason)
        return self

    def _list_mistakes(self) -> tuple[tuple[bool, str], ...]:
        has_sheet, keeps = bool(self.categories), self.keep != "none"
        may_go_on = not self.bank and not self.throws and not self.turn_ends
        return (
            (keeps and self.count > MAX_DICE_TO_KEEP, f"count: at most {MAX_DICE_TO_KEEP} dice can be set aside"),
            (keeps and self.sides > MAX_SIDES_TO_KEEP, f"sides: dice that are set aside have {MAX_SIDES_TO_KEEP}"),
            (self.keep == "scoring" and not self.combinations, 'combinations: keep = "scoring" needs at least one'),
            (self.keep != "scoring" and bool(self.combinations), 'combinations: they need keep = "scoring"'),
            (self.keep == "scoring" and bool(self.points), 'points: with keep = "scoring" the combinations score'),
            (has_sheet and self.keep == "scoring", 'categories: keep = "scoring" has no score sheet'),
            (has_sheet and bool(self.points), "points: with categories the boxes score"),
            (has_sheet and bool(self.bust or self.lose_all or self.turn_ends), "bust: with categories no turn is lost"),
            (has_sheet and not self.throws, "throws: with categories a turn has a number of throws"),
            (
                has_sheet and self.rounds != RoundsModel.model_validate({}),
                "rounds: with categories there is a round for each box",
            ),
            (has_sheet and self.late_joiners == "as_last", "late_joiners: with categories they begin with empty boxes"),
            (has_sheet and self.target > 0, "target: with categories the game ends when all boxes are filled"),
            (not has_sheet and self.keep != "scoring" and not self.points, "points: nothing scores"),
            (bool(self.bonuses) and not has_sheet, "bonuses: they need categories"),
            (any(kept.lasting for kept in self.kept), "kept: lasting is for games of entered points"),
            (bool(self.score) and has_sheet, "score: with categories the boxes score"),
            (bool(self.joker) and not has_sheet, "joker: it needs categories"),
            (any(c.count > self.count for c in self.combinations), "combinations: one has more dice than there are"),
            (may_go_on and self.keep != "scoring", "bank: a turn of any number of throws needs an end (turn_ends)"),
            (self.keep == "any" and not self.throws, 'throws: keep = "any" needs a number of throws'),
            (not has_sheet and not self.target and not self.rounds.count, "target: the game needs an end"),
        )
