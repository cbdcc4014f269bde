"""Why a Secret Number move is refused: the rule (`docs/rules/secret_number.md`), the reason, the players concerned.

Messages about what only a program could try are in English: they are never shown at a table.
"""

from companion.api import IllegalMove, Move, Seat, first_reason
from companion.games.secret_number.state import MoveKind, Phase, SecretNumberState
from companion.i18n import N_, Translator

_ = Translator("secret_number")

_TABLE_MOVES: dict[str, tuple[str, str]] = {
    MoveKind.DEALT: ("S4", N_("the cards are dealt at the start of a game")),
    MoveKind.AGAIN: ("S4", N_("the cards are dealt again only before a game begins")),
    MoveKind.READY: ("S11", N_("a round is prepared before it starts")),
    MoveKind.GO: ("S20", N_("a round starts when all show at the same time")),
    MoveKind.WAIT: ("S20", N_("only what has not started yet can wait")),
    MoveKind.END: ("S23", N_("no round is being played")),
    MoveKind.NEXT: ("S6", N_("the next game starts when this one is scored")),
    MoveKind.FIX: ("S25", N_("the pile is corrected when it is turned")),
    MoveKind.EARLIER: ("S25", N_("there is no earlier card to go back to")),
    MoveKind.BACK: ("S25", N_("the pile is not being corrected")),
}
"""Moves of the whole table: the rule that says when they are made, and the refusal at any other time."""
_SEAT_MOVES: dict[str, tuple[str, str]] = {
    MoveKind.RIGHT: ("S30", N_("no card is being turned")),
    MoveKind.WRONG: ("S30", N_("no card is being turned")),
    MoveKind.REMOVE: ("S25", N_("there is no card to be taken out")),
    MoveKind.INSERT: ("S25", N_("the pile is not being corrected")),
    MoveKind.BONUS: ("S34", N_("nobody is asked for a bonus")),
}
"""The same for moves of a player at the reveal."""


def explain_refusal(state: SecretNumberState, move: Move) -> IllegalMove:
    """Return (not raise) the error that explains why `move` is not legal in `state`.

    `move` must not be legal: of a legal one the reason would be wrong. The error holds the number of the rule that
    forbids it, the translated reason and the seats concerned.
    """
    if move.kind not in list(MoveKind):
        return IllegalMove("S20", f"'{move.kind}' is not a move of this game")
    if state.phase is Phase.OVER:
        games = state.settings.games
        message = _.plural("the match is over after {n} game", "the match is over after {n} games", games)
        return IllegalMove("S36", message)
    if move.kind in _TABLE_MOVES:
        rule, message = _TABLE_MOVES[move.kind]
        if move.seat is not None or move.value:
            return IllegalMove("S20", f"'{move.kind}' belongs to the whole table")
        return IllegalMove(rule, _(message))
    if move.seat is None or not 0 <= move.seat < state.player_count:
        return IllegalMove("S3", f"'{move.kind}' needs one of the {state.player_count} seats, not {move.seat}")
    if move.kind == MoveKind.LAY:
        return _explain_lay(state, move.seat)
    return _explain_reveal_move(state, move.kind, move.seat)


def _explain_lay(state: SecretNumberState, seat: Seat) -> IllegalMove:
    phase, who = state.phase, {"who": seat}
    round_rule = f"S1{state.round_number}"
    may_ask = {} if state.bonus_seat is None else {"who": state.bonus_seat}
    return first_reason(
        (state.away[seat], IllegalMove("S20", _("{who} is away"), who)),
        (
            seat not in state.participants,
            IllegalMove("S3", _("{who} has no cards in this game and joins the next one"), who),
        ),
        (phase is Phase.DEAL, IllegalMove("S4", _("deal the cards first"))),
        (phase is Phase.PREPARE, IllegalMove(round_rule, _("choose what to show first; OK starts the round"))),
        (phase is Phase.SHOW, IllegalMove(round_rule, _("the round starts when all have shown"))),
        (
            phase is Phase.ROUND and state.count_cards_laid(seat) < state.hand_size,
            IllegalMove("S21", _("{who} laid the last card; another player must lay one first"), who),
        ),
        (phase is Phase.ROUND, _explain_empty_hand(state, seat)),
        (phase is Phase.BONUS, IllegalMove("S34", _("{who} is asked for a bonus of 1, 2 or 3"), may_ask)),
        (True, IllegalMove("S24", _("the three rounds are over, no card is laid any more"))),
    )


def _explain_reveal_move(state: SecretNumberState, kind: str, seat: Seat) -> IllegalMove:
    is_fixing, is_about_card = state.phase is Phase.FIX, kind in (MoveKind.RIGHT, MoveKind.WRONG, MoveKind.REMOVE)
    if is_about_card and state.phase in (Phase.REVEAL, Phase.FIX) and state.next_card is not None:
        owner = state.next_card[1]
        if seat != owner:
            seats = {"owner": owner, "who": seat}
            return IllegalMove("S30", _("the next card is {owner}'s, not {who}'s"), seats)
        if is_fixing:
            return IllegalMove("S25", _("the pile is being corrected; say first that it is right"))
    if kind == MoveKind.INSERT and is_fixing:
        if seat not in state.participants:
            return IllegalMove("S3", _("{who} has no cards in this game"), {"who": seat})
        if state.count_cards_laid(seat) >= state.hand_size:
            return _explain_empty_hand(state, seat)
    if kind == MoveKind.BONUS and state.bonus_seat is not None:
        if seat != state.bonus_seat:
            seats = {"asked": state.bonus_seat, "who": seat}
            return IllegalMove("S34", _("{asked} is asked for the bonus, not {who}"), seats)
        return IllegalMove("S34", _("a display card gives 1, 2 or 3"))
    rule, message = _SEAT_MOVES[kind]
    return IllegalMove(rule, _(message))


def _explain_empty_hand(state: SecretNumberState, seat: Seat) -> IllegalMove:
    return IllegalMove("S22", _("{who} has laid all {n} cards of this game"), {"who": seat}, n=state.hand_size)
