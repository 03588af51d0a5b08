"""All solvers give the same bits with 1, 2 and 4 threads of PoCL, and by all of its ways to run a group's lanes.

Usage: test_bits.py PROGRAM, where PROGRAM is test_field_gpu. Exits with 77 where there is no OpenCL device.
"""

import os
import re
import subprocess
import sys

WAYS = ("loops", "loopvec", "cbs")
# PoCL 6 with LLVM 18 has not compiled the kernels for "cbs" after ten minutes; version 3 takes seconds.
LAST_WITH_CBS = 3
THREADS = (1, 2, 4)


def bits(program, **settings):
    run = subprocess.run([program, "--gtest_also_run_disabled_tests", "--gtest_filter=EveryKernel.DISABLED_Bits"],
                         env=dict(os.environ, **settings), capture_output=True, text=True, timeout=600)
    if run.returncode != 0:
        sys.exit(f"the solvers fail with {settings}:\n{run.stdout}{run.stderr}")
    lines = run.stdout.splitlines()
    units, platform, results = ([line for line in lines if line.startswith(start)] for start in ("compute units", "platform: ", "bits of "))
    return units, platform, results


def ways_of(platform):
    version = re.search(r"PoCL (\d+)", platform[0])
    if version and int(version[1]) <= LAST_WITH_CBS:
        return WAYS
    print(f"{platform[0]}: cbs is left out")
    return [way for way in WAYS if way != "cbs"]


def main():
    program = sys.argv[1]
    (_, platform, expected) = bits(program)
    if not expected:
        print("skipped: no OpenCL device")
        return 77
    # The first name is that of PoCL 3, the second that of later versions.
    settings = [{"POCL_MAX_PTHREAD_COUNT": str(count), "POCL_CPU_MAX_CU_COUNT": str(count)} for count in THREADS]
    settings += [{"POCL_WORK_GROUP_METHOD": way} for way in ways_of(platform)]
    wrong = 0
    for setting in settings:
        units, _, found = bits(program, **setting)
        count = setting.get("POCL_CPU_MAX_CU_COUNT")
        if count and units != [f"compute units of PoCL: {count}"]:
            print(f"{setting}: PoCL took {units}")
            wrong += 1
        for line, other in zip(expected, found, strict=True):
            if line != other:
                print(f"{setting}: {other}, without: {line}")
                wrong += 1
    print(f"{len(expected)} results, {len(settings)} settings, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
