"""The corrections of a game with dice: the dice first, then points, then what is rarely corrected."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.api import (
    N_,
    Away,
    Correctable,
    Correction,
    CorrectionKind,
    Score,
    ValueRange,
    format_number,
    replace_at,
)
from companion.games.game_file.dice.scoring import MAX_POINTS
from companion.games.game_file.dice.state import MAX_TOTAL, DiceGameState, Phase, _, format_dice
from companion.games.game_file.dice.turns import pass_turn, settle_throw
from companion.games.game_file.file_game import KeptNumber, WhoseTurn
from companion.i18n import join_label

OPEN_BOX = -1
"""Value of an open box in a correction."""
MAX_BOX_POINTS = 100
"""Highest points of a box that may be entered; the points of the file's boxes are seldom more."""
MAX_ROUND = 99
"""Highest number of a round that may be entered."""
MAX_DICE_TO_CORRECT = 6
"""Most dice of a throw that can be corrected one by one: each has a number key."""


class ThrownDice(CorrectionKind[DiceGameState]):
    """The dice of the last throw."""

    kind, label = "dice", N_("the dice")

    def is_due(self, game: DiceGameState) -> bool:
        return game.phase in (Phase.DECIDE, Phase.CHOOSE) and 0 < len(game.table) <= MAX_DICE_TO_CORRECT

    def list_entries(self, game: DiceGameState) -> Iterator[Correctable]:
        yield Correctable(self.kind, None, game.table, ValueRange(len(game.table), 1, game.rules.model.sides))

    def apply(self, game: DiceGameState, correction: Correction) -> DiceGameState:
        is_same = sorted(correction.value) == sorted(game.table)
        return game if is_same else settle_throw(replace(game, table=correction.value))

    def describe(self, before: DiceGameState, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        was, now = format_dice(old.current_value), format_dice(what.value)
        return _("Corrected: {thing}, {old} to {new}", thing=_(self.label), old=was, new=now)


class TurnPoints(CorrectionKind[DiceGameState]):
    """The points of the turn before the last throw."""

    kind, label = "turn points", N_("points before this throw")

    def is_due(self, game: DiceGameState) -> bool:
        return game.rules.model.keep != "any" and not game.has_sheet and game.throw_count > 0 and not game.is_over

    def list_entries(self, game: DiceGameState) -> Iterator[Correctable]:
        points = game.turn_points
        yield self.make_entry(points, min(0, points), MAX_POINTS)

    def apply(self, game: DiceGameState, correction: Correction) -> DiceGameState:
        return replace(game, turn_points=correction.value[0])


class Box(CorrectionKind[DiceGameState]):
    """The points of a player in the box `index`, from 1; `OPEN_BOX`: it is open."""

    kind = "box"

    def is_due(self, game: DiceGameState) -> bool:
        return game.has_sheet

    def list_entries(self, game: DiceGameState) -> Iterator[Correctable]:
        for seat in (game.active_seat, *game.list_others(game.active_seat)):
            for number, points in enumerate(game.boxes[seat], 1):
                value = OPEN_BOX if points is None else points
                low, high = min(OPEN_BOX, value), max(MAX_BOX_POINTS, value)
                yield self.make_entry(value, low, high, seat, (number,))

    def apply(self, game: DiceGameState, correction: Correction) -> DiceGameState:
        """A player whose last open box is filled by a correction in the own turn has no turn left."""
        seat, index = correction.player, correction.index[0] - 1
        points = None if correction.value == (OPEN_BOX,) else correction.value[0]
        if points == game.boxes[seat][index]:
            return game
        game = replace(game, boxes=replace_at(game.boxes, seat, replace_at(game.boxes[seat], index, points)))
        if not game.is_over and seat == game.active_seat and not game.open_boxes:
            return pass_turn(replace(game, has_acted=replace_at(game.has_acted, seat, True)), seat)
        return game

    def format_label(self, game: DiceGameState, what: Correctable | Correction, names: Sequence[str]) -> str:
        return join_label(names[what.seat or 0], game.rules.label_category(what.index[0] - 1))

    def label_values(self, game: DiceGameState, what: Correctable | Correction, names: Sequence[str]) -> Sequence[str]:
        assert isinstance(what, Correctable)
        points = range(what.value_range.low, what.value_range.high + 1)
        return tuple(_("open") if value == OPEN_BOX else format_number(value) for value in points)


class CurrentRound(CorrectionKind[DiceGameState]):
    """Number of the round being played."""

    kind, label = "current round", N_("the round")

    def is_due(self, game: DiceGameState) -> bool:
        return not game.is_over

    def list_entries(self, game: DiceGameState) -> Iterator[Correctable]:
        last = max(game.rules.model.rounds.count or MAX_ROUND, game.round_number)
        yield self.make_entry(game.round_number, 1, last)

    def apply(self, game: DiceGameState, correction: Correction) -> DiceGameState:
        return replace(game, round_number=correction.value[0])


CORRECTIONS = (
    ThrownDice(),
    TurnPoints(),
    Box(),
    Score[DiceGameState](
        "round points",
        N_("{who}'s points in this round"),
        0,
        MAX_POINTS,
        lambda game: game.round_points if game.rules.model.rounds.points else (),
        lambda game, points: replace(game, round_points=points),
    ),
    Score[DiceGameState](
        "total",
        N_("{who}'s points"),
        -MAX_TOTAL,
        MAX_TOTAL,
        lambda game: () if game.has_sheet else game.points,
        lambda game, points: replace(game, points=points),
    ),
    KeptNumber(),
    WhoseTurn("G50", N_("whose turn it is")),
    CurrentRound(),
    Away[DiceGameState](),
)
