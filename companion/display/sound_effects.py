"""Which sound belongs to which change of the screen. Every sound has a visible twin; none tells what is not shown.

| sound | when | what is seen |
| --- | --- | --- |
| key | a button is pressed | its key lights up |
| turn | another player is addressed | badge, name and sentence at the top |
| ask | the table is asked something | the question over the game |
| notice | something is wrong, or was pressed in vain | the line in yellow |
| played | something was played, and nothing below fits | the line that tells it |
| gain, miss | somebody's score rises; none rises and one falls | the scores, and what changed beside them |
| gold | Memo Dice: the golden cup is won | the cup goes to its owner |
| tick | the last five seconds of a clock, one each | the clock |
| go | drawing, or a round against the clock, begins | the phase's own picture and its clock |
| stop | it ends | the sentence and the picture of the next phase |
| new, fall | StarFall: a tile comes onto the board; one leaves it and nobody has it | the ring of spaces |
| round | a round is over | the round track |
| won | the game is over | the ranking |
"""

from __future__ import annotations

from enum import StrEnum


class SoundEffect(StrEnum):
    """The sounds; what comes first is heard where several would be."""

    WON = "won"
    STOP = "stop"
    START = "go"
    PRIZE = "gold"
    ROUND_OVER = "round"
    QUESTION = "ask"
    NOTICE = "notice"
    PIECE_ADDED = "new"
    PIECE_LOST = "fall"
    POINTS_GAINED = "gain"
    POINTS_LOST = "miss"
    NEXT_PLAYER = "turn"
    PLAYED = "played"
    TICK = "tick"
    KEY = "key"
