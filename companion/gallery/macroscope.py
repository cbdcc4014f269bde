"""The Macroscope on the screen: every phase, fewest and most players, with and without a camera, dialogs, notices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.events import SEAT_BUTTONS, Button, CameraState, DiceRead, TokenTaken
from companion.gallery.fixtures import NAMES, PICTURE, SEATS, SEEING, asked, faults, seen_as, table_offers
from companion.games.api.game import Correction, Move, Seat
from companion.games.api.offers import Command, Sight
from companion.games.macroscope import KIT, Macroscope, Settings
from companion.games.macroscope.view import Phase
from companion.i18n import Words
from companion.referee.buttons import button_of
from companion.referee.dialogs.base import Choice, Digits, FixMenu, Spinner, confirmed
from companion.referee.dialogs.camera_view import ENLARGE, Looking, looking, with_picture
from companion.referee.dialogs.correction_menu import capitalised
from companion.referee.macroscope_readings import dice_dialog, taken_dialog
from companion.referee.screen import of_game
from companion.screen_state import Eyes, RunningClock, Shown

_ = Words("companion")

CRYSTALS = (4, 2, 11, 23, 7, 102)
SIGHT = Sight(dice=True, tokens=True)
BLIND = Sight()


def table(count: int = 6, marker: int = 3, **settings: object) -> Macroscope:
    """A game in its third round, about to roll."""
    game = Macroscope.new(count, Seat(0), Settings.model_validate(settings))
    return replace(game, crystals=CRYSTALS[:count], at_round=CRYSTALS[:count], marker=marker, cards_used=marker)


def play(game: Macroscope, *moves: str) -> Macroscope:
    """Moves as written at the table: "roll 2 5" (the active player's), "wish/1" (of seat 1), "close"."""
    for text in moves:
        kind, *numbers = text.split()
        kind, _slash, seat = kind.partition("/")
        owner = Seat(int(seat)) if seat else game.active
        made = Move(kind, None if kind in {"cover", "nobody"} else owner, tuple(int(n) for n in numbers))
        game = game.play(made)
    return game


def shown(game: Macroscope, sight: Sight = SIGHT, *, undo: bool = True, names: Sequence[str] = NAMES) -> Shown:
    """What the referee would show."""
    outcome = game.outcome()
    more = table_offers(over=outcome is not None)
    offers = (*KIT.offers(game, names, sight), *(more if undo else more[:1]))
    if game.phase is Phase.ROLL and not sight.dice:
        roll = next(move for move in game.moves() if move.kind == "roll")
        offers = (*Digits("", roll).offers()[:6], *table_offers())
    seen = sight.dice and outcome is None and game.phase is not Phase.COVER
    offers = tuple(with_picture(offers, seen=seen))
    return replace(
        of_game(KIT, game, names[: game.players], SEAT_BUTTONS[: game.players], offers, sight),
        last=KIT.tell(*_guessed_right(), names),
        enlarges=next((button_of(o.means, ()) for o in offers if o.does == ENLARGE), Button.MINUS if seen else None),
    )


def _guessed_right() -> tuple[Macroscope, Move, Macroscope]:
    """The longest line on what was played last: a right guess, a wrong one, and what both brought."""
    before = play(table(), "roll 2 5", "remove 2", "guess", "wish/2", "close", "name/2", "close", "cover")
    move = Move("right", SEATS[2])
    return before, move, before.play(move)


def samples() -> dict[str, Shown]:
    """All states, by name."""
    found = {**_turn(), **_guesses(), **_ends(), **_dialogs(), **_notices()}
    # Who can make the picture large sees one.
    return {n: replace(s, eyes=SEEING) if s.enlarges and s.eyes.picture is None else s for n, s in found.items()}


def _turn() -> dict[str, Shown]:
    found: dict[str, Shown] = {}
    roll = shown(table())
    found["roll"] = replace(roll, eyes=SEEING)
    found["roll_two"] = shown(table(2))
    by_hand = shown(table(), BLIND)
    found["roll_entered"] = replace(by_hand, entered=(4,), eyes=Eyes(CameraState.OFF))
    found["roll_first"] = replace(shown(table(), undo=False), eyes=Eyes(CameraState.ROLLING, None, PICTURE))

    opened = play(table(), "roll 2 5")
    found["open_scheme"] = shown(opened, BLIND)
    after = replace(play(opened, "remove 2"), changes=(1, -2, 0, 10, 0, -12))
    found["open_picture"] = replace(shown(after), eyes=SEEING)
    found["open_two"] = replace(shown(play(table(2), "roll 2 5", "remove 2")), eyes=SEEING)
    free = replace(table(), tokens=(2, 0, 2, 2, 1, 2))
    found["open_free"] = replace(shown(play(free, "roll 2 5")), eyes=SEEING)
    found["open_second"] = replace(shown(play(opened, "remove 2", "remove 5"), BLIND))
    found["open_nodice"] = shown(table(dice="off"), BLIND)
    easy = replace(play(table(variant="easy"), "roll 3 3", "remove 3"))
    found["open_easy"] = shown(easy, BLIND)
    return found


def _guesses() -> dict[str, Shown]:
    found: dict[str, Shown] = {}
    opened = play(table(), "roll 2 5", "remove 2")
    guessed = play(opened, "guess")
    found["asking"] = replace(shown(guessed), eyes=SEEING)
    even = replace(guessed, crystals=(4, 7, 7, 23, 7, 102))
    wishes = play(even, "wish/2", "wish/1", "wish/4")
    found["asking_wishes"] = shown(wishes, BLIND)
    found["asking_two"] = shown(play(table(2), "roll 2 5", "remove 2", "stop"))
    found["asking_meanwhile"] = replace(shown(play(opened, "ask")), eyes=SEEING)
    pick = play(wishes, "close")
    found["pick"] = replace(shown(pick), eyes=SEEING)
    found["called"] = replace(shown(play(pick, "pick 2")), eyes=SEEING)
    found["called_two"] = shown(play(table(2), "roll 2 5", "remove 2", "guess", "wish/1", "close"))
    return found


def _ends() -> dict[str, Shown]:
    found: dict[str, Shown] = {}
    guessed = play(table(), "roll 2 5", "remove 2", "guess")
    cover = play(guessed, "close")
    found["cover"] = replace(shown(cover), eyes=seen_as(SEEING, CameraState.HAND))
    nobody = play(table(3), "roll 2 5", "remove 2", "stop", "close")
    found["cover_nobody"] = shown(nobody)
    found["renew"] = shown(replace(table(3), cards_used=200))
    found["reveal"] = shown(play(guessed, "wish/2", "close", "name/2", "close", "cover"))
    everyone = replace(play(cover, "cover"), guessers=SEATS)
    found["reveal_six"] = shown(everyone)
    found["reveal_one"] = shown(play(table(2), "roll 2 5", "remove 2", "guess", "close", "cover"))

    points = tuple(tuple((r * 7 + seat * 5) % 23 - 11 for seat in range(6)) for r in range(10))
    over = _over(replace(table(marker=10), crystals=CRYSTALS))
    lines = tuple(shown(table()).last or "" for _round in range(10))
    found["result"] = replace(shown(over), details=lines)
    found["result_rounds"] = replace(found["result"], rounds=points)
    found["result_rounds_no_camera"] = replace(found["result"], rounds=points[:5], camera=False)
    tie = _over(replace(table(2, marker=10), crystals=(21, 24)), right=0)
    found["result_tie"] = replace(shown(tie), details=lines[:2], eyes=SEEING)
    return found


def _over(game: Macroscope, right: int = 5) -> Macroscope:
    """The last round is scored."""
    game = play(game, "roll 2 5", "remove 2", "guess", "close", "cover")
    if right:
        return game.play(Move("nobody"))
    game = replace(game, crystals=(game.crystals[1] - game.value, *game.crystals[1:]))
    return game.play(Move("right", SEATS[0]))


def _dialogs() -> dict[str, Shown]:
    found: dict[str, Shown] = {}
    game = table()
    opened = play(game, "roll 2 5", "remove 2")
    wrong = replace(shown(opened), eyes=SEEING)
    let_stand = Correction("let_stand", None, (3,))
    found["question"] = asked(wrong, taken_dialog(TokenTaken(4, 3, 0.99, 1.0), 3, let_stand))
    roll = next(move for move in game.moves() if move.kind == "roll")
    unsure = dice_dialog(DiceRead((2, 5), 0.4, 1.0, ((3, 5),)), roll)
    assert isinstance(unsure, Choice)
    found["question_long"] = asked(replace(shown(game), eyes=seen_as(SEEING, CameraState.UNSURE)), unsure)
    found["question_digits"] = asked(
        replace(shown(game), eyes=Eyes(CameraState.OFF)), Digits(_("Enter the roll"), roll, (6,))
    )
    found["question_sure"] = asked(wrong, confirmed(_("Put this game away?"), let_stand))
    words = KIT.correctable_words(game, NAMES)
    entries = [(what, capitalised(words[what.kind, what.seat])) for what in game.correctables()]
    spinners = [(line, Spinner(line, what, what.current[0])) for what, line in entries]
    totals = tuple((what.seat, Spinner(line, what, 1)) for what, line in entries if what.seat is not None)
    found["picture"] = _enlarged(wrong, opened, 4)
    found["picture_changed"] = _enlarged(wrong, opened, 4, by=1)
    found["picture_rolled"] = _enlarged(wrong, play(game, "roll 2 5"), None)
    found["picture_nothing"] = _enlarged(wrong, game, None)
    found["menu"] = asked(shown(game), FixMenu(tuple(spinners), totals, 7))
    crystals = max((spinner for _line, spinner in spinners), key=lambda spinner: spinner.value)
    found["menu_spinner"] = asked(shown(game), crystals)
    return found


def _enlarged(at: Shown, game: Macroscope, window: int | None, by: int = 0) -> Shown:
    """The camera's picture large; something changed `by`."""
    dialog = looking(game, window)
    if by:
        changed = dialog.after(Command("change", (by,)))
        assert isinstance(changed, Looking)
        dialog = changed
    return replace(asked(at, dialog), large=dialog.large, enlarges=Button.NO)


def _notices() -> dict[str, Shown]:
    found: dict[str, Shown] = {}
    roll = shown(table())
    gone = f"{_('The camera is gone: plug it in again')}. {_('The game goes on by buttons.')}"
    found["notice"] = replace(shown(table(), BLIND), notice=gone, eyes=Eyes(CameraState.LOST))
    for number, problem in enumerate(faults()):
        name = f"view_{problem.trouble.name.lower()}_{number}"
        found[name] = replace(roll, notice=problem.words, eyes=replace(SEEING, problem=problem))
    opened = play(table(), "roll 2 5", "remove 2")
    clock = (RunningClock("turn 3", 12.4, 30.0),)
    heard = frozenset({SEAT_BUTTONS[0], Button.OK})
    found["clock"] = replace(shown(opened), clocks=clock, heard=heard, eyes=SEEING)
    asking = shown(play(opened, "guess"))
    found["clock_soon"] = replace(asking, clocks=(RunningClock("anyone else", 3.2, 10.0),), eyes=SEEING)
    return found
