"""Why a move is refused: the rule's number, then the reason.

Players appear as ``seat 2``, the value of `Seat`, in every language, for the rules know no names; whoever shows the
message puts them in.
"""

from __future__ import annotations

from companion.games.api.game import Move, Seat, named
from companion.games.macroscope.settings import MAX_TOKEN_NUMBER
from companion.games.macroscope.state import ASKING_PHASES, MacroscopeState
from companion.games.macroscope.view import Phase
from companion.i18n import Translator, join_or

_ = Translator("macroscope")

_OF_ACTIVE = {
    "roll": "M10",
    "remove": "M10",
    "guess": "M15",
    "stop": "M16",
    "ask": "M30",
    "close": "M33",
    "pick": "M24",
}
_OF_NOBODY = {"renew": "D1", "cover": "M40", "nobody": "M40"}
_OF_OTHERS = ("wish", "withdraw", "name", "right")


def explain_refusal(p: MacroscopeState, move: Move) -> str:
    """Says which rule forbids `move`, which is not legal in `p`."""
    if move.kind not in (*_OF_ACTIVE, *_OF_NOBODY, *_OF_OTHERS):
        return _("M10: {move!r} is not a move of this game", move=move.kind)
    if p.phase is Phase.OVER:
        return _("M60: the game is over after {n} scored rounds", n=p.settings.rounds)
    if move.kind in _OF_NOBODY:
        return _of_nobody(p, move)
    if move.seat is None or not 0 <= move.seat < p.player_count:
        return _("M6: {move} needs one of the {n} seats, not {seat}", move=move.kind, n=p.player_count, seat=move.seat)
    if move.kind in _OF_OTHERS:
        return _of_others(p, move, move.seat)
    if move.seat != p.active_seat:
        rule = _OF_ACTIVE[move.kind]
        return _(
            "{rule}: it is {who}'s turn, not {other}'s", rule=rule, who=named(p.active_seat), other=named(move.seat)
        )
    if move.kind == "remove":
        return _remove(p, move)
    return _of_active(p, move)


def _of_nobody(p: MacroscopeState, move: Move) -> str:
    if move.kind == "renew":
        if p.cards_used == p.cards_at_renewal:
            return _("D1: no card has been pulled since the deck was last renewed")
        return _("D1: the deck is renewed between two rounds, with all windows covered")
    if move.seat is not None:
        return _("M40: {move} belongs to no seat", move=move.kind)
    if move.kind == "cover":
        return _("M40: the windows are covered when the guessing is over")
    return _("M40: nothing is to be revealed now")


def _of_active(p: MacroscopeState, move: Move) -> str:
    match move.kind:
        case "roll" if p.settings.dice == "off":
            return _("M12: this game is played without dice")
        case "roll" if p.phase is Phase.ROLL:
            return _("M10: a roll is two dice, each 1 to 6")
        case "roll":
            return _("M10: the dice are rolled once, at the start of a turn")
        case "close":
            return _("M33: there is no asking to close now")
        case "pick" if p.phase is Phase.PICK:
            return _("M24: only {players} can go first", players=join_or([named(q) for q in p.first_in_queue]))
        case "pick":
            return _("M24: there is nobody to pick from now")
        case "ask":
            return _ask(p)
    if p.active_seat in p.guessers:
        return _("A6: {who} has guessed already", who=named(p.active_seat))
    if p.guessers or p.phase in ASKING_PHASES:
        return _("M31: {who} has declined, and that is final", who=named(p.active_seat))
    if p.phase in (Phase.ROLL, Phase.OPEN):
        if move.kind == "guess":
            return _("M20: open at least one window before you guess")
        return _("M13: open at least one window before you stop")
    return _("M40: the windows are being covered")


def _ask(p: MacroscopeState) -> str:
    if p.settings.is_easy:
        return _("V4: the others are asked once, after the last token")
    if not p.settings.others_may_guess_after_first_token:
        return _("A4: in this game the others are not asked after the first token")
    if p.others_asked:
        return _("M30: the others have been asked since the first token")
    if p.phase is not Phase.OPEN or p.opened_windows != 1:
        return _("M30: the others are asked between the first and the second token")
    return _("M30: nobody has the {n} crystals that a guess costs", n=p.guess_cost)


def _remove(p: MacroscopeState, move: Move) -> str:
    if p.guessers:
        return _("M21: a guess is said, no token is removed in this round any more")
    if p.phase is Phase.ROLL:
        return _("M10: roll the dice first")
    if not p.is_active_free:
        return _("M30: {who} has declined and opens no more windows", who=named(p.active_seat))
    if p.opened_windows >= 2:
        return _("M13: at most two tokens in a turn")
    if len(move.value) != 1 or not 1 <= move.value[0] <= MAX_TOKEN_NUMBER:
        return _("M1: a token has a number from 1 to {high}", high=MAX_TOKEN_NUMBER)
    number = move.value[0]
    if not p.tokens[number - 1]:
        return _("M11: there is no token {n} on the device", n=number)
    if not p.takeable_tokens:
        return _("M11: the dice allow no second token, not a {n}", n=number)
    allowed = join_or([_("a {n}", n=n) for n in p.takeable_tokens])
    return _("M11: the dice allow {tokens}, not a {n}", tokens=allowed, n=number)


def _of_others(p: MacroscopeState, move: Move, seat: Seat) -> str:
    if move.kind == "right":
        if p.phase is not Phase.REVEAL:
            return _("M40: nothing is to be revealed now")
        return _("M41: {who} has not guessed in this round", who=named(seat))
    if p.phase not in ASKING_PHASES:
        if p.settings.is_easy and p.guessers:
            return _("V3: nobody may challenge a guess in the easier variant")
        return _("M15: the others guess only after the active player has guessed or declined")
    if seat == p.active_seat and seat not in p.guessers:
        return _("M31: {who} is the active player and does not guess as another", who=named(seat))
    if seat in p.guessers:
        return _("A6: {who} has guessed already, one guess a round", who=named(seat))
    if p.crystals[seat] < p.guess_cost:
        short = {"n": p.guess_cost, "who": named(seat), "has": p.crystals[seat]}
        if p.active_seat in p.guessers:
            return _("M23: a challenge costs {n} crystals, {who} has {has}", **short)
        return _("M23: a guess costs {n} crystals, {who} has {has}", **short)
    if move.kind == "wish":
        return _("M33: {who} has already said so", who=named(seat))
    if seat not in p.wishes:
        return _("M33: {who} has not asked to guess", who=named(seat))
    if move.kind == "withdraw":
        return _("M24: say first who begins; {who} may withdraw when called", who=named(seat))
    if p.called_seat is None:
        return _("M24: nobody is called yet")
    return _("M24: it is {who}'s turn to say a guess, not {other}'s", who=named(p.called_seat), other=named(seat))
