#!/bin/sh
# `companion` for users who are logged in. As root it runs as the companion's user, so that it reads the service's own
# games and settings and creates no file that the service cannot write.
program=/opt/companion/current/bin/companion
if [ "$(id -u)" != 0 ]; then exec "$program" "$@"; fi
cd /var/lib/companion 2>/dev/null || cd /
groups=$(id -G companion | tr ' ' ,)
# `companion doctor` as root may read the log: its report includes the last lines.
if [ "${1:-}" = doctor ]; then groups=$groups$(getent group systemd-journal | sed 's/^[^:]*:[^:]*:\([0-9]*\):.*/,\1/'); fi
# XDG_RUNTIME_DIR: without it a library that SDL tries prints "error" on the terminal. PYTHONWARNINGS: hides a warning of
# Debian's pygame on a PC that a user can do nothing about.
exec setpriv --reuid=companion --regid=companion --groups="$groups" --reset-env \
    env HOME=/var/lib/companion XDG_DATA_HOME=/var/lib XDG_CACHE_HOME=/var/cache/companion LANG="${LANG:-C.UTF-8}" \
    XDG_RUNTIME_DIR=/var/lib/companion PYTHONWARNINGS="ignore:Your system is avx2:RuntimeWarning" \
    "$program" "$@"
