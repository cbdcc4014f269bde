#!/bin/sh
# Run the companion's wheel on aarch64 without a Pi: in an arm64 Debian root, under qemu-user.
#
#   make arm64-smoke        (root; Debian: debootstrap qemu-user-static binfmt-support; minutes)
#
# The root is kept below $COMPANION_ROOTS (/var/cache/companion-roots). It has Debian's Python and PyPI's wheels for
# aarch64, as pip chooses them. Runs `companion doctor`, reads a rendered table, and plays a whole game by itself.
# Exit status 77: a requirement is missing; the message names it.
set -eu
unset CDPATH
cd -- "$(dirname -- "$0")/.."
roots=${COMPANION_ROOTS:-/var/cache/companion-roots}
suite=trixie
root=$roots/$suite-arm64
python=${PYTHON:-.venv/bin/python}

skip() {
    echo "arm64-smoke: skipped: $*" >&2
    exit 77
}
[ "$(id -u)" = 0 ] || skip "root is needed"
for tool in debootstrap chroot qemu-aarch64-static; do
    command -v "$tool" >/dev/null || skip "$tool is missing (Debian: debootstrap qemu-user-static binfmt-support)"
done
# The kernel has to hand aarch64 programs to qemu (F: also within a chroot that has no qemu).
binfmt=/proc/sys/fs/binfmt_misc
if [ ! -e $binfmt/register ]; then mount -t binfmt_misc binfmt_misc $binfmt 2>/dev/null || skip "no binfmt_misc here"; fi
if [ ! -e $binfmt/qemu-aarch64 ]; then
    magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    printf ':qemu-aarch64:M::%s:%s:%s:F' "$magic" "$mask" "$(command -v qemu-aarch64-static)" >$binfmt/register ||
        skip "qemu could not be registered"
fi

if [ ! -d "$root" ]; then
    echo "Making an arm64 root (minutes) ..."
    rm -rf "$root.part"
    mkdir -p "$roots"
    # Unpacked by this machine's own dpkg and not set up: that would run every script under qemu, for half an hour.
    mkdir -p "$roots/debs-arm64"
    debootstrap --arch=arm64 --variant=minbase --include=python3,libgl1,libglib2.0-0t64,libxcb1 \
        --cache-dir="$roots/debs-arm64" --foreign $suite "$root.part" http://deb.debian.org/debian >"$roots/arm64.log" 2>&1 ||
        skip "no arm64 root could be made: $(tail -1 "$roots/arm64.log")"
    for deb in "$root.part"/var/cache/apt/archives/*.deb; do dpkg-deb --extract "$deb" "$root.part"; done
    mkdir -p "$root.part/dev" "$root.part/proc" "$root.part/tmp"
    mv "$root.part" "$root"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "Building the wheel, and fetching those that it needs ..."
# A copy: the build writes beside its source.
for part in companion hardware docs/share pyproject.toml README.md LICENSE; do cp -r --parents "$part" "$work/"; done
"$python" -m pip wheel --quiet --no-deps --wheel-dir "$work/wheels" "$work"
"$python" - >"$work/needs" <<'PYTHON'
import tomllib

# pygame-ce in place of pygame: the wheel that has KMSDRM.
for need in tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"]:
    print(need if not need.startswith("pygame") else "pygame-ce>=2.5,<3")
PYTHON
platforms=""
for tag in manylinux_2_28 manylinux_2_27 manylinux_2_17 manylinux2014; do
    platforms="$platforms --platform ${tag}_aarch64"
done
# Word splitting is meant: one argument a word.
# shellcheck disable=SC2086
"$python" -m pip download --quiet --dest "$work/wheels" --only-binary=:all: --python-version 3.13 --implementation cp \
    $platforms --requirement "$work/needs" || skip "PyPI cannot be reached"

# This machine's pip unpacks them as the Pi's would; under qemu it would take minutes more. It would compare the wheels,
# which were chosen for the root's Python, with the Python that it runs on itself.
rm -rf "$root/smoke"
mkdir "$root/smoke"
# shellcheck disable=SC2086
"$python" -m pip install --quiet --no-index --no-deps --no-compile --target "$root/smoke/packages" --only-binary=:all: \
    --ignore-requires-python --python-version 3.13 --implementation cp $platforms "$work"/wheels/*.whl
mount -t proc proc "$root/proc" 2>/dev/null || true
[ -e "$root/dev/urandom" ] || mount --bind /dev "$root/dev"
trap 'umount "$root/proc" "$root/dev" 2>/dev/null || true; rm -rf "$work"' EXIT
# The processor of a Pi 4, not all that qemu can do: what a Pi does not know is to stop the program here as well.
in_root() {
    chroot "$root" env -i QEMU_CPU=cortex-a72 PATH=/usr/bin:/bin HOME=/smoke LANG=C.UTF-8 PYTHONPATH=/smoke/packages \
        SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy PYGAME_HIDE_SUPPORT_PROMPT=1 OPENBLAS_NUM_THREADS=1 "$@"
}
in_root uname -m
in_root python3 -m companion --version
echo "companion doctor:"
in_root python3 -m companion doctor || true # there is no screen and no camera in a root
echo "A whole game:"
in_root python3 -m companion run --headless --seed 7 --game secret_number --shots /smoke/shots >"$work/game"
tail -3 "$work/game"
echo "Reading a rendered table:"
in_root python3 - <tools/arm64_table.py
echo "arm64-smoke: all well."
