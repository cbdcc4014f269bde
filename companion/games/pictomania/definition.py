"""What Pictomania provides besides its rules: its texts, short, for a screen that is read from three metres."""

from collections.abc import Sequence

from companion.api import N_, GameDefinition, Move, PicturedRule, Seat, join_and
from companion.games.pictomania.game import Pictomania
from companion.games.pictomania.moves import Right, TakeBonus
from companion.games.pictomania.settings import CLUE_COUNT, MAX_PLAYERS, MIN_PLAYERS, Settings
from companion.games.pictomania.state import Phase, _

_PROMPTS = {
    Phase.DIFFICULTY: N_("How difficult this round?"),
    Phase.READING: N_("Word cards: side by chance. Deal each number and symbol, hidden. Read, do not talk"),
    Phase.START: N_("At the signal look at your hidden cards, lay them face down"),
    Phase.DRAWING: N_("Draw and guess, no letters, no talk! Finished? Press your button"),
    Phase.STOP: N_("Pens down! Tokens that are left stay in the middle"),
    Phase.ROUND: N_("No black sheep in this round"),
}
"""What to do in a phase, unless `format_prompt` knows more."""


class PictomaniaDefinition(GameDefinition[Pictomania]):
    """Pictomania."""

    name = "pictomania"
    title = "Pictomania"
    minutes = 35
    has_first_player = False
    scene = "companion.games.pictomania.display.scene:PictomaniaScene"
    samples = "companion.games.pictomania.samples:build_samples"
    player_counts = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    settings_model = Settings
    piece_colours = ("blue", "orange", "green", "yellow", "purple", "red")
    confirm_on_first_use = ("bonus_tokens",)

    def create_game(self, player_count: int, first_seat: Seat, settings: Settings) -> Pictomania:
        return Pictomania.create(player_count, first_seat, settings)

    def format_prompt(self, game: Pictomania, names: Sequence[str]) -> str:
        match game.phase:
            case Phase.DIFFICULTY if game.round_number > 1 and len(game.available_colours) == 1:
                return _("Tokens and cards back, word cards away, boards wiped. Deal {colour}", colour=_(game.colour))
            case Phase.DIFFICULTY if game.round_number > 1:
                return _("Tokens and cards back, word cards away, boards wiped. How difficult?")
            case Phase.DIFFICULTY if len(game.available_colours) == 1:
                return _("Deal the {colour} cards", colour=_(game.colour))
            case Phase.READING if game.settings.word_cards_per_round == 1:
                return _("Word card: side by chance. Deal each a number, hidden. Read, do not talk")
            case Phase.STOP if not game.tokens_left:
                left = [names[q] for q in game.seats_without_token if not game.away[q]]
                last = _("Pens down! The last token is taken")
                return _("Pens down, {who}! The last token is taken", who=left[0]) if left else last
            case Phase.SCORING:
                return self._format_scoring_prompt(game, names)
            case Phase.ROUND if (seat := game.black_sheep) is not None:
                return _("{who}: you are the black sheep", who=names[seat])
            case Phase.OVER:
                winners, points = join_and([names[q] for q in game.leaders]), max(game.totals)
                shared, alone = N_("{names} share the victory with {points}"), N_("{who} wins with {points}")
                return _(shared if len(game.leaders) > 1 else alone, names=winners, who=winners, points=points)
            case phase:
                return _(_PROMPTS[phase])

    def _format_scoring_prompt(self, game: Pictomania, names: Sequence[str]) -> str:
        owner = game.get_active_seat()
        message = N_("{who}: who else guessed right?")
        if game.drew_wrong_clue[owner]:
            message = N_("{who}: another clue was drawn, all cards go back")
        elif len(game.piles[owner]) == len(game.participants) - 1:
            message = N_("{who}: all guesses are entered")
        elif not game.piles[owner]:
            message = N_("{who}: turn your pile over. Who guessed right, in order?")
        return _(message, who=names[owner])

    def get_addressed_seat(self, game: Pictomania) -> Seat | None:
        return game.black_sheep if game.phase is Phase.ROUND else game.pile_owner

    def explain_score(self, before: Pictomania, after: Pictomania, seat: Seat) -> str:
        """Return the parts of the points of `seat` in the round just scored (P36): "guessed 4, kept -1, bonus 2"."""
        if before.phase is Phase.SCORING and after.phase is Phase.ROUND:
            for line in after.score_lines:
                if line.seat == seat:
                    parts = {"plus": line.plus, "minus": -line.minus, "bonus": line.bonus}
                    return _("guessed {plus}, kept {minus}, bonus {bonus}", **parts)
        return ""

    def get_round_number(self, game: Pictomania) -> int:
        return game.round_number

    def get_default_move(self, game: Pictomania, seat: Seat) -> Move:
        return Move(Right.kind if game.phase is Phase.SCORING else TakeBonus.kind, seat)

    def list_rules(self, settings: Settings) -> Sequence[PicturedRule]:
        """Return P20 to P24 and P32 to P35."""
        return (
            PicturedRule(_("All at once: draw yours, guess the others'."), "card 3", "card"),  # P20
            PicturedRule(_("Finished? Take the best token, then wait."), "button 1", "star"),  # P24
            # P32, P33
            PicturedRule(_("First right guess: most stars. Kept tokens cost."), "star", "star", "star"),
            PicturedRule(_("Most wrong: the black sheep pays its bonus."), "sheep"),  # P34, P35
        )

    def explain_ending(self, settings: Settings) -> str:
        """Return P40 and P41."""
        return _.plural(
            "After {n} round whoever has the most stars wins.",
            "After {n} rounds whoever has the most stars wins.",
            settings.rounds,
        )

    def list_setup_steps(self, settings: Settings, player_count: int) -> Sequence[str]:
        """Return the steps of P1 to P3, P11, V1 and V2."""
        own = ", ".join(str(stars) for stars in settings.scoring_tokens[player_count])
        middle = ", ".join(str(stars) for stars in settings.bonus_tokens[player_count])
        colours = [_(colour) for colour in settings.difficulty_colours]
        cards = settings.word_cards_per_round
        decks = _("Word cards: {colours}; {n} a round", colours=join_and(colours), n=cards)
        if settings.variant == "only_green":
            decks = _("Word cards: only {colour}; {n} a round", colour=colours[0], n=cards)
        dealt = _("To be dealt: number cards and symbol cards")
        if settings.variant == "one_card":
            dealt = _("To be dealt: number cards only")
        return (
            _("Each: board, marker, eraser, guess cards 1 to {most}", most=CLUE_COUNT),
            _("Each: own scoring tokens, stars {stars}", stars=own),
            _("Middle: black bonus tokens, stars {stars}", stars=middle),
            decks,
            dealt,
        )

    def get_live_picture_labels(self, game: Pictomania) -> tuple[str, str] | None:
        """Return them from the first line drawn to the end of the scoring, for drawings held under the camera."""
        if game.phase not in (Phase.DRAWING, Phase.STOP, Phase.SCORING):
            return None
        return _("Show drawing"), _("Hide it")


GAME = PictomaniaDefinition()
