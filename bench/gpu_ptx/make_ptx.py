#!/usr/bin/python3
"""Compiles the programs of bench_gpu_ptx to PTX, with the compiler and the options of tests/field/gpu/static_check.py.

Usage: make_ptx.py PROGRAM FOLDER [DEVICE]

PROGRAM is bench_gpu_ptx. It runs on an OpenCL device (DEVICE, or PoCL's) and writes the texts of the programs into
FOLDER; the PTX lies beside them. Needs clang 14. The GPU's driver compiles the PTX for its card.
"""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/field/gpu"))
from static_check import CLANG, ptx_of  # noqa: E402


def lanes_of(text):
    """The size of each kernel's groups, which its text fixes (KERNEL in dialect.h)."""
    expanded = subprocess.run([CLANG, "-E", "-P", "-x", "cl", str(text)], capture_output=True, text=True, check=True).stdout
    kernels = re.findall(r"reqd_work_group_size\((\d+), 1, 1\)\)\)\s*void (\w+)\(", expanded)
    return {name: int(lanes) for lanes, name in kernels}


def for_driver(ptx, lanes):
    """PTX as NVIDIA's driver interface wants it: clang writes it for OpenCL's, and leaves out the size of groups."""
    ptx = ptx.replace(", texmode_independent", "")
    return re.sub(r"^\.entry (\w+)(\([^)]*\))\n", lambda entry: f".visible .entry {entry[1]}{entry[2]}\n"
                  f".reqntid {lanes[entry[1]]}, 1, 1\n", ptx, flags=re.MULTILINE)


def main():
    if CLANG is None:
        sys.exit("make_ptx.py: clang 14 is not installed (clang-14)")
    program, folder, device = sys.argv[1], pathlib.Path(sys.argv[2]), (sys.argv[3:] or ["gpu:Portable"])[0]
    subprocess.run([program, "--texts", str(folder), "--device", device], check=True)
    texts = sorted(folder.glob("*.cl"))
    for text in texts:
        text.with_suffix(".ptx").write_text(for_driver(ptx_of(text), lanes_of(text)))
    print(f"{len(texts)} programs in {folder}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main()
