"""Why a Macroscope move is refused: the rule (`docs/rules/macroscope.md`), the reason, the players concerned."""

from __future__ import annotations

from companion.games.api.game import IllegalMove, Move, Seat
from companion.games.macroscope.settings import MAX_TOKEN_NUMBER
from companion.games.macroscope.state import ASKING_PHASES, MacroscopeState, MoveKind
from companion.games.macroscope.view import Phase
from companion.i18n import Translator, join_or

_ = Translator("macroscope")

_ACTIVE_PLAYER_RULES: dict[str, str] = {
    MoveKind.ROLL: "M10",
    MoveKind.REMOVE: "M10",
    MoveKind.GUESS: "M15",
    MoveKind.STOP: "M16",
    MoveKind.ASK: "M30",
    MoveKind.CLOSE: "M33",
    MoveKind.PICK: "M24",
}
"""Moves of the active player, each with the rule that says so."""
_TABLE_MOVES = (MoveKind.RENEW, MoveKind.COVER, MoveKind.NOBODY)
"""Moves that belong to no seat."""


def explain_refusal(state: MacroscopeState, move: Move) -> IllegalMove:
    """Return the rule that forbids `move`, which is not legal in `state`, and the reason."""
    if move.kind not in list(MoveKind):
        return IllegalMove("M10", _("{move!r} is not a move of this game"), move=move.kind)
    if state.phase is Phase.OVER:
        return IllegalMove("M60", _("the game is over after {n} scored rounds"), n=state.settings.rounds)
    if move.kind in _TABLE_MOVES:
        return _explain_table_move(state, move)
    if move.seat is None or not 0 <= move.seat < state.player_count:
        return IllegalMove(
            "M6",
            _("{move} needs one of the {n} seats, not {seat}"),
            move=move.kind,
            n=state.player_count,
            seat=move.seat,
        )
    rule = _ACTIVE_PLAYER_RULES.get(move.kind)
    if rule is None:
        return _explain_others(state, move, move.seat)
    if move.seat != state.active_seat:
        return IllegalMove(rule, _("it is {who}'s turn, not {other}'s"), {"who": state.active_seat, "other": move.seat})
    return _explain_remove(state, move) if move.kind == MoveKind.REMOVE else _explain_active(state, move)


def _explain_table_move(state: MacroscopeState, move: Move) -> IllegalMove:
    if move.kind == MoveKind.RENEW:
        if state.cards_used == state.cards_at_renewal:
            return IllegalMove("D1", _("no card has been pulled since the deck was last renewed"))
        return IllegalMove("D1", _("the deck is renewed between two rounds, with all windows covered"))
    if move.seat is not None:
        return IllegalMove("M40", _("{move} belongs to no seat"), move=move.kind)
    if move.kind == MoveKind.COVER:
        return IllegalMove("M40", _("the windows are covered when the guessing is over"))
    return IllegalMove("M40", _("nothing is to be revealed now"))


def _explain_active(state: MacroscopeState, move: Move) -> IllegalMove:
    match move.kind:
        case MoveKind.ROLL if state.settings.dice == "off":
            return IllegalMove("M12", _("this game is played without dice"))
        case MoveKind.ROLL if state.phase is Phase.ROLL:
            return IllegalMove("M10", _("a roll is two dice, each 1 to 6"))
        case MoveKind.ROLL:
            return IllegalMove("M10", _("the dice are rolled once, at the start of a turn"))
        case MoveKind.CLOSE:
            return IllegalMove("M33", _("there is no asking to close now"))
        case MoveKind.PICK if state.phase is Phase.PICK:
            return IllegalMove("M24", _("only {players} can go first"), {"players": state.first_in_queue})
        case MoveKind.PICK:
            return IllegalMove("M24", _("there is nobody to pick from now"))
        case MoveKind.ASK:
            return _explain_ask(state)
    if state.active_seat in state.guessers:
        return IllegalMove("A6", _("{who} has guessed already"), {"who": state.active_seat})
    if state.guessers or state.phase in ASKING_PHASES:
        return IllegalMove("M31", _("{who} has declined, and that is final"), {"who": state.active_seat})
    if state.phase in (Phase.ROLL, Phase.OPEN):
        if move.kind == MoveKind.GUESS:
            return IllegalMove("M20", _("open at least one window before you guess"))
        return IllegalMove("M13", _("open at least one window before you stop"))
    return IllegalMove("M40", _("the windows are being covered"))


def _explain_ask(state: MacroscopeState) -> IllegalMove:
    if state.settings.is_easy:
        return IllegalMove("V4", _("the others are asked once, after the last token"))
    if not state.settings.others_may_guess_after_first_token:
        return IllegalMove("A4", _("in this game the others are not asked after the first token"))
    if state.others_asked:
        return IllegalMove("M30", _("the others have been asked since the first token"))
    if state.phase is not Phase.OPEN or state.opened_windows != 1:
        return IllegalMove("M30", _("the others are asked between the first and the second token"))
    return IllegalMove("M30", _("nobody has the {n} crystals that a guess costs"), n=state.guess_cost)


def _explain_remove(state: MacroscopeState, move: Move) -> IllegalMove:
    if state.guessers:
        return IllegalMove("M21", _("a guess is said, no token is removed in this round any more"))
    if state.phase is Phase.ROLL:
        return IllegalMove("M10", _("roll the dice first"))
    if not state.is_active_free:
        return IllegalMove("M30", _("{who} has declined and opens no more windows"), {"who": state.active_seat})
    if state.opened_windows >= 2:
        return IllegalMove("M13", _("at most two tokens in a turn"))
    if len(move.value) != 1 or not 1 <= move.value[0] <= MAX_TOKEN_NUMBER:
        return IllegalMove("M1", _("a token has a number from 1 to {high}"), high=MAX_TOKEN_NUMBER)
    number = move.value[0]
    if not state.tokens[number - 1]:
        return IllegalMove("M11", _("there is no token {n} on the device"), n=number)
    if not state.takeable_tokens:
        return IllegalMove("M11", _("the dice allow no second token, not a {n}"), n=number)
    allowed = join_or([_("a {n}", n=n) for n in state.takeable_tokens])
    return IllegalMove("M11", _("the dice allow {tokens}, not a {n}"), tokens=allowed, n=number)


def _explain_others(state: MacroscopeState, move: Move, seat: Seat) -> IllegalMove:
    if move.kind == MoveKind.RIGHT:
        if state.phase is not Phase.REVEAL:
            return IllegalMove("M40", _("nothing is to be revealed now"))
        return IllegalMove("M41", _("{who} has not guessed in this round"), {"who": seat})
    if state.phase not in ASKING_PHASES:
        if state.settings.is_easy and state.guessers:
            return IllegalMove("V3", _("nobody may challenge a guess in the easier variant"))
        return IllegalMove("M15", _("the others guess only after the active player has guessed or declined"))
    if seat == state.active_seat and seat not in state.guessers:
        return IllegalMove("M31", _("{who} is the active player and does not guess as another"), {"who": seat})
    if seat in state.guessers:
        return IllegalMove("A6", _("{who} has guessed already, one guess a round"), {"who": seat})
    if state.crystals[seat] < state.guess_cost:
        challenge = _("a challenge costs {n} crystals, {who} has {has}")
        message = challenge if state.active_seat in state.guessers else _("a guess costs {n} crystals, {who} has {has}")
        return IllegalMove("M23", message, {"who": seat}, n=state.guess_cost, has=state.crystals[seat])
    if move.kind == MoveKind.WISH:
        return IllegalMove("M33", _("{who} has already said so"), {"who": seat})
    if seat not in state.wishes:
        return IllegalMove("M33", _("{who} has not asked to guess"), {"who": seat})
    if move.kind == MoveKind.WITHDRAW:
        return IllegalMove("M24", _("say first who begins; {who} may withdraw when called"), {"who": seat})
    if state.called_seat is None:
        return IllegalMove("M24", _("nobody is called yet"))
    return IllegalMove(
        "M24", _("it is {who}'s turn to say a guess, not {other}'s"), {"who": state.called_seat, "other": seat}
    )
