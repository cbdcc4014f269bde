"""What Stone Race provides besides its rules."""

from collections.abc import Iterator, Sequence

from companion.api import (
    DICE_CAMERA,
    N_,
    Correction,
    DiceRoll,
    FairDice,
    GameDefinition,
    Move,
    PicturedRule,
    Seat,
    Translator,
    join_and,
)
from stone_race.game import PLAYER_COUNTS, SIX, Settings, StoneRace, Throw

_ = Translator("stone_race", package="stone_race")


class StoneRaceDefinition(GameDefinition[StoneRace]):
    """What Stone Race provides."""

    name = "stone_race"
    title = N_("Stone Race")
    player_counts = PLAYER_COUNTS
    settings_model = Settings
    scene = "stone_race.scene:StoneRaceScene"
    samples = "stone_race.samples:build_samples"
    camera = DICE_CAMERA
    fair_dice = FairDice()
    locale_package = "stone_race"

    def create_game(self, player_count: int, first_seat: Seat, settings: Settings) -> StoneRace:
        return StoneRace.create(player_count, first_seat, settings)

    def format_prompt(self, game: StoneRace, names: Sequence[str]) -> str:
        outcome = game.compute_outcome()
        if outcome:
            return _("{who} has won", who=join_and([names[seat] for seat in outcome.winners]))
        if game.die == SIX:
            return _("{who}: throw again", who=names[game.active_seat])
        return _("{who}: throw the die", who=names[game.active_seat])

    def get_addressed_seat(self, game: StoneRace) -> Seat | None:
        return None if game.explain_end() else game.active_seat

    def get_default_move(self, game: StoneRace, seat: Seat) -> Move:
        return Move(Throw.kind, seat)

    def list_setup_steps(self, settings: Settings, player_count: int) -> Sequence[str]:
        return (_("Lay {n} stones in a row", n=settings.stones), _("A die, and a pawn for each player"))

    def list_rules(self, settings: Settings) -> Sequence[PicturedRule]:
        return (
            PicturedRule(_("Throw, and walk on as many stones."), "die_4"),
            PicturedRule(_("Whoever you meet goes back to the bank."), "button 1", "button 2"),
            PicturedRule(_("A six: throw again."), "die_6"),
            PicturedRule(_("On the last stone you are across."), "stone_race:art/title.png"),
        )

    def explain_ending(self, settings: Settings) -> str:
        return _("Whoever is across first wins.")

    def list_rolls(self, before: StoneRace, what: Move | Correction, after: StoneRace) -> Iterator[DiceRoll]:
        if isinstance(what, Move):
            yield DiceRoll((after.throw_count,), what.seat, what.value)


GAME = StoneRaceDefinition()
