"""The reason given for each move that the rules refuse: rule, sentence and players."""

from __future__ import annotations

from companion.api import Move, Seat
from companion.games.memo_dice import MemoDice
from tests.games.memo_dice.positions import answer, corrected, new, roll, standing
from tests.games.refusals import find_reason

A, B, C = Seat(0), Seat(1), Seat(2)


def looking() -> MemoDice:
    """Ada's die lies open, a blue one."""
    return new().play(Move("show", A, (2,)))


REASONS: list[tuple[MemoDice, Move, str]] = [
    (answer(roll(standing(new(2, 1), 15, 1), "RRRR"), "++++"), Move("next"),
     "D32: the game is over, square 20 is reached"),
    (new(), Move("next"), "D33: this round is not over yet"),
    (answer(roll(new(), "RRRR"), "++++"), Move("die", A, (1,)), "D33: this round is over; OK begins the next one"),
    (corrected(new(), "away", 1, seat=1), Move("die", B, (1,)), "D2: seat 1 is not at the table"),
    # Covering
    (new(), Move("die", B, (1,)), "D10: it is seat 0's turn to roll, not seat 1's"),
    (new(), Move("cover", A), "D10: roll a die first"),
    (new(), Move("gold", A), "D13: cups of every colour are left, so the golden cup has to wait"),
    (new(), Move("show gold", A), "D13: cups of every colour are left, so the golden cup has to wait"),
    (new(), Move("die", A, (0,)), "D11: a symbol is red, blue or black"),
    (roll(new(), "RRR"), Move("die", A, (1,)), "D14: no red cup is left, the golden cup covers this die"),
    (roll(new(), "BBB"), Move("show", A, (2,)), "D14: no blue cup is left, the golden cup covers this die"),
    (roll(new(), "KKK"), Move("die", A, (3,)), "D14: no black cup is left, the golden cup covers this die"),
    (roll(new(), "RRBBKKRB"), Move("die", C, (3,)), "D12: the last die always gets the golden cup"),
    (roll(new(), "RRRR"), Move("die", A, (1,)),
     "D14: the golden cup is placed, no more dice are covered in this round"),
    (looking(), Move("die", A, (1,)), "D10: a die lies open; cover it first"),
    (looking(), Move("cover", B), "D10: it is seat 0's turn to roll, not seat 1's"),
    # Uncovering
    (new(), Move("right", B), "D10: it is seat 0's turn to roll, not seat 1's"),
    (new(), Move("lift", A), "D20: cups are lifted once the golden cup is placed; cover your die first"),
    (roll(new(), "RRRR"), Move("miss", B), "D20: it is seat 0's turn to name the symbol, not seat 1's"),
    (roll(new(), "RRRR"), Move("call", A), "D21: name the symbol, then lift the cup; OK if it is right, NO if not"),
    (roll(new(answer_seconds=9), "RRRR").play(Move("call", A)), Move("call", A),
     "D21: a symbol is named once, no change afterwards; lift the cup"),
    (roll(new(answer_seconds=9), "RRRR").play(Move("lift", A)), Move("call", A),
     "D21: the cup is lifted; OK if the symbol was named rightly, NO if not"),
]  # fmt: skip
"""A game of Ada, Bob and Cleo, mostly; the move tried; why it is refused."""


def test_a_refusal_gives_rule_reason_and_players() -> None:
    assert [find_reason(game, tried) for game, tried, _ in REASONS] == [reason for *_, reason in REASONS]
