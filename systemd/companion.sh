#!/bin/sh
# `companion` for users who are logged in. For root it runs as the service's user, so that it reads the service's own
# games and settings and creates no file that the service cannot write. -I: Python imports nothing that a user's own
# folders or variables offer.
version=/opt/companion/current
if [ "$(id -u)" = 0 ]; then exec /usr/bin/python3 -I "$version/systemd/run-unprivileged" "$@"; fi
exec "$version/bin/python" -I "$version/bin/companion" "$@"
