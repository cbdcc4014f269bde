"""Stone Race: a game for the board game companion in a distribution of its own. The camera reads its die."""

from collections.abc import Sequence

from companion.api import (
    DICE_CAMERA,
    N_,
    NUMBER_ENTRY,
    THROW_DICE,
    CommonCorrection,
    ConsolePress,
    Correctable,
    Correction,
    DiceRoll,
    FairDice,
    GameDefinition,
    Move,
    Offer,
    Seat,
    Translator,
    Visibility,
    join_and,
)
from stone_race.rules import PLAYER_COUNTS, SIX, THROW, Settings, StoneRace

__all__ = ["GAME", "Settings", "StoneRace"]

_ = Translator("stone_race", package="stone_race")


def list_offers(game: StoneRace, _names: Sequence[str], visibility: Visibility) -> Sequence[Offer]:
    """List what can be done now: throw before the camera, or enter the throw by a number key."""
    offers = []
    for throw in game.list_moves():
        if visibility.dice:
            offers.append(Offer(throw, THROW_DICE, _("Throw the die"), awaited=True))
            offers.append(Offer(throw, ConsolePress.PLUS, _("Enter throw")))
        else:
            offers.append(Offer(throw, NUMBER_ENTRY, _("Enter throw"), awaited=True))
    return offers


def format_prompt(game: StoneRace, names: Sequence[str]) -> str:
    """Return who is to act, and what to do."""
    outcome = game.compute_outcome()
    if outcome:
        return _("{who} has won", who=join_and([names[seat] for seat in outcome.winners]))
    if game.die == SIX:
        return _("{who}: throw again", who=names[game.active_seat])
    return _("{who}: throw the die", who=names[game.active_seat])


def get_addressed_seat(game: StoneRace) -> Seat | None:
    """Return the player whose name the prompt begins with."""
    return game.active_seat if game.compute_outcome() is None else None


def describe_line(_before: StoneRace, what: Move | Correction, after: StoneRace, names: Sequence[str]) -> str:
    """Return a line of the log on a move or a correction."""
    name = names[what.seat or 0]
    if isinstance(what, Move):
        return _("{who} throws {n}", who=name, n=what.value[0]) + "".join(
            "; " + _("{who} is bumped", who=names[seat]) for seat in after.bumped
        )
    match what.kind:
        case CommonCorrection.ACTIVE:
            return _("Corrected: it is the turn of {who}", who=names[what.value[0]])
        case CommonCorrection.AWAY:
            return _("{who} is away", who=name) if what.value[0] else _("{who} is back", who=name)
        case _:
            return _("Corrected: {who} is on stone {n}", who=name, n=what.value[0])


def label_correctable(_game: StoneRace, what: Correctable, names: Sequence[str]) -> str:
    """Return the line of what may be corrected, in the menu."""
    match what.kind:
        case CommonCorrection.ACTIVE:
            return _("Whose turn")
        case CommonCorrection.AWAY:
            return _("{who}: here or away", who=names[what.seat or 0])
        case _:
            return _("{who}’s stone", who=names[what.seat or 0])


def label_values(_game: StoneRace, what: Correctable, names: Sequence[str]) -> Sequence[str]:
    """Return words for the values of what may be corrected, from the lowest up; empty: the numbers themselves."""
    match what.kind:
        case CommonCorrection.ACTIVE:
            return tuple(names)
        case CommonCorrection.AWAY:
            return (_("here"), _("away"))
        case _:
            return ()


def list_rolls(_before: StoneRace, what: Move | Correction, after: StoneRace) -> Sequence[DiceRoll]:
    """Return what chance decided in a step, for the statistics of luck."""
    return [DiceRoll((after.throw_count,), what.seat, what.value)] if isinstance(what, Move) else []


class StoneRaceDefinition(GameDefinition[StoneRace]):
    """What Stone Race provides."""

    name = "stone_race"
    title = N_("Stone Race")
    player_counts = PLAYER_COUNTS
    settings_model = Settings
    scene = "stone_race.scene:StoneRaceScene"
    samples = "stone_race.samples:build_samples"
    create_game = staticmethod(StoneRace.create)
    list_offers = staticmethod(list_offers)
    format_prompt = staticmethod(format_prompt)
    describe_step = staticmethod(describe_line)
    label_correctable = staticmethod(label_correctable)
    label_values = staticmethod(label_values)
    get_default_move = staticmethod(lambda _game, seat: Move(THROW, seat))
    list_setup_steps = staticmethod(
        lambda settings, _count: [
            _("Lay {n} stones in a row", n=settings.stones),
            _("A die, and a pawn for each player"),
        ]
    )
    get_addressed_seat = staticmethod(get_addressed_seat)
    camera = DICE_CAMERA
    fair_dice = FairDice()
    list_rolls = staticmethod(list_rolls)
    locale_package = "stone_race"


GAME = StoneRaceDefinition()
