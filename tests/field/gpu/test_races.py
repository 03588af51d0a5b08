"""Runs every kernel under Oclgrind, which simulates a device and finds races and accesses beyond a buffer.

Usage: test_races.py PROGRAM, where PROGRAM is test_field_gpu. Exits with 77 where Oclgrind is not installed.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

LIBRARY = next((path for path in pathlib.Path("/usr/lib").glob("**/liboclgrind-rt-icd.so")), None)


def simulate(program, tests):
    """What Oclgrind says while the program runs these tests; fails unless they pass."""
    with tempfile.TemporaryDirectory() as folder:
        # Oclgrind's own launcher crashes programs that load OpenCL while they run: the loader is told instead.
        pathlib.Path(folder, "oclgrind.icd").write_text(f"{LIBRARY}\n")
        log = pathlib.Path(folder, "log")
        environment = dict(os.environ, OCL_ICD_VENDORS=f"{folder}/", OCLGRIND_DATA_RACES="1", OCLGRIND_LOG=str(log),
                           ELECTRET_TEST_DEVICE="gpu:oclgrind")
        run = subprocess.run([program, "--gtest_also_run_disabled_tests", f"--gtest_filter={tests}"],
                             env=environment, capture_output=True, text=True, timeout=900)
        if run.returncode != 0 or "SKIPPED" in run.stdout:
            sys.exit(f"{tests} fail under Oclgrind:\n{run.stdout}{run.stderr}")
        return log.read_text() if log.exists() else ""


def main():
    program = sys.argv[1]
    if LIBRARY is None:
        print("skipped: Oclgrind is not installed")
        return 77
    if "race" not in simulate(program, "EveryKernel.DISABLED_WithARace").lower():
        sys.exit("Oclgrind misses a race that was planted")
    if "race" not in simulate(program, "EveryKernel.DISABLED_WithAWrongFence").lower():
        sys.exit("Oclgrind misses a fence of the wrong memory that was planted")
    if "write" not in simulate(program, "EveryKernel.DISABLED_BeyondABuffer").lower():
        sys.exit("Oclgrind misses a write beyond a buffer that was planted")
    found = simulate(program, "EveryKernel.*-*DISABLED*")
    if found:
        sys.exit(f"Oclgrind found:\n{found[:4000]}")
    print("no race and no access beyond a buffer")
    return 0


if __name__ == "__main__":
    sys.exit(main())
