"""Camera readings of Macroscope: a move where the reading is certain, a question where it is not.

A question offers the likeliest answers one press away, and entering by hand.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations
from math import inf
from typing import Any

from companion.api import (
    BadCorrection,
    Command,
    CommandName,
    ConsolePress,
    Correction,
    Game,
    Move,
    NumberPress,
    Offer,
    SeatPress,
    TableAction,
    Visibility,
)
from companion.games.macroscope.asking import GuessWhenCalled
from companion.games.macroscope.corrections import LetStand
from companion.games.macroscope.lid_comparison import find_missing_number, is_entered, is_partly_covered
from companion.games.macroscope.moves import CoverWindows, Decline, Guess, RemoveToken, Roll, StopForAll
from companion.games.macroscope.questions import (
    LID,
    ask_covered_windows,
    ask_last_token,
    ask_returned_token,
    ask_unexpected_token,
    ask_which_token,
)
from companion.games.macroscope.state import ASKING_PHASES, MAX_TAKEN_TOKENS, ActionKind, MacroscopeState, Phase
from companion.i18n import _
from companion.journal.saved_game import SavedGame
from companion.referee.api import (
    Action,
    Dialog,
    DiceRead,
    Event,
    LidCovered,
    LidRead,
    Question,
    QuestionDialog,
    ReadingResult,
    Step,
    TokenPlaced,
    TokenTaken,
    ask_question,
    find_move,
)
from companion.referee.base_readings import THROW
from companion.referee.dialogs.base import Answer, ListMenu, Subject
from companion.referee.implied_moves import find_implied_moves
from companion.referee.roll_readings import DiceRollReadings
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE

TOKEN = "token"
"""Subject of the question which token was taken, if players have opened it: any token answers it."""
ENDING_MOVES = frozenset({Guess.kind, Decline.kind, StopForAll.kind})
"""Moves after which the active player takes no token any more."""
COUNTING_MOVES = ENDING_MOVES | {GuessWhenCalled.kind}
"""Moves that make the number of covered, or of opened, windows count (M16, M21, M31)."""
TOO_LATE_SECONDS = 4.0
"""A token that is seen to be off this soon after a guess or a stop may have been taken before it. Larger: asks more."""
MAX_RESTS = 50
"""So many times at which the table came to rest are remembered; few hands pass while a question is open."""


class MacroscopeReadings(DiceRollReadings):
    """Readings of the dice, the tokens and the lid.

    Args:
        saved_game: the game of Macroscope in play; it is only read.
    """

    def __init__(self, saved_game: SavedGame) -> None:
        super().__init__(saved_game)
        self._lid: LidRead | None = None
        self._dice_at = -inf
        self._is_moving, self._had_come_to_rest = False, True
        """Whether something moves on the table now, and whether nothing did when the dice were read."""
        self._rests = deque([-inf], maxlen=MAX_RESTS)
        """When the camera saw the table come to rest."""
        self._accepted: tuple[LidRead, int] | None = None
        """What the camera saw and how many windows the game has covered, where people have said that it is right."""
        self._asked_step: tuple[Action, ...] = ()
        """The move that waits for the answer how many windows are covered, and what follows it."""
        self._taken_at = self._token_at = -inf
        """When a token was taken last, and when one was taken or put back."""
        self._kept_roll: Move | None = None
        """The next player's roll, made before people have said that the round is void: it counts once that is over."""
        self._kept_cover: LidCovered | None = None
        """The covered lid that was read last before anybody had guessed."""

    def find_subject(self, event: Event) -> Subject | None:
        """Find the subject of a question about a reading: the index of a window, LID, DICE, else None."""
        if isinstance(event, LidRead):
            return LID
        return event.window if isinstance(event, TokenTaken | TokenPlaced) else super().find_subject(event)

    def is_answer(self, event: Event, dialog: Dialog | None) -> bool:
        """Return whether a reading answers the open dialog, also one that players opened to enter the same by hand.

        A token taken answers the question which one was taken.
        """
        match event, dialog:
            case TokenTaken(), QuestionDialog(subject=subject) | ListMenu(subject=subject) if subject == TOKEN:
                return True
        return super().is_answer(event, dialog)

    def handle(self, event: Event, offers: Sequence[Offer], *, is_answer: bool) -> ReadingResult:
        """Decide what dice, a token or a covered lid mean now: a move, a question, a message or nothing.

        A reading of confidence 0.9 (`MIN_PLAY_CONFIDENCE`) or more is certain. `last_window` is set to the window of a
        token taken; the game is not changed. Right after an answer a token that was put back asks nothing.

        Raises:
            ValueError: as many dice as wanted, but one shows a value that is not 1 to 6.
        """
        cover = find_move(offers, ActionKind.COVER)
        if isinstance(event, TokenTaken | TokenPlaced | LidCovered):
            self._token_at = max(self._token_at, event.at)
            if self._lid is not None and self._lid.at < event.at:
                self._lid = None  # one of its windows was not read with certainty since
        if isinstance(event, DiceRead):
            self._kept_roll = None
            self._dice_at = max(self._dice_at, event.at)
            self._had_come_to_rest = not self._is_moving and event.at >= self._rests[-1]
        match event:
            case LidRead():
                # One that has waited may be older than what is known.
                if event.at >= max(self._token_at, self._lid.at if self._lid else -inf):
                    self._lid = event
                # It may be all that is left of moves that were undone to play others before them.
                return ReadingResult(self._asked_step if is_answer else None)
            case LidCovered() if cover is None:
                return self._handle_early_cover(event)
            case LidCovered():
                return ReadingResult(cover)
            case TokenTaken():
                self.last_window, self._taken_at = event.window, event.at
                # Tokens change places while the windows are covered again.
                return ReadingResult() if cover else self._handle_taken_token(event, offers)
            case TokenPlaced() if not is_answer and not cover and not self._is_covered_with_others(event):
                return ReadingResult(ask_returned_token(event, self._saved_game.last_played))
            case _:
                return super().handle(event, offers, is_answer=is_answer)

    def handle_command(self, command: Command) -> Step:
        """Open the choice of a token by its number, for players who take it without the camera, at any command.

        Returns:
            The dialog; None: no token may be taken now.
        """
        return self._ask_which_token("", TOKEN)

    def is_counting(self, move: Move) -> bool:
        """Return whether the number of covered, or of opened, windows counts from a move on (M16, M21, M31)."""
        game = self._saved_game.game
        assert isinstance(game, MacroscopeState)
        return move.kind in COUNTING_MOVES and game.frozen_value is None

    def follows_presses(self, event: Event) -> bool:
        """Return whether all windows are covered: nobody covers them before the guess is said (M40)."""
        return isinstance(event, LidCovered)

    def check_against_camera(self, move: Move, following: Sequence[Action]) -> Step:
        """Ask about the covered windows, if the camera sees another number of them before it counts (M16, M21, M31).

        Ask also if it sees others left when the last token is taken (M50). Where all windows are covered again, a token
        may have been taken that the camera has never seen gone. A roll kept back by the question about the last token
        follows the move.
        """
        game, lid = self._saved_game.game, self._lid
        assert isinstance(game, MacroscopeState)
        if move.kind == RemoveToken.kind:
            return self._ask_last_token(move, following)
        roll, self._kept_roll = self._kept_roll, None
        if roll is not None and are_legal(game, (move, roll)):
            return move, roll
        counted = game.covered_windows
        if not self.is_counting(move) or lid is None or lid.covered == counted or self._accepted == (lid, counted):
            return None

        def accept(*taken: Move) -> Step:
            self._accepted = lid, counted - len(taken)
            return (*taken, move, *following)

        if lid.covered < game.settings.windows:
            self._asked_step = (move, *following)
            return ask_covered_windows(game, lid, move, following, accept)
        # After the last token, and after one for which a wish to guess lapses, nobody guesses (M30, M50).
        takes = [take for take in game.list_moves() if take.kind == RemoveToken.kind and are_legal(game, (take, move))]
        if not takes:
            return None
        question = Question(_("Which token was taken last?"), _("The windows were covered before the camera saw it"))
        numbers = [(NumberPress(take.value[0]), str(take.value[0]), partial(accept, take)) for take in takes]
        return ask_question(question, *numbers, (ConsolePress.NO, _("No other"), accept))

    def _ask_last_token(self, take: Move | Correction, following: Sequence[Action] = ()) -> Step:
        """Ask about the covered windows, if the game has none left after a token is taken, but the lid has (M50)."""
        game, lid = self._saved_game.game, self._lid
        assert isinstance(game, MacroscopeState)
        if game.covered_windows > 1 or lid is None or not is_partly_covered(game, lid):
            return None
        if is_entered(game, lid) or self._accepted == (lid, 0):
            return None

        def accept() -> Step:
            self._accepted = lid, 0
            rolls = (action for action in following if isinstance(action, Move) and action.kind == Roll.kind)
            self._kept_roll = next(rolls, None)
            return take  # after it the windows are covered, and nothing else that follows is possible

        return ask_last_token(game, lid, take, following, accept)

    def note_motion(self, is_moving: bool, at: float) -> None:
        self._is_moving = is_moving
        if not is_moving:
            self._rests.append(at)

    def _is_turn_open(self) -> bool:
        game = self._saved_game.game
        assert isinstance(game, MacroscopeState)
        return game.is_active_free

    def _handle_early_cover(self, event: LidCovered) -> ReadingResult:
        """Decide what it means that all windows are covered before the guessing has been closed (M40).

        Or before the last tokens were read, which make the round void (M50). Or before a guess that was said is
        pressed: that counts then, and the round ends.
        """
        game = self._saved_game.game
        assert isinstance(game, MacroscopeState)
        implied = find_implied_moves(self._saved_game, TableAction(ActionKind.COVER)) or find_last_removes(game)
        if implied:
            return ReadingResult(implied=implied)
        is_open_again = event.at < self._taken_at
        if is_open_again or game.compute_outcome() is not None or game.covered_windows == game.settings.windows:
            return ReadingResult()
        is_kept = game.phase in {Phase.OPEN, *ASKING_PHASES}
        if game.guessers or event is self._kept_cover:
            return ReadingResult(read_again=is_kept)
        self._kept_cover = event
        return ReadingResult(notice=_("All windows are covered, but nobody has guessed"), read_again=is_kept)

    def _is_covered_with_others(self, event: TokenPlaced) -> bool:
        """Return whether the token came back together with those of other windows: people cover the lid (M40)."""
        game, cover = self._saved_game.game, self._kept_cover
        assert isinstance(game, MacroscopeState)
        return cover is not None and cover.at == event.at and game.covered_windows < game.settings.windows - 1

    def _ask_taken_before(self, event: TokenTaken, number: int, otherwise: Step = None) -> Step:
        """Ask whether a token was taken just before the guess, the stop or the throw that ended the turn meanwhile.

        Args:
            otherwise: what it is if not, in the turn of who is active now; None: that player may not take it.
        """
        replay = self._saved_game.replay
        since: list[Move] = []
        for step in reversed(replay.steps):
            if not isinstance(step.played, Move) or step.played.kind == CoverWindows.kind:
                return None
            since.insert(0, step.played)
            if step.played.kind in ENDING_MOVES:
                break
        else:
            return None
        steps = replay.steps[-len(since) :]
        thrown = next((step for step, move in zip(steps, since, strict=True) if move.kind == Roll.kind), None)
        if thrown is not None:
            # With the table at rest in between, the token was taken after the throw.
            is_after = self._had_come_to_rest or any(self._dice_at <= at < event.at for at in self._rests)
        else:
            stamp = next(entry.stamp for entry, step in reversed(replay.history) if step is steps[0])
            is_after = otherwise is not None or event.at - stamp.monotonic > TOO_LATE_SECONDS
        take = Move(RemoveToken.kind, since[0].seat, (number,))
        moves = (take, *since)
        before = steps[0].before
        assert isinstance(before, MacroscopeState)
        # The last token by the game makes the round void, unless the answer about the lid is that others are left.
        is_last = before.covered_windows == 1 and self._lid is not None and is_partly_covered(before, self._lid)
        is_possible = are_legal(before, (take,) if is_last else moves)
        if is_after or not is_possible:
            return None
        question = Question(_("Was the {n} taken before that?", n=number), replay.describe(thrown or steps[0]))
        return ask_question(
            question,
            (ConsolePress.OK, _("Before"), (*[Command(CommandName.UNDO)] * len(since), *moves)),
            (ConsolePress.NO, _("No: put it back") if otherwise is None else _("No"), otherwise),
            subject=event.window,
        )

    def _ask_which_token(self, detail: str, subject: Subject) -> Step:
        """Ask which token was taken, by number keys; in a menu while the others are asked, whose buttons they are."""
        game: Any = self._saved_game.game
        removes = [move for move in game.list_moves() if move.kind == RemoveToken.kind]
        if not removes:
            return None
        if game.phase is not Phase.ASKING:
            return ask_which_token(removes, detail, subject)
        offers = self._saved_game.definition.list_offers(game, self._saved_game.players, Visibility())
        own = tuple(Answer(o.input, o.label, o.action, o.awaited) for o in offers if isinstance(o.input, SeatPress))
        items = tuple((str(move.value[0]), move) for move in removes)
        return ListMenu(_("Which token was taken?"), items, shortcuts=own, subject=subject)

    def _handle_taken_token(self, event: TokenTaken, offers: Sequence[Offer]) -> ReadingResult:
        game, lid = self._saved_game.game, self._lid
        assert isinstance(game, MacroscopeState)
        if event.confidence < MIN_PLAY_CONFIDENCE or event.number is None:
            missing = None if lid is None else find_missing_number(game, lid)
            event = event if missing is None else replace(event, number=missing, confidence=1.0)
        number = event.number
        if lid is not None and is_entered(game, lid):
            return ReadingResult()
        if number is None:
            return ReadingResult(self._ask_which_token("", event.window))
        if event.confidence < MIN_PLAY_CONFIDENCE:
            which = self._ask_which_token(_("It looked like a {number}", number=number), event.window)
            if step := self._ask_taken_before(event, number, which) or which:
                return ReadingResult(step)
            if self.is_throw_kept:
                return ReadingResult(read_again=True)
            return ReadingResult(notice=_("That was a {number}: please put it back", number=number))
        take = find_move(offers, ActionKind.TAKE, number)
        if take is not None:
            return ReadingResult(self._ask_taken_before(event, number, take) or take)
        if self.is_throw_kept:
            return ReadingResult(read_again=True)  # the next player has thrown already, and it counts after that throw
        implied = find_implied_moves(self._saved_game, TableAction(ActionKind.TAKE, number))
        if implied:
            return ReadingResult(implied=implied)
        if earlier := self._ask_taken_before(event, number):
            return ReadingResult(earlier)
        if self._is_moving and find_move(offers, THROW) is not None:
            return ReadingResult(read_again=True)  # the throw that allows it is yet to be read
        correction = Correction(LetStand.kind, None, (number,))
        try:
            game.correct(correction)
        except BadCorrection:
            return ReadingResult(notice=_("That was a {number}: please put it back", number=number))
        return ReadingResult(
            ask_unexpected_token(event, number, lambda: self._ask_last_token(correction) or correction)
        )


def find_last_removes(game: MacroscopeState) -> tuple[Move, ...]:
    """Return the moves by which the active player has taken all tokens that are left, in an order that the dice allow.

    Returns:
        Empty: there are too many, or the dice allow no such order.
    """
    left = [n for n, count in enumerate(game.tokens, start=1) for _token in range(count)]
    if len(left) > MAX_TAKEN_TOKENS:
        return ()
    orders = (tuple(Move(RemoveToken.kind, game.active_seat, (n,)) for n in order) for order in permutations(left))
    return next((moves for moves in orders if are_legal(game, moves)), ())


def are_legal(game: Game, moves: Sequence[Move]) -> bool:
    """Return whether moves are legal one after the other."""
    for move in moves:
        if game.find_refusal(move) is not None:
            return False
        game = game.play(move)
    return True
