#!/bin/sh
# `companion` for whoever is logged in on the box: as root it becomes the companion's user, so that it reads the box's own
# sittings and settings and leaves no file behind that the service could not write.
program=/opt/companion/current/bin/companion
if [ "$(id -u)" != 0 ]; then exec "$program" "$@"; fi
cd /var/lib/companion 2>/dev/null || cd /
exec setpriv --reuid=companion --regid=companion --init-groups --reset-env \
    env HOME=/var/lib/companion XDG_DATA_HOME=/var/lib XDG_CACHE_HOME=/var/cache/companion LANG="${LANG:-C.UTF-8}" \
    "$program" "$@"
