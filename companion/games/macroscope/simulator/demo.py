"""The demo of Macroscope: three rounds, players who open windows before they guess, captions on each reading."""

from companion.api import Move, Offer, format_number, join_and
from companion.games.macroscope.asking import Close, GuessWhenCalled, Pick, Wish
from companion.games.macroscope.game import Macroscope
from companion.games.macroscope.moves import CoverWindows, Decline, Guess, RemoveToken, Right, Roll
from companion.games.macroscope.state import AskingReason, Phase
from companion.i18n import _
from companion.simulation.demo_script import DemoCaption, DemoScript, PictureCircle
from companion.vision.reading import Reading

MAX_COVERED_TO_GUESS = 8
"""Covered windows up to which players know enough of the picture to guess."""
CHALLENGE_WEIGHT = 0.5
"""Weight of a challenge, beside 1 for none: in most rounds somebody dares to."""
DIE_RADIUS = 0.9
"""Radius of the circle around a die, in its sides."""
TOKEN_RADIUS = 1.5
"""Radius of the circle around a window, in its radii."""
SETTINGS = {"rounds": 3}


def weigh_offer(game: Macroscope, offer: Offer) -> float:
    """Return the relative weight of an offer: windows are opened first, and only who sees enough guesses."""
    if not isinstance(offer.action, Move):
        return 1.0
    kind, sees_enough = offer.action.kind, game.covered_windows <= MAX_COVERED_TO_GUESS
    if kind == Guess.kind:
        return float(sees_enough and not game.takeable_tokens)
    if kind == Decline.kind:
        return float(not game.takeable_tokens and not sees_enough)
    if kind == Wish.kind:
        return CHALLENGE_WEIGHT * (game.asking_reason is AskingReason.CHALLENGE and not game.wishes)
    taken = (Roll, RemoveToken, Pick, GuessWhenCalled, Close, CoverWindows, Right)
    return float(kind in {move.kind for move in taken})


def find_caption(
    before: Macroscope, after: Macroscope, seen: Reading | None, sees: Reading | None, names: tuple[str, ...]
) -> DemoCaption | None:
    """Return the caption of a change of the game; None: it needs none."""
    if after.dice and after.dice != before.dice and before.phase is Phase.ROLL:
        text = _("The camera reads {dice}", dice=join_and([str(value) for value in after.dice]))
        return DemoCaption(text, _circle_dice(sees))
    if len(after.taken_tokens) > len(before.taken_tokens):
        text = _("The camera sees it: the {n} is gone", n=after.taken_tokens[-1])
        return DemoCaption(text, _circle_opened_window(seen, sees))
    if len(after.guessers) > len(before.guessers):
        who = names[after.guessers[-1]]
        return DemoCaption(_("{who} names the picture: {n} crystals at stake", who=who, n=after.guess_value))
    if before.phase is Phase.COVER and after.phase is Phase.REVEAL:
        return DemoCaption(_("The camera sees: all is covered. Who was right?"))
    if len(after.round_scores) > len(before.round_scores):
        changes = ((names[q], change) for q, change in enumerate(after.changes) if change)
        points = ", ".join(f"{who} {format_number(f'{change:+d}')}" for who, change in changes)
        return DemoCaption(_("The companion keeps the score: {points}", points=points))
    return None


def _circle_dice(sees: Reading | None) -> tuple[PictureCircle, ...]:
    dice = sees.dice if sees is not None else ()
    return tuple(PictureCircle(*die.center, die.side * DIE_RADIUS) for die in dice)


def _circle_opened_window(seen: Reading | None, sees: Reading | None) -> tuple[PictureCircle, ...]:
    if seen is None or sees is None or seen.lid is None or sees.lid is None:
        return ()
    return tuple(
        PictureCircle(*now.center, now.radius * TOKEN_RADIUS)
        for old, now in zip(seen.lid.windows, sees.lid.windows, strict=True)
        if old.covered and now.covered is False
    )


def format_intro() -> str:
    """Return what the game is about."""
    return _("Twelve windows hide a picture: open few of them and guess it")


DEMO = DemoScript(SETTINGS, weigh_offer, format_intro, find_caption)
