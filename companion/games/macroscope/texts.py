"""Texts of a Macroscope game: short, for a screen that is read from three metres."""

from collections.abc import Sequence

from companion.api import CommonCorrection, Correctable, Correction, Move, Seat
from companion.games.macroscope.rules import Macroscope
from companion.games.macroscope.settings import Settings
from companion.games.macroscope.state import AskingReason, CorrectionKind, MoveKind, Phase
from companion.i18n import N_, Translator, format_number, join_and, join_or

_ = Translator("macroscope")

MAX_LISTED_TOKENS = 3
"""Most token numbers that the prompt lists; where more may be taken it says "any"."""
_MOVE_TEXTS: dict[str, str] = {
    MoveKind.RENEW: N_("The deck is turned over"),
    MoveKind.GUESS: N_("{who} guesses for {n}"),
    MoveKind.STOP: N_("{who} stops"),
    MoveKind.ASK: N_("{who} asks the others"),
    MoveKind.WISH: N_("{who} wants to guess"),
    MoveKind.WITHDRAW: N_("{who} does not guess after all"),
    MoveKind.NAME: N_("{who} guesses for {n}"),
    MoveKind.COVER: N_("All windows are covered"),
    MoveKind.RIGHT: N_("{who} was right"),
    MoveKind.NOBODY: N_("Nobody was right"),
}
"""Moves that are described in the same way unless `describe_move` knows more; {n} is the value of a guess."""
_CORRECTABLE_LABELS: dict[str, str] = {
    CommonCorrection.ACTIVE: N_("whose turn"),
    CommonCorrection.AWAY: N_("{who}, here or away"),
    CommonCorrection.ROUND: N_("round {n}, {who}"),
    CorrectionKind.CRYSTALS: N_("{who}'s crystals"),
    CorrectionKind.DICE: N_("the dice"),
    CorrectionKind.TOKEN: N_("the token just taken"),
    CorrectionKind.TOKENS: N_("tokens of 1 to 6 left"),
    CorrectionKind.VALUE: N_("value of a guess"),
    CorrectionKind.ROUND_NUMBER: N_("the round"),
}


def format_prompt(game: Macroscope, names: Sequence[str]) -> str:
    """Return one translated sentence for the screen: who is to act and what to do now; after the end, who has won.

    Args:
        game: current game.
        names: players' names by seat.

    Raises:
        IndexError: a player in the sentence has no name.
    """
    active = names[game.active_seat]
    match game.phase:
        case Phase.ROLL | Phase.OPEN if game.may_renew and game.is_deck_empty:
            return _("No cards left: renew the deck")
        case Phase.ROLL:
            return _("{who}: arrow away from you, roll the dice", who=active)
        case Phase.OPEN:
            return _format_open_prompt(game, active)
        case Phase.ASKING:
            return _format_asking_prompt(game, active)
        case Phase.PICK:
            tied = join_or([names[q] for q in game.first_in_queue])
            asked = (
                N_("Who goes first, {tied}?") if game.away[game.active_seat] else N_("{who}: who goes first, {tied}?")
            )
            return _(asked, who=active, tied=tied)
        case Phase.CALLED if game.called_seat is not None:
            return _format_called_prompt(game, names[game.called_seat])
        case Phase.COVER if not game.guessers:
            return _("Nobody guessed: three steps, then OK")
        case Phase.COVER:
            return _("The round ends: three steps, then OK")
        case Phase.REVEAL if len(game.guessers) > 1:
            return _("Who was right?")
        case Phase.REVEAL:
            return _("Was {who} right?", who=names[game.guessers[0]])
        case _:
            shared, alone = N_("{players} share the victory with {n}"), N_("{who} wins with {n}")
            winners = join_and([names[q] for q in game.leaders])
            return _(shared if len(game.leaders) > 1 else alone, players=winners, who=winners, n=max(game.crystals))


def get_addressed_seat(game: Macroscope) -> Seat | None:
    """Return the seat of the player whose name the prompt begins with; None: the prompt is for all."""
    match game.phase:
        case Phase.ROLL | Phase.OPEN if not (game.may_renew and game.is_deck_empty):
            return game.active_seat
        case Phase.PICK if not game.away[game.active_seat]:
            return game.active_seat
        case Phase.CALLED:
            return game.called_seat
        case _:
            return None


def list_preparations(settings: Settings, player_count: int) -> Sequence[str]:
    """Return the translated steps of setting up the table, one line each, in order.

    Args:
        settings: house rules of the game.
        player_count: number of players; it is only shown, and not checked.
    """
    lines = [
        _("The deck in the device, pizza card on top; lid on"),
        _("A token at random on each of the {n} windows", n=settings.windows),
        _("Only then: is the pizza card on top? Pull it, into the box"),
        _("The marker on round 1 of the track")
        if settings.dice == "off"
        else _("The marker on round 1 of the track; two dice"),
    ]
    if settings.start_crystals:
        each = _.plural(
            "{n} crystal for each of the {players} players",
            "{n} crystals for each of the {players} players",
            settings.start_crystals,
            players=player_count,
        )
        lines.insert(3, each)
    return lines


def describe_move(before: Macroscope, what: Move | Correction, after: Macroscope, names: Sequence[str]) -> str:
    """Return one translated line for the log on a move or correction, without the changes of scores.

    Args:
        before: game before it.
        what: the move or correction, which was legal in `before`.
        after: game after it.
        names: players' names by seat.

    Raises:
        IndexError: a player concerned has no name.
    """
    if isinstance(what, Correction):
        return _describe_correction(before, what, names)
    who = names[before.active_seat if what.seat is None else what.seat]
    match what.kind:
        case MoveKind.ROLL:
            return _("{who} rolls {dice}", who=who, dice=join_and([str(n) for n in what.value]))
        case MoveKind.REMOVE:
            last, other = N_("{who} opens the last one, a {n}"), N_("{who} opens a {n}")
            return _(other if after.covered_windows else last, who=who, n=what.value[0])
        case MoveKind.CLOSE:
            if before.wishes:
                return _("Nobody else can join in")
            return _("Nobody else wants to guess") if before.guessers else _("Nobody wants to guess")
        case MoveKind.PICK:
            return _("{who} lets {other} go first", who=who, other=names[what.value[0]])
        case MoveKind.NAME if before.asking_reason is AskingReason.CHALLENGE:
            return _("{who} challenges for {n}", who=who, n=before.guess_value)
        case kind:
            return _(_MOVE_TEXTS[kind], who=who, n=before.guess_value)


def label_correctable(_game: Macroscope, what: Correctable | Correction, names: Sequence[str]) -> str:
    """Return the translated name of an entry that may be corrected, for the menu and the log ("Ada's crystals").

    Args:
        what: entry of `list_correctables`, or a correction of one.
        names: players' names by seat.

    Raises:
        IndexError: the player concerned has no name.
        KeyError: no entry has this kind.
    """
    who = "" if what.seat is None else names[what.seat]
    return _(_CORRECTABLE_LABELS[what.kind], who=who, n=" ".join(map(str, what.index)))


def _format_open_prompt(game: Macroscope, who: str) -> str:
    any_token = len(game.takeable_tokens) > MAX_LISTED_TOKENS
    tokens = join_or([_("a {n}", n=n) for n in game.takeable_tokens])
    if not game.opened_windows:
        if game.settings.dice == "off":
            return _("{who}: arrow away from you, open one or two", who=who)
        return _("{who}: open any", who=who) if any_token else _("{who}: open {tokens}", who=who, tokens=tokens)
    if not game.takeable_tokens:
        return _("{who}: guess or stop?", who=who)
    if any_token:
        return _("{who}: guess, stop, or open any", who=who)
    return _("{who}: guess, stop, or open {tokens}", who=who, tokens=tokens)


def _format_called_prompt(game: Macroscope, who: str) -> str:
    """M23, M31: with the price, where there is one (V5)."""
    n = game.guess_cost
    if game.guessers:
        free = _("{who}: say a guess that nobody has said yet", who=who)
        paid = _.plural(
            "{who}: say a new guess, it costs {n} crystal", "{who}: say a new guess, it costs {n} crystals", n, who=who
        )
    else:
        free = _("{who}: say what you see", who=who)
        paid = _.plural(
            "{who}: say what you see, it costs {n} crystal",
            "{who}: say what you see, it costs {n} crystals",
            n,
            who=who,
        )
    return paid if n else free


def _format_asking_prompt(game: Macroscope, active: str) -> str:
    """M23, M30: with the price, where there is one (V5)."""
    n = game.guess_cost
    if game.asking_reason is AskingReason.CHALLENGE:
        free = _("Who challenges {who}?", who=active)
        paid = _.plural(
            "Who challenges {who}? It costs {n} crystal", "Who challenges {who}? It costs {n} crystals", n, who=active
        )
    elif game.guessers:
        free = _("Who else wants to guess?")
        paid = _.plural("Who else wants to guess? {n} crystal each", "Who else wants to guess? {n} crystals each", n)
    else:
        free = _("Who wants to guess?")
        paid = _.plural("Who wants to guess? {n} crystal each", "Who wants to guess? {n} crystals each", n)
    return paid if n else free


def describe_changes(what: Move | Correction, after: Macroscope, names: Sequence[str]) -> str:
    """Return the changes of crystals, most gained first, for the end of the log line; empty: none to report.

    The form is ": Bob +9, Ada −4" after a round is scored, and " (Bob +9, Ada −4)" after other moves.

    Args:
        what: move or correction that led to `after`; of corrections only LET_STAND and AWAY report changes.
        after: game after it.
        names: players' names by seat.

    Raises:
        IndexError: a player concerned has no name.
    """
    best_first = sorted(enumerate(after.changes), key=lambda item: -item[1])
    changes = ", ".join(f"{names[q]} {format_number(f'{change:+d}')}" for q, change in best_first if change)
    is_listed = isinstance(what, Move) or what.kind in (CorrectionKind.LET_STAND, CommonCorrection.AWAY)
    if not changes or not is_listed:
        return ""
    return f": {changes}" if what.kind in (MoveKind.RIGHT, MoveKind.NOBODY) else f" ({changes})"


def _describe_correction(before: Macroscope, what: Correction, names: Sequence[str]) -> str:
    if what.kind == CorrectionKind.LET_STAND:
        return _("{who} opens a {n}, let stand", who=names[before.active_seat], n=what.value[0])
    if what.kind == CommonCorrection.AWAY and what.seat is not None:
        who = names[what.seat]
        return _("{who} is away", who=who) if what.value[0] else _("{who} is back", who=who)
    entry = before.find_correctable(what)
    values = (entry.current_value if entry else (), what.value)
    is_seat = what.kind == CommonCorrection.ACTIVE
    was, now = (names[value[0]] if is_seat else " ".join(map(str, value)) for value in values)
    return _("Corrected: {thing}, {was} to {now}", thing=label_correctable(before, what, names), was=was, now=now)
