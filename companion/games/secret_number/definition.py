"""What Secret Number provides besides its rules: short texts, for a screen that is read from three metres.

No text holds a card's value.
"""

from collections.abc import Sequence

from companion.api import N_, Correction, GameDefinition, Move, PicturedRule, Seat, format_number, join_and
from companion.games.secret_number.game import SecretNumber
from companion.games.secret_number.moves import Bonus, Insert, Lay
from companion.games.secret_number.settings import Settings
from companion.games.secret_number.state import Phase, _

PREPARE_PROMPTS = (
    N_("Lay round card 1 out. Choose a calculation"),
    N_("Set the pile aside with its card, lay round card 2 out"),
    N_("Set this pile on the other one, lay round card 3 out"),
)
"""S11 to S13: what is to be done before each round."""
_PROMPTS: dict[str, str] = {
    Phase.DEAL: N_("Game {game} of {games}: deal the cards"),
    Phase.SHOW: N_("3, 2, 1: all show at once!"),
    Phase.ROUND: N_("Lay a card face down, press your button"),
    Phase.REVEAL: N_("{who}: turn your card. All check: is it the secret number?"),
    Phase.FIX: N_("Is the pile right at card {n}?"),
    Phase.BONUS: N_("{who}: your bonus, 1, 2 or 3?"),
    Phase.RESULT: N_("Game {game} of {games} is scored"),
}
"""What to do in a phase, unless `format_prompt` knows more."""


class SecretNumberDefinition(GameDefinition[SecretNumber]):
    """Secret Number."""

    name = "secret_number"
    title = "Secret Number"
    has_first_player = False
    player_counts = Settings.model_validate({}).player_counts
    settings_model = Settings
    scene = "companion.games.secret_number.display.scene:SecretNumberScene"
    samples = "companion.games.secret_number.samples:build_samples"

    def create_game(self, player_count: int, first_seat: Seat, settings: Settings) -> SecretNumber:
        return SecretNumber.create(player_count, first_seat, settings)

    def format_prompt(self, game: SecretNumber, names: Sequence[str]) -> str:
        match game.phase:
            case Phase.PREPARE:
                return _(PREPARE_PROMPTS[game.round_number - 1])
            case Phase.ROUND if not game.seats_able_to_lay:
                return _("All cards are laid: hold OK to stop")
            case Phase.REVEAL if game.next_card is not None and not game.cards_right:
                who = names[game.next_card[1]]
                return _("{who}: turn the secret and your card. All check: are they the same?", who=who)
            case Phase.FIX if game.next_card is None:
                return _("Whose card lies at the end of the pile?")
            case Phase.OVER:
                winners, points = join_and([names[q] for q in game.leaders]), max(game.totals)
                shared, alone = N_("{names} share the victory with {points}"), N_("{who} wins with {points}")
                return _(shared if len(game.leaders) > 1 else alone, names=winners, who=winners, points=points)
            case phase:
                addressed = self.get_addressed_seat(game)
                who, card = "" if addressed is None else names[addressed], len(game.cards_right) + 1
                return _(_PROMPTS[phase], who=who, n=card, game=game.game_number, games=game.settings.games)

    def get_addressed_seat(self, game: SecretNumber) -> Seat | None:
        if game.phase is Phase.REVEAL and game.next_card is not None:
            return game.next_card[1]
        return game.bonus_seat

    def describe_changes(self, what: Move | Correction, after: SecretNumber, names: Sequence[str]) -> str:
        """Return the changes of the totals by a move: " (Ada +3, Bob -1)"."""
        changes = [f"{names[q]} {format_number(f'{change:+d}')}" for q, change in enumerate(after.changes) if change]
        return f" ({', '.join(changes)})" if changes and isinstance(what, Move) else ""

    def list_rules(self, settings: Settings) -> Sequence[PicturedRule]:
        """Return S4, S5, S11 to S13, S20, S21 and S31 to S33."""
        right, wrong = (format_number(f"{points:+d}") for points in settings.card_points)
        return (
            PicturedRule(_("Two numbers each. One is left: the secret."), "card 3", "card"),  # S4, S5
            PicturedRule(_("In each round all show a little of theirs."), "card +", "card 5"),  # S11 to S13
            PicturedRule(_("You know it? Lay it face down, not twice in a row."), "card", "button 2"),  # S20, S21
            # S31 to S33
            PicturedRule(
                _("Right {right}, wrong {wrong}. Early ones bring more.", right=right, wrong=wrong),
                "sign ok",
                "sign no",
            ),
        )

    def explain_ending(self, settings: Settings) -> str:
        """Return S6 and S36."""
        return _.plural(
            "After {n} game whoever has the most points wins.",
            "After {n} games whoever has the most points wins.",
            settings.games,
        )

    def list_setup_steps(self, settings: Settings, player_count: int) -> Sequence[str]:
        """Return the steps of S1 to S3. How to deal is not among them: the first screen of each game says so."""
        return (
            _("Number cards 0 to {most}, two of each", most=player_count),
            _("Answer cards 0 to {most}, a colour each", most=player_count),
            _("Each: 2 display cards, cover, symbol"),
            _("Round cards 1 to 3, the fastest card"),
        )

    def get_round_number(self, game: SecretNumber) -> int:
        # What is scored and compared afterwards is a game of the match; its three rounds are scored together.
        return game.game_number

    def get_default_move(self, game: SecretNumber, seat: Seat) -> Move:
        return Move(Insert.kind if game.phase is Phase.FIX else Lay.kind, seat)

    def get_number_move(self, game: SecretNumber, number: int) -> Move:
        return Move(Bonus.kind, game.bonus_seat, (number,))


GAME = SecretNumberDefinition()
