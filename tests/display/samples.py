"""States of the screen as they occur in an evening: for the tests, and for people to look at (tools/gallery.py)."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.games.game import Outcome, Seat
from companion.games.macroscope.view import Asking, MacroscopeView, Phase
from companion.shown import Eyes, Key, Menu, Place, Player, Question, RunningClock, Shown
from companion.vision.problem import Problem, Trouble
from companion.vision.reading import Die, Image, Lid, Reading, Window
from companion.vision.view import COVERED, CUT_OFF, WORDS
from hardware.signals import CONSOLE_BUTTONS, SEAT_BUTTONS, Button, CameraState

NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Ada", "Ferdinand", "Zoë")
SEATS = tuple(Seat(i) for i in range(6))


def players(count: int) -> tuple[Player, ...]:
    """Seats on buttons in clockwise order."""
    return tuple(Player(SEATS[i], NAMES[i], SEAT_BUTTONS[i]) for i in range(count))


def keys(words: dict[Button, str], awaited: tuple[Button, ...] = (), undo: str = "Hold: undo") -> tuple[Key, ...]:
    """The row of ten, and what holding NO does."""
    row = tuple(Key(b, words.get(b, ""), b in awaited) for b in (*SEAT_BUTTONS, *CONSOLE_BUTTONS))
    return (*row, Key(Button.NO, undo, held=True)) if undo else row


def overhead() -> tuple[Image, Reading]:
    """A drawn overhead view and what was read in it."""
    image = np.full((360, 640, 3), (70, 92, 120), np.uint8)
    cv2.rectangle(image, (40, 60), (380, 310), (60, 140, 190), -1)
    cv2.rectangle(image, (430, 90), (600, 280), (50, 60, 60), -1)
    windows = []
    for i in range(12):
        x, y = 90 + 80 * (i % 4), 110 + 72 * (i // 4)
        covered = i not in (1, 6)
        cv2.circle(image, (x, y), 28, (120, 200, 240) if covered else (200, 120, 60), -1)
        windows.append(Window((x, y), 28.0, covered, i // 2 + 1 if covered else None, 0.97))
    dice = []
    for x, y, value in ((460, 130, 2), (530, 200, 5)):
        cv2.rectangle(image, (x, y), (x + 40, y + 40), (245, 245, 245), -1)
        dice.append(Die(value, (x, y, x + 40, y + 40), 0.99))
    corners = ((40.0, 60.0), (380.0, 60.0), (380.0, 310.0), (40.0, 310.0))
    return image, Reading(tuple(dice), Lid(corners, (210.0, 50.0), tuple(windows)), 12.0)


PICTURE, READING = overhead()
UPRIGHT = np.asarray(cv2.resize(PICTURE[15:355, 40:380], (480, 480)), np.uint8)
SEEING = Eyes(CameraState.STEADY, READING, PICTURE, UPRIGHT)


def faults() -> list[Problem]:
    """Each thing that may be wrong with the view, and the longest words for a lid that is cut off."""
    whole = (0.0, 0.0, float(PICTURE.shape[1]), float(PICTURE.shape[0]))
    found = [Problem(trouble, words, whole) for trouble, words in WORDS.items()]
    cut = CUT_OFF.format(side="bottom and right", back="up and to the left")
    corner = (0.5 * whole[2], 0.4 * whole[3], whole[2], whole[3])
    return [*found, Problem(Trouble.CUT_OFF, cut, corner), Problem(Trouble.DARK, COVERED, whole)]


VIEW = MacroscopeView(
    phase=Phase.ROLL,
    asking=None,
    variant="basic",
    active=SEATS[0],
    marker=3,
    rounds=10,
    crystals=(4, 0, 11, 23, 7, 102),
    tokens=(2, 1, 2, 2, 0, 2),
    covered=9,
    value=9,
    frozen=False,
    dice=(),
    dice_used=(),
    takeable=(),
    opened=0,
    can_wish=(),
    wishes=(),
    called=None,
    pick_from=(),
    guessers=(),
    changes=(0,) * 6,
    cards_used=3,
    deck_empty=False,
    reserve_hint=False,
    outcome=None,
)
UNDO = "Hold: undo"


def shown(view: MacroscopeView, sentence: str, row: tuple[Key, ...], count: int = 6) -> Shown:
    """The Macroscope on the screen, with `count` players."""
    view = replace(view, crystals=view.crystals[:count], changes=view.changes[:count])
    return Shown(
        Place.PLAY,
        sentence=sentence,
        view=view,
        players=players(count),
        scores=view.crystals,
        keys=row,
        last="Ferdinand guessed right: 8 crystals. Maximilianna loses 3.",
    )


def samples() -> dict[str, Shown]:
    """All states, by name."""
    found: dict[str, Shown] = {}
    seats = SEAT_BUTTONS
    numbers = keys({b: str(i) for i, b in enumerate(seats, 1)}, seats, UNDO)
    menu_key = {Button.PLUS: "Put right"}

    roll = shown(VIEW, "Wilhelmina: roll the dice", keys({**menu_key}, undo=UNDO))
    found["roll"] = replace(roll, eyes=SEEING)
    found["roll_two"] = shown(VIEW, "Wilhelmina: roll the dice", keys(menu_key, undo=UNDO), 2)
    by_hand = shown(VIEW, "Wilhelmina: roll the dice and enter them", numbers)
    found["roll_entered"] = replace(by_hand, entered=(4,), eyes=Eyes(CameraState.OFF))
    found["roll_first"] = replace(roll, eyes=Eyes(CameraState.ROLLING, None, PICTURE), keys=keys(menu_key, undo=""))

    opened = replace(VIEW, phase=Phase.OPEN, dice=(2, 5), dice_used=(False, False), takeable=(1, 2, 3, 4, 6))
    row = keys({seats[1]: "Take a 2", seats[4]: "Take a 5", **menu_key}, (seats[1], seats[4]), UNDO)
    found["open_scheme"] = shown(opened, "Wilhelmina: take a token", row)
    after = replace(
        opened,
        dice_used=(True, False),
        takeable=(5,),
        opened=1,
        changes=(1, -2, 0, 10, 0, -12),
        tokens=(2, 1, 2, 2, 1, 2),
    )
    row = keys(
        {
            seats[0]: "I guess",
            seats[4]: "Take a 5",
            Button.OK: "Stop: take 1 crystal",
            Button.MINUS: "Ask the others",
            **menu_key,
        },
        (seats[0], Button.OK),
        UNDO,
    )
    sentence = "Wilhelmina: take a second token, guess, stop, or ask the others whether they want to guess"
    found["open_picture"] = replace(shown(after, sentence, row), eyes=SEEING)
    found["open_two"] = replace(shown(after, sentence, row, 2), eyes=SEEING)
    found["open_free"] = replace(shown(opened, "Wilhelmina: take a token", row), eyes=SEEING)
    nodice = replace(opened, dice=(), dice_used=(), takeable=(1, 2, 3, 4, 6))
    found["open_nodice"] = shown(nodice, "Wilhelmina: take one or two tokens", row)

    wish = dict.fromkeys(seats[1:], "I guess too")
    asking = replace(
        VIEW, phase=Phase.ASKING, asking=Asking.CHALLENGE, frozen=True, guessers=SEATS[:1], can_wish=SEATS[1:5]
    )
    row = keys({**wish, Button.OK: "Nobody else"}, (Button.OK,), UNDO)
    found["asking"] = replace(shown(asking, "Does anyone guess something else?", row), eyes=SEEING)
    asking = replace(asking, wishes=(SEATS[2], SEATS[1], SEATS[4]), guessers=(SEATS[0], SEATS[5]), can_wish=SEATS[1:5])
    found["asking_wishes"] = shown(asking, "Does anyone guess something else?", row)
    declined = replace(asking, asking=Asking.DECLINED, frozen=False, guessers=(), wishes=(), can_wish=SEATS[1:2])
    found["asking_two"] = shown(declined, "Wilhelmina does not guess. Does anyone?", row, 2)
    pick = replace(asking, phase=Phase.PICK, pick_from=(SEATS[1], SEATS[2], SEATS[4]))
    row = keys({seats[i]: f"{NAMES[i]} goes first" for i in (1, 2, 4)}, (seats[1], seats[2], seats[4]), UNDO)
    found["pick"] = replace(shown(pick, "Wilhelmina: who of those goes first?", row), eyes=SEEING)
    call = replace(asking, phase=Phase.CALLED, called=SEATS[2], wishes=(SEATS[2], SEATS[1], SEATS[4]))
    row = keys({seats[2]: "I have named it", Button.NO: "I withdraw"}, (seats[2],), UNDO)
    found["called"] = replace(shown(call, "Maximilianna: name a picture, and pay 2", row), eyes=SEEING)
    found["called_two"] = shown(
        replace(call, wishes=(SEATS[1],), called=SEATS[1], guessers=SEATS[:1], can_wish=()),
        "Bo: name a picture",
        row,
        2,
    )

    cover = replace(VIEW, phase=Phase.COVER, frozen=True, guessers=(SEATS[0], SEATS[2]))
    row = keys({Button.OK: "Covered and pulled"}, (Button.OK,), UNDO)
    found["cover"] = replace(
        shown(cover, "Cover all windows and pull the top card", row), eyes=replace_eyes(SEEING, CameraState.HAND)
    )
    found["cover_renew"] = shown(replace(cover, deck_empty=True), "Renew the deck, then cover all windows", row, 3)
    unveil = replace(VIEW, phase=Phase.REVEAL, frozen=True, guessers=(SEATS[2], SEATS[0]))
    row = keys(
        {seats[0]: "Wilhelmina", seats[2]: "Maximilianna", Button.NO: "Nobody"}, (seats[0], seats[2], Button.NO), UNDO
    )
    found["reveal"] = shown(unveil, "Who was right?", row)
    everyone = keys(
        {**{b: f"{n} was right" for b, n in zip(seats, NAMES, strict=True)}, Button.NO: "Nobody was right"},
        (*seats, Button.NO),
        UNDO,
    )
    found["reveal_six"] = shown(replace(unveil, guessers=SEATS), "Who was right?", everyone)
    found["reveal_one"] = shown(replace(unveil, guessers=SEATS[1:2]), "Was Bo right?", everyone, 2)

    ending = Outcome((SEATS[5],), "Zoë has most crystals after ten rounds.")
    over = replace(VIEW, phase=Phase.OVER, marker=10, outcome=ending)
    lines = tuple(f"Round {i}: Wilhelmina guessed right, {i + 2} crystals" for i in range(1, 11))
    row = keys({Button.OK: "Play again", Button.PLUS: "Put right"}, (Button.OK,), UNDO)
    found["result"] = replace(shown(over, "Zoë has won with 102 crystals", row), place=Place.RESULT, details=lines)
    tie = replace(over, crystals=(23, 23, 4, 7, 7, 0), outcome=Outcome((SEATS[0], SEATS[1]), "A shared victory."))
    found["result_tie"] = replace(
        shown(tie, "Wilhelmina and Bo share the victory", row, 2), place=Place.RESULT, details=lines[:2], eyes=SEEING
    )

    points = tuple(tuple((r * 7 + seat * 5) % 23 - 11 for seat in range(6)) for r in range(10))
    found["result_rounds"] = replace(found["result"], rounds=points)
    found["result_rounds_no_camera"] = replace(found["result"], rounds=points[:5], camera=False)

    wrong = replace(shown(after, sentence, keys({Button.OK: "Let it stand"}, (Button.OK,), UNDO)), eyes=SEEING)
    title = "That was a 3"
    found["question"] = replace(
        wrong, question=Question(title, "Put it back, or press OK to let it stand", warning=True)
    )
    dice_row = keys(
        {seats[1]: "2 and 5", seats[2]: "3 and 5", Button.OK: "Yes", Button.NO: "None of these"},
        (Button.OK, Button.NO),
        UNDO,
    )
    found["question_long"] = replace(
        roll,
        keys=dice_row,
        eyes=replace_eyes(SEEING, CameraState.UNSURE),
        question=Question("Only one die can be seen in the tray: is it 2 and 5?", "The dice cannot be read for sure"),
    )
    found["question_digits"] = replace(
        by_hand, question=Question("Which numbers?", "The seat buttons are the numbers 1 to 6"), entered=(6,)
    )
    items = ("Whose turn it is", *(f"{n}'s crystals" for n in NAMES), "Tokens on the lid", "The round", "End the game")
    menu_row = keys({Button.OK: "Change", Button.NO: "Back", Button.PLUS: "Down", Button.MINUS: "Up"}, (Button.OK,), "")
    found["menu"] = replace(roll, menu=Menu("What is to be put right?", items, 7), keys=menu_row)
    found["menu_value"] = replace(roll, menu=Menu("What is to be put right?", items[:4], 2, "14"), keys=menu_row)
    found["menu_spinner"] = replace(roll, menu=Menu("Maximilianna's crystals", (), 0, "102"), keys=menu_row)

    found["notice"] = replace(
        roll, notice="The camera is gone: plug it in again. Buttons are enough to play.", eyes=Eyes(CameraState.LOST)
    )
    for problem in faults():
        name = f"view_{problem.trouble.name.lower()}_{len(found)}"
        found[name] = replace(roll, notice=problem.words, eyes=replace(SEEING, problem=problem))
    clock = (RunningClock("turn", 12.4, 30.0),)
    found["clock"] = replace(found["open_picture"], clocks=clock, heard=frozenset({seats[0], Button.OK}))
    found["clock_soon"] = replace(found["asking"], clocks=(RunningClock("anyone else", 3.2, 10.0),))

    free = keys(dict.fromkeys(seats, "I sit here"), seats, "")
    found["lobby_empty"] = Shown(
        Place.LOBBY, sentence="Press your buttons, one after the other, clockwise", keys=free, details=("Basic rules",)
    )
    joined = (Player(SEATS[0], "Wilhelmina", seats[2]), Player(SEATS[1], "Triangle", seats[1]))
    some = keys(
        {
            **dict.fromkeys(seats, "I sit here"),
            seats[2]: "Not me",
            seats[1]: "Not me",
            Button.OK: "Start",
            Button.PLUS: "Play easy rules",
            Button.NO: "Without Triangle",
        },
        (seats[0], *seats[3:], Button.OK),
        "",
    )
    found["lobby_some"] = Shown(
        Place.LOBBY,
        sentence="Maximilianna: press your button",
        players=joined,
        keys=some,
        eyes=SEEING,
        details=("Basic rules",),
        heard=frozenset({seats[4]}),
    )
    cut = next(problem for problem in faults() if problem.trouble is Trouble.CUT_OFF)
    found["lobby_view"] = replace(
        found["lobby_some"], notice=cut.words, eyes=Eyes(CameraState.LOOKING, None, PICTURE, None, cut)
    )
    full = keys(
        {**dict.fromkeys(seats, "Not me"), Button.OK: "Start", Button.NO: "Without Maximilianna"}, (Button.OK,), ""
    )
    found["lobby_full"] = Shown(Place.LOBBY, sentence="The table is full: start with OK", players=players(6), keys=full)
    found["resume"] = Shown(
        Place.RESUME,
        sentence="A game was interrupted: go on with it?",
        keys=keys({Button.OK: "Go on", Button.NO: "Put it away"}, (Button.OK, Button.NO), ""),
        details=(
            "Wilhelmina, Bo, Maximilianna, Ada, Ferdinand and Zoë",
            "Round 7 of 10, an hour ago",
            "Zoë leads with 102 crystals",
        ),
    )
    found["waiting"] = Shown(
        Place.WAITING,
        sentence="Something is missing",
        keys=keys({}, (), ""),
        eyes=Eyes(CameraState.LOST),
        details=("No buttons and no keyboard are connected", "Plug in the button box; the game starts by itself."),
    )
    return found


def replace_eyes(eyes: Eyes, state: CameraState) -> Eyes:
    """The same sight in another state."""
    return Eyes(state, eyes.reading, eyes.picture, eyes.lid_upright)


SAMPLE_NAMES = tuple(samples())
