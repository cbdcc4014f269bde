#!/bin/sh
# Installs the companion on a Raspberry Pi (Raspberry Pi OS or Debian, trixie or bookworm), or removes it.
#
#   sudo ./systemd/install.sh               install or update; may be run again at any time
#   sudo ./systemd/install.sh --upgrade     the same, with a note if there is nothing to upgrade
#   sudo ./systemd/install.sh --uninstall   remove the program; settings and games stay
#   sudo ./systemd/install.sh --uninstall --purge    remove settings and games too
# Options: --dry-run (only print the steps), --offline (no package lists, no PyPI), --wheels FOLDER (take Python packages
#   from there), --no-start (do not start the companion now), --network-camera (allow cameras in the local network;
#   --no-network-camera forbids them again), --porch (show the table to others: docs/porch.md; --no-porch ends that),
#   --help.
#
# Each version has its own folder below /opt/companion/versions. It is complete and written to the disk before the link
# /opt/companion/current is switched to it in one step; units, rules and program are reached through that link. So
# the power may fail at any time: the next start runs the old version or the new one. The next run of this script cleans
# up.
set -eu
unset CDPATH
umask 022
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

here=$(cd -- "$(dirname -- "$0")" && pwd -P)
source=$(dirname -- "$here")
opt=/opt/companion
versions=$opt/versions
current=$opt/current
etc=/etc/companion
data=/var/lib/companion
units=/etc/systemd/system
notes=$opt/before # state of the machine before the installation, for --uninstall
camera_drop_in=$units/companion.service.d/network-camera.conf

dry="" offline="" wheels="" start=yes what=install purge="" network="" porch="" started_by="" asked=""

# The terminal may disappear meanwhile (see `start_in_a_service`). That must not stop this: the log has the messages.
say() {
    printf '%s\n' "$*" 2>/dev/null || true
    if [ -n "$started_by" ]; then logger -t companion-install -- "$*" || true; fi
}
warn() { say "NOTE: $*"; }
die() {
    say "install.sh: $*" >&2
    exit 1
}
# Every change is made through this function, so that --dry-run makes none.
do_it() {
    if [ -n "$dry" ]; then
        printf '  would run: %s\n' "$*"
    else
        "$@"
    fi
}
help() { sed -n '2,/^set -eu/{/^set -eu/d;s/^# \{0,1\}//;p;}' "$here/install.sh"; }

while [ $# -gt 0 ]; do
    case $1 in
        --dry-run) dry=yes ;;
        --offline) offline=yes ;;
        --wheels)
            [ $# -gt 1 ] || die "--wheels needs a folder"
            wheels=$(cd -- "$2" && pwd -P) || die "$2 is not a folder"
            shift
            ;;
        --no-start) start="" ;;
        --upgrade) what=upgrade ;;
        --uninstall) what=uninstall ;;
        --purge) purge=yes ;;
        --network-camera) network=yes ;;
        --no-network-camera) network=no ;;
        --porch) porch=yes ;;
        --no-porch) porch=no ;;
        start-after) # only from `start_in_a_service`: the version that ran before
            started_by=yes what=start
            old=$2
            shift
            ;;
        -h | --help)
            help
            exit 0
            ;;
        *) die "unknown option $1; --help lists all options" ;;
    esac
    shift
done
[ -z "$purge" ] || [ "$what" = uninstall ] || die "--purge needs --uninstall"

running() { [ -d /run/systemd/system ]; }

# Requirements ---------------------------------------------------------------------------------------------------

check_machine() {
    [ -r /etc/os-release ] || die "this is not Debian: /etc/os-release is missing"
    # shellcheck disable=SC1091
    . /etc/os-release
    case "${ID:-} ${ID_LIKE:-}" in
        *debian*) ;;
        *) die "this is ${PRETTY_NAME:-not Debian}; the installer supports Debian and Raspberry Pi OS" ;;
    esac
    command -v systemctl >/dev/null || die "systemd is missing"
    have=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
    [ "${have:-0}" -ge 252 ] || die "systemd ${have:-0} is too old, 252 is needed: Debian 12 or newer"
    say "This is ${PRETTY_NAME:-Debian}, $(dpkg --print-architecture), systemd $have."
    if [ "${VERSION_ID:-0}" = 12 ]; then
        warn "bookworm: Debian's OpenCV, pygame and pydantic are too old, so they come from PyPI (pygame-ce, which can"
        say "  draw on the console). The Pi's ribbon camera does not work with OpenCV from PyPI; USB cameras work."
    fi
}

# A fresh image has no package lists, or old ones.
update_lists() {
    if [ -n "$offline$asked" ]; then return; fi
    asked=yes
    say "Downloading the package lists ..."
    do_it apt-get update -qq || warn "the package lists could not be downloaded; continuing with those on this machine"
}

candidate() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: //p' | sed 's/^(none)$//'; }
installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]; }
at_least() { # package version: whether Debian's version is at least this one
    version=$(candidate "$1")
    [ -n "$version" ] && dpkg --compare-versions "${version#*:}" ge "$2"
}

install_packages() {
    if [ -z "$(candidate python3-numpy)" ]; then update_lists; fi
    find_missing_packages
    if [ -n "$missing" ]; then
        update_lists
        find_missing_packages
    fi
    if [ -n "$dry" ] && [ -z "$(candidate python3-numpy)" ]; then
        warn "there are no package lists on this machine yet, so the packages to install are unknown. To get them:"
        say "  sudo apt-get update"
        return
    fi
    for name in $absent; do
        case $name in
            python3-lgpio) warn "package $name is not available (Raspberry Pi OS has it): no buttons at the pins, only at USB." ;;
            *) warn "package $name is not available (Raspberry Pi OS has it): no ribbon camera, only USB cameras." ;;
        esac
    done
    if [ -z "$missing" ]; then
        say "All Debian packages are installed."
        return
    fi
    say "Installing Debian packages:$missing"
    # Word splitting is intended: one argument per package.
    # shellcheck disable=SC2086
    do_it apt-get install -q -y --no-install-recommends ${offline:+--no-download} $missing ||
        die "the packages could not be installed, see above. Nothing else was changed; fix that and run this again."
}

# Sets `missing` (packages to install) and `absent` (packages that this Debian does not have).
find_missing_packages() {
    # udev sets the devices' groups and names; SDL draws on the console with the libraries; espeak-ng speaks.
    wanted="python3 python3-venv python3-setuptools python3-wheel udev kbd espeak-ng libgbm1 libegl1 libgles2 libgl1-mesa-dri"
    # From Debian where it is new enough: on a Pi these are built for its chip, its camera and its console, and another
    # numpy or OpenCV beside them would break picamera2. The versions are those of pyproject.toml.
    for pair in python3-numpy:1.24 python3-opencv:4.10 python3-pygame:2.5 python3-pydantic:2.5 \
        python3-platformdirs:4 python3-serial:3.5 python3-gpiozero:2.0.1; do
        name=${pair%%:*}
        if at_least "$name" "${pair#*:}"; then
            wanted="$wanted $name"
        elif [ "$name" = python3-opencv ]; then
            wanted="$wanted libgl1 libxcb1 $(glib)"
        fi
    done
    missing="" absent=""
    for name in $wanted; do installed "$name" || missing="$missing $name"; done
    for name in python3-lgpio python3-picamera2; do
        if installed "$name"; then
            continue
        elif [ -n "$(candidate "$name")" ]; then
            missing="$missing $name"
        else
            absent="$absent $name"
        fi
    done
}

glib() { if [ -n "$(candidate libglib2.0-0t64)" ]; then echo libglib2.0-0t64; else echo libglib2.0-0; fi; }

# The program ------------------------------------------------------------------------------------------------------

# A hash of everything that a version consists of: our files, this machine's Python, OpenCV and numpy.
fingerprint() {
    cd -- "$source"
    {
        find companion hardware systemd pyproject.toml docs tools/bootstrap.py -type f \
            ! -name '*.pyc' ! -path '*/__pycache__/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
        [ ! -d "$etc/games" ] || find "$etc/games" -name '*.whl' -exec sha256sum {} + | LC_ALL=C sort
        /usr/bin/python3 --version 2>&1 || true
        dpkg-query -W -f='${Package} ${Version}\n' python3-numpy python3-opencv python3-pygame 2>/dev/null || true
    } | sha256sum | cut -c1-12
}

build() {
    number=$(sed -n 's/^version = "\(.*\)"/\1/p' "$source/pyproject.toml")
    new=$versions/$number-$(fingerprint)
    old=$(readlink -f "$current" 2>/dev/null || true)
    # Left unfinished by a power failure or an error.
    for folder in "$versions"/*; do
        [ -d "$folder" ] && [ ! -e "$folder/.complete" ] && [ "$folder" != "$old" ] || continue
        say "Removing the rest of an interrupted installation: $folder"
        do_it rm -rf -- "$folder"
    done
    if [ -e "$new/.complete" ]; then
        say "Version ${new##*/} is already installed."
        return
    fi
    say "Building version ${new##*/} ..."
    do_it install -d -m 755 "$opt" "$versions" "$new"
    do_it /usr/bin/python3 -I "$here/environment.py" "$source" "$new" --games "$etc/games" \
        ${offline:+--offline} ${wheels:+--wheels "$wheels"} ||
        die "the version could not be built, see above. The installed version keeps running; fix that and run this again."
    do_it install -d -m 755 "$new/systemd" "$new/doc"
    (
        cd -- "$here"
        do_it install -m 644 -t "$new/systemd" companion.service companion-power-off.service \
            companion-power-off.path companion-set-clock.service companion-set-clock.path companion-stick@.service \
            companion-porch.service network-camera.conf companion.sysusers companion.tmpfiles companion.modules \
            70-companion.rules
        do_it install -m 755 -t "$new/systemd" restart-backoff mount-usb set-clock companion.sh run-unprivileged \
            copy-journal-before-upgrade companion-backup install.sh
        cd -- "$source/docs"
        do_it install -d -m 755 "$new/doc/build"
        do_it install -m 644 -t "$new/doc" ./*.md
        do_it install -m 644 -t "$new/doc/build" build/*.md build/*.svg
    )
    say "Writing it to the disk ..."
    # Before the mark and the link: otherwise a power failure could leave a link to files that were never written.
    do_it sync -f "$new"
    do_it touch "$new/.complete"
    do_it sync -f "$new"
}

# Switches a link in one step: it always has the old target or the new one.
link() { # target name
    if [ "$(readlink "$2" 2>/dev/null || true)" = "$1" ]; then return; fi
    say "Link: $2 -> $1"
    if [ -n "$dry" ]; then return; fi
    do_it mkdir -p -- "$(dirname -- "$2")"
    do_it ln -sfn -- "$1" "$2.new"
    do_it mv -T -f -- "$2.new" "$2"
}

switch() {
    if [ "$old" = "$new" ]; then return; fi
    say "Switching to version ${new##*/}."
    if [ -z "$dry" ]; then
        trap go_back EXIT
        trap 'exit 130' INT
    fi
    link "versions/${new##*/}" "$current"
    do_it sync -f "$opt"
}

# Run when the script ends after the switch: if it failed, the old version is used again.
go_back() {
    status=$?
    trap - EXIT INT
    if [ "$status" = 0 ]; then return; fi
    set +e
    if [ -n "$old" ] && [ "$old" != "$new" ] && [ -e "$old/.complete" ]; then
        warn "going back to ${old##*/}."
        link "versions/${old##*/}" "$current"
        sync -f "$opt"
        if running; then systemctl daemon-reload; fi
    fi
    if [ -n "$started_by" ]; then # it was stopped, or is being restarted in vain
        systemctl stop companion.service
        systemctl start companion.service
    fi
    exit "$status"
}

unlink_ours() { # target name
    case "$(readlink "$2" 2>/dev/null || true)" in "$current"/*) do_it rm -f -- "$2" ;; esac
}

# Calls `link` or `unlink_ours` for every file that is reached through the link `current`.
each_link() {
    for file in companion.service companion-power-off.service companion-power-off.path companion-set-clock.service \
        companion-set-clock.path companion-stick@.service companion-porch.service; do
        "$1" "$current/systemd/$file" "$units/$file"
    done
    "$1" "$current/systemd/70-companion.rules" /etc/udev/rules.d/70-companion.rules
    "$1" "$current/systemd/companion.sysusers" /etc/sysusers.d/companion.conf
    "$1" "$current/systemd/companion.tmpfiles" /etc/tmpfiles.d/companion.conf
    "$1" "$current/systemd/companion.modules" /etc/modules-load.d/companion.conf
    "$1" "$current/systemd/companion.sh" /usr/local/bin/companion
    "$1" "$current/systemd/companion-backup" /usr/local/bin/companion-backup
    for file in man/man1/companion.1 bash-completion/completions/companion zsh/site-functions/_companion; do
        "$1" "$current/share/$file" "/usr/local/share/$file"
    done
    # Not `systemctl enable`: it would link to the version's own folder, which is removed with the version.
    for file in companion.service companion-power-off.path companion-set-clock.path; do
        "$1" "$current/systemd/$file" "$units/multi-user.target.wants/$file"
    done
}

write_settings() {
    if [ -e "$etc/companion.toml" ]; then
        say "Settings: $etc/companion.toml is unchanged."
        return
    fi
    say "Settings: writing $etc/companion.toml with all defaults."
    if [ -n "$dry" ]; then return; fi
    install -d -m 755 "$etc"
    "$new/bin/python" -I - "$etc/companion.toml.new" <<'PYTHON'
import sys
from companion.config.settings_file import parse_settings
from companion.config.settings_text import build_default_text

# An appliance differs from a desktop: a real table, and the whole screen.
text = build_default_text()
text = text.replace('#kind = "virtual"', 'kind = "real"').replace("#fullscreen = false", "fullscreen = true")
desk, box = "~/.local/share/companion", "/var/lib/companion, the only folder that the service may write to"
text = text.replace(f"Default: {desk}.", f"Default: {box}.").replace(f'"{desk}"', '"/var/lib/companion"')
assert desk not in text and box in text
assert parse_settings(text.encode(), "the defaults").settings.display.fullscreen
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(text)
PYTHON
    chmod 644 "$etc/companion.toml.new"
    sync -f "$etc"
    mv -T "$etc/companion.toml.new" "$etc/companion.toml"
}

create_user() {
    if [ -n "$dry" ]; then
        say "  would run: systemd-sysusers (user companion in the groups video render input audio dialout gpio)"
        return
    fi
    id companion >/dev/null 2>&1 || say "User: companion"
    systemd-sysusers "$new/systemd/companion.sysusers"
    install -d -m 700 -o companion -g companion "$data"
    take_home 2>/dev/null || true # usermod refuses while the companion runs; then `start_companion` does it
}

# Up to version 0.1.0 the user's home was the data folder, where a program that was taken over could leave services of its
# own, which systemd then started with every start of the machine.
take_home() {
    do_it rm -f /var/lib/systemd/linger/companion
    if [ "$(getent passwd companion | cut -d: -f6)" = /nonexistent ]; then return; fi
    do_it usermod --home /nonexistent companion
}

# Runs a command with the rights of the service's user and nothing more.
as_companion() {
    set -- --no-new-privs --bounding-set=-all --inh-caps=-all --reset-env "$@"
    timeout --kill-after=5 60 setpriv --reuid=companion --regid=companion --clear-groups "$@" </dev/null
}

# Reserves the console for the companion: no login prompt and no desktop.
reserve_console() {
    if [ ! -d "$notes" ]; then
        do_it install -d -m 755 "$notes"
        say "Saving the previous start target for --uninstall: $(systemctl get-default)"
        [ -n "$dry" ] || systemctl get-default >"$notes/default-target"
        [ -n "$dry" ] || { systemctl is-enabled getty@tty1.service || true; } >"$notes/getty" 2>/dev/null
    fi
    if [ "$(systemctl get-default)" != multi-user.target ]; then
        say "From now on the machine starts the companion instead of a desktop."
        do_it systemctl set-default -q multi-user.target
    fi
    do_it systemctl disable -q getty@tty1.service 2>/dev/null || true
}

set_network_access() {
    case $network in
        yes)
            say "The companion may connect to cameras in the local network."
            do_it install -D -m 644 "$new/systemd/network-camera.conf" "$camera_drop_in"
            ;;
        no)
            say "The companion has no access to the network."
            do_it rm -f "$camera_drop_in"
            ;;
        *)
            if [ -e "$camera_drop_in" ] && ! grep -q avahi "$camera_drop_in"; then
                warn "a network camera whose name ends in .local is found again after: sudo $0 --network-camera"
            fi
            ;;
    esac
}

set_porch() {
    case $porch in
        yes)
            say "The porch may show the table to others, as section [porch] of $etc/companion.toml says."
            for name in python3-aiohttp python3-paho-mqtt; do
                installed "$name" || do_it apt-get install -q -y --no-install-recommends ${offline:+--no-download} "$name" ||
                    warn "package $name could not be installed: the porch does without what needs it."
            done
            link "$current/systemd/companion-porch.service" "$units/multi-user.target.wants/companion-porch.service"
            ;;
        no)
            say "The porch is off."
            if running; then do_it systemctl stop companion-porch.service 2>/dev/null || true; fi
            unlink_ours - "$units/multi-user.target.wants/companion-porch.service"
            ;;
    esac
}

# Starts it, or starts the new version of it, if it is on.
start_porch() {
    if [ -e "$units/multi-user.target.wants/companion-porch.service" ]; then
        do_it systemctl restart --no-block companion-porch.service || true
    fi
}

activate() {
    do_it sync -f "$units"
    if ! running; then
        warn "systemd is not running: the companion starts when the machine starts next."
        return
    fi
    do_it systemctl daemon-reload
    do_it systemd-tmpfiles --create "$new/systemd/companion.tmpfiles"
    do_it udevadm control --reload 2>/dev/null || true
    do_it udevadm trigger --action=change --subsystem-match=tty --subsystem-match=gpio --subsystem-match=dma_heap --subsystem-match=rtc \
        2>/dev/null || true
    do_it systemctl restart systemd-modules-load.service 2>/dev/null || true
    do_it systemctl start companion-power-off.path companion-set-clock.path # also with --no-start, for a later start by hand
    start_porch
    if [ -z "$start" ]; then
        say "It starts when the machine starts next, or now with: sudo systemctl start companion"
        return
    fi
    if [ "$old" = "$new" ] && [ -z "$network" ] && systemctl is-active -q companion.service; then
        say "The companion is already running."
        return
    fi
    say "Starting the companion: it takes over the machine's screen, which ends a login or a desktop there."
    start_in_a_service
}

# A user at the machine's own screen runs this in a session that ends when the companion takes over the screen. The
# remaining steps, such as going back to the old version, must not end with it, so they run in a service.
start_in_a_service() {
    trap - EXIT INT
    do_it systemd-run --quiet --collect --pipe --wait --unit=companion-install --service-type=exec \
        "$new/systemd/install.sh" start-after "$old" || exit 1
}

# Run in that service. `new` is the target of the link, `old` its previous target, empty for the first version.
start_companion() {
    new=$(readlink -f "$current")
    trap go_back EXIT # whatever fails from here on: a companion runs in the end
    systemctl stop companion.service 2>/dev/null || true
    systemctl stop "user@$(id -u companion).service" 2>/dev/null || true
    take_home || warn "the user companion still has the home $(getent passwd companion | cut -d: -f6)"
    keep_journal || die "the journal could not be copied, see above: make room on the card, and run this again."
    systemctl start companion.service || die "the new version does not start: sudo journalctl -u companion"
    trap - EXIT
    say "The companion is ready. Its log: sudo journalctl -u companion"
}

# A newer version may change the journal's tables: this copy is for a return to the older version.
keep_journal() {
    if [ "$old" = "$new" ] || [ -z "$old" ] || [ -n "$dry" ]; then return; fi
    failed=""
    # Its output goes through a pipe: root's terminal is no business of the service's user.
    output=$(as_companion "$new/systemd/copy-journal-before-upgrade" "$data" "before-${new##*/}" 2>&1) || failed=yes
    [ -z "$output" ] || say "$output"
    [ -z "$failed" ]
}

# The previous version stays, to go back to; older ones are removed.
clear_up() {
    if [ "$old" = "$new" ]; then return; fi # the previous version is not known now
    for folder in "$versions"/*; do
        case $folder in "$new" | "$old" | "$versions/*") continue ;; esac
        say "Removing version ${folder##*/}."
        do_it rm -rf -- "$folder"
    done
}

install_all() {
    if [ "$what" = upgrade ] && [ ! -e "$current" ]; then
        warn "there is nothing to upgrade: this is the first installation."
    fi
    for part in companion hardware docs/share pyproject.toml tools/bootstrap.py; do
        [ -e "$source/$part" ] || die "$source/$part is missing: run this script from the unpacked repository"
    done
    check_machine
    install_packages
    version=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || echo none)
    case $version in
        3.11 | 3.12 | 3.13) ;;
        *) [ -n "$dry" ] || die "Debian's Python is $version, and the companion needs 3.11, 3.12 or 3.13" ;;
    esac
    build
    create_user
    write_settings
    switch
    each_link link
    reserve_console
    set_network_access
    set_porch
    activate
    clear_up
    if [ -n "$dry" ]; then
        say "This was a dry run: nothing was changed."
        return
    fi
    say "Done. The games are in $data, the settings in $etc/companion.toml."
}

# Uninstalling -----------------------------------------------------------------------------------------------------

uninstall() {
    say "Removing the companion."
    if running; then
        do_it systemctl stop companion-power-off.path companion-set-clock.path companion-porch.service companion.service \
            2>/dev/null || true
    fi
    each_link unlink_ours
    unlink_ours - "$units/multi-user.target.wants/companion-porch.service"
    do_it rm -f -- "$camera_drop_in"
    [ ! -d "$units/companion.service.d" ] || do_it rmdir --ignore-fail-on-non-empty "$units/companion.service.d"
    if [ -r "$notes/default-target" ]; then
        do_it systemctl set-default -q "$(cat "$notes/default-target")"
        case "$(cat "$notes/getty" 2>/dev/null)" in
            enabled*) do_it systemctl enable -q getty@tty1.service ;;
        esac
    fi
    if running; then
        do_it systemctl daemon-reload
        do_it udevadm control --reload 2>/dev/null || true
        case "$(cat "$notes/getty" 2>/dev/null)" in
            enabled*) do_it systemctl start --no-block getty@tty1.service || true ;;
        esac
    fi
    do_it rm -rf -- "$opt" /var/cache/companion /var/lib/systemd/linger/companion
    if [ -z "$purge" ]; then
        say "Not removed: the games in $data, the settings in $etc, the user companion and the Debian packages."
    else
        do_it rm -rf -- "$data" "$etc" "$data".before-restore* "$etc".before-restore*
        for user in companion-porch companion; do
            if id "$user" >/dev/null 2>&1; then do_it userdel "$user"; fi
        done
        say "The games, the settings and the user are removed too. The Debian packages stay."
    fi
}

[ "$(id -u)" = 0 ] || [ -n "$dry" ] || die "this needs root: sudo $0"
# Two runs at once would build into one folder. The process that started this as a service has the lock.
if [ -z "$dry$started_by" ]; then
    exec 9>/run/companion-install.lock
    flock -n 9 || die "another run of this script is in progress"
fi
case $what in
    uninstall) uninstall ;;
    start) start_companion ;;
    *) install_all ;;
esac
