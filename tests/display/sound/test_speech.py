"""The voice: lines are passed to its program, the newest interrupts, and without a voice there is no error.

What is spoken: test_spoken_lines.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.display.sound.speech import Speaker

TAKES_DOWN = (
    "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text(' '.join(sys.argv[2:]) + '|' + sys.stdin.read())"
)


def test_line_is_passed_as_text_with_language_and_volume(tmp_path: Path) -> None:
    said = tmp_path / "said"
    speaker = Speaker((sys.executable, "-c", TAKES_DOWN, str(said)))
    speaker.say("Ada; rm -rf $HOME: würfeln", "de", 5)
    assert speaker._process.wait() == 0
    assert said.read_text() == "-v de -a 100 --stdin|Ada; rm -rf $HOME: würfeln"


def test_new_line_interrupts_the_old_one() -> None:
    speaker = Speaker((sys.executable, "-c", "import time; time.sleep(600)"))
    speaker.say("one", "en", 5)
    first = speaker._process
    speaker.say("two", "en", 5)
    assert first.poll() is not None
    speaker.stop()
    assert speaker._process is None


@pytest.mark.parametrize("command", [(), ("/no/such/voice",)])
def test_no_voice_is_no_error(command: tuple[str, ...]) -> None:
    speaker = Speaker(command)
    speaker.say("one", "en", 5)
    assert speaker._process is None
