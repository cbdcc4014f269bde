#!/bin/sh
# Makes a companion out of a Raspberry Pi (Raspberry Pi OS or Debian, trixie; bookworm with less), or unmakes it.
#
#   sudo ./systemd/install.sh               installs, or brings up to date; may be run as often as one likes
#   sudo ./systemd/install.sh --upgrade     the same, but says so if there is nothing to upgrade from
#   sudo ./systemd/install.sh --uninstall   takes the program away; settings and sittings stay
#   sudo ./systemd/install.sh --uninstall --purge    and these as well
# Options: --dry-run (says what it would do), --offline (no package lists, no PyPI), --wheels FOLDER (Python packages
#   from there), --no-start (does not start the companion now), --network-camera (lets it reach a camera in the network;
#   --no-network-camera takes that back), --help.
#
# A version stands in a folder of its own below /opt/companion/versions, complete and on the disk before the link
# /opt/companion/current is turned to it in one step; units, rules and program hang on that link. So the plug may be
# pulled at any instant: the next start runs the old version or the new one. Run again, this script clears up.
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
notes=$opt/before # how the machine was, for --uninstall
camera_drop_in=$units/companion.service.d/network-camera.conf

dry="" offline="" wheels="" start=yes what=install purge="" network="" started_by="" asked=""

# A terminal may be gone while this runs (see `start_in_a_service`): no reason to stop halfway. The log has it then.
say() {
    printf '%s\n' "$*" 2>/dev/null || true
    if [ -n "$started_by" ]; then logger -t companion-install -- "$*" || true; fi
}
warn() { say "NOTE: $*"; }
die() {
    say "install.sh: $*" >&2
    exit 1
}
# Every change goes through here, so that --dry-run cannot make one.
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
            wheels=$(cd -- "$2" && pwd -P) || die "$2 is no folder"
            shift
            ;;
        --no-start) start="" ;;
        --upgrade) what=upgrade ;;
        --uninstall) what=uninstall ;;
        --purge) purge=yes ;;
        --network-camera) network=yes ;;
        --no-network-camera) network=no ;;
        start-after) # from `start_in_a_service` alone: what ran before
            started_by=yes what=start
            old=$2
            shift
            ;;
        -h | --help)
            help
            exit 0
            ;;
        *) die "there is no option $1; --help lists them" ;;
    esac
    shift
done
[ -z "$purge" ] || [ "$what" = uninstall ] || die "--purge goes with --uninstall"

running() { [ -d /run/systemd/system ]; }

# What is needed ---------------------------------------------------------------------------------------------------

look_at_machine() {
    [ -r /etc/os-release ] || die "this is no Debian: /etc/os-release is missing"
    # shellcheck disable=SC1091
    . /etc/os-release
    case "${ID:-} ${ID_LIKE:-}" in
        *debian*) ;;
        *) die "this is ${PRETTY_NAME:-no Debian}; the installer knows Debian and Raspberry Pi OS" ;;
    esac
    command -v systemctl >/dev/null || die "there is no systemd here"
    have=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
    [ "${have:-0}" -ge 252 ] || die "systemd ${have:-0} is too old, 252 is needed: Debian 12 or newer"
    say "This is ${PRETTY_NAME:-Debian}, $(dpkg --print-architecture), systemd $have."
    if [ "${VERSION_ID:-0}" = 12 ]; then
        warn "bookworm: Debian's OpenCV, pygame and pydantic are too old here and come from PyPI (pygame-ce, which can"
        say "  draw on the console). The Pi's ribbon camera and its OpenCV were not made for each other; USB cameras work."
    fi
}

# A fresh image has no lists of packages, or old ones.
update_lists() {
    if [ -n "$offline$asked" ]; then return; fi
    asked=yes
    say "Asking for the lists of packages ..."
    do_it apt-get update -qq || warn "the lists of packages could not be had; going on with those that are here"
}

candidate() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: //p' | sed 's/^(none)$//'; }
installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]; }
at_least() { # package version: whether Debian's is as new as that
    version=$(candidate "$1")
    [ -n "$version" ] && dpkg --compare-versions "${version#*:}" ge "$2"
}

packages() {
    if [ -z "$(candidate python3-numpy)" ]; then update_lists; fi
    look_for_packages
    if [ -n "$missing" ]; then
        update_lists
        look_for_packages
    fi
    if [ -n "$dry" ] && [ -z "$(candidate python3-numpy)" ]; then
        warn "there are no lists of packages here yet, so what would be installed cannot be told. For a dry run that can:"
        say "  sudo apt-get update"
        return
    fi
    for name in $absent; do
        case $name in
            python3-lgpio) warn "no package $name here (Raspberry Pi OS has it): no buttons at the pins, only at USB." ;;
            *) warn "no package $name here (Raspberry Pi OS has it): no ribbon camera, only USB cameras." ;;
        esac
    done
    if [ -z "$missing" ]; then
        say "All Debian packages are here."
        return
    fi
    say "Installing Debian packages:$missing"
    # Word splitting is meant: one argument a package.
    # shellcheck disable=SC2086
    do_it apt-get install -q -y --no-install-recommends ${offline:+--no-download} $missing ||
        die "the packages could not be installed, see above. Nothing else was changed; mend that and run this again."
}

# What is wanted, what of that is missing, and what this Debian does not have.
look_for_packages() {
    # udev gives the devices their groups and names; the libraries are what SDL draws with on the console.
    wanted="python3 python3-venv python3-setuptools python3-wheel udev kbd libgbm1 libegl1 libgles2 libgl1-mesa-dri"
    # From Debian where it is new enough: on a Pi these are built for its chip, its camera and its console, and another
    # numpy or OpenCV over them would break picamera2. The versions are those of pyproject.toml.
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

# Changes with whatever a version is made of: our files, this machine's Python, OpenCV and numpy.
fingerprint() {
    cd -- "$source"
    {
        find companion hardware systemd pyproject.toml docs tools/bootstrap.py -type f \
            ! -name '*.pyc' ! -path '*/__pycache__/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
        /usr/bin/python3 --version 2>&1 || true
        dpkg-query -W -f='${Package} ${Version}\n' python3-numpy python3-opencv python3-pygame 2>/dev/null || true
    } | sha256sum | cut -c1-12
}

build() {
    number=$(sed -n 's/^version = "\(.*\)"/\1/p' "$source/pyproject.toml")
    new=$versions/$number-$(fingerprint)
    old=$(readlink -f "$current" 2>/dev/null || true)
    # What was begun and never finished, by a power cut or an error.
    for folder in "$versions"/*; do
        [ -d "$folder" ] && [ ! -e "$folder/.complete" ] && [ "$folder" != "$old" ] || continue
        say "Removing what an interrupted installation left: $folder"
        do_it rm -rf -- "$folder"
    done
    if [ -e "$new/.complete" ]; then
        say "Version ${new##*/} is there already."
        return
    fi
    say "Building version ${new##*/} ..."
    do_it install -d -m 755 "$opt" "$versions" "$new"
    do_it /usr/bin/python3 -I "$here/environment.py" "$source" "$new" ${offline:+--offline} ${wheels:+--wheels "$wheels"} ||
        die "the version could not be built, see above. What runs here runs on; mend that and run this again."
    do_it install -d -m 755 "$new/systemd" "$new/doc"
    (
        cd -- "$here"
        do_it install -m 644 -t "$new/systemd" companion.service companion-power-off.service \
            companion-power-off.path companion-stick@.service network-camera.conf companion.sysusers \
            companion.modules 70-companion.rules
        do_it install -m 755 -t "$new/systemd" back-off stick companion.sh companion-backup install.sh
        cd -- "$source/docs"
        do_it install -m 644 -t "$new/doc" ./*.md
    )
    say "Writing it to the disk ..."
    # Before the mark and the link: else a power cut could leave a link to files that were never written.
    do_it sync -f "$new"
    do_it touch "$new/.complete"
    do_it sync -f "$new"
}

# In one step: whoever looks finds the old target or the new one.
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
    link "versions/${new##*/}" "$current"
    do_it sync -f "$opt"
}

unlink_ours() { # target name
    case "$(readlink "$2" 2>/dev/null || true)" in "$current"/*) do_it rm -f -- "$2" ;; esac
}

# Everything that hangs on the link `current`, for `link` or `unlink_ours`.
each_link() {
    for file in companion.service companion-power-off.service companion-power-off.path companion-stick@.service; do
        "$1" "$current/systemd/$file" "$units/$file"
    done
    "$1" "$current/systemd/70-companion.rules" /etc/udev/rules.d/70-companion.rules
    "$1" "$current/systemd/companion.sysusers" /etc/sysusers.d/companion.conf
    "$1" "$current/systemd/companion.modules" /etc/modules-load.d/companion.conf
    "$1" "$current/systemd/companion.sh" /usr/local/bin/companion
    "$1" "$current/systemd/companion-backup" /usr/local/bin/companion-backup
    # Not `systemctl enable`: it would name the version's own folder, which goes with the version.
    for file in companion.service companion-power-off.path; do
        "$1" "$current/systemd/$file" "$units/multi-user.target.wants/$file"
    done
}

settings() {
    if [ -e "$etc/companion.toml" ]; then
        say "Settings: $etc/companion.toml stays as it is."
        return
    fi
    say "Settings: $etc/companion.toml, every one with its default."
    if [ -n "$dry" ]; then return; fi
    install -d -m 755 "$etc"
    "$new/bin/python" -I - "$etc/companion.toml.new" <<'PYTHON'
import sys
from companion.config.settings import default_text, parse

# What differs on a box from a desktop: a real table, and the whole screen.
text = default_text().replace('#kind = "virtual"', 'kind = "real"').replace("#fullscreen = false", "fullscreen = true")
desk, box = "~/.local/share/companion", "/var/lib/companion, the only folder that the service may write to"
text = text.replace(f"Without it: {desk}.", f"Without it: {box}.").replace(f'"{desk}"', '"/var/lib/companion"')
assert desk not in text and box in text
assert parse(text.encode(), "the defaults").display.fullscreen
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(text)
PYTHON
    chmod 644 "$etc/companion.toml.new"
    sync -f "$etc"
    mv -T "$etc/companion.toml.new" "$etc/companion.toml"
}

user() {
    if [ -n "$dry" ]; then
        say "  would run: systemd-sysusers (user companion in the groups video render input audio dialout gpio)"
        return
    fi
    id companion >/dev/null 2>&1 || say "User: companion"
    systemd-sysusers "$new/systemd/companion.sysusers"
    install -d -m 700 -o companion -g companion "$data"
}

# The console is the companion's: no login prompt on it, no desktop in front of it.
console() {
    if [ ! -d "$notes" ]; then
        do_it install -d -m 755 "$notes"
        say "Noting how the machine started before: $(systemctl get-default)"
        [ -n "$dry" ] || systemctl get-default >"$notes/default-target"
        [ -n "$dry" ] || { systemctl is-enabled getty@tty1.service || true; } >"$notes/getty" 2>/dev/null
    fi
    if [ "$(systemctl get-default)" != multi-user.target ]; then
        say "The machine starts into the companion, not into a desktop."
        do_it systemctl set-default -q multi-user.target
    fi
    do_it systemctl disable -q getty@tty1.service 2>/dev/null || true
}

network_camera() {
    case $network in
        yes)
            say "The companion may reach cameras in this house's network."
            do_it install -D -m 644 "$new/systemd/network-camera.conf" "$camera_drop_in"
            ;;
        no)
            say "The companion has no network."
            do_it rm -f "$camera_drop_in"
            ;;
    esac
}

activate() {
    do_it sync -f "$units"
    if ! running; then
        warn "systemd does not run here: the companion starts with the machine's next start."
        return
    fi
    do_it systemctl daemon-reload
    do_it udevadm control --reload 2>/dev/null || true
    do_it udevadm trigger --action=change --subsystem-match=tty --subsystem-match=gpio --subsystem-match=dma_heap \
        2>/dev/null || true
    do_it systemctl restart systemd-modules-load.service 2>/dev/null || true
    do_it systemctl start companion-power-off.path # also where the companion is started by hand, later
    if [ -z "$start" ]; then
        say "It starts with the machine's next start, or now by: sudo systemctl start companion"
        return
    fi
    if [ "$old" = "$new" ] && [ -z "$network" ] && systemctl is-active -q companion.service; then
        say "The companion runs."
        return
    fi
    say "Starting the companion: it takes the machine's own screen, and a login or a desktop there ends with that."
    start_in_a_service
}

# Whoever sits at the machine's own screen runs this in a session that ends when the companion takes the screen; what
# comes then, going back to the old version if need be, may not end with it.
start_in_a_service() {
    do_it systemd-run --quiet --collect --pipe --wait --unit=companion-install --service-type=exec \
        "$new/systemd/install.sh" start-after "$old" || exit 1
}

# In that service. `new` is what the link names, `old` what it named before, nothing if this is the first version.
start_companion() {
    new=$(readlink -f "$current")
    systemctl stop companion.service 2>/dev/null || true
    keep_journal
    if systemctl start companion.service; then
        say "The companion is ready. Its log: sudo journalctl -u companion"
        return
    fi
    if [ -n "$old" ] && [ "$old" != "$new" ] && [ -e "$old/.complete" ]; then
        warn "the new version does not start (sudo journalctl -u companion tells why): going back to ${old##*/}."
        link "versions/${old##*/}" "$current"
        sync -f "$opt"
        systemctl daemon-reload
        systemctl stop companion.service || true
        systemctl start companion.service || true
    fi
    die "the new version does not start: sudo journalctl -u companion"
}

# A newer version may change the journal's tables; whoever goes back to an older one has this copy.
keep_journal() {
    if [ "$old" = "$new" ] || [ -z "$old" ] || [ -n "$dry" ]; then return; fi
    kept=$data/before-${new##*/}
    [ -e "$kept" ] && return
    rm -rf -- "$data"/before-* # one such copy is enough
    for file in "$data"/*.sqlite*; do
        [ -e "$file" ] || continue
        install -d -m 700 -o companion -g companion "$kept.new"
        cp -p -- "$file" "$kept.new/"
    done
    if [ -d "$kept.new" ]; then
        sync -f "$data"
        mv -T -- "$kept.new" "$kept"
        say "The journal as it was before is kept in $kept."
    fi
}

# The one before stays, to go back to; older ones go.
clear_up() {
    if [ "$old" = "$new" ]; then return; fi # which of the others was the one before is not known now
    for folder in "$versions"/*; do
        case $folder in "$new" | "$old" | "$versions/*") continue ;; esac
        say "Removing the version ${folder##*/}."
        do_it rm -rf -- "$folder"
    done
}

install_all() {
    if [ "$what" = upgrade ] && [ ! -e "$current" ]; then
        warn "there is no version here to upgrade: this is a first installation."
    fi
    for part in companion hardware pyproject.toml tools/bootstrap.py; do
        [ -e "$source/$part" ] || die "$source/$part is missing: run this from the unpacked repository"
    done
    look_at_machine
    packages
    version=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || echo none)
    case $version in
        3.11 | 3.12 | 3.13) ;;
        *) [ -n "$dry" ] || die "Debian's Python is $version, and the companion needs 3.11, 3.12 or 3.13" ;;
    esac
    build
    user
    settings
    switch
    each_link link
    console
    network_camera
    activate
    clear_up
    if [ -n "$dry" ]; then
        say "This was a dry run: nothing was changed."
        return
    fi
    say "Done. Sittings are kept in $data, settings in $etc/companion.toml."
}

# Away with it -----------------------------------------------------------------------------------------------------

uninstall() {
    say "Removing the companion."
    if running; then
        do_it systemctl stop companion-power-off.path companion.service 2>/dev/null || true
    fi
    each_link unlink_ours
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
    do_it rm -rf -- "$opt" /var/cache/companion
    if [ -z "$purge" ]; then
        say "Kept: sittings in $data, settings in $etc, the user companion, and the Debian packages."
    else
        do_it rm -rf -- "$data" "$etc" "$data.before-restore" "$etc.before-restore"
        if id companion >/dev/null 2>&1; then do_it userdel companion; fi
        say "Sittings, settings and the user are gone too. The Debian packages stay."
    fi
}

[ "$(id -u)" = 0 ] || [ -n "$dry" ] || die "this needs root: sudo $0"
# Two at once would build into one folder. Who started this as a service has the lock.
if [ -z "$dry$started_by" ]; then
    exec 9>/run/companion-install.lock
    flock -n 9 || die "it runs already"
fi
case $what in
    uninstall) uninstall ;;
    start) start_companion ;;
    *) install_all ;;
esac
