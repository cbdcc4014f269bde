"""A Macroscope game in words: short, for a screen that is read from three metres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.api.game import Correction, Move, Seat
from companion.games.macroscope.rules import Macroscope
from companion.games.macroscope.settings import Settings
from companion.games.macroscope.view import AskingReason, Phase
from companion.i18n import Translator, join_and, join_or

_ = Translator("macroscope")

MAX_LISTED_TOKENS = 3
"""Numbers that are listed; more than these are any."""


def format_prompt(game: Macroscope, names: Sequence[str]) -> str:
    """Who, and what now."""
    active = names[game.active_seat]
    match game.phase:
        case Phase.ROLL | Phase.OPEN if game.may_renew and game.is_deck_empty:
            return _("The device is empty: turn the pile over and put it in")
        case Phase.ROLL:
            return _("{who}: roll the dice", who=active)
        case Phase.OPEN:
            return _open(game, active)
        case Phase.ASKING:
            return _ask(game)
        case Phase.PICK:
            tied = join_or([names[q] for q in game.first_in_queue])
            return _("{who}: who goes first, {tied}?", who=active, tied=tied)
        case Phase.CALLED if game.called_seat is not None:
            return _("{who}: say what you see", who=names[game.called_seat])
        case Phase.COVER if not game.guessers:
            return _("Nobody guessed: cover all windows, then pull the top card")
        case Phase.COVER:
            return _("Cover all windows, then pull the top card")
        case Phase.REVEAL if len(game.guessers) > 1:
            return _("Who was right?")
        case Phase.REVEAL:
            return _("Was {who} right?", who=names[game.guessers[0]])
        case _:
            return _result(game, names)


def list_preparations(settings: Settings, players: int) -> Sequence[str]:
    """M2 to M6: what is to be laid out."""
    lines = [
        _("Cards in the device, the lid closed")
        if settings.dice == "off"
        else _("Cards in the device, the lid closed; two dice"),
        _("All {n} windows covered with tokens", n=settings.windows),
        _("The marker on round 1 of the track"),
    ]
    if settings.start_crystals:
        each = _.plural(
            "{n} crystal for each of the {players} players",
            "{n} crystals for each of the {players} players",
            settings.start_crystals,
            players=players,
        )
        lines.insert(1, each)
    return lines


def describe_move(before: Macroscope, what: Move | Correction, after: Macroscope, names: Sequence[str]) -> str:
    """One line on what was played."""
    if isinstance(what, Correction):
        return _corrected(before, what, after, names)
    line = _played(before, what, after, names)
    changes = _changes(after, names)
    if what.kind in ("right", "nobody"):
        return f"{line}: {changes}" if changes else line
    return f"{line} ({changes})" if changes else line


def label_correctables(game: Macroscope, names: Sequence[str]) -> Mapping[tuple[str, Seat | None], str]:
    """A line of the menu for each thing that may be corrected now."""
    return {(c.kind, c.seat): _thing(c.kind, c.seat, names) for c in game.list_correctables()}


def _open(game: Macroscope, who: str) -> str:
    anything = len(game.takeable_tokens) > MAX_LISTED_TOKENS
    tokens = join_or([_("a {n}", n=n) for n in game.takeable_tokens])
    if not game.opened_windows:
        if game.settings.dice == "off":
            return _("{who}: open one or two windows", who=who)
        return _("{who}: open any", who=who) if anything else _("{who}: open {tokens}", who=who, tokens=tokens)
    if not game.takeable_tokens:
        return _("{who}: guess or stop?", who=who)
    if anything:
        return _("{who}: guess, stop, or open any", who=who)
    return _("{who}: guess, stop, or open {tokens}", who=who, tokens=tokens)


def _ask(game: Macroscope) -> str:
    """M23, M30: the price is said where there is one (V5)."""
    n = game.guess_cost
    if game.asking_reason is AskingReason.CHALLENGE:
        free = _("Who wants to challenge?")
        paid = _.plural("Who wants to challenge? {n} crystal each", "Who wants to challenge? {n} crystals each", n)
    elif game.guessers:
        free = _("Who else wants to guess?")
        paid = _.plural("Who else wants to guess? {n} crystal each", "Who else wants to guess? {n} crystals each", n)
    else:
        free = _("Who wants to guess?")
        paid = _.plural("Who wants to guess? {n} crystal each", "Who wants to guess? {n} crystals each", n)
    return paid if n else free


def _result(game: Macroscope, names: Sequence[str]) -> str:
    outcome = game.compute_outcome()
    winners = [names[q] for q in outcome.winners] if outcome else []
    if len(winners) > 1:
        return _("{players} share the victory with {n}", players=join_and(winners), n=max(game.crystals))
    return _("{who} wins with {n}", who=join_and(winners), n=max(game.crystals))


def _played(before: Macroscope, move: Move, after: Macroscope, names: Sequence[str]) -> str:
    who = names[before.active_seat if move.seat is None else move.seat]
    match move.kind:
        case "roll":
            return _("{who} rolls {dice}", who=who, dice=join_and([str(n) for n in move.value]))
        case "renew":
            return _("The deck is turned over")
        case "remove" if not after.covered_windows:
            return _("{who} opens a {n}: the last one, and nobody has guessed", who=who, n=move.value[0])
        case "remove":
            return _("{who} opens a {n}", who=who, n=move.value[0])
        case "guess":
            return _("{who} guesses for {n}", who=who, n=before.covered_windows)
        case "stop":
            return _("{who} stops", who=who)
        case "ask":
            return _("{who} asks the others", who=who)
        case "wish":
            return _("{who} wants to guess", who=who)
        case "withdraw":
            return _("{who} does not guess after all", who=who)
        case "close":
            return _("The asking is closed") if before.wishes else _("Nobody wants to guess")
        case "pick":
            return _("{who} lets {other} go first", who=who, other=names[move.value[0]])
        case "name" if before.asking_reason is AskingReason.CHALLENGE:
            return _("{who} challenges for {n}", who=who, n=before.guess_value)
        case "name":
            return _("{who} guesses for {n}", who=who, n=before.guess_value)
        case "cover":
            return _("All windows are covered")
        case "right":
            return _("{who} was right", who=who)
        case _:
            return _("Nobody was right")


def _corrected(before: Macroscope, what: Correction, after: Macroscope, names: Sequence[str]) -> str:
    changes = _changes(after, names)
    if what.kind == "let_stand":
        line = _("{who} opens a {n}, let stand", who=names[before.active_seat], n=what.value[0])
        return f"{line} ({changes})" if changes else line
    if what.kind == "away" and what.seat is not None:
        who = names[what.seat]
        line = _("{who} is away", who=who) if what.value[0] else _("{who} is back", who=who)
        return f"{line} ({changes})" if changes else line
    old = next((c.current_value for c in before.list_correctables() if (c.kind, c.seat) == (what.kind, what.seat)), ())
    was, now = (names[old[0]], names[what.value[0]]) if what.kind == "active" else (_listed(old), _listed(what.value))
    return _("Corrected: {thing}, {was} to {now}", thing=_thing(what.kind, what.seat, names), was=was, now=now)


def _thing(kind: str, seat: Seat | None, names: Sequence[str]) -> str:
    match kind:
        case "crystals" if seat is not None:
            return _("{who}'s crystals", who=names[seat])
        case _ if kind.startswith("round ") and seat is not None:
            return _("round {n}, {who}", n=kind.removeprefix("round "), who=names[seat])
        case "away" if seat is not None:
            return _("{who}, here or away", who=names[seat])
        case "dice":
            return _("the dice")
        case "token":
            return _("the token just taken")
        case "tokens":
            return _("tokens of 1 to 6 left")
        case "value":
            return _("value of a guess")
        case "marker":
            return _("the round")
        case _:
            return _("whose turn")


def _changes(game: Macroscope, names: Sequence[str]) -> str:
    """Gains first, then losses: "Bob +9, Ada -4"."""
    moved = sorted(((d, q) for q, d in enumerate(game.changes) if d), key=lambda item: (-item[0], item[1]))
    return ", ".join(f"{names[q]} {d:+d}" for d, q in moved)


def _listed(values: Sequence[int]) -> str:
    return " ".join(str(v) for v in values)
