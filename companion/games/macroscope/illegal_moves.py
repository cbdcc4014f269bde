"""Why a Macroscope move is refused: the rule (`docs/rules/macroscope.md`), the reason, the players concerned."""

from companion.api import IllegalMove, Move, Seat, first_reason
from companion.games.macroscope.settings import MAX_TOKEN_NUMBER
from companion.games.macroscope.state import ASKING_PHASES, MacroscopeState, MoveKind, Phase
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
"""Moves of the active player, each with its rule."""
_TABLE_MOVES = (MoveKind.RENEW, MoveKind.COVER, MoveKind.NOBODY)
"""Moves that belong to no seat."""


def explain_refusal(state: MacroscopeState, move: Move) -> IllegalMove:
    """Return (not raise) the error that explains why `move` is not legal in `state`.

    `move` must not be legal: of a legal one the reason would be wrong. The error holds the number of the rule that
    forbids it, the translated reason and the seats concerned.
    """
    if move.kind not in list(MoveKind):
        return IllegalMove("M10", _("{move!r} is not a move of this game"), move=move.kind)
    if state.phase is Phase.OVER:
        return IllegalMove("M60", _("the game is over after {n} scored rounds"), n=state.settings.rounds)
    if move.kind in _TABLE_MOVES:
        return _explain_table_move(state, move)
    if move.seat is None or not 0 <= move.seat < state.player_count:
        message = _("{move} needs one of the {n} seats, not {seat}")
        return IllegalMove("M6", message, move=move.kind, n=state.player_count, seat=move.seat)
    rule = _ACTIVE_PLAYER_RULES.get(move.kind)
    if rule is None:
        return _explain_others(state, move, move.seat)
    if move.seat != state.active_seat:
        seats = {"who": state.active_seat, "other": move.seat}
        return IllegalMove(rule, _("it is {who}'s turn, not {other}'s"), seats)
    return _explain_remove(state, move) if move.kind == MoveKind.REMOVE else _explain_active(state, move)


def _explain_table_move(state: MacroscopeState, move: Move) -> IllegalMove:
    is_renewal = move.kind == MoveKind.RENEW
    unused = _("no card has been pulled since the deck was last renewed")
    return first_reason(
        (is_renewal and state.cards_used == state.cards_at_renewal, IllegalMove("D1", unused)),
        (is_renewal, IllegalMove("D1", _("the deck is renewed between two rounds, with all windows covered"))),
        (move.seat is not None, IllegalMove("M40", _("{move} belongs to no seat"), move=move.kind)),
        (
            move.kind == MoveKind.COVER,
            IllegalMove("M40", _("the windows are covered when the guessing is over")),
        ),
        (True, IllegalMove("M40", _("nothing is to be revealed now"))),
    )


def _explain_active(state: MacroscopeState, move: Move) -> IllegalMove:
    who = {"who": state.active_seat}
    match move.kind:
        case MoveKind.ROLL:
            return first_reason(
                (state.settings.dice == "off", IllegalMove("M12", _("this game is played without dice"))),
                (state.phase is Phase.ROLL, IllegalMove("M10", _("a roll is two dice, each 1 to 6"))),
                (True, IllegalMove("M10", _("the dice are rolled once, at the start of a turn"))),
            )
        case MoveKind.CLOSE:
            return IllegalMove("M33", _("there is no asking to close now"))
        case MoveKind.PICK if state.phase is Phase.PICK:
            return IllegalMove("M24", _("only {players} can go first"), {"players": state.first_in_queue})
        case MoveKind.PICK:
            return IllegalMove("M24", _("there is nobody to pick from now"))
        case MoveKind.ASK:
            return _explain_ask(state)
    none_open = state.phase in (Phase.ROLL, Phase.OPEN)
    return first_reason(
        (state.active_seat in state.guessers, IllegalMove("A6", _("{who} has guessed already"), who)),
        (
            state.guessers or state.phase in ASKING_PHASES,
            IllegalMove("M31", _("{who} has declined, and that is final"), who),
        ),
        (
            none_open and move.kind == MoveKind.GUESS,
            IllegalMove("M20", _("open at least one window before you guess")),
        ),
        (none_open, IllegalMove("M13", _("open at least one window before you stop"))),
        (True, IllegalMove("M40", _("the windows are being covered"))),
    )


def _explain_ask(state: MacroscopeState) -> IllegalMove:
    between_tokens = state.phase is Phase.OPEN and state.opened_windows == 1
    return first_reason(
        (state.settings.is_easy, IllegalMove("V4", _("the others are asked once, after the last token"))),
        (
            not state.settings.others_may_guess_after_first_token,
            IllegalMove("A4", _("in this game the others are not asked after the first token")),
        ),
        (state.others_asked, IllegalMove("M30", _("the others have been asked since the first token"))),
        (
            not between_tokens,
            IllegalMove("M30", _("the others are asked between the first and the second token")),
        ),
        (True, IllegalMove("M30", _("nobody has the {n} crystals that a guess costs"), n=state.guess_cost)),
    )


def _explain_remove(state: MacroscopeState, move: Move) -> IllegalMove:
    who = {"who": state.active_seat}
    number = move.value[0] if len(move.value) == 1 else 0
    has_number = 1 <= number <= MAX_TOKEN_NUMBER
    allowed = join_or([_("a {n}", n=n) for n in state.takeable_tokens])
    return first_reason(
        (state.guessers, IllegalMove("M21", _("a guess is said, no token is removed in this round any more"))),
        (state.phase is Phase.ROLL, IllegalMove("M10", _("roll the dice first"))),
        (not state.is_active_free, IllegalMove("M30", _("{who} has declined and opens no more windows"), who)),
        (state.opened_windows >= 2, IllegalMove("M13", _("at most two tokens in a turn"))),
        (not has_number, IllegalMove("M1", _("a token has a number from 1 to {high}"), high=MAX_TOKEN_NUMBER)),
        (
            not (has_number and state.tokens[number - 1]),
            IllegalMove("M11", _("there is no token {n} on the device"), n=number),
        ),
        (not allowed, IllegalMove("M11", _("the dice allow no second token, not a {n}"), n=number)),
        (True, IllegalMove("M11", _("the dice allow {tokens}, not a {n}"), tokens=allowed, n=number)),
    )


def _explain_others(state: MacroscopeState, move: Move, seat: Seat) -> IllegalMove:
    """Moves that belong to other players than the active one, and RIGHT."""
    who = {"who": seat}
    if move.kind == MoveKind.RIGHT:
        return first_reason(
            (state.phase is not Phase.REVEAL, IllegalMove("M40", _("nothing is to be revealed now"))),
            (True, IllegalMove("M41", _("{who} has not guessed in this round"), who)),
        )
    is_challenge = state.active_seat in state.guessers
    challenge = _("a challenge costs {n} crystals, {who} has {has}")
    cost = challenge if is_challenge else _("a guess costs {n} crystals, {who} has {has}")
    if state.phase not in ASKING_PHASES:
        return first_reason(
            (
                state.settings.is_easy and state.guessers,
                IllegalMove("V3", _("nobody may challenge a guess in the easier variant")),
            ),
            (
                state.phase in (Phase.COVER, Phase.REVEAL),
                IllegalMove("M40", _("the guessing of this round is over")),
            ),
            (
                True,
                IllegalMove("M15", _("the others guess only after the active player has guessed or declined")),
            ),
        )
    called = state.active_seat if state.called_seat is None else state.called_seat
    return first_reason(
        (
            seat == state.active_seat and not is_challenge,
            IllegalMove("M31", _("{who} is the active player and does not guess as another"), who),
        ),
        (seat in state.guessers, IllegalMove("A6", _("{who} has guessed already, one guess a round"), who)),
        (
            state.crystals[seat] < state.guess_cost,
            IllegalMove("M23", cost, who, n=state.guess_cost, has=state.crystals[seat]),
        ),
        (move.kind == MoveKind.WISH, IllegalMove("M33", _("{who} has already said so"), who)),
        (seat not in state.wishes, IllegalMove("M33", _("{who} has not asked to guess"), who)),
        (
            move.kind == MoveKind.WITHDRAW,
            IllegalMove("M24", _("say first who begins; {who} may withdraw when called"), who),
        ),
        (state.called_seat is None, IllegalMove("M24", _("nobody is called yet"))),
        (
            True,
            IllegalMove("M24", _("it is {who}'s turn to say a guess, not {other}'s"), {"who": called, "other": seat}),
        ),
    )
