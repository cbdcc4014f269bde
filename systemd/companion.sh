#!/bin/sh
# `companion` for whoever is logged in on the box: as root it becomes the companion's user, so that it reads the box's own
# sittings and settings and leaves no file behind that the service could not write.
program=/opt/companion/current/bin/companion
if [ "$(id -u)" != 0 ]; then exec "$program" "$@"; fi
cd /var/lib/companion 2>/dev/null || cd /
groups=$(id -G companion | tr ' ' ,)
# Who may ask the doctor as root may read the log, and the report has its last lines.
if [ "${1:-}" = doctor ]; then groups=$groups$(getent group systemd-journal | sed 's/^[^:]*:[^:]*:\([0-9]*\):.*/,\1/'); fi
# XDG_RUNTIME_DIR: without one a library that SDL tries says "error" on the terminal. PYTHONWARNINGS: what Debian's
# pygame says on a PC is nothing that anybody could mend.
exec setpriv --reuid=companion --regid=companion --groups="$groups" --reset-env \
    env HOME=/var/lib/companion XDG_DATA_HOME=/var/lib XDG_CACHE_HOME=/var/cache/companion LANG="${LANG:-C.UTF-8}" \
    XDG_RUNTIME_DIR=/var/lib/companion PYTHONWARNINGS="ignore:Your system is avx2:RuntimeWarning" \
    "$program" "$@"
