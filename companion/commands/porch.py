"""`companion porch`: show the table to others, on a page or at an MQTT broker."""

import asyncio
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.commands import CommandError, format_install_command
from companion.commands.common import add_settings_option, load_command_settings
from companion.porch.messages import find_socket_path
from companion.system import logging_setup

INSTALL_COMMAND = format_install_command("porch")
DESCRIPTION = f"""\
Read what the playing companion writes to its local socket, and show it on a page, or publish it at an MQTT broker
(docs/porch.md). It can neither press a button nor read a secret. The settings, section [porch], say what and where.
It needs: {INSTALL_COMMAND}"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of `companion porch` to its parser: `settings` and `socket`."""
    add_settings_option(parser)
    parser.add_argument(
        "--socket", metavar="PATH", type=Path, help="socket of the playing companion (default: where it makes one)"
    )


def run(args: Namespace) -> None:
    """Show the table until SIGTERM or Ctrl-C.

    Args:
        args: as `add_arguments` parses them.

    Raises:
        CommandError: the extra is not installed, the settings cannot be used, or the address cannot be bound.
    """
    logging_setup.set_up_logging()
    all_settings = load_command_settings(args)
    settings = all_settings.porch
    if not settings.port and not settings.mqtt:
        raise CommandError("Nothing to do: the settings, section [porch], name neither a port nor a broker.", status=2)
    if not settings.on:
        print("The playing companion publishes nothing until the settings say: [porch] on = true", flush=True)
    try:
        from companion.porch.service import run_porch

        socket_path = args.socket or find_socket_path()
        asyncio.run(run_porch(settings, socket_path, _print_page, is_cafe=all_settings.cafe.on))
    except ImportError as error:
        raise CommandError(f"a library of the porch is not installed ({error}): {INSTALL_COMMAND}") from error
    except BrokenPipeError:
        raise  # nobody reads the output
    except (OSError, ValueError) as error:
        raise CommandError(f"The porch cannot be opened: {error}.") from error


def _print_page(address: str, port: int) -> None:
    host = f"[{address}]" if ":" in address else address
    print(f"The page is at http://{host}:{port}/ (on a network under the table's secret path).", flush=True)
