"""Questions about tokens and the lid that Macroscope's readings ask."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from companion.api import (
    MIN_SHOWN_SECONDS,
    BadCorrection,
    Command,
    CommandName,
    ConsolePress,
    Correction,
    Input,
    Move,
    NumberPress,
    replace_at,
)
from companion.games.macroscope.asking import GuessWhenCalled
from companion.games.macroscope.corrections import LetStand, Tokens
from companion.games.macroscope.moves import Guess, RemoveToken
from companion.games.macroscope.settings import MAX_TOKEN_NUMBER
from companion.games.macroscope.state import MacroscopeState
from companion.i18n import _
from companion.referee.api import (
    Action,
    LidRead,
    Question,
    QuestionDialog,
    TokenPlaced,
    TokenTaken,
    ask_question,
)
from companion.referee.dialogs.base import LazyStep, Subject

LID = "lid"
"""Subject of the question how many windows are covered: another reading of the lid answers it."""
GUESSES = frozenset({Guess.kind, GuessWhenCalled.kind})
"""Moves after which no token is taken in the round any more (M21, M31)."""


def ask_which_token(removes: Sequence[Move], detail: str = "", window: Subject | None = None) -> QuestionDialog:
    """Ask which token was taken: a question with one number key for each possible move, and NO for none.

    Args:
        removes: the possible moves; the first value of each is the token's number, 1 to 6.
        detail: second line of the question, translated; empty: none.
        window: index of the window from which it was taken, from 0, or TOKEN for any window: readings about it answer
            the question. None: no reading does.

    Raises:
        IndexError: a move has no value.
    """
    numbers = [(NumberPress(move.value[0]), str(move.value[0]), move) for move in removes]
    return ask_question(
        Question(_("Which token was taken?"), detail),
        *numbers,
        (ConsolePress.NO, _("None"), None),
        subject=window,
    )


def ask_unexpected_token(reading: TokenTaken, number: int, let_stand: LazyStep) -> QuestionDialog:
    """Ask about a token that the dice do not allow: put it back, or let it stand by a press of OK.

    Args:
        reading: the token that was taken.
        number: its number, 1 to 6.
        let_stand: the step of OK.
    """
    return ask_question(
        Question(_("That was a {number}", number=number), _("Put it back, or let it stand"), warning=True),
        (ConsolePress.OK, _("Let it stand"), let_stand),
        (ConsolePress.NO, _("Misread"), None),
        subject=reading.window,
    )


def ask_returned_token(reading: TokenPlaced, last: Move | Correction | None) -> QuestionDialog | None:
    """Ask whether to undo the last move, if the token that came back onto the lid is the one just taken.

    Args:
        reading: the token that came back; one without a number may be any token.
        last: the move or correction that was played last; None: there is none.

    Returns:
        The question; None if `last` took no token, or took one of another number.
    """
    if last is None or last.kind not in {RemoveToken.kind, LetStand.kind} or reading.number not in {None, *last.value}:
        return None
    return ask_question(
        Question(_("The {number} is back on the lid", number=last.value[0]), _("Undo the move?")),
        # Behind a function: bots never choose an offer of "undo" itself.
        (ConsolePress.OK, _("Undo it"), lambda: Command(CommandName.UNDO)),
        (ConsolePress.NO, _("No, it is off"), None),
        subject=reading.window,
    )


def ask_covered_windows(
    game: MacroscopeState, lid: LidRead, move: Move, following: Sequence[Action], accept: LazyStep
) -> QuestionDialog:
    """Ask how many windows are covered, if the lid shows another number of them than the game has (M16).

    Args:
        game: its tokens are put right by OK or, where one lies blank side up, by the number of the one that is off.
        lid: what the camera sees.
        move: is played once the windows are right.
        following: is done after it.
        accept: the step if the game is right.
    """
    counted = game.covered_windows
    possible = [tokens for tokens in list_possible_tokens(game, lid) if can_correct(game, make_correction(tokens))]
    answers: list[tuple[Input, str, LazyStep]] = []
    # After a guess no token is taken any more, so that their number alone counts (M21).
    if len(possible) == 1 or (possible and move.kind in GUESSES):
        answers.append(
            (ConsolePress.OK, _("Yes, {n}", n=lid.covered), (make_correction(possible[0]), move, *following))
        )
    elif lid.covered == counted - 1:
        for tokens in possible:
            changed = [n for n, (has, left) in enumerate(zip(game.tokens, tokens, strict=True), 1) if has != left]
            if len(changed) == 1:  # no key says that two are off and another is back
                step = (make_correction(tokens), move, *following)
                answers.append((NumberPress(changed[0]), _("{n} is off", n=changed[0]), step))
    answers.append((ConsolePress.MINUS, _("No, {n}", n=counted), accept))
    question = _make_lid_question(lid, counted)
    return ask_question(question, *answers, (ConsolePress.NO, _("Back"), None), subject=LID)


def ask_last_token(
    game: MacroscopeState, lid: LidRead, take: Move | Correction, following: Sequence[Action], accept: LazyStep
) -> QuestionDialog:
    """Ask how many windows are covered, where the last token by the game is taken and the lid has others (M50).

    "Yes" first gives the game the tokens that the lid has and the one taken. If one of them lies blank side up, there
    is a key for each number that it may have instead; of several only their number counts. No reading answers the
    question: what people do meanwhile waits for it.

    Args:
        game: before the token is taken.
        lid: what the camera sees after it.
        take: takes the token, or lets it stand.
        following: what is done after `take`; "Back" does it without `take`.
        accept: the step if the game is right.
    """
    number = take.value[0]
    lid_before = replace(
        lid, covered=lid.covered + 1, numbers=replace_at(lid.numbers, number - 1, lid.numbers[number - 1] + 1)
    )
    possible = [t for t in list_possible_tokens(game, lid_before) if can_correct(game, make_correction(t))]

    def list_steps(tokens: tuple[int, ...]) -> tuple[Action, ...]:
        correction = make_correction(tokens)
        move = Move(RemoveToken.kind, game.active_seat, take.value)
        # With another token on the device the dice may not have allowed this one: it is off all the same.
        is_allowed = game.correct(correction).find_refusal(move) is None
        return correction, move if is_allowed else Correction(LetStand.kind, None, take.value), *following

    answers: list[tuple[Input, str, LazyStep]] = []
    blank_count = lid.covered - sum(lid.numbers)
    is_one_press = len(possible) == 1 or (bool(possible) and blank_count > 1)  # no key says the numbers of two
    if is_one_press:
        answers.append((ConsolePress.OK, _("Yes, {n}", n=lid.covered), list_steps(possible[0])))
    elif blank_count == 1:
        for tokens in possible:
            blank = next(n for n in range(1, MAX_TOKEN_NUMBER + 1) if tokens[n - 1] > lid_before.numbers[n - 1])
            answers.append((NumberPress(blank), _("{n} is left", n=blank), list_steps(tokens)))
    answers.append((ConsolePress.MINUS, _("No, {n}", n=0), accept))
    if not is_one_press:  # else the game would go on with as many tokens as the lid, but with another one
        # What follows may have been undone to take the token before it.
        answers.append((ConsolePress.NO, _("Back"), tuple(following) or None))
    return ask_question(_make_lid_question(lid, 0), *answers, shown_seconds=MIN_SHOWN_SECONDS)


def _make_lid_question(lid: LidRead, counted: int) -> Question:
    return Question(
        _.plural("Is {n} window covered?", "Are {n} windows covered?", lid.covered),
        _("By the tokens taken it would be {n}", n=counted),
        warning=True,
    )


def make_correction(tokens: tuple[int, ...]) -> Correction:
    """Make the correction of the tokens on the lid, by number from 1."""
    return Correction(Tokens.kind, None, tokens)


def list_possible_tokens(game: MacroscopeState, lid: LidRead) -> list[tuple[int, ...]]:
    """List which tokens may be on the lid, by number from 1, where some may lie blank side up.

    Only what differs least from the tokens that the game has.
    """
    most = game.settings.tokens_per_number
    possible = [
        tokens for tokens in product(*(range(seen, most + 1) for seen in lid.numbers)) if sum(tokens) == lid.covered
    ]

    def count_changes(tokens: tuple[int, ...]) -> int:
        return sum(abs(has - may) for has, may in zip(game.tokens, tokens, strict=True))

    least = min(map(count_changes, possible), default=0)
    return [tokens for tokens in possible if count_changes(tokens) == least]


def can_correct(game: MacroscopeState, correction: Correction) -> bool:
    """Return whether a correction is possible now."""
    try:
        game.correct(correction)
    except BadCorrection:
        return False
    return True
