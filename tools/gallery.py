#!/usr/bin/python3
"""Remakes the pictures of docs/gallery.md: runs each scene, draws a strip, and reduces its colours by pngquant. The
picture of README.md is cut from these strips."""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs/images/gallery"
MOST_BYTES = 150_000

# name: (scene within examples/, times in s, further options of `electret render`)
STRIPS = {
    "ears": ("gallery/ears.toml", "0,2,3,4.5,6", "--camera 60,14"),
    "charge_through_torus": ("gallery/charge_through_torus.toml", "0,1.2,2.4,4,5", "--camera 25,32"),
    "rotating_field": ("rotating_field.toml", "0,0.8,1.6,2.4,3.2", "--field 8"),
    "charged_torus": ("charged_torus.toml", "0,0.9,1.8,3", ""),
    "charged_sleeves": ("gallery/charged_sleeves.toml", "0,0.6,1.2,1.68,3", "--camera 15,8"),
    "hair": ("gallery/hair.toml", "0,1,2,3,4", "--camera 20,24"),
    "docking": ("gallery/docking.toml", "0,0.8,1.5,2.2,3", "--camera 25,22"),
    "jellies_dock": ("gallery/jellies_dock.toml", "0.3,0.7,1,1.8,2.6", "--camera 20,8"),
    "flower": ("gallery/flower.toml", "0,2,3.5,4.7,7", "--camera 15,28"),
    "rope": ("gallery/rope.toml", "0,1,1.8,2.4,3.6", "--camera 0,25"),
    "levitation": ("gallery/levitation.toml", "0,1,2,3,5", "--camera 20,12"),
    "drape": ("gallery/drape.toml", "0,0.5,1.9,3,4.5", "--camera 20,24"),
    "thrown_cloth": ("gallery/thrown_cloth.toml", "0.3,0.45,0.55,0.7,2", "--camera 20,20"),
    "thrown_over_spot": ("gallery/thrown_cloth.toml", "0.3,0.45,0.55,0.7,2", "--camera 20,20"),
    "jelly_drop": ("gallery/jelly_drop.toml", "0,0.2,0.28,0.4,3", "--camera -20,12"),
    "ceiling_walker": ("gallery/ceiling_walker.toml", "0.3,0.75,1.25,1.75,3", "--camera 20,-12"),
    "steered_swimmer": ("gallery/steered_swimmer.toml", "0,5,9,13,18,24", "--camera 0,60 --field 9"),
    "swimming_sheet": ("gallery/swimming_sheet.toml", "0,2,4,6,8", "--camera 20,20"),
    "star": ("gallery/star.toml", "0,0.5,1,1.5,2", "--camera 20,35"),
}

# name: (mesh in the folder of --data in place of that of the scene's second body, further options of `electret run`)
GIVEN_MESHES = {
    "thrown_over_spot": (
        "spot.obj",
        "--set body.1.scale=0.5 --set body.1.rotate=[90,0,60] --set body.1.translate=[0.1,0,0.37] "
        "--set contact.thickness=0.001 --set body.0.springs.0.stiffness=300 --set body.0.springs.1.stiffness=150",
    ),
}

README = "readme"
README_WIDTH = 900
README_MOST_BYTES = 120_000
CAPTION = 19  # Pixels below each picture of a strip.
# (strip, left and right of a part in pixels); scenes are apart, pictures of a scene close together
README_PARTS = [
    [("ears", 242, 359), ("ears", 363, 480)],
    [("hair", 308, 427), ("hair", 984, 1224)],
    [("jelly_drop", 4, 132), ("jelly_drop", 308, 432)],
]


def reduce_colours(picture, target):
    """Writes `picture` to `target` with few colours; the size in bytes."""
    subprocess.run(["pngquant", "--force", "--strip", "--speed", "1", "--output", target, "96", picture], check=True)
    return target.stat().st_size


def cut_for_readme(scratch):
    """Puts parts of three strips side by side, without captions, as README.md's picture; its size in bytes."""
    scenes = []
    for parts in README_PARTS:
        cuts = []
        for name, left, right in parts:
            strip = Image.open(PICTURES / f"{name}.png").convert("RGB")
            cuts.append(strip.crop((left, 0, right, strip.height - CAPTION)))
        scenes.append(cuts)
    close = 4
    used = sum(cut.width for cuts in scenes for cut in cuts) + close * sum(len(cuts) - 1 for cuts in scenes)
    apart = (README_WIDTH - used) // (len(scenes) - 1)
    whole = Image.new("RGB", (README_WIDTH, scenes[0][0].height), "white")
    x = 0
    for cuts in scenes:
        for cut in cuts:
            whole.paste(cut, (x, 0))
            x += cut.width + close
        x += apart - close
    whole.save(scratch / "readme.png")
    return reduce_colours(scratch / "readme.png", PICTURES.parent / f"{README}.png")  # The gallery shows all of its own folder.


def changes_of(name, data):
    """The options of `electret run` that take the mesh of this picture from the folder `data`; none if it needs no mesh."""
    if name not in GIVEN_MESHES:
        return []
    mesh, changes = GIVEN_MESHES[name]
    return ["--set", f"body.1.mesh={data / mesh}", *changes.split()]


def remake(electret, name, scratch, data):
    """Runs the scene and writes its strip; the size of the picture in bytes."""
    scene, times, options = STRIPS[name]
    run, strip = scratch / name, PICTURES / f"{name}.png"
    subprocess.run([electret, "run", ROOT / "examples" / scene, "-o", run, "--overwrite", *changes_of(name, data)],
                   check=True)  # fmt: skip
    subprocess.run([electret, "render", run, "-o", run / "pictures", "--times", times, "--strip", "--size", "320x300",
                    *options.split()], check=True)  # fmt: skip
    PICTURES.mkdir(parents=True, exist_ok=True)
    return reduce_colours(run / "pictures/strip.png", strip)


def main(electret, names, data):
    known = [*STRIPS, README]
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"gallery: there is no picture {', '.join(unknown)}; there are {', '.join(known)}")
    lacking = [f"{name} ({GIVEN_MESHES[name][0]})" for name in names if name in GIVEN_MESHES and not data]
    if lacking:
        sys.exit(f"gallery: --data must name the folder with the mesh of {', '.join(lacking)}")
    large = []
    with tempfile.TemporaryDirectory() as scratch:
        for name in names or [name for name in known if data or name not in GIVEN_MESHES]:
            is_readme = name == README
            size = cut_for_readme(Path(scratch)) if is_readme else remake(electret, name, Path(scratch), data)
            print(f"{name}: {size} bytes")
            most = README_MOST_BYTES if is_readme else MOST_BYTES
            if size > most:
                large.append(f"{name} (more than {most} bytes)")
    if large:
        sys.exit(f"gallery: too large: {', '.join(large)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("electret", help="the command")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a picture, readme: that of README.md (default: all)")
    parser.add_argument("--data", metavar="DIR", type=lambda folder: Path(folder).resolve(),
                        help="has the meshes that Electret does not bring; without it, their pictures are left as they are")  # fmt: skip
    given = parser.parse_intermixed_args()
    main(given.electret, given.names, given.data)
