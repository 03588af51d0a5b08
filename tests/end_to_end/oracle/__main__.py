"""`python3 -m oracle run SCENE -o DIR`: writes trajectory.h5, energy.csv and summary.json as `electret run` does,
enough of them to try compare_with_oracle.py without Electret."""
import argparse

from . import load_scene, simulate
from .run_files import write_run


def main():
    parser = argparse.ArgumentParser(prog="oracle", description=__doc__)
    parser.add_argument("command", choices=["run"])
    parser.add_argument("scene")
    parser.add_argument("-o", dest="folder", required=True)
    arguments = parser.parse_args()
    scene = load_scene(arguments.scene)
    write_run(scene, simulate(scene), arguments.folder)


main()
