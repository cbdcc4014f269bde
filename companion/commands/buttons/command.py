"""`companion buttons`: print presses and light lamps, to test a wiring."""

import logging
import signal
import sys
import threading
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import suppress

from companion.app.button_input import open_controllers, open_sources
from companion.commands.argument_values import shorten_argument
from companion.commands.buttons.presses import WiringTest, format_json, format_line
from companion.commands.buttons.walk import WALK_HINT, WiringWalk
from companion.commands.common import add_data_option, add_settings_option, load_command_settings, print_problems
from companion.commands.key_input import unbuffered_keys
from companion.config.taught_buttons import TaughtButtons
from hardware.buttons.gpio.driver import SOURCE_NAME as GPIO

DESCRIPTION = (
    "Print each press and release with its source and time, to test a wiring. Each press switches the button's lamp to "
    "the next effect: on, slow blink, fast blink, breathing, off."
)

KEYBOARD_POLL_SECONDS = 0.02
"""Seconds between two reads of the keyboard; buttons wake the loop at once."""
USAGE_HINT = "Press buttons, or keys 1 to 6, Enter, Backspace, + and -: each press also changes that lamp. Ctrl-C ends."


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of `companion buttons` (`walk`, `seconds`, `settings`, `json`) to its parser."""
    parser.add_argument(
        "--walk", action="store_true", help="light one lamp after the other, until its button is pressed and answered"
    )
    parser.add_argument("--seconds", metavar="N", type=_parse_seconds, help="end after N seconds (default: by Ctrl-C)")
    add_settings_option(parser)
    add_data_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")


def _parse_seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e9:
        raise ArgumentTypeError(f"{shorten_argument(text)} is no number of seconds")
    return value


def run(args: Namespace) -> None:
    """Print presses and releases, and light lamps, until Ctrl-C, SIGTERM, the end of `--seconds` or of the walk.

    Call it in the main thread: it replaces the handler of SIGTERM and switches the terminal to unbuffered input while
    it runs. All lamps are off at the end.

    Ctrl-C and SIGTERM are no failure, and missing buttons are printed as events.

    Args:
        args: `walk` (bool: light one lamp after the other), `seconds` (float above 0; None: no end), `settings` and
            `data` (paths or None), `json` (bool: print JSON).

    Raises:
        CommandError: the settings cannot be used; status 2.
        termios.error: the terminal cannot be switched, for example because it went away.
    """
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
    settings = load_command_settings(args)
    taught = TaughtButtons(settings.find_data_folder(args.data))
    print_problems(taught.store.problem)
    woken = threading.Event()
    sources = open_sources(settings, time.monotonic, woken.set, is_wiring_test=True)
    controllers = open_controllers(settings, taught, time.monotonic, woken.set)
    opened = [*sources, *([controllers] if controllers else [])]
    walk = WiringWalk(opened, time.monotonic) if args.walk else None
    test = walk or WiringTest(opened, time.monotonic)
    end = time.monotonic() + args.seconds if args.seconds else float("inf")
    format_event = format_json if args.json else format_line
    if not args.json:
        print(WALK_HINT if walk else USAGE_HINT, flush=True)
    # SIGTERM must not leave a lamp lit either.
    previous_handler = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        # Ctrl-C is the usual end.
        with suppress(KeyboardInterrupt), unbuffered_keys(sys.stdin) as read_keys:
            is_over = False
            while not is_over:  # however short the time is, it looks once
                for event in [*test.poll(), *(event for key in read_keys() for event in test.handle_key(key))]:
                    print(format_event(event), flush=True)
                woken.wait(KEYBOARD_POLL_SECONDS)
                woken.clear()
                is_over = time.monotonic() >= end or (walk is not None and walk.is_over)
    finally:
        signal.signal(signal.SIGTERM, previous_handler)
        test.close()
    if test.presses[GPIO]:
        taught.note_pin_press()
    if not args.json:
        print(test.format_summary())
