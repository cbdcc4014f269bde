"""The whole program at a real table: window, pins of a real kernel, lamps; no keyboard, no camera."""

from __future__ import annotations

import shutil

import pytest

from tests.kernel_rig.log_words import GAME_BEGINS
from tests.kernel_rig.runner import run_script

pytestmark = [pytest.mark.proof, pytest.mark.timeout(900)]  # boots a kernel: make rig, make nightly

PLAYERS = "Circle, Triangle"
"""Names of those who take the first two seats."""
# Pins of the default settings: seat 1 is 4 with lamp 12, seat 2 is 5, OK is 23 with lamp 25, MINUS is 8. No lamp is lit
# before the first press.
PLAY = """
mkdir -p /tmp/.X11-unix; mount -t tmpfs tmpfs /tmp/.X11-unix
for lamp in 9 12 13 18 19 20 21 25 26 27; do echo pull-down >$RIG_GPIO/sim_gpio$lamp/pull; done
Xvfb :7 -nolock -screen 0 1280x720x24 -nolisten tcp -noreset 2>/dev/null &
export DISPLAY=:7 SDL_VIDEODRIVER=x11 SDL_AUDIODRIVER=dummy HOME=$TMPDIR
until [ -e /tmp/.X11-unix/X7 ]; do sleep 0.1; done
"$1" -m companion run --table real --camera 77 --data $TMPDIR/data >$TMPDIR/log 2>&1 &
companion=$!
press() {
  echo pull-down >$RIG_GPIO/sim_gpio$1/pull; sleep 0.1; echo pull-up >$RIG_GPIO/sim_gpio$1/pull; sleep 0.2
}
wait_for() {  # press OK until the file contains the text
  until grep -q "$1" $2 2>/dev/null; do
    press 23
    if [ $SECONDS -gt 750 ]; then cat $TMPDIR/log; tail -n +1 $RIG_GPIO/*/value; exit 1; fi
  done
}
# Seats only once the set-up wizard is stored as done: on its pages they choose a language.
wait_for '"set_up": *true' $TMPDIR/data/preferences.json
press 4; press 5
wait_for "GAME_BEGINS" $TMPDIR/log
"$1" -m companion history --data $TMPDIR/data
kill $companion; wait $companion || cat $TMPDIR/log
cat $RIG_GPIO/sim_gpio12/value $RIG_GPIO/sim_gpio25/value
"""


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="not installed: Xvfb")
def test_a_game_is_begun_by_buttons_at_pins() -> None:
    *_, saved_game, seat1, ok = run_script(PLAY.replace("GAME_BEGINS", GAME_BEGINS)).splitlines()
    assert PLAYERS in saved_game
    assert (seat1, ok) == ("0", "0")
