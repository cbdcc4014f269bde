"""Luck with the dice, in words: "Bo was lucky: 4 more sixes than usual". What chance often gives says nothing.

Counted and compared in `dice_luck.py`; the chances: `companion.dice_statistics`.
"""

from collections.abc import Sequence

from companion.api import FairDice, Seat
from companion.dice_statistics import compute_binomial_tail
from companion.i18n import N_, _
from companion.screen_state import RolledDice

STRIKING_SHARE = 0.03
"""Luck is called striking if fair dice give any of the players as much in at most this share of games.

Fair dice get a remark in about one of eight evenings of six games then.
"""
MIN_DICE_PER_FACE = 2
"""Fewer dice than this for each face (12 of six-sided ones) say nothing yet: a single one changes the luck too much."""
MIN_EXCESS = 2
"""Dice of a face beyond what is usual that are worth a sentence."""
FACES = (N_("ones"), N_("twos"), N_("threes"), N_("fours"), N_("fives"), N_("sixes"))
"""Several dice of a face."""


def describe_luck(
    names: Sequence[str],
    players: Sequence[RolledDice],
    dice: FairDice,
    striking: int | None,
    face_names: Sequence[str] = (),
) -> str:
    """Answer "Was it the dice?" in one translated sentence.

    Args:
        names: the players' names, by seat.
        players: their dice, by seat.
        dice: what the faces are worth.
        striking: seat of the player whose luck is so rare that chance hardly explains it; None: nobody's is.
        face_names: translated names of the faces, from face 1 up; empty: their numbers.
    """
    if all(player.luck is None for player in players):
        return _("Too few dice to tell")
    if striking is None:
        return _("The dice were nothing unusual")
    who, player = names[striking], players[striking]
    if not dice.worth:
        face = max(range(len(player.counts)), key=player.counts.__getitem__)
        name = face_names[face] if face_names else str(face + 1)
        usual = round(sum(player.counts) / len(player.counts))
        return _(
            "{who} rolled {face} {n} times; {usual} is usual", who=who, face=name, n=player.counts[face], usual=usual
        )
    is_good = player.luck is not None and player.luck.value > 0.5
    excess = _count_excess(player.counts, dice)
    if abs(excess) >= MIN_EXCESS and (excess > 0) is is_good:
        return _describe_excess(who, excess, dice)
    if dice.face_worth is None:
        return _("{who} rolled high", who=who) if is_good else _("{who} rolled low", who=who)
    return _("{who} was lucky with the dice", who=who) if is_good else _("{who} was unlucky with the dice", who=who)


def describe_best_faces(names: Sequence[str], counts: Sequence[Sequence[int]], dice: FairDice) -> str:
    """Describe whose number of the best face is the rarest, if it is so rare that chance hardly explains it.

    >>> describe_best_faces(["Ada", "Bo"], [(4, 4, 4, 4, 4, 4), (2, 2, 3, 2, 3, 12)], FairDice())
    'Bo rolled 8 more sixes than usual'

    Args:
        names: the players' names, by seat.
        counts: by seat, the number of dice that showed each face; may be empty.
        dice: what the faces are worth.

    Returns:
        The sentence in the current language; empty: nothing is remarkable.
    """
    rarest, found = STRIKING_SHARE / max(1, len(counts)), ""
    for name, own in zip(names, counts, strict=False):
        n, excess = sum(own), _count_excess(own, dice)
        if n < MIN_DICE_PER_FACE * dice.sides or abs(excess) < MIN_EXCESS:
            continue
        count = own[_find_best_face(dice)]
        above = compute_binomial_tail(count, n, 1 / dice.sides)
        below = 1 - compute_binomial_tail(count + 1, n, 1 / dice.sides)
        if (rarity := 2 * min(above, below)) <= rarest:
            rarest, found = rarity, _describe_excess(name, excess, dice)
    return found


def _find_best_face(dice: FairDice) -> int:
    """Return the index of the face that is worth most."""
    return max(range(dice.sides), key=dice.worth.__getitem__)


def _count_excess(counts: Sequence[int], dice: FairDice) -> int:
    """Return how many more dice than usual show the best face; 0 if no single one is the best, or it has no name."""
    worth = dice.worth
    if not worth or worth.count(max(worth)) > 1 or _find_best_face(dice) >= len(FACES) or len(counts) != dice.sides:
        return 0
    return counts[_find_best_face(dice)] - round(sum(counts) / dice.sides)


def _describe_excess(who: str, excess: int, dice: FairDice) -> str:
    faces, n = _(FACES[_find_best_face(dice)]), abs(excess)
    if dice.face_worth is None:
        more, fewer = N_("{who} rolled {n} more {faces} than usual"), N_("{who} rolled {n} fewer {faces} than usual")
        text = more if excess > 0 else fewer
    elif excess > 0:
        text = N_("{who} was lucky: {n} more {faces} than usual")
    else:
        text = N_("{who} was unlucky: {n} fewer {faces} than usual")
    return _(text, who=who, n=n, faces=faces)


def find_striking(players: Sequence[RolledDice], dice: FairDice) -> Seat | None:
    """Return the player with the rarest luck if one of that many players seldom has it; None: nobody stands out."""
    rarest, found = STRIKING_SHARE / len(players), None
    for q, player in enumerate(players):
        if player.luck is not None:
            above = 1 - player.luck.value
            rarity = 2 * min(above, player.luck.value) if dice.worth else above
            if rarity < rarest:
                rarest, found = rarity, Seat(q)
    return found
