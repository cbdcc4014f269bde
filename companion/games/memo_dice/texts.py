"""A Memo Dice game in words: short, for a screen that is read from three metres.

No line names a symbol, nor the colour of the die under the golden cup (D14): lines stay on the screen and in the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.api.game import Correctable, Correction, Move, Seat
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.rules import MemoDice
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.view import SYMBOL_COLOURS, CupColour, Phase
from companion.i18n import N_, Translator, join_and

_ = Translator("memo_dice")

PIECE_COLOURS = (N_("white"), N_("purple"), N_("orange"), N_("green"))
"""D2, by seat."""


def format_prompt(game: MemoDice, names: Sequence[str]) -> str:
    """Who, and what now."""
    active = names[game.active_seat]
    match game.phase:
        case Phase.COVER if game.is_last_die:
            return _("{who}: roll the last die, it gets the golden cup", who=active)
        case Phase.COVER if not game.coverable_colours:
            return _("{who}: roll a die, it gets the golden cup", who=active)
        case Phase.COVER:
            return _("{who}: roll a die, press its colour", who=active)
        case Phase.LOOK if game.open_colour is not None:
            return colour_texts.translate(colour_texts.COVER_PROMPTS, game.open_colour, who=active)
        case Phase.UNCOVER:
            return _uncover(game, active)
        case Phase.SCORED:
            return _("{who}: you start the next round. Move the pieces first", who=active)
        case _:
            return _result(game, names)


def format_prompt_with_camera(game: MemoDice, names: Sequence[str]) -> str:
    """Who, and what now, where the camera reads the dice and sees the cups."""
    if game.phase is Phase.COVER and game.coverable_colours:
        return _("{who}: roll a die, put it at the end of the row", who=names[game.active_seat])
    return format_prompt(game, names)


def describe_move(before: MemoDice, what: Move | Correction, after: MemoDice, names: Sequence[str]) -> str:
    """One line on what was played."""
    if isinstance(what, Correction):
        return _corrected(before, what, names)
    who = names[before.active_seat if what.seat is None else what.seat]
    match what.kind:
        case "die" | "gold" | "show" | "show gold" if after.open_colour is not None:
            cup = colour_texts.translate(colour_texts.CUP_NAMES, after.open_colour)
            return _("{who} rolls die {n}: {cup}", who=who, n=len(before.cup_row) + 1, cup=cup)
        case "gold" | "cover" if after.stage is Phase.UNCOVER:
            return _("{who} covers die {n} with the golden cup and begins to guess", who=who, n=len(after.cup_row))
        case "die" | "cover":
            return colour_texts.translate(
                colour_texts.COVERED_LINES, after.cup_row[-1].colour, who=who, n=len(after.cup_row)
            )
        case "call" | "lift" | "right" | "miss":
            return _answered(before, what.kind, after, who, names)
        case _:
            return _("Round {n} begins: {who} starts", n=after.round_number, who=names[after.active_seat])


def explain_score(before: MemoDice, after: MemoDice, seat: Seat) -> str:
    """D30: the cups that a player's round was made of, once it is scored."""
    own = [cup.colour for cup in after.cup_row if cup.owner == seat]
    if len(after.round_scores) == len(before.round_scores) or not own:
        return ""
    if CupColour.GOLD not in own:
        return _.plural("{n} cup", "{n} cups", len(own))
    if own == [CupColour.GOLD]:
        return _("the golden cup")
    return _.plural("{n} cup and the golden one", "{n} cups and the golden one", len(own) - 1)


def label_correctables(game: MemoDice, names: Sequence[str]) -> Mapping[tuple[str, Seat | None], str]:
    """A line of the menu for each thing that may be corrected now."""
    return {(c.kind, c.seat): _thing(c.kind, c.seat, names) for c in game.list_correctables()}


def label_values(game: MemoDice, what: Correctable, names: Sequence[str]) -> Sequence[str]:
    """Words for the values of what may be corrected, from the lowest up; empty: the numbers themselves."""
    match what.kind.partition(" ")[0]:
        case "open" | "cup":
            return tuple(colour_texts.translate(colour_texts.NAMES, colour) for colour in SYMBOL_COLOURS)
        case "taker":
            return tuple(names[: game.player_count])
        case "unknown":
            return (_("no"), _("yes"))
        case "swap":
            first, last = what.value_range.low + 1, what.value_range.high
            return (_("none"), *(join_and([str(i), str(i + 1)]) for i in range(first, last + 1)))
        case _:
            return ()


def list_preparations(settings: Settings, players: int) -> Sequence[str]:
    """D1, D2: what to lay out, a line each."""
    pieces = join_and([_(piece) for piece in PIECE_COLOURS[:players]])
    return (
        _("Cups: {n} red, {n} blue, {n} black and the golden one", n=settings.cups_per_colour),
        _("{n} dice within everybody's reach", n=settings.dice),
        _("Pieces on square {n}: {pieces}", n=settings.start_square, pieces=pieces),
    )


def _result(game: MemoDice, names: Sequence[str]) -> str:
    outcome = game.compute_outcome()
    winners = [names[q] for q in outcome.winners] if outcome else []
    square = max(game.squares)
    if len(winners) > 1:
        return _("{players} share the victory on square {n}", players=join_and(winners), n=square)
    return _("{who} wins on square {n}", who=join_and(winners), n=square)


def _uncover(game: MemoDice, who: str) -> str:
    n, gold = _next(game)
    if game.cup_row[n - 1].is_die_unknown:
        if gold:
            return _("{who}: the golden cup's die was knocked over, the table decides", who=who)
        return _("{who}: cup {n}'s die was knocked over, the table decides", who=who, n=n)
    if game.cup_lifted:
        if gold:
            return _("{who}: the golden cup is lifted. Right or wrong?", who=who)
        return _("{who}: cup {n} is lifted. Right or wrong?", who=who, n=n)
    if game.symbol_named:
        if gold:
            return _("{who}: lift the golden cup. Right or wrong?", who=who)
        return _("{who}: lift cup {n}. Right or wrong?", who=who, n=n)
    if gold:
        return _("{who}: what is under the golden cup?", who=who)
    return _("{who}: what is under cup {n}?", who=who, n=n)


def _answered(before: MemoDice, kind: str, after: MemoDice, who: str, names: Sequence[str]) -> str:
    """D21 to D23: what became of the next cup."""
    n, gold = _next(before)
    match kind:
        case "call" if gold:
            return _("{who} has named a symbol for the golden cup", who=who)
        case "call":
            return _("{who} has named a symbol for cup {n}", who=who, n=n)
        case "lift":
            return _("The golden cup is lifted") if gold else _("Cup {n} is lifted", n=n)
        case "right" if gold:
            line = _("{who} is right about the golden cup", who=who)
        case "right":
            line = _("{who} is right about cup {n}", who=who, n=n)
        case _:
            other = names[after.cup_row[n - 1].owner or 0]
            if gold:
                line = _("{who} loses the golden cup to {other}", who=who, other=other)
            else:
                line = _("{who} loses cup {n} to {other}", who=who, n=n, other=other)
    return line + _scored(after, names)


def _next(game: MemoDice) -> tuple[int, bool]:
    """Number of the cup to be lifted next, and whether it is the golden one."""
    i = game.next_cup_index
    assert i is not None, "a cup is down"
    return i + 1, game.cup_row[i].colour is CupColour.GOLD


def _scored(after: MemoDice, names: Sequence[str]) -> str:
    """After the last cup: what the round brought."""
    if after.stage is not Phase.SCORED:
        return ""
    best_first = sorted(enumerate(after.round_scores[-1]), key=lambda item: (-item[1], item[0]))
    return ": " + ", ".join(f"{names[q]} +{points}" for q, points in best_first if points)


def _corrected(before: MemoDice, what: Correction, names: Sequence[str]) -> str:
    kind, _space, number = what.kind.partition(" ")
    (value,) = what.value
    old = next(
        (c.current_value[0] for c in before.list_correctables() if (c.kind, c.seat) == (what.kind, what.seat)), 0
    )
    was, now = str(old), str(value)
    match kind:
        case "away" if what.seat is not None:
            who = names[what.seat]
            return _("{who} has left", who=who) if value else _("{who} is at the table", who=who)
        case "swap":
            return _("Corrected: cups {n} and {m} change places", n=value, m=value + 1)
        case "unknown" if value:
            return _("Corrected: die {n} was knocked over", n=number)
        case "unknown":
            return _("Corrected: die {n} is as it was rolled", n=number)
        case "active" | "taker":
            was, now = names[old], names[value]
        case "cup" | "open":
            was, now = (colour_texts.translate(colour_texts.NAMES, CupColour(each)) for each in (old, value))
    return _("Corrected: {thing}, {was} to {now}", thing=_thing(what.kind, what.seat, names), was=was, now=now)


def _thing(kind: str, seat: Seat | None, names: Sequence[str]) -> str:
    what, _space, number = kind.partition(" ")
    who = "" if seat is None else names[seat]
    match what:
        case "open":
            return _("the open die's colour")
        case "active":
            return _("whose turn")
        case "cup":
            return _("colour of cup {n}", n=number)
        case "swap":
            return _("neighbours that change places")
        case "taker":
            return _("who has cup {n}", n=number)
        case "square":
            return _("{who}'s square", who=who)
        case "unknown":
            return _("die {n} was knocked over", n=number)
        case "round":
            return _("{who}'s points in round {n}", who=who, n=number)
        case _:
            return _("{who} is away", who=who)
