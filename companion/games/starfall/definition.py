"""What StarFall provides besides its rules: its texts, short, for a screen that is read from three metres."""

from collections.abc import Sequence

from companion.api import N_, GameDefinition, Move, PicturedRule, Seat, Translator, join_and
from companion.games.starfall.count_lines import COUNT_LINES, get_line_count
from companion.games.starfall.count_moves import Count
from companion.games.starfall.game import StarFall
from companion.games.starfall.moves import AddTile, Mark
from companion.games.starfall.payment_moves import With
from companion.games.starfall.scoring import NEBULA_COLOUR_POINTS
from companion.games.starfall.settings import Settings
from companion.games.starfall.state import UNKNOWN_TILE, Phase
from companion.games.starfall.tile_catalogue import FIRST_NEBULA_INDEX, TILE_COUNT
from companion.games.starfall.tile_questions import get_tile_question
from companion.games.starfall.tile_texts import OWNED_QUESTIONS, PRINTED_QUESTIONS, format_line

_ = Translator("starfall")

USUAL_DUST = 32
"""F1: stardust of each player at the start by the printed rules, in seven white and five orange tokens."""
_TURN_PROMPTS = {
    (True, True): N_("{who}: add, move or take a tile"),
    (True, False): N_("{who}: add or move a tile"),
    (False, True): N_("{who}: move or take a tile"),
    (False, False): N_("{who}: move a tile"),
}
"""By (a tile can be added, a tile can be taken)."""


class StarFallDefinition(GameDefinition[StarFall]):
    """StarFall."""

    name = "starfall"
    title = "StarFall"
    minutes = 45
    scene = "companion.games.starfall.display.scene:StarFallScene"
    samples = "companion.games.starfall.samples:build_samples"
    player_counts = Settings.model_validate({}).player_counts
    settings_model = Settings

    def create_game(self, player_count: int, first_seat: Seat, settings: Settings) -> StarFall:
        return StarFall.create(player_count, first_seat, settings)

    def format_prompt(self, game: StarFall, names: Sequence[str]) -> str:
        who = names[game.active_seat]
        match game.phase:
            case Phase.TURN if not game.board:
                return _("{who}: add a tile", who=who)
            case Phase.TURN if game.marked_space is not None and game.can_pay_for(game.marked_space):
                return _("{who}: take the tile on {space}, or move it", who=who, space=game.marked_space)
            case Phase.TURN if game.marked_space is not None:
                return _("{who}: move the tile on {space}", who=who, space=game.marked_space)
            case Phase.TURN:
                can_take = any(game.can_pay_for(space) for space in game.occupied_spaces)
                return _(_TURN_PROMPTS[game.can_add, can_take], who=who)
            case Phase.NAMING:
                line = get_tile_question(game).line_index
                return _(N_("{who}: which tile is it?") if line is None else PRINTED_QUESTIONS[line], who=who)
            case Phase.PAY if game.payment is not None:
                return _("{who}: pay {price} for the tile", who=who, price=game.payment.space)
            case Phase.CHOOSE if any(game.away[q] and not game.counted[q] for q in game.seats_to_count):
                return _("The game is over: press a player's button to count the tiles, also of who left")
            case Phase.CHOOSE:
                return _("The game is over: press your button to count your tiles")
            case Phase.PAGE if game.counting_seat is not None:
                return _(OWNED_QUESTIONS[game.line_index], who=names[game.counting_seat])
            case Phase.TABLE:
                return _("All are counted: is everything right?")
        outcome = game.compute_outcome()
        winners = [names[q] for q in outcome.winners] if outcome else []
        message = N_("{names} share the victory with {points}") if len(winners) > 1 else N_("{who} wins with {points}")
        return _(message, names=join_and(winners), who=join_and(winners), points=max(game.totals))

    def get_addressed_seat(self, game: StarFall) -> Seat | None:
        return game.counting_seat if game.end_reason else game.active_seat

    def list_score_parts(self, game: StarFall, seat: Seat) -> Sequence[tuple[str, int]]:
        """Return the parts of F30 to F36 that have points; ("nothing", 0) if none has any."""
        score = game.player_scores[seat]
        lines = range(len(COUNT_LINES))
        counts = [format_line(line, get_line_count(score.symbol_counts, line)) for line in lines]
        *symbol_points, nebula_points, dust_points = score.points
        parts = [
            (counts[0], score.majority_bonus),
            *zip(counts[1:FIRST_NEBULA_INDEX], symbol_points, strict=True),
            (", ".join(counts[FIRST_NEBULA_INDEX:]), nebula_points),
            (_("{n} dust", n=score.dust), dust_points),
            (_("corrected by hand"), score.adjustment),
        ]
        return [(text, points) for text, points in parts if points] or [(_("nothing"), 0)]

    def get_default_move(self, game: StarFall, seat: Seat) -> Move | None:
        """Return the move whose refusal explains why the button of `seat` has no use now; None: nothing to explain."""
        if game.end_reason:
            return Move(Count.kind, seat)
        if seat != game.active_seat:
            return Move(AddTile.kind, seat, (UNKNOWN_TILE,))
        kinds = {Phase.TURN: Mark.kind, Phase.PAY: With.kind}
        return Move(kinds[game.phase], seat) if game.phase in kinds else None

    def list_rules(self, settings: Settings) -> Sequence[PicturedRule]:
        """Return F10 to F13 and F30 to F36."""
        bonuses = {str(n): str(points) for n, points in enumerate(NEBULA_COLOUR_POINTS) if points}
        nebulae = _(
            "Nebulae in {colours} colours bring {points} more.",
            colours=", ".join(bonuses),
            points=", ".join(bonuses.values()),
        )
        return (
            PicturedRule(_("Add a tile, move one, or buy one."), "sky_planet", "sky_moon"),  # F10 to F12
            PicturedRule(_("It costs its space's number; moving makes it cheaper."), "word 9 > 8"),  # F11, F12
            PicturedRule(_("Pay with dust or the stars on your tiles."), "sky_dust", "sky_star"),  # F13
            PicturedRule(_("Many comets or nebulae pay; one black hole costs."), "sky_comet", "sky_hole"),  # F33 to F35
            PicturedRule(nebulae, "sky_nebula", f"word +{NEBULA_COLOUR_POINTS[-1]}"),  # F35
        )

    def explain_ending(self, settings: Settings) -> str:
        """Return F20, F21 and F37."""
        return _("When one tile at most is left or nobody has dust, the most points win.")

    def list_setup_steps(self, settings: Settings, player_count: int) -> Sequence[str]:
        """Return the steps of F1 to F3."""
        (removed,) = settings.tiles_removed[player_count]
        dust = _("{n} stardust", n=settings.start_dust)
        if settings.start_dust == USUAL_DUST:
            dust = _("7 white and 5 orange stars")
        shuffle = _("Shuffle the {tiles} sky tiles face down", tiles=TILE_COUNT)
        if removed:
            shuffle = _.plural(
                "Shuffle the {tiles} sky tiles face down, put {n} tile back unseen",
                "Shuffle the {tiles} sky tiles face down, put {n} tiles back unseen",
                removed,
                tiles=TILE_COUNT,
            )
        return (
            _("Each player: {dust}, a player aid", dust=dust),
            shuffle,
            _("Pile of {n} tiles beside the empty board", n=settings.get_pile_size(player_count)),
            _("By the rules, who last visited a planetarium begins"),
        )


GAME = StarFallDefinition()
