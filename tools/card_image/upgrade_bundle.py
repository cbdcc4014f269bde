"""The signed bundle that upgrades a card, and the key that signs it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from card_image.recipe import Recipe
from card_image.root_commands import run


def make_key(recipe: Recipe) -> None:
    """Make a key of this work folder's own, if none was given and none is there."""
    if recipe.key.exists():
        return
    recipe.key.parent.mkdir(parents=True, exist_ok=True)
    request = ("openssl", "req", "-x509", "-newkey", "rsa:3072", "-nodes", "-days", "7300", "-subj")
    run(*request, "/CN=board game companion upgrades", "-keyout", recipe.key, "-out", recipe.certificate)
    recipe.key.chmod(0o600)


def make_bundle(recipe: Recipe, boot: Path, root: Path) -> Path:
    """Make the signed bundle that upgrades a card to this version."""
    folder = recipe.work / recipe.target.name / "bundle"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    os.link(boot, folder / "boot.img")
    os.link(root, folder / "root.img")
    (folder / "manifest.raucm").write_text(
        f"[update]\ncompatible=board-game-companion-{recipe.target.name}\nversion={recipe.version}\n\n"
        "[bundle]\nformat=verity\n\n[image.boot]\nfilename=boot.img\n\n[image.root]\nfilename=root.img\n"
    )
    bundle = recipe.out / f"{recipe.name}.raucb"
    bundle.unlink(missing_ok=True)
    # The two images are squeezed already, as far as that helps.
    squeeze = "--mksquashfs-args=-comp zstd -Xcompression-level 3"
    run("rauc", "bundle", f"--cert={recipe.certificate}", f"--key={recipe.key}", squeeze, folder, bundle)
    return bundle
