#!/bin/sh
# Find a supported Python and run bootstrap.py with it, which creates .venv.
# Usage: sh tools/bootstrap.sh run|dev     (PYTHON=python3.12: try this one first)
set -eu
unset CDPATH
cd -- "$(dirname -- "$0")/.."

# On a Raspberry Pi Debian's packages are used, and only Debian's Python finds them.
own=""
if grep -qs "Raspberry Pi" /proc/device-tree/model; then own=/usr/bin/python3; fi

probe='import sys
from importlib.util import find_spec
fits = (3, 11) <= sys.version_info[:2] <= (3, 14)
print("%d.%d %s" % (sys.version_info[0], sys.version_info[1], "old or new" if not fits else "bare" if not find_spec("ensurepip") else "good"))'

bare="" bare_version="" seen=""
for python in "${PYTHON:-python3}" $own python3 python3.13 python3.12 python3.11 python3.14; do
    # Test each by running it: a pyenv shim may be on the PATH and still fail.
    answer=$("$python" -c "$probe" 2>/dev/null </dev/null) || continue
    case $answer in
        *good) exec "$python" -I tools/bootstrap.py "$@" ;;
        *bare) bare=${bare:-$python} bare_version=${bare_version:-${answer%% *}} ;;
        *) seen="$seen $python is ${answer%% *};" ;;
    esac
done

if [ -n "$bare" ]; then
    # An existing environment needs no ensurepip.
    if [ -x .venv/bin/python ]; then exec "$bare" -I tools/bootstrap.py "$@"; fi
    cat >&2 <<MESSAGE
Python $bare_version is here, but the Debian package python3-venv that makes environments is missing. Install it and try again:
  sudo apt install python$bare_version-venv
MESSAGE
else
    # Where the system's own Python does not fit, its package manager would install the same one again.
    if [ -n "$seen" ]; then
        remedy="Beside the one that is here, uv installs another (https://docs.astral.sh/uv):
  uv python install 3.13 && PYTHON=\$(uv python find 3.13) make run"
    else
        remedy="On Debian 12 or newer and Raspberry Pi OS:
  sudo apt install python3 python3-venv"
    fi
    cat >&2 <<MESSAGE
The companion needs Python 3.11 to 3.13, and none was found here.${seen:+ (Seen:${seen%;}.)}
$remedy
MESSAGE
fi
exit 1
