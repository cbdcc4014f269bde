"""What Memo Dice provides besides its rules: its texts, short, for a screen read from three metres, and its camera.

No line names a symbol, nor the colour of the die under the golden cup (D14): lines stay on the screen and in the log.
"""

from collections.abc import Collection, Iterator, Sequence

from companion.api import (
    N_,
    CameraUse,
    Correction,
    DiceRoll,
    FairDice,
    GameDefinition,
    Move,
    PicturedRule,
    Seat,
    join_and,
)
from companion.events import CupLifted, CupPlaced, DieShown, MemoColour
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.corrections import CupColour, GoldenCup
from companion.games.memo_dice.game import MemoDice
from companion.games.memo_dice.moves import Call, EnterDie, Gold, Miss, Right, Show, ShowGold
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.state import COLOUR_NUMBERS, SYMBOL_COLOURS, Phase, _


class MemoDiceDefinition(GameDefinition[MemoDice]):
    """What Memo Dice provides."""

    name = "memo_dice"
    title = "Memo Dice"
    minutes = 20
    scene = "companion.games.memo_dice.display.scene:MemoDiceScene"
    samples = "companion.games.memo_dice.samples:build_samples"
    simulator = "companion.games.memo_dice.simulator.kit:KIT"
    player_counts = range(2, 5)
    settings_model = Settings
    piece_colours = ("purple", "orange", "green", "white", "purple", "orange")
    camera = CameraUse(
        watcher="companion.vision.cups.watcher:CupRowWatcher",
        layout_file="row.json",
        readings="companion.games.memo_dice.readings:MemoDiceReadings",
        events=(DieShown, CupPlaced, CupLifted),
    )
    fair_dice = FairDice(sides=len(SYMBOL_COLOURS), face_worth=())

    def create_game(self, player_count: int, first_seat: Seat, settings: Settings) -> MemoDice:
        return MemoDice.create(player_count, first_seat, settings)

    def format_prompt(self, game: MemoDice, names: Sequence[str]) -> str:
        active = names[game.active_seat]
        match game.phase:
            case Phase.COVER if game.is_last_die:
                return _("{who}: roll the last die, it gets the golden cup", who=active)
            case Phase.COVER if not game.coverable_colours:
                return _("{who}: roll a die, it gets the golden cup", who=active)
            case Phase.COVER:
                return _("{who}: roll a die, press its symbol's colour", who=active)
            case Phase.LOOK if game.open_colour is not None:
                return _(colour_texts.COVER_PROMPTS[game.open_colour], who=active)
            case Phase.UNCOVER:
                return _format_uncover_prompt(game, active)
            case Phase.SCORED:
                return _("{who}: move the pieces, put dice and cups back, then you start", who=active)
            case _:
                shared, alone = N_("{players} share the victory on square {n}"), N_("{who} wins on square {n}")
                winners = join_and([names[q] for q in game.leaders])
                return _(shared if len(game.leaders) > 1 else alone, players=winners, who=winners, n=max(game.totals))

    def format_camera_prompt(self, game: MemoDice, names: Sequence[str]) -> str:
        """Return the prompt for a table with a camera: a rolled die goes to the end of the row."""
        if game.phase is Phase.COVER and game.coverable_colours:
            return _("{who}: roll a die, put it at the end of the row", who=names[game.active_seat])
        return self.format_prompt(game, names)

    def format_virtual_prompt(self, game: MemoDice, names: Sequence[str]) -> str:
        """Return the prompt for a simulated table: a die rolls into the row by itself, and there are no pieces."""
        active = names[game.active_seat]
        if game.phase is Phase.COVER and game.coverable_colours:
            return _("{who}: roll a die into the row", who=active)
        if game.phase is Phase.SCORED:
            return _("{who}: put dice and cups back, then you start", who=active)
        return self.format_prompt(game, names)

    def get_addressed_seat(self, game: MemoDice) -> Seat | None:
        return None if game.phase is Phase.OVER else game.active_seat

    def describe_changes(self, what: Move | Correction, after: MemoDice, names: Sequence[str]) -> str:
        """Return the points of a round, for the end of the line on its last cup: ": Ada +3, Bob +2"; else empty."""
        if what.kind not in (Right.kind, Miss.kind) or after.stage is not Phase.SCORED:
            return ""
        best_first = sorted(enumerate(after.round_scores[-1]), key=lambda item: -item[1])
        return ": " + ", ".join(f"{names[q]} +{points}" for q, points in best_first if points)

    def explain_score(self, before: MemoDice, after: MemoDice, seat: Seat) -> str:
        """Return the cups that gave `seat` its points in the round just scored (D30): "3 cups", "the golden cup"."""
        own = [cup.colour for cup in after.cup_row if cup.owner == seat]
        if len(after.round_scores) == len(before.round_scores) or not own:
            return ""
        if MemoColour.GOLD not in own:
            return _.plural("{n} cup", "{n} cups", len(own))
        if own == [MemoColour.GOLD]:
            return _("the golden cup")
        return _.plural("{n} cup and the golden one", "{n} cups and the golden one", len(own) - 1)

    def get_round_number(self, game: MemoDice) -> int:
        return game.round_number

    def get_default_move(self, game: MemoDice, seat: Seat) -> Move:
        return Move(Call.kind, seat)

    def get_number_move(self, game: MemoDice, number: int) -> Move:
        colour = next((colour for colour, key in COLOUR_NUMBERS.items() if key == number), MemoColour.GOLD)
        return Move(EnterDie.kind, game.active_seat, (int(colour),))

    def list_rules(self, settings: Settings) -> Sequence[PicturedRule]:
        """Return D10 to D14 and D20 to D23."""
        return (
            PicturedRule(_("Roll, look, cover it with a cup of its colour."), "die_blank", "cup_red"),  # D10, D13
            # D12, D14
            PicturedRule(_("No such cup, or the last die: golden cup. Guess!"), "cup_golden"),
            PicturedRule(_("Name what the next cup hides. Right: it is yours."), "cup_blue", "sign ok"),  # D21, D22
            PicturedRule(_("Wrong: your left neighbour gets it, goes on."), "cup_black", "sign no"),  # D23
        )

    def explain_ending(self, settings: Settings) -> str:
        """Return D30 to D32."""
        return _(
            "Each cup moves you on by {cup}, the golden one by {gold}. Square {n} ends it: whoever is in front wins.",
            cup=settings.cup_value,
            gold=settings.gold_value,
            n=settings.target_square,
        )

    def list_setup_steps(self, settings: Settings, player_count: int) -> Sequence[str]:
        return (
            _("Cups: {n} red, {n} blue, {n} black and the golden one", n=settings.cups_per_colour),
            _("{n} dice within everybody's reach", n=settings.dice),
            _("A piece for each player on square {n}", n=settings.start_square),
        )

    def hides_picture(self, game: MemoDice) -> bool:
        """Return True: the picture shows what lies under the cups."""
        return True

    def list_public_pictures(self, game: MemoDice) -> Collection[int]:
        """Return the pictures of the dice that somebody has won."""
        return {cup.picture_number for cup in game.cup_row if cup.owner is not None}

    def list_rolls(self, before: MemoDice, what: Move | Correction, after: MemoDice) -> Iterator[DiceRoll]:
        """Yield the die (D10) that this step rolled, or whose colour or player it corrected.

        Every die has two faces of each colour (`docs/rules/memo_dice.md`, part 2). A die under the golden cup is
        entered without its colour (D14). It counts if only one colour is possible all the same: that one whose cups are
        used up.
        """
        round_number, place = before.round_number, len(before.cup_row)
        match what:
            case Move(kind=EnterDie.kind | Show.kind):
                yield DiceRoll((round_number, place), before.active_seat, what.value)
            case Move(kind=Gold.kind | ShowGold.kind) if not before.is_last_die:
                used_up = [colour for colour, cups in before.free_cups.items() if cups <= 0]
                if len(used_up) == 1:
                    yield DiceRoll((round_number, place), before.active_seat, (int(used_up[0]),))
            case Correction(kind=CupColour.kind):
                yield DiceRoll((round_number, what.index[0] - 1), None, what.value)
            case Correction(kind=GoldenCup.kind) if after.stage is Phase.COVER:
                yield DiceRoll((round_number, place - 1), before.active_seat, what.value)
            case Correction() if after.open_colour in SYMBOL_COLOURS:
                # The open die has another colour, or somebody else rolled it.
                yield DiceRoll((round_number, place), after.active_seat, (int(after.open_colour),))

    def name_faces(self) -> Sequence[str]:
        return [_(colour_texts.LABELS[colour]) for colour in SYMBOL_COLOURS]


def _format_uncover_prompt(game: MemoDice, who: str) -> str:
    n, is_gold = game.find_next_cup()
    if game.cup_row[n - 1].is_die_unknown:
        gold = N_("{who}: the golden cup's die was knocked over, the table decides")
        numbered = N_("{who}: cup {n}'s die was knocked over, the table decides")
    elif game.cup_lifted:
        gold = N_("{who}: the golden cup is lifted. Right or wrong?")
        numbered = N_("{who}: cup {n} is lifted. Right or wrong?")
    elif game.symbol_named:
        gold = N_("{who}: lift the golden cup. Right or wrong?")
        numbered = N_("{who}: lift cup {n}. Right or wrong?")
    else:
        gold = N_("{who}: what is under the golden cup? Say it, then lift it")
        numbered = N_("{who}: what is under cup {n}? Say it, then lift it")
    return _(gold if is_gold else numbered, who=who, n=n)


GAME = MemoDiceDefinition()
