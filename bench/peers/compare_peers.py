#!/usr/bin/python3
"""Electret's fmm beside other libraries of the fast multipole method, in one run, at equal measured accuracy.

    compare_peers.py BINARY [--exafmm FOLDER] [--fmm3d FOLDER] [--falcon FOLDER] [--quick] [--json]
                     [--clouds cube,torus,blobs] [--sizes 100000,1000000] [--classes 1e-2,1e-3,1e-6]
                     [--repeat 5] [--threads 2]

FOLDER is a checkout of that library: exafmm-t needs no building (FFTW and OpenBLAS must be installed); FMM3D is built
by `make lib FAST_KER=ON`; falcON (in NEMO, usr/dehnen/falcON) has its library's sources in lib/libfalcON.a. Libraries
whose folder is not given are left out.

Clouds in [-1, 1]³, all charges 1: `cube` uniform; `torus` a grid on the surface, every point jittered within the
middle of its cell; `blobs` 20 Gaussians whose widths grow from 1e-3 to 1e-1. Coordinates are rounded to float32, so
that a library that computes in float32 is not charged with the rounding of its input.

A library's whole work is timed: tree, lists, evaluation of field and potential, sorting back; each call has moved
positions. Left out are the first call, which allocates, and exafmm-t's operators, which depend on the box alone.
Errors are true ones: against a direct float64 sum at 1000 random charges. The relative L2 error of the field decides
whether a setting meets a class. On cubes and blobs that figure belongs to the closest pairs, so the median and the
99th percentile of |E - E_ref|/|E_ref| stand beside it. A library's settings are tried from coarse to fine; of those
that meet the class the three fastest are timed again, all libraries' in turn and three times over, so that a slow
minute of the machine is everyone's; the best median is the library's figure. What is more than ten times slower than
the quickest is not timed again, but marked. falcON, one thread whatever is asked, runs beside an idle core."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SAMPLES = 1000
COMPILE = ["g++", "-std=c++17", "-O3", "-march=native", "-fopenmp"]
# Those that fmm has settings for (src/electret/field/fmm/plan.cpp).
ACCURACIES = (
    "3e-1", "2.5e-1", "2e-1", "1.7e-1", "1.5e-1", "1e-1", "9e-2", "6e-2", "5e-2", "4e-2", "3e-2", "2e-2", "1.5e-2",
    "1e-2", "5e-3", "3e-3", "2e-3", "1e-3", "5e-4", "3e-4", "2e-4", "1e-4", "3e-5", "1e-5", "3e-6", "1e-6",
)
FMM3D_PRECISIONS = ("0.5", "0.05", "0.5e-2", "0.5e-3", "0.5e-4", "0.5e-6")
FALCON_ANGLES = ("-1.0", "-0.8", "0.8", "-0.6", "0.6", "-0.5", "0.5", "-0.4", "0.4", "-0.3", "0.3")
LEAVES = (64, 128, 256, 512, 1024)
CLOUDS = ("cube", "torus", "blobs")
PEERS = ("exafmm", "fmm3d", "falcon")
TOO_SLOW = 10  # times the quickest: timed once only
FINALISTS = 3  # settings of a library that are timed again
ROUNDS = 3


def make_cloud(kind, n):
    """x, y, z, q of n charges; the coordinates are float32 numbers."""
    random = np.random.default_rng(20)
    if kind == "cube":
        x = random.uniform(-1, 1, (n, 3))
    elif kind == "torus":
        around = int(np.ceil(np.sqrt(2.5 * n)))  # the ring is 2.5 times as long as the tube's circle
        across = -(-n // around)
        cells = np.arange(n)
        u = 2 * np.pi * (cells % around + random.uniform(0.25, 0.75, n)) / around
        v = 2 * np.pi * (cells // around + random.uniform(0.25, 0.75, n)) / across
        ring = 1 + 0.4 * np.cos(v)
        x = np.stack([ring * np.cos(u), ring * np.sin(u), 0.4 * np.sin(v)], axis=1) / 1.4
    else:
        centres = random.uniform(-0.8, 0.8, (20, 3))
        blob = random.integers(0, 20, n)
        x = centres[blob] + np.geomspace(1e-3, 1e-1, 20)[blob, None] * random.normal(size=(n, 3))
    charges = np.ones((n, 4))
    charges[:, :3] = x.astype(np.float32)
    return charges


def direct_sum(charges, targets):
    """Ex, Ey, Ez, phi of all charges at those numbered `targets`, float64, k_c = 1."""
    rows = np.empty((len(targets), 4))
    x, y, z, q = (np.ascontiguousarray(charges[:, k]) for k in range(4))
    for row, i in zip(rows, targets):
        differences = x[i] - x, y[i] - y, z[i] - z
        squares = sum(d * d for d in differences)
        squares[i] = np.inf
        potential = q / np.sqrt(squares)
        row[3] = potential.sum()
        potential /= squares
        row[:3] = [d @ potential for d in differences]
    return rows


class Case:
    """One cloud: its file, and the true values that errors are measured against."""

    def __init__(self, folder, kind, n):
        self.kind, self.n = kind, n
        charges = make_cloud(kind, n)
        self.path = folder / f"{kind}_{n}.npy"
        np.save(self.path, charges)
        self.targets = np.random.default_rng(7).choice(n, min(n, SAMPLES), replace=False)
        self.reference = direct_sum(charges, self.targets)

    def errors(self, values):
        difference = values[self.targets] - self.reference
        sizes = np.linalg.norm(self.reference[:, :3], axis=1)
        wrong = np.linalg.norm(difference[:, :3], axis=1)
        return {"L2": float(np.linalg.norm(wrong) / np.linalg.norm(sizes)),
                "median": float(np.median(wrong / sizes)), "p99": float(np.percentile(wrong / sizes, 99)),
                "L2_potential": float(np.linalg.norm(difference[:, 3]) / np.linalg.norm(self.reference[:, 3]))}


class Bench:
    """Runs libraries' drivers on one case after the other."""

    def __init__(self, folder, threads):
        self.folder, self.threads = folder, threads
        self.environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS="1")

    def measure(self, library, setting, case, repeat):
        """Median time and errors of one setting, None where the library fails."""
        result = self.folder / "result.bin"
        driver, words = library.command(setting)
        done = subprocess.run([str(word) for word in (driver, case.path, result, repeat, self.threads, *words)],
                              capture_output=True, text=True, check=False, cwd=self.folder, env=self.environment)
        name = f"{library.name}, {library.describe(setting)}; {case.kind}, n = {case.n}"
        if done.returncode != 0:
            reason = done.stderr.strip().splitlines()[-1:] or [f"status {done.returncode}"]
            print(f"  {name}: failed: {reason[0]}", file=sys.stderr)
            return None
        times = [float(line) for line in done.stdout.split()[-repeat:]]
        row = {"setting": setting, "times": times, "ms": statistics.median(times),
               **case.errors(np.fromfile(result).reshape(-1, 4))}
        print(f"  {name}: {row['ms']:.4g} ms, L2 {row['L2']:.1e}", file=sys.stderr)
        return row


class Ladder:
    """A library with one setting, tried from coarse to fine."""

    def __init__(self, name, driver, settings, describe):
        self.name, self.driver, self.settings, self.describe = name, driver, settings, describe

    def scan(self, bench, case, finest):
        rows = []
        for setting in self.settings:
            row = bench.measure(self, [setting], case, 1)
            rows += [row] if row else []
            if row and row["L2"] < finest / 5:
                break  # finer ones are hardly faster
        return rows

    def command(self, setting):
        return self.driver, setting


class Exafmm:
    """exafmm-t: arithmetic, order and leaf size. Larger leaves pay at higher orders; float64, twice as slow, is
    tried where float32 is not fine enough."""

    name = "exafmm-t"

    def __init__(self, drivers):
        self.drivers = drivers

    @staticmethod
    def describe(setting):
        return f"{setting[0]}, P = {setting[1]}, leaves {setting[2]}"

    def scan(self, bench, case, finest):
        rows, smallest = [], 0
        for arithmetic, orders in (("float32", range(2, 9)), ("float64", range(6, 11))):
            best_error = float("inf")
            for order in orders:
                tried = self.scan_leaves(bench, case, arithmetic, order, smallest)
                if not tried:
                    break
                rows += [row for _, _, row in tried]
                smallest = max(0, min(tried)[1] - 1)
                error = min(row["L2"] for _, _, row in tried)
                if error <= finest:
                    return rows
                if error > 0.7 * best_error:
                    break  # the arithmetic's floor
                best_error = error
        return rows

    def scan_leaves(self, bench, case, arithmetic, order, smallest):
        """(ms, number of the leaf size, row) of growing leaves until larger ones are slower."""
        tried = []
        for k in range(smallest, len(LEAVES)):
            row = bench.measure(self, [arithmetic, str(order), str(LEAVES[k])], case, 1)
            if row:
                tried.append((row["ms"], k, row))
            if tried and (not row or row["ms"] > 1.1 * min(tried)[0]):
                break
        return tried

    def command(self, setting):
        return self.drivers[setting[0]], setting[1:]


def compile_driver(folder, name, options, libraries):
    driver = folder / name
    source = HERE / f"{name.split('-')[0]}_driver.cpp"
    print(f"compiling {name}", file=sys.stderr)
    subprocess.run([*COMPILE, *options, str(source), "-o", str(driver), *libraries], check=True)
    return driver


def electret_driver(binary):
    """Built where the command was."""
    build = binary.resolve().parents[1]
    for command in (["cmake", "-S", ROOT, "-B", build, "-DELECTRET_BUILD_BENCH=ON"],
                    ["cmake", "--build", build, "--target", "bench_peers_electret"]):
        subprocess.run([str(word) for word in command], check=True, stdout=sys.stderr)
    return build / "bin" / "bench_peers_electret"


def describe_theta(setting):
    return f"θ = {setting[0][1:]}" if setting[0].startswith("-") else f"θ ≥ {setting[0]}, by mass"


def libraries_of(arguments, folder):
    libraries = [Ladder("Electret", electret_driver(arguments.binary), ACCURACIES, lambda s: f"accuracy {s[0]}")]
    if arguments.exafmm:
        options, archives = ["-isystem", str(arguments.exafmm / "include")], ["-lfftw3", "-lfftw3f", "-lopenblas"]
        libraries.append(Exafmm({
            "float32": compile_driver(folder, "exafmm-float32", ["-DFLOAT", *options], archives),
            "float64": compile_driver(folder, "exafmm-float64", options, archives)}))
    if arguments.fmm3d:
        archives = [str(arguments.fmm3d / "lib-static" / "libfmm3d.a"), "-lgfortran"]
        libraries.append(Ladder("FMM3D", compile_driver(folder, "fmm3d", [], archives), FMM3D_PRECISIONS,
                                lambda s: f"eps {s[0]}"))
    if arguments.falcon:
        archives = [str(arguments.falcon / "lib" / "libfalcON.a")]
        libraries.append(Ladder("falcON (1 thread)", compile_driver(folder, "falcon", [], archives), FALCON_ANGLES,
                                describe_theta))
    for name in PEERS:
        if not getattr(arguments, name):
            print(f"left out, as --{name} is not given: {name}", file=sys.stderr)
    return libraries


def compare(bench, libraries, case, classes, repeat):
    """For each class the library's name, the setting in words and its row (None: never met), Electret first."""
    scanned = {library: library.scan(bench, case, min(classes)) for library in libraries}
    candidates, finalists = {}, {}
    for limit in classes:
        good = {library: sorted((row for row in rows if row["L2"] <= limit), key=lambda row: row["ms"])[:FINALISTS]
                for library, rows in scanned.items()}
        too_slow = TOO_SLOW * min((rows[0]["ms"] for rows in good.values() if rows), default=0.0)
        for library, rows in good.items():
            quick = [row for row in rows if row["ms"] <= too_slow]
            finalists.update({(library, *row["setting"]): [] for row in quick})
            candidates[library, limit] = quick or rows[:1]
    # In rounds of all settings: a machine's slow minutes are everyone's.
    for _ in range(ROUNDS):
        for (library, *setting), rows in finalists.items():
            row = bench.measure(library, setting, case, repeat)
            rows += [row] if row else []
    results = []
    for limit in classes:
        found = []
        for library in libraries:
            timed = [merged(finalists.get((library, *row["setting"])) or [row]) for row in candidates[library, limit]]
            best = min(timed, key=lambda row: row["ms"], default=None)
            found.append((library.name, library.describe(best["setting"]) if best else "", best))
        results.append({"cloud": case.kind, "n": case.n, "class": limit, "found": found})
    return results


def merged(rows):
    """The rows of one setting as one: the median of all calls."""
    times = [time for row in rows for time in row["times"]]
    return {**rows[0], "times": times, "ms": statistics.median(times)}


def print_results(results, repeat, threads):
    print(f"\nms an evaluation, {threads} thread(s), medians of {ROUNDS} × {repeat}; × is a library's time over "
          "Electret's\n")
    print("| cloud | n | L2 ≤ | library | setting | ms | × | L2 of E | median | 99 % | L2 of φ |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for result in results:
        ours = result["found"][0][2]
        for name, setting, row in result["found"]:
            start = f"| {result['cloud']} | {result['n']} | {result['class']:.0e} | {name} |"
            if not row:
                print(f"{start} never | – | – | – | – | – | – |")
                continue
            ratio = f"{row['ms'] / ours['ms']:.2f}" if ours else "–"
            ms = f"{row['ms']:.1f}" + ("" if len(row["times"]) > 1 else " (once)")
            print(f"{start} {setting} | {ms} | {ratio} | {row['L2']:.1e} | {row['median']:.1e} | "
                  f"{row['p99']:.1e} | {row['L2_potential']:.1e} |")
    print()
    for limit in sorted({result["class"] for result in results}, reverse=True):
        ratios = [(row["ms"] / result["found"][0][2]["ms"], name, result["cloud"], result["n"])
                  for result in results if result["class"] == limit and result["found"][0][2]
                  for name, _, row in result["found"][1:] if row]
        if ratios:
            ratio, name, cloud, n = min(ratios)
            print(f"L2 ≤ {limit:.0e}: Electret is at least {ratio:.2f} × as fast as the best of the others "
                  f"({name}, {cloud}, n = {n})")


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    for name in PEERS:
        parser.add_argument(f"--{name}", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="n = 10000, medians of 3: does it work?")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--clouds", default=",".join(CLOUDS))
    parser.add_argument("--sizes", default="100000,1000000")
    parser.add_argument("--classes", default="1e-2,1e-3,1e-6")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.sizes, arguments.repeat = "10000", 3
    unknown = set(arguments.clouds.split(",")) - set(CLOUDS)
    if unknown:
        parser.error(f"--clouds: there is no {', '.join(sorted(unknown))}; there are {', '.join(CLOUDS)}")
    for name in PEERS:
        folder = getattr(arguments, name)
        if folder:
            setattr(arguments, name, folder.resolve())
            if not folder.is_dir():
                parser.error(f"--{name}: there is no folder {folder}")
    return arguments


def main():
    arguments = parsed()
    classes = [float(word) for word in arguments.classes.split(",")]
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        libraries = libraries_of(arguments, folder)
        bench = Bench(folder, arguments.threads)
        for n in map(int, arguments.sizes.split(",")):
            for kind in arguments.clouds.split(","):
                case = Case(folder, kind, n)
                results += compare(bench, libraries, case, classes, arguments.repeat)
                case.path.unlink()
    if arguments.json:
        print(json.dumps(results, indent=2))
    else:
        print_results(results, arguments.repeat, arguments.threads)


if __name__ == "__main__":
    main()
