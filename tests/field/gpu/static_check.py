"""Compiles every program for NVIDIA (PTX) and AMD (gfx1030) without a driver, and holds what its kernels need below
the committed table kernel_costs.json.

Usage: static_check.py PROGRAM [--renew], where PROGRAM is test_field_gpu, whose tests EveryKernel compile all
programs. Exits with 77 where clang 14 or an OpenCL device is missing. --renew writes the table anew.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
TABLE = HERE / "kernel_costs.json"
# Another version allots registers in another way, and would need a table of its own.
CLANG = shutil.which("clang-14")
OPTIONS = ["-x", "cl", "-cl-std=CL1.2", "-O3", "-cl-denorms-are-zero", "-Xclang", "-fno-builtin", "-w", "-nogpulib",
           "-include", str(HERE / "offline.h")]
LOCAL_MEMORY = 32768


def compile_for(text, target, *more):
    """The assembly of a program."""
    run = subprocess.run([CLANG, *OPTIONS, *target, *more, "-S", "-o", "-", str(text)], capture_output=True, text=True,
                         check=False)
    if run.returncode != 0:
        sys.exit(f"{text.name} does not compile for {target}:\n{run.stderr[:4000]}")
    return run.stdout


def ptx_of(text):
    """The PTX of a program, for cards from compute capability 7.0 on."""
    return compile_for(text, ["-target", "nvptx64-nvidia-nvcl"], "-Xclang", "-target-cpu", "-Xclang", "sm_70")


def undefined_in(ptx):
    """The functions that PTX declares and nobody defines: no driver would link it."""
    return sorted(set(re.findall(r"^\.(?:extern \.)?func(?: +\([^)]*\))? (\w+)\n?\([^)]*\)\n?;", ptx, re.MULTILINE)))


def of_amd(assembly):
    """Registers, spilled registers and local memory of each kernel, from the metadata."""
    metadata = assembly[assembly.index(".amdgpu_metadata"):]
    kernels = {}
    for kernel in re.split(r"\n  - ", metadata)[1:]:
        name = re.search(r"\.name:\s+(\w+)\n(?=\s+\.private)", kernel)
        if not name:
            continue
        number = lambda key: int(re.search(rf"\.{key}:\s+(\d+)", kernel)[1])
        kernels[name[1]] = {"registers": number("vgpr_count"), "spilled": number("vgpr_spill_count"),
                            "local": number("group_segment_fixed_size")}
    return kernels


def slots_of_pairs(ptx):
    """Instructions a pair in each kernel's innermost loops that take inverse roots: the loop's, by the number of its
    roots; those of the cheapest such loop, which has no special pairs."""
    slots = {}
    for name, body in re.findall(r"\.entry (\w+)\(.*?\n\{(.*?)\n\}", ptx, re.DOTALL):
        lines = [line.strip() for line in body.splitlines()]
        labels = {line[:-1]: at for at, line in enumerate(lines) if line.endswith(":")}
        for at, line in enumerate(lines):
            back = re.search(r"bra(?:\.uni)?\s+(\$?\w+);", line)
            if not back or labels.get(back[1], at) >= at:
                continue
            loop = [text for text in lines[labels[back[1]]:at + 1] if re.match(r"@|[a-z]", text)]
            roots = sum("rsqrt.approx" in text for text in loop)
            if roots:
                slots[name] = min(slots.get(name, 1e9), round(len(loop) / roots, 1))
    return slots


def costs_of(text):
    amd = of_amd(compile_for(text, ["-target", "amdgcn-amd-amdhsa", "-mcpu=gfx1030"]))
    ptx = ptx_of(text)
    if undefined_in(ptx):
        sys.exit(f"{text.name} calls what no GPU has: {', '.join(undefined_in(ptx))}")
    slots = slots_of_pairs(ptx)
    return {name: kernel | ({"slots": slots[name]} if name in slots else {}) for name, kernel in amd.items()}


def dumped(program, folder):
    """The texts of all programs, as the tests compile them."""
    environment = dict(os.environ, ELECTRET_KERNEL_DUMP=folder)
    run = subprocess.run([program, "--gtest_filter=EveryKernel.*"], env=environment, capture_output=True, text=True,
                         timeout=600)
    if run.returncode != 0:
        sys.exit(f"the kernels' tests fail:\n{run.stdout}{run.stderr}")
    return sorted(pathlib.Path(folder).glob("*.cl"))


def main():
    program = sys.argv[1]
    if CLANG is None:
        print("skipped: clang 14 is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        texts = dumped(program, folder)
        if not texts:
            print("skipped: no OpenCL device")
            return 77
        costs = {text.stem: costs_of(text) for text in texts}
    if "--renew" in sys.argv:
        TABLE.write_text(json.dumps(costs, indent=1, sort_keys=True) + "\n")
        return 0
    allowed = json.loads(TABLE.read_text())
    wrong = []
    for program_name, kernels in costs.items():
        for kernel, cost in kernels.items():
            limit = allowed.get(program_name, {}).get(kernel)
            if limit is None:
                wrong.append(f"{program_name}: {kernel} is not in {TABLE.name}")
                continue
            wrong += [f"{program_name}: {kernel} needs {value} {what}, above {limit.get(what)}"
                      for what, value in cost.items() if value > limit.get(what, 0)]
            if cost["local"] > LOCAL_MEMORY:
                wrong.append(f"{program_name}: {kernel} takes {cost['local']} bytes of local memory")
    print("\n".join(wrong) or f"{sum(map(len, costs.values()))} kernels of {len(costs)} programs within the table")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
