"""Text to speech with espeak-ng, where it is installed: one line at a time, the newest wins, nothing waits for it.

The lines that are spoken: `spoken_lines.py`.
"""

import shutil
import subprocess
from collections.abc import Sequence

from companion.i18n import format_language_tag
from companion.log import log

SPEECH_PROGRAM = "espeak-ng"
"""The program that speaks."""
MAX_LETTERS = 1000
"""Letters that are spoken at one time at most; the rest is cut off. The longest page has some 500."""


def find_voice(language: str) -> str:
    """Return the name of espeak-ng's voice for a language: its names are tags of BCP 47 in small letters.

    Args:
        language: code of the language.

    >>> find_voice("it"), find_voice("pt_BR")
    ('it', 'pt-br')
    """
    return format_language_tag(language).lower()


class Speaker:
    """Speaks one text at a time, in a process of its own for each.

    Args:
        command: the program with its arguments; it gets `-v LANGUAGE -a AMPLITUDE --stdin` (0 to 200) appended, and
            reads a line from its standard input. None: espeak-ng, if it is
            installed. Empty: no voice.
    """

    def __init__(self, command: Sequence[str] | None = None) -> None:
        if command is None:
            program = shutil.which(SPEECH_PROGRAM)
            command = (program,) if program else ()
        self._command = tuple(command)
        self._process: subprocess.Popen[bytes] | None = None

    def say(self, line: str, language: str, volume: int) -> None:
        """Begin to speak a line and return at once; the one being spoken stops.

        Without a voice, or at volume 0, nothing is spoken. A program that cannot be run or fed is logged once and not
        tried again.

        Args:
            line: the text; only its first `MAX_LETTERS` characters are spoken.
            language: code of the language, such as "it"; the program speaks it, or is silent.
            volume: 0 (silent) to 10 (not checked).

        Raises:
            ValueError: `line` holds a lone surrogate (UnicodeEncodeError), or `language` a null character.
        """
        self.stop()
        if not self._command or not volume:
            return
        # A list, no shell, and the text by standard input: a player's name can be any text.
        command = [*self._command, "-v", find_voice(language), "-a", str(20 * volume), "--stdin"]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            assert self._process.stdin is not None
            with self._process.stdin as text:
                text.write(line[:MAX_LETTERS].replace("\n", " ").encode())
        except OSError as error:
            log.info("No voice (%s); everything is also shown on the screen.", error)
            self._command = ()

    @property
    def is_speaking(self) -> bool:
        """Whether a line is being spoken."""
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """Stop speaking, and wait until the program has ended; nothing happens if nothing is being spoken."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
