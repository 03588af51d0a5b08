#!/usr/bin/python3
"""Remakes the pictures of docs/gallery.md: runs each scene, draws a strip, and reduces its colours by pngquant.

    gallery.py ELECTRET_BINARY [NAME ...]     the pictures of these names; none: all
"""
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs/images/gallery"
MOST_BYTES = 150_000

# name: (scene within examples/, times in s, further options of `electret render`)
STRIPS = {
    "ears": ("gallery/ears.toml", "0,2,3,4.5,6", "--camera 60,14"),
    "charge_through_torus": ("gallery/charge_through_torus.toml", "0,1.2,2.4,4,5", "--camera 25,32"),
    "rotating_field": ("rotating_field.toml", "0,0.8,1.6,2.4,3.2", "--field 8"),
    "charged_torus": ("charged_torus.toml", "0,0.9,1.8,3", ""),
    "charged_sleeves": ("gallery/charged_sleeves.toml", "0,1,2,3,4", "--camera 15,8"),
    "hair": ("gallery/hair.toml", "0,1,2,3,4", "--camera 20,24"),
    "docking": ("gallery/docking.toml", "0,0.8,1.5,2.2,3", "--camera 25,22"),
    "flower": ("gallery/flower.toml", "0,2,3.5,4.7,7", "--camera 15,28"),
    "levitation": ("gallery/levitation.toml", "0,1,2,3,5", "--camera 20,12"),
    "drape": ("gallery/drape.toml", "0,0.5,1.9,3,4.5", "--camera 20,24"),
    "jelly_drop": ("gallery/jelly_drop.toml", "0,0.2,0.28,0.4,1.2", "--camera -20,12"),
    "star": ("gallery/star.toml", "0,0.5,1,1.5,2", "--camera 20,35"),
}


def remake(electret, name, scratch):
    """Runs the scene and writes its strip; the size of the picture in bytes."""
    scene, times, options = STRIPS[name]
    run, strip = scratch / name, PICTURES / f"{name}.png"
    subprocess.run([electret, "run", ROOT / "examples" / scene, "-o", run, "--overwrite"], check=True)
    subprocess.run([electret, "render", run, "-o", run / "pictures", "--times", times, "--strip", "--size", "320x300",
                    *options.split()], check=True)  # fmt: skip
    PICTURES.mkdir(parents=True, exist_ok=True)
    subprocess.run(["pngquant", "--force", "--strip", "--speed", "1", "--output", strip, "96",
                    run / "pictures/strip.png"], check=True)  # fmt: skip
    return strip.stat().st_size


def main(electret, names):
    unknown = [name for name in names if name not in STRIPS]
    if unknown:
        sys.exit(f"gallery: there is no picture {', '.join(unknown)}; there are {', '.join(STRIPS)}")
    large = []
    with tempfile.TemporaryDirectory() as scratch:
        for name in names or STRIPS:
            size = remake(electret, name, Path(scratch))
            print(f"{name}: {size} bytes")
            if size > MOST_BYTES:
                large.append(name)
    if large:
        sys.exit(f"gallery: more than {MOST_BYTES} bytes: {', '.join(large)}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
