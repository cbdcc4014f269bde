"""What the counting tray provides besides its rules: its texts, its screens, its camera."""

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
    Translator,
    join_and,
)
from companion.games.counting_tray.game import (
    FACES,
    CountingTray,
    Face,
    Phase,
    Threshold,
    Throw,
    ThrowAgain,
    format_threshold,
    list_values,
)
from companion.games.counting_tray.settings import Settings

_ = Translator("counting_tray")


class CountingTrayDefinition(GameDefinition[CountingTray]):
    """The counting tray."""

    name = "counting_tray"
    title = N_("Counting tray")
    genre = "dice_tray"
    lobby_place = 1
    player_counts = Settings.model_validate({}).player_counts
    settings_model = Settings
    scene = "companion.games.counting_tray.display.scene:CountingTrayScene"
    samples = "companion.games.counting_tray.samples:build_samples"
    simulator = "companion.simulation.dice_tray.kit:DICE_TRAY"
    camera = CameraUse(
        watcher="companion.vision.tray.watcher:make_dice_tray_watcher",
        layout_file="tray.json",
        readings="companion.games.counting_tray.readings:CountingTrayReadings",
        events=(DiceRead,),
    )
    fair_dice = FairDice()

    def create_game(self, player_count: int, first_seat: Seat, settings: Settings) -> CountingTray:
        return CountingTray.create(player_count, first_seat, settings)

    def format_prompt(self, game: CountingTray, names: Sequence[str]) -> str:
        who = names[game.active_seat]
        match game.phase:
            case Phase.OVER:
                if not any(game.totals) and len(game.leaders) == game.player_count:
                    return _("Nobody has scored")
                winners, n = join_and([names[q] for q in game.leaders]), max(game.totals)
                shared, alone = N_("{names} share the victory with {n}"), N_("{who} wins with {n}")
                return _(shared if len(game.leaders) > 1 else alone, names=winners, who=winners, n=n)
            case Phase.THROW:
                return _("{who}: throw the dice", who=who)
            case Phase.COUNTED if any(game.failed):
                return _("{who}: re-roll those that failed, or throw new", who=who)
        return _("{who}: all count! Throw new", who=who)

    def get_addressed_seat(self, game: CountingTray) -> Seat | None:
        return None if game.is_over else game.active_seat

    def get_round_number(self, game: CountingTray) -> int:
        return game.throw_number

    def get_default_move(self, game: CountingTray, seat: Seat) -> Move:
        # As a number key, from which value dice count.
        return self.get_number_move(game, min(seat + 1, FACES))

    def get_number_move(self, game: CountingTray, number: int) -> Move:
        return Move(Threshold.kind, None, (number,))

    def format_input_title(self, game: CountingTray, move: Move, names: Sequence[str]) -> str:
        return _("Re-rolled dice by face") if move.kind == ThrowAgain.kind else _("Dice by face")

    def list_rules(self, settings: Settings) -> Sequence[PicturedRule]:
        """Return T2 to T6."""
        return (
            PicturedRule(_("Throw dice into the tray."), "die_3", "die_6"),  # T2
            PicturedRule(_("A number key: from this value dice count."), "button 4", "die_4"),  # T3
            PicturedRule(_("Throw failed dice again, if you like."), "die_1", "die_2"),  # T5
            PicturedRule(_("OK: the next player throws."), "sign ok"),  # T6
        )

    def explain_ending(self, settings: Settings) -> str:
        """Return T9."""
        return _("NO ends the game. Whoever has the most hits wins.")

    def list_setup_steps(self, settings: Settings, player_count: int) -> Sequence[str]:
        return (_("A tray and up to 40 dice"), _("It counts: {what}", what=format_threshold(settings.threshold)))

    def list_rolls(self, before: CountingTray, what: Move | Correction, after: CountingTray) -> Iterator[DiceRoll]:
        """Yield the dice that were thrown (T2), thrown again (T5), or corrected.

        Dice corrected after some were thrown again do not count: which of them were is not known.
        """
        roll_id, seat = (after.throw_number, len(after.again_counts)), after.active_seat
        if isinstance(what, Move) and what.kind in (Throw.kind, ThrowAgain.kind):
            yield DiceRoll(roll_id, seat, list_values(what.value))
        elif isinstance(what, Correction) and what.kind == Face.kind:
            yield DiceRoll(roll_id, seat, () if before.again_counts else list_values(after.faces))


GAME = CountingTrayDefinition()
