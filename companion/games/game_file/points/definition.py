"""The definition of games of entered points; a file gives it a name, players and rules."""

from collections.abc import Mapping, Sequence

from companion.api import N_, Move, Seat, Translator
from companion.games.game_file.file_definition import DiceOrPointsDefinition
from companion.games.game_file.model import GameFile
from companion.games.game_file.points.corrections import find_earlier_mistake
from companion.games.game_file.points.game import PointsGame
from companion.games.game_file.points.moves import EnterNumber
from companion.i18n import capitalize_first_letter

_ = Translator("game_file")

MIN_NUMBERED_PAGES = 4
"""Entries of a player from which their inputs are numbered."""


class PointsGameDefinition(DiceOrPointsDefinition[PointsGame]):
    """What a game of entered points provides; the rules are in the settings."""

    game_class = PointsGame
    scene = "companion.games.game_file.display.points:PointsScene"
    samples = "companion.games.game_file.points.samples:build_samples"
    simulator = "companion.games.game_file.points.simulator.player:KIT"

    def __init__(self, file: GameFile, text: str) -> None:
        super().__init__(file, text)
        assert file.points is not None
        self.has_first_player = file.points.order == "turns"

    def is_scoreless(self, game: PointsGame) -> bool:
        """Return whether no round was played: points may add up to 0, or 0 be the best, and all share it (G69)."""
        return super().is_scoreless(game) and not (game.finished or game.restart_count)

    def list_round_points(self, game: PointsGame) -> Sequence[Sequence[int]]:
        return game.list_round_points()

    def get_addressed_seat(self, game: PointsGame) -> Seat | None:
        return None if game.waits_for_absent else super().get_addressed_seat(game)

    def format_prompt(self, game: PointsGame, names: Sequence[str]) -> str:
        if game.is_over:
            return self.format_result(game, names)
        if game.waits_for_absent:
            return _("Nobody here has anything to enter. Wait for those who are away, or end the game")
        if game.has_turns:
            return self._format_request(game, game.active_seat, names)
        if not game.seats_to_enter:
            mistake = game.find_mistake()
            text = (
                N_("{reason}. OK if it was so, or enter again")
                if game.can_be_confirmed
                else N_("{reason}. Enter again")
            )
            return _(text, reason=capitalize_first_letter(mistake))
        entries = {game.find_next_entry(q) for q in game.seats_to_enter}
        what = game.rules.label_entry(entries.pop() or 0) if len(entries) == 1 else _("your numbers")
        text = N_("After the round: {what}")
        if game.is_before_play:
            text = N_("Before the round: {what}")
        elif game.is_round_played:
            text = N_("Play the round, then: {what}")
        if (earlier := find_earlier_mistake(game)) is not None:
            n, reason = earlier
            return _("Round {n}: {reason}. Correct it", n=n, reason=reason)
        return _(text, what=what)

    def _format_request(self, game: PointsGame, seat: Seat, names: Sequence[str]) -> str:
        """Return who enters what: "Ada: points of three darts"; only the name: nothing is to be entered."""
        entry = game.find_next_entry(seat)
        who = names[seat]
        if entry is None:
            return who
        request = _("{who}: {what}", who=who, what=game.rules.label_entry(entry))
        entries, first = game.rules.model.entries, game.rules.before_play_count
        pages, page = (entries[:first], entry) if entry < first else (entries[first:], entry - first)
        if len(pages) < MIN_NUMBERED_PAGES or any(each.when or each.team for each in pages):
            return request  # how many are asked for is not known
        return f"{request} ({page + 1}/{len(pages)})"

    def get_default_move(self, game: PointsGame, seat: Seat) -> Move:
        return Move(EnterNumber.kind, seat, (0,))

    def label_input_values(self, game: PointsGame, move: Move) -> Mapping[int, str]:
        entry = game.find_next_entry(move.player)
        choices = () if entry is None else game.rules.model.entries[entry].choices
        assert move.value_range is not None, "an open move"
        return {c.number: game.rules.translate(c.name) for c in choices if (c.number,) in move.value_range}

    def asks_yes_or_no(self, game: PointsGame, move: Move) -> bool:
        entry = game.find_next_entry(move.player)
        return entry is not None and game.is_question(entry)

    def find_next_input(self, game: PointsGame, move: Move) -> Move | None:
        if move.kind != EnterNumber.kind or not game.entered[move.player] or game.is_round_played:
            return None
        own = (each for each in game.list_moves() if (each.kind, each.seat) == (EnterNumber.kind, move.seat))
        return next((each for each in own if each.value_range is not None), None)

    def format_input_title(self, game: PointsGame, move: Move, names: Sequence[str]) -> str:
        return self._format_request(game, move.seat or Seat(0), names)
