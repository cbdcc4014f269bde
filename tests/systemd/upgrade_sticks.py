"""USB sticks with upgrades of a card image: a good one, older and broken ones, and ones that no card accepts."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

from card_image.recipe import PROJECT, Recipe, Target
from card_image.upgrade_bundle import make_bundle, make_key
from make_image import pack

from tests.systemd.emulated_card import make_stick

GOOD, BACK, BROKEN = "9.1", "9.1+back", "9.2"
"""Versions of the upgrades, none older than the one that it replaces: an older one is not installed at once."""
DROP_IN = "etc/systemd/system/companion.service.d/broken.conf"


def _build_recipe(target: Target, version: str, out: Path, work: Path) -> Recipe:
    """Build the recipe of the image in build/image, with another version."""
    epoch = int(subprocess.check_output(["git", "log", "-1", "--format=%ct"], cwd=PROJECT))
    keys = work / "keys"
    return Recipe(
        target=target,
        version=version,
        epoch=epoch,
        work=work,
        out=out,
        mirror="",
        pi_archive="",
        pi_key=None,
        key=keys / "key.pem",
        certificate=keys / "certificate.pem",
        fast=True,
    )


def _pack_bundle(recipe: Recipe) -> Path:
    """Build the bundle of a version and return it; nothing else is kept."""
    os.environ.setdefault("SOURCE_DATE_EPOCH", str(recipe.epoch))
    pack(recipe).unlink()
    return recipe.out / f"{recipe.name}.raucb"


def make_upgrade_sticks(target: Target, image: Path, folder: Path, work: Path) -> dict[str, Path]:
    """Make sticks: `good`, `back` (as new as that), `older` (the image's own), `broken` (its companion cannot start).

    And two that no card accepts: `foreign` (signed with another key), `unsigned`. They are kept in the work folder, and
    made again for another image.

    Args:
        folder: for what is not kept.
        work: the work folder of the image's build.
    """
    names = ("good", "back", "older", "broken", "foreign", "unsigned")
    sticks = {name: work / "sticks" / target.name / f"{name}.stick" for name in names}
    if all(place.exists() and place.stat().st_mtime > image.stat().st_mtime for place in sticks.values()):
        return sticks
    sticks["good"].parent.mkdir(parents=True, exist_ok=True)
    make_stick(sticks["good"], _pack_bundle(_build_recipe(target, GOOD, folder / "good", work)))
    make_stick(sticks["back"], _pack_bundle(_build_recipe(target, BACK, folder / "back", work)))
    make_stick(sticks["older"], image.with_suffix(".raucb"))
    # Other keys sign the same version; without a signature it is a squashfs like any other.
    other = {"key": folder / "k.pem", "certificate": folder / "c.pem"}
    foreign = replace(_build_recipe(target, GOOD, folder / "foreign", work), **other)
    foreign.out.mkdir(exist_ok=True)
    make_key(foreign)
    parts = work / target.name
    bundle = make_bundle(foreign, parts / "boot.img", parts / "root.img")
    make_stick(sticks["foreign"], bundle)
    bundle.unlink()
    subprocess.run(["mksquashfs", parts / "bundle", bundle, "-quiet", "-no-progress"], check=True)
    make_stick(sticks["unsigned"], bundle)
    bundle.unlink()
    drop_in = parts / "root" / DROP_IN
    drop_in.write_text("[Service]\nExecStart=\nExecStart=/bin/false\n")
    try:
        make_stick(sticks["broken"], _pack_bundle(_build_recipe(target, BROKEN, folder / "broken", work)))
    finally:
        drop_in.unlink()
    return sticks
