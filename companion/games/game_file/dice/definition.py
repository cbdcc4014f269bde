"""The definition of games with dice; a file gives it a name, players and rules."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from companion.api import (
    DICE_TRAY_CAMERA,
    Command,
    CommandName,
    Correction,
    DiceRoll,
    FairDice,
    Move,
    Offer,
    Seat,
)
from companion.games.game_file.dice.corrections import ThrownDice
from companion.games.game_file.dice.game import DiceGame
from companion.games.game_file.dice.moves import Bank, Claim, EarlyThrow, Throw
from companion.games.game_file.dice.state import Phase, _, format_dice
from companion.games.game_file.file_definition import DiceOrPointsDefinition
from companion.games.game_file.model import GameFile

SIDES_WITH_PIPS = 6
"""Sides of the dice that the camera reads."""
MAX_RULE_DICE = 3
"""Dice in the picture of a rule at most."""
THROWN_DICE = ("die_tumble_1", "die_tumble_4")
"""Picture of a throw."""
SHEET_DICE = (("die_6", "die_6"), ("die_5", "die_5", "die_5"), ("die_1", "die_6"), ("die_2", "die_3", "die_4"))
"""Pictures of rules of a game with a score sheet: dice that are kept, equal ones, ones to sixes, dice in a row."""
ANY_DICE = tuple((f"die_{a}", f"die_{b}") for a, b in ((3, 6), (1, 4), (2, 5), (4, 6), (1, 2), (3, 5), (2, 6)))
"""Pictures of other rules without a number."""
COMMAND_BOT_WEIGHT = 0.2
"""Weight of the commands in the bots' choice: there is one for each die, and most games are played by the keys beside
them."""


class DiceGameDefinition(DiceOrPointsDefinition[DiceGame]):
    """What a game with dice provides; the rules are in the settings."""

    game_class = DiceGame
    scene = "companion.games.game_file.display.dice:DiceGameScene"
    samples = "companion.games.game_file.dice.samples:build_samples"
    simulator = "companion.simulation.dice_tray.kit:DICE_TRAY"

    def __init__(self, file: GameFile, text: str) -> None:
        super().__init__(file, text)
        assert file.dice is not None
        sides = file.dice.sides
        self.camera = DICE_TRAY_CAMERA if sides == SIDES_WITH_PIPS else None
        formulas = (file.dice.points, *(category.points for category in file.dice.categories))
        is_high_lucky = any("sum(dice)" in formula for formula in formulas)
        self.fair_dice = FairDice(sides, tuple(range(1, sides + 1)) if is_high_lucky else None)

    def list_pictures(self, sentence: str) -> Sequence[tuple[str, ...]]:
        """List dice with the faces that a sentence names, at most three; then a slip with each number of points."""
        faces = list(dict.fromkeys(re.findall(r"\b[1-6]\b", sentence)))[:MAX_RULE_DICE]
        if self._has_sheet:
            faces = []  # there "3 alike" is a number of dice
        points = [number for number in re.findall(r"\d+", sentence) if number == "0" or len(number) > 1]
        slips = ((f"card {number}",) for number in points)
        return (*((tuple(f"die_{face}" for face in faces),) if faces else ()), *slips)

    def list_spare_pictures(self) -> Sequence[tuple[str, ...]]:
        """List pictures that fit any sentence: thrown dice, as most rules begin with a throw; then any dice."""
        return (THROWN_DICE, *(SHEET_DICE if self._has_sheet else ANY_DICE))

    @property
    def _has_sheet(self) -> bool:
        return self.file.dice is not None and bool(self.file.dice.categories)

    def can_join(self, game: DiceGame) -> bool:
        return super().can_join(game) and not game.is_last_round

    def format_prompt(self, game: DiceGame, names: Sequence[str]) -> str:
        return self._format_request(game, names, has_camera=False) + _format_round_text(game)

    def format_camera_prompt(self, game: DiceGame, names: Sequence[str]) -> str:
        return self._format_request(game, names, has_camera=True) + _format_round_text(game)

    def _format_request(self, game: DiceGame, names: Sequence[str], *, has_camera: bool) -> str:
        who, n, model = names[game.active_seat], game.dice_to_throw, game.rules.model
        match game.phase:
            case Phase.OVER:
                return self.format_result(game, names)
            case Phase.CHOOSE:
                request = _("{who}: choose a box", who=who)
                kept = _("{dice} is the next throw", dice=format_dice(game.next_throw))
                return f"{request} · {kept}" if game.next_throw else request
            case Phase.DECIDE if (model.keep == "any" or game.has_sheet) and game.aside:
                return _.plural(
                    "{who}: throw the die again, or score",
                    "{who}: keep dice, throw {n} again, or score",
                    len(game.table),
                    who=who,
                )
            case Phase.DECIDE if model.keep == "any" or game.has_sheet:
                return _("{who}: keep dice, throw all, or score", who=who)
            case Phase.DECIDE if model.keep == "scoring":
                return _("{who}: set dice aside that score", who=who)
            case Phase.THROW if has_camera:
                return _.plural("{who}: throw the die", "{who}: throw {n} dice", n, who=who)
            case Phase.THROW:
                return _.plural("{who}: throw the die, enter it", "{who}: throw {n} dice, enter them", n, who=who)
            case _ if not n:
                return _("{who}: end the turn", who=who)
            case _ if not game.has_sheet and not game.list_seats(Bank.kind):
                return _.plural("{who}: throw the die", "{who}: throw {n} dice", n, who=who)
        return _.plural("{who}: throw the die, or score", "{who}: throw {n} dice, or score", n, who=who)

    def explain_score(self, before: DiceGame, after: DiceGame, seat: Seat) -> str:
        ended = after.ended_turn
        if ended is None or ended is before.ended_turn or ended.seat != seat:
            return ""
        return format_dice(ended.dice) if ended.box is None else before.rules.label_category(ended.box)

    def get_bot_weight(self, game: DiceGame, offer: Offer) -> float:
        if offer.action == Command(CommandName.CLAIM):
            return 0.0
        if isinstance(offer.action, Command) and offer.action.name in (CommandName.MARK_DIE, CommandName.BOXES):
            return COMMAND_BOT_WEIGHT
        return super().get_bot_weight(game, offer)

    def get_default_move(self, game: DiceGame, seat: Seat) -> Move:
        return Move(Bank.kind, seat)

    def open_dialog(self, game: DiceGame, names: Sequence[str], command: Command) -> Any:
        # Here, because commands that play no game need no dialogs.
        from companion.games.game_file.dice.dialogs import open_dice_choice

        return open_dice_choice(game, names, command)

    def list_rolls(self, before: DiceGame, what: Move | Correction, after: DiceGame) -> Iterator[DiceRoll]:
        """Yield the throw (G31) that was made, claimed (G51) or corrected; dice set aside are in no further throw."""
        if isinstance(what, Move) and what.kind == Throw.kind:
            yield DiceRoll((before.turn_number, before.throw_count + 1), before.active_seat, what.value)
        elif isinstance(what, Move) and what.kind in (Claim.kind, EarlyThrow.kind):
            turn_number, dice = before.turn_number, what.value
            if what.kind == Claim.kind and (turn := before.before_throw) is not None:
                turn_number, dice = turn.turn_number, before.last_throw
                yield DiceRoll((turn_number, turn.throw_count + 1), None, ())
            yield DiceRoll((turn_number + 1, 1), what.player, dice)
        elif isinstance(what, Correction) and what.kind == ThrownDice.kind:
            yield DiceRoll((before.turn_number, before.throw_count), None, what.value)


def _format_round_text(game: DiceGame) -> str:
    """Return what is special in the round, as it follows the request to throw; empty: nothing, or nothing is thrown."""
    text = game.rules.translate(game.rules.model.rounds.text)
    return f" · {text.replace('{round}', str(game.round_number))}" if text and game.dice_to_throw else ""
