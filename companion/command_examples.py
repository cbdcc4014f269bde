"""Examples in the help of each command and action, and their form there."""

from argparse import HelpFormatter

EXAMPLES = {
    "": (
        ("run", "play, at a simulated table unless the settings name a real one"),
        ("run --players Ada Bob Cleo", "with these players, clockwise"),
        ("run --headless --seed 7", "watch a game play itself, without a screen"),
        ("doctor", "check what works on this machine, and what to do if something does not"),
        ("see photo.jpg", "read the dice and the lid in a photo"),
    ),
    "run": (
        ("run --game yacht --players Ada Bob", "Yacht for two, at the virtual table or the real one of the settings"),
        ("run --table keyboard --game score_keeper", "keep scores with the keyboard, without a table"),
        ("run --headless --seed 7", "watch a game play itself, without a screen"),
    ),
    "see": (
        ("see photo.jpg", "read the dice and the lid in a photo"),
        ("see photos/ --draw read/", "and write copies of a folder's pictures with what was read"),
    ),
    "watch": (
        ("watch film.mp4", "print the throws in a video"),
        ("watch 0 --draw seen/", "what happens before the first webcam, with a picture of each event"),
    ),
    "buttons": (
        ("buttons", "print every press, and try the lamps; Ctrl-C ends it"),
        ("buttons --json --seconds 60", "a minute of presses as JSON"),
    ),
    "doctor": (
        ("doctor", "check all that the companion needs here"),
        ("doctor --live", "what the camera sees, with advice while it or the lamp is moved"),
        ("doctor --live --camera virtual", "try that at a simulated table"),
    ),
    "print-tags": (
        ("print-tags tags.pdf", "the sheet on A4"),
        ("print-tags tags.pdf --paper letter", "the same for North America"),
    ),
    "history": (
        ("history --player Ada", "games that Ada has played and won"),
        ("history --csv > games.csv", "all games for a spreadsheet"),
        ("history export 12 game.json", "one game as a file"),
    ),
    "replay": (
        ("replay 12", "game 12 move by move"),
        ("replay 12 --json", "the same for a program"),
    ),
    "film": (
        ("film 12", "a film of game 12, in this folder"),
        ("film 12 --out /media/stick --size 1920x1080", "a larger one, onto a stick"),
    ),
    "rules": (
        ("rules --game farkle", "the house rules of Farkle that are in force"),
        ("rules --new golf", "ten questions, then golf.toml describes a new game"),
        ("rules --show hearts > mine.toml", "the file of a game, to make your own of it"),
        ("rules --try golf.toml", "play it once at random: each round's numbers and scores"),
        ("rules --import golf.toml", "put it among the games of this device"),
    ),
    "gallery": (
        ("gallery pictures/ --only lobby", "all screens before a game"),
        ("gallery pictures/ --size 800x480 1920x1080 --language de", "all screens, small and large, in German"),
    ),
    "translate": (
        ("translate fr", "write the files to translate into French, or say what is missing"),
        ("translate fr --gallery pictures/", "and draw every screen in French"),
    ),
    "dice-test": (
        ("dice-test", "throw a die 200 times under the camera"),
        ("dice-test --csv throws.csv", "and keep every throw"),
    ),
    "club": (
        ("club run --broker pi.local", "receive results, and serve the page"),
        ("club league", "show the league"),
    ),
    "club run": (
        ("club run --broker pi.local", "results of the tables that publish there; the page for this computer"),
        ("club run --bind 0.0.0.0 --kind strength", "the page for all, the league by strength"),
    ),
    "club results": (
        ("club results --since 2026-09-01", "games since September"),
        ("club results --game yacht --csv > yacht.csv", "those of Yacht for a spreadsheet"),
    ),
    "club league": (
        ("club league --since 2026-09-01", "points by place since September"),
        ("club league --kind strength --json", "the strengths for a program"),
    ),
    "club add": (
        ("club add games.json", "what `companion history --json` printed at a table"),
        ("club add games.json --table hall-2", "the same under the table's id"),
    ),
    "club name": (
        ("club name Bob Robert", "results of Bob count for Robert"),
        ("club name Bob Bob", "and no longer"),
    ),
    "club tournament": (
        ("club tournament new Autumn --players Ada Bob Cleo", "begin one for three"),
        ("club tournament draw Autumn", "draw the next round"),
    ),
    "club tournament new": (
        ("club tournament new Autumn --players Ada Bob Cleo Dan", "begin one for four"),
        ("club tournament new Duel --seats 2 --game yacht --players Ada Bob", "of Yacht, two at a table"),
    ),
    "club tournament draw": (
        ("club tournament draw Autumn", "draw the next round"),
        ("club tournament draw Autumn --database club.sqlite3", "in another database"),
    ),
    "club tournament show": (
        ("club tournament show Autumn", "groups and standings"),
        ("club tournament show Autumn --json", "the same for a program"),
    ),
    "club tournament leave": (
        ("club tournament leave Autumn --player Bob", "Bob is not drawn any more"),
        ("club tournament leave Autumn --player 'Ada B'", "a name with a space"),
    ),
    "club tournament drop": (
        ("club tournament drop Autumn", "take back the round drawn last"),
        ("club tournament drop Autumn --database club.sqlite3", "in another database"),
    ),
    "club tournament list": (
        ("club tournament list", "all tournaments"),
        ("club tournament list --database club.sqlite3", "those of another database"),
    ),
    "history export": (
        ("history export 12 game.json", "game 12 as a file"),
        ("history export 12 /media/stick/game.json", "onto a stick"),
    ),
    "history import": (
        ("history import game.json", "add a game of another device"),
        ("history import game.json --data other/", "to the games in another folder"),
    ),
    "porch": (
        ("porch", "show the table as the settings say"),
        ("porch --settings porch.toml", "as another file says"),
    ),
}
"""By command, or command and action: command lines without the program's name, and what each is for; "": those of the
overview."""


class ExamplesFormatter(HelpFormatter):
    """Leaves the lines of examples as they are."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        # Room for the names of commands: argparse forgets that it indents them twice.
        self._action_max_length = max(len(name) for name in EXAMPLES if " " not in name) + 4

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith("examples:") else super()._fill_text(text, width, indent)


def format_examples(command: str) -> str:
    """Return the examples of a command or action as they stand at the end of its help, each line within 80 columns.

    >>> print(format_examples("club league"))
    examples:
      companion club league --since 2026-09-01
          points by place since September
      companion club league --kind strength --json
          the strengths for a program
    """
    return "\n".join(["examples:", *(f"  companion {line}\n      {what}" for line, what in EXAMPLES[command])])
