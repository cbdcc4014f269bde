"""What Macroscope provides besides its rules: its texts, short, for a screen read from three metres, and its camera."""

from collections.abc import Iterator, Sequence

from companion.api import (
    N_,
    CameraUse,
    Correction,
    DiceRead,
    DiceRoll,
    FairDice,
    GameDefinition,
    Move,
    PicturedRule,
    Seat,
    format_number,
    join_and,
    join_or,
)
from companion.events import LidCovered, LidRead, TokenPlaced, TokenTaken
from companion.games.macroscope.asking import Wish
from companion.games.macroscope.corrections import LetStand, Presence
from companion.games.macroscope.game import Macroscope
from companion.games.macroscope.moves import Guess, RemoveToken, Right
from companion.games.macroscope.settings import Settings
from companion.games.macroscope.state import AskingReason, Phase, _

MAX_LISTED_TOKENS = 3
"""Most token numbers that the prompt lists; where more may be taken it says "any"."""


class MacroscopeDefinition(GameDefinition[Macroscope]):
    """What Macroscope provides."""

    name = "macroscope"
    title = "Macroscope"
    minutes = 40
    scene = "companion.games.macroscope.display.scene:MacroscopeScene"
    samples = "companion.games.macroscope.samples:build_samples"
    simulator = "companion.games.macroscope.simulator.kit:KIT"
    demo = "companion.games.macroscope.simulator.demo:DEMO"
    lesson = "companion.games.macroscope.lesson:LESSON"
    player_counts = range(2, 7)
    settings_model = Settings
    camera = CameraUse(
        watcher="companion.vision.table.watcher:make_dice_and_lid_watcher",
        layout_file="table.json",
        readings="companion.games.macroscope.readings:MacroscopeReadings",
        events=(DiceRead, TokenTaken, TokenPlaced, LidCovered, LidRead),
        is_view_checked=True,
    )
    fair_dice = FairDice()

    def create_game(self, player_count: int, first_seat: Seat, settings: Settings) -> Macroscope:
        return Macroscope.create(player_count, first_seat, settings)

    def can_join(self, game: Macroscope) -> bool:
        return game.phase is not Phase.OVER and game.player_count + 1 in game.settings.player_counts

    def format_prompt(self, game: Macroscope, names: Sequence[str]) -> str:
        active = names[game.active_seat]
        match game.phase:
            case Phase.ROLL | Phase.OPEN if game.is_renewal_due and game.is_card_out:
                return _("Card away, back unseen, marker +1, then renew the deck")
            case Phase.ROLL | Phase.OPEN if game.is_renewal_due:
                return _("No cards left: renew the deck")
            case Phase.ROLL if game.is_card_out:
                return _("{who}: card away, back unseen, marker +1, roll the dice", who=active)
            case Phase.ROLL:
                return _("{who}: arrow away from you, roll the dice", who=active)
            case Phase.OPEN if game.is_card_out:
                return _("{who}: card away, back unseen, marker +1, open a window", who=active)
            case Phase.OPEN:
                return _format_open_prompt(game, active)
            case Phase.ASKING:
                return _format_asking_prompt(game, names[game.payee])
            case Phase.PICK:
                tied = join_or([names[q] for q in game.first_in_queue])
                asked = (
                    N_("Who goes first, {tied}?")
                    if game.away[game.active_seat]
                    else N_("{who}: who goes first, {tied}?")
                )
                return _(asked, who=active, tied=tied)
            case Phase.CALLED if game.called_seat is not None:
                return _format_called_prompt(game, names[game.called_seat], names[game.payee])
            case Phase.COVER if not game.guessers:
                return _("Nobody guessed: three steps")
            case Phase.COVER:
                return _("The round ends: three steps")
            case Phase.REVEAL if len(game.guessers) > 1:
                return _("Who was right?")
            case Phase.REVEAL:
                return _("Was {who} right?", who=names[game.guessers[0]])
            case _:
                shared, alone = N_("{players} share the victory with {n}"), N_("{who} wins with {n}")
                winners = join_and([names[q] for q in game.leaders])
                return _(shared if len(game.leaders) > 1 else alone, players=winners, who=winners, n=max(game.crystals))

    def format_camera_prompt(self, game: Macroscope, names: Sequence[str]) -> str:
        """Say also what is still to be done of the steps that vanish when the camera sees the first: all is covered."""
        active = names[game.active_seat]
        match game.phase:
            case Phase.ROLL | Phase.OPEN if game.is_renewal_due and game.is_void_card_out:
                return _("Old card in the box unseen, then renew the deck")
            case Phase.ROLL if game.is_void_card_out:
                return _("{who}: old card in the box unseen, marker stays, roll the dice", who=active)
            case Phase.OPEN if game.is_void_card_out:
                return _("{who}: old card in the box unseen, marker stays, open a window", who=active)
            case Phase.REVEAL if len(game.guessers) > 1:
                return _("Pull the card, look: who was right?")
            case Phase.REVEAL:
                return _("Pull the card, look: was {who} right?", who=names[game.guessers[0]])
            case _:
                return self.format_prompt(game, names)

    def format_virtual_prompt(self, game: Macroscope, names: Sequence[str]) -> str:
        active = names[game.active_seat]
        match game.phase:
            case Phase.ROLL | Phase.OPEN if game.is_renewal_due:
                return _("No cards left: renew the deck")
            case Phase.ROLL:
                return _("{who}: roll the dice", who=active)
            case Phase.OPEN if game.settings.dice == "off" and not game.opened_windows:
                return _("{who}: open one or two", who=active)
            case Phase.OPEN:
                return _format_open_prompt(game, active)
            case Phase.COVER:
                return _("The round ends") if game.guessers else _("Nobody guessed")
            case _:
                return self.format_prompt(game, names)

    def get_addressed_seat(self, game: Macroscope) -> Seat | None:
        match game.phase:
            case Phase.ROLL | Phase.OPEN if not game.is_renewal_due:
                return game.active_seat
            case Phase.PICK if not game.away[game.active_seat]:
                return game.active_seat
            case Phase.CALLED:
                return game.called_seat
            case _:
                return None

    def describe_changes(self, what: Move | Correction, after: Macroscope, names: Sequence[str]) -> str:
        """Return the changes of crystals, most gained first; empty: none to report.

        The form is " (Bob +9, Ada −4)". Of corrections only LetStand and Presence report changes.
        """
        best_first = sorted(enumerate(after.changes), key=lambda item: -item[1])
        changes = ", ".join(f"{names[q]} {format_number(f'{change:+d}')}" for q, change in best_first if change)
        is_listed = isinstance(what, Move) or what.kind in (LetStand.kind, Presence.kind)
        return f" ({changes})" if changes and is_listed else ""

    def get_round_number(self, game: Macroscope) -> int:
        return game.round_number

    def get_default_move(self, game: Macroscope, seat: Seat) -> Move:
        if game.phase is Phase.REVEAL:
            return Move(Right.kind, seat)
        return Move(Guess.kind if seat == game.active_seat else Wish.kind, seat)

    def get_number_move(self, game: Macroscope, number: int) -> Move:
        return Move(RemoveToken.kind, game.active_seat, (number,))

    def list_rules(self, settings: Settings) -> Sequence[PicturedRule]:
        """Return M10 to M16, M20 to M24, M41, M42, and V3 to V6 in the easier variant."""
        opened = (
            PicturedRule(_("Open any one or two windows."), "token 2", "token 5")  # M12, M13
            if settings.dice == "off"
            else PicturedRule(_("Roll. Open a window for one die, or both."), "die_2", "token 2")  # M10, M13
        )
        others = (
            _("You do not guess? The others may, free.")  # V5
            if settings.is_easy
            else _("To guess too, the others pay {n}.", n=settings.challenge_cost)  # M23
        )
        stopped = (
            _("No guess: take 2 crystals.")  # V4
            if settings.is_easy
            else _("No guess: a crystal for each opened window.")  # M16
        )
        return (
            opened,
            PicturedRule(stopped, "gem"),
            # M21, M41, M42
            PicturedRule(_("Guess: win or lose one for each covered window."), "token 4", "gem"),
            PicturedRule(others, "button 1", "button 4"),
        )

    def explain_ending(self, settings: Settings) -> str:
        """Return what the game is about, M60 and M61."""
        return _.plural(
            "Peep through windows, say what the picture below shows. After {n} round the most crystals win.",
            "Peep through windows, say what the picture below shows. After {n} rounds the most crystals win.",
            settings.rounds,
        )

    def list_setup_steps(self, settings: Settings, player_count: int) -> Sequence[str]:
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

    def list_rolls(self, before: Macroscope, what: Move | Correction, after: Macroscope) -> Iterator[DiceRoll]:
        """Yield the roll of the turn (M10) if this step rolled it, corrected it, or gave the turn to another player."""
        roll, old_roll = ((game.turn_number, game.active_seat, game.dice) for game in (after, before))
        if after.dice and roll != old_roll:
            yield DiceRoll((after.turn_number,), after.active_seat, after.dice)

    def hides_picture(self, game: Macroscope) -> bool:
        """While windows are covered and the card is pulled, the picture would show the next card."""
        return game.phase is Phase.COVER


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


def _format_called_prompt(game: Macroscope, who: str, payee: str) -> str:
    """M23, M31: with the price and who gets it, where there is one (V5)."""
    n = game.guess_cost
    if game.guessers:
        free = _("{who}: say a guess that nobody has said yet", who=who)
        paid = _.plural(
            "{who}: say a new guess, pay {payee} {n} crystal",
            "{who}: say a new guess, pay {payee} {n} crystals",
            n,
            who=who,
            payee=payee,
        )
    else:
        free = _("{who}: say what you see", who=who)
        paid = _.plural(
            "{who}: say what you see, pay {payee} {n} crystal",
            "{who}: say what you see, pay {payee} {n} crystals",
            n,
            who=who,
            payee=payee,
        )
    return paid if n else free


def _format_asking_prompt(game: Macroscope, payee: str) -> str:
    """M23, M30: with the price and who gets it, where there is one (V5)."""
    n = game.guess_cost
    if game.asking_reason is AskingReason.CHALLENGE:
        free = _("Another guess?")
        paid = _.plural(
            "Another guess? Pay {payee} {n} crystal", "Another guess? Pay {payee} {n} crystals", n, payee=payee
        )
    elif game.guessers:
        free = _("Who else wants to guess?")
        paid = _.plural(
            "Who else wants to guess? Pay {payee} {n} crystal",
            "Who else wants to guess? Pay {payee} {n} crystals",
            n,
            payee=payee,
        )
    else:
        free = _("Who wants to guess?")
        paid = _.plural(
            "Who wants to guess? Pay {payee} {n} crystal",
            "Who wants to guess? Pay {payee} {n} crystals",
            n,
            payee=payee,
        )
    return paid if n else free


GAME = MacroscopeDefinition()
