"""The sound effects. Every sound has a visible twin: no sound says more than the screen shows.

The files are in `display/sounds`, made by `tools/make_sounds.py`; which one is played: `effect_choice`.

| sound | when | on the screen |
| --- | --- | --- |
| key | a button is pressed | its soft key lights up |
| turn | another player is addressed | badge, name and sentence at the top |
| ask | the table is asked something | the question over the game |
| notice | something is wrong, or was pressed in vain | the status line in yellow |
| played | something was played, and nothing below fits | the status line |
| gain, miss | a score rises; no score rises and one falls | the scores, and the changes beside them |
| gold | a special prize is won (chosen by the game's scene) | the prize goes to its owner |
| tick | each of the last five seconds of a clock | the clock |
| go | a phase in which all play at the same time begins | the picture of the phase, and its clock |
| stop | such a phase ends | the sentence and the picture of the next phase |
| new, fall | a piece is added to the table; one leaves it and goes to no player (chosen by the scene) | the table |
| round | a round is over | the round track |
| won | the game is over | the ranking |
| seat1 to seat6 | it is that seat's turn | badge, name and sentence at the top |
| everybody, numbers, console | who may press: several players, a number, or the console | the soft keys that glow |

Those of the seats and key groups are played only where everything is spoken.

Which sound belongs to a change: `companion.display.sound.effect_choice`, and `GameScene.choose_sound` for what only a
game knows.
"""

from enum import StrEnum
from typing import NamedTuple

from companion.display.toolkit.package_file import PackageFile


class SoundEffect(StrEnum):
    """The sound effects in the order of their importance: of several, the first is played.

    >>> next(iter(SoundEffect))
    <SoundEffect.WON: 'won'>
    """

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


class SeatSound(StrEnum):
    """The sounds that name who is to act, or the keys to act with: played for people who do not see the screen."""

    SEAT1 = "seat1"
    SEAT2 = "seat2"
    SEAT3 = "seat3"
    SEAT4 = "seat4"
    SEAT5 = "seat5"
    SEAT6 = "seat6"
    EVERYBODY = "everybody"
    NUMBERS = "numbers"
    CONSOLE = "console"


class SoundFile(NamedTuple):
    """A sound of a plug-in's own.

    >>> SoundFile(PackageFile("stone_race", "sounds/bump.wav")).importance
    <SoundEffect.PIECE_ADDED: 'new'>

    Attributes:
        file: WAV or Ogg Vorbis.
        importance: the effect whose rank it has: it is played in its place, unless a more important one fits.
    """

    file: PackageFile
    importance: SoundEffect = SoundEffect.PIECE_ADDED


Sound = SoundEffect | SoundFile
"""What a scene may choose for a change that only its game knows."""
