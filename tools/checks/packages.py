#!/usr/bin/python3
"""Checks that everything the build takes from the system belongs to a package that tools/packages.txt declares, or to
one that apt installs with it. A missing line there is thus found even on a machine that happens to have the package.

The check looks at the headers from which each object was compiled (ninja's dependency log), the files that CMake read,
the libraries that programs are linked with (build.ninja) and load (`readelf`, `ldd`), and the Python modules that the
tests and tools import.
"""

import ast
import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import common

# Which groups of tools/packages.txt the files below these folders of the build may use.
GROUPS_OF = {"tests": ("build", "test", "python", "torch", "opencl"), "src/electret/field": ("build", "opencl"), "bench": ("build", "bench", "torch"), "python": ("build", "python"),
             "src/electret/sweep": ("build", "sweep"), "src/electret/studio": ("build", "studio"), "": ("build",)}
# The modules that Blender's own Python offers to the files that it runs.
BLENDER_MODULES = {"bpy", "bpy_extras", "addon_utils"}
# dpkg knows these folders below /usr, the linker and the compiler without it: Debian has merged /lib into /usr/lib.
MERGED = ("/lib", "/lib64", "/bin", "/sbin")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def declared(root):
    """{group: [package]} of tools/packages.txt."""
    groups, packages = {}, None
    for line in (root / "tools/packages.txt").read_text().splitlines():
        words = line.split("#")[0].split()
        if words and words[0].startswith("["):
            packages = groups.setdefault(words[0].strip("[]"), [])
        elif words:
            packages.append(words[0])  # a second word says that it is optional
    return groups


class Dpkg:
    """What is installed here: dependencies between packages and the owners of files."""

    def __init__(self):
        self.depends, self.providers, self.base = {}, {}, set()
        fields = "${Package}\t${Pre-Depends}, ${Depends}\t${Provides}\t${Essential}\t${Priority}\n"
        for line in run("dpkg-query", "-W", "-f", fields).splitlines():
            name, depends, provides, essential, priority = line.split("\t")
            self.depends[name] = [[part.split()[0].split(":")[0] for part in choice.split("|")]
                                  for choice in depends.split(",") if choice.strip()]
            for part in provides.split(","):
                if part.strip():
                    self.providers.setdefault(part.split()[0], []).append(name)
            if essential == "yes" or priority == "required":
                self.base.add(name)
        self.owners = {}

    def closure(self, packages, every_choice):
        """`packages`, what they depend on, and the base system. Of alternatives (a | b) apt installs the first
        on a fresh machine; `every_choice` counts the others and the providers of virtual packages too."""
        result, waiting = set(), list(packages) + list(self.base)
        while waiting:
            name = waiting.pop()
            if name in result:
                continue
            result.add(name)
            if every_choice or name not in self.depends:
                waiting += self.providers.get(name, ())
            for choices in self.depends.get(name, ()):
                waiting += choices if every_choice else choices[:1]
        return result

    def find_owners(self, paths):
        """Fills `owners` for all of `paths` with one question to dpkg."""
        spellings = set()
        for path in paths:
            spellings.update(self.spellings(path))
        listing = sorted(spellings)
        for start in range(0, len(listing), 2000):
            for line in run("dpkg", "-S", *listing[start:start + 2000]).splitlines():
                names, _, path = line.partition(": ")
                if not names.startswith("diversion "):
                    self.owners[path] = {name.split(":")[0] for name in names.split(", ")}

    @staticmethod
    def spellings(path):
        """The names under which dpkg may know `path`: resolved or not, with /usr or without."""
        plain = os.path.normpath(path)
        result = {plain, os.path.realpath(path)}
        for name in list(result):
            if name.startswith("/usr"):
                result.add(name[4:])
            elif name.startswith(MERGED):
                result.add("/usr" + name)
        return result

    def owner(self, path):
        found = set()
        for name in self.spellings(path):
            found |= self.owners.get(name, set())
        return found


def group_folder(output):
    """Under which folder's rules the build's file `output` falls."""
    return next((folder for folder in GROUPS_OF if folder and output.startswith(folder + "/")), "")


def compiled_headers(build):
    """(folder, path) of every file outside the project an object was made from."""
    folder = ""
    for line in run("ninja", "-C", str(build), "-t", "deps").splitlines():
        if line and not line.startswith(" ") and ":" in line:
            # CMake 3.27 and newer also notes what a program is linked with: see `linked`.
            folder = group_folder(line) if line.split(":")[0].endswith((".o", ".gch")) else None
        elif folder is not None and line.strip().startswith("/"):
            yield folder, line.strip()


def statements(build):
    """The statements of build.ninja: (first line, {variable: value})."""
    text = (build / "build.ninja").read_text().replace("$\n", "")
    head, variables = None, {}
    for line in text.splitlines():
        if line.startswith("build "):
            head, variables = line, {}
        elif head and line.startswith("  ") and " = " in line:
            key, value = line.strip().split(" = ", 1)
            variables[key] = value
        elif head and not line.strip():
            yield head, variables
            head = None


def rerun_inputs(build):
    """What CMake read: configuration and find modules of the libraries."""
    for head, _ in statements(build):
        if "RERUN_CMAKE" in head:
            yield from (("tests", word) for word in head.split() if word.startswith("/"))


def linked(build):
    """(folder, path) of the libraries that link lines name, and (folder, program) of what they make."""
    libraries, products = [], []
    for head, variables in statements(build):
        rule = head.split(": ", 1)[1].split()[0] if ": " in head else ""
        if "_LINKER__" not in rule:
            continue
        output = head[len("build "):].split(":")[0].split()[0]
        folder = folder_of_target(variables.get("OBJECT_DIR", ""))
        if "STATIC_LIBRARY" not in rule:
            products.append((folder, build / output))
        for word in variables.get("LINK_LIBRARIES", "").split():
            if word.startswith("/"):
                libraries.append((folder, word))
            elif word.startswith("-l"):
                libraries.append((folder, library_path(word[2:])))
    return libraries, products


def folder_of_target(object_folder):
    return group_folder(object_folder)


def library_path(name):
    for file in (f"lib{name}.so", f"lib{name}.a"):
        path = run("g++", f"-print-file-name={file}").strip()
        if path.startswith("/"):
            return os.path.normpath(path)
    return f"-l{name}"


def loaded(program):
    """The paths of the libraries a program asks the loader for itself."""
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", str(program))))
    for line in run("ldd", str(program)).splitlines():
        found = re.match(r"\s*(\S+)(?: => (\S+))? \(0x", line)
        if found and found.group(1).split("/")[-1] in needed:
            yield found.group(2) or found.group(1)


def modules(root):
    """(folder, name, path) of the modules that Python files import from outside the standard library and this
    project."""
    for name in common.tracked(root, ".py"):
        folder = "bench" if name.parts[0] == "bench" else "tests"
        for node in ast.walk(ast.parse((root / name).read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module]
            given = BLENDER_MODULES if name.parts[1:2] == ("blender",) else set()
            for module in {part.split(".")[0] for part in names} - set(sys.stdlib_module_names) - given:
                if list(root.glob(f"**/{module}.py")) or list(root.glob(f"**/{module}/__init__.py")):
                    continue
                yield folder, name, module, place_of(module)


def place_of(module):
    """The file of a module; the folder of a package without one of its own; nothing if it is not installed."""
    spec = importlib.util.find_spec(module)
    return spec and (spec.origin or next(iter(spec.submodule_search_locations or ()), None))


def is_system(root, build, path):
    resolved = pathlib.Path(os.path.realpath(path))
    return not any(resolved.is_relative_to(own) for own in (root.resolve(), build.resolve()))


class Check:
    """One run of the check: collects what is used, then judges it."""

    def __init__(self, root, build):
        self.root, self.build = root, build
        self.report = common.Report("packages")
        self.dpkg = Dpkg()
        groups = declared(root)
        self.strict, self.lenient = {}, {}
        for folder, names in GROUPS_OF.items():
            packages = [package for name in names for package in groups.get(name, ())]
            self.strict[folder] = self.dpkg.closure(packages, every_choice=False)
            self.lenient[folder] = self.dpkg.closure(packages, every_choice=True)
        self.uses = {}

    def use(self, folder, path, why, loaded_at_run_time=False):
        if is_system(self.root, self.build, path):
            self.uses.setdefault((folder, path, loaded_at_run_time), why)

    def collect(self):
        for folder, path in compiled_headers(self.build):
            self.use(folder, path, "header")
        for folder, path in rerun_inputs(self.build):
            # Once a benchmark has been built, CMake reads Google Benchmark's files at every configuration.
            self.use("bench" if "/cmake/benchmark/" in str(path) else folder, path, "read by CMake")
        libraries, products = linked(self.build)
        for folder, path in libraries:
            self.use(folder, path, "linked")
        for folder, program in products:
            for path in loaded(program):
                self.use(folder, path, f"loaded by {program.name}", loaded_at_run_time=True)
        for folder, name, module, path in modules(self.root):
            if path is None:
                self.report.add(name, f"imports '{module}', which is not installed")
            else:
                self.use(folder, path, f"imported by {name}")

    def judge(self):
        self.dpkg.find_owners([path for _, path, _ in self.uses])
        blamed = set()
        for (folder, path, at_run_time), why in sorted(self.uses.items()):
            owners = self.dpkg.owner(path)
            # A library found by its plain name may be one of several that provide it (BLAS); which of them
            # the loader takes is the machine's choice.
            good = self.lenient[folder] if at_run_time else self.strict[folder]
            groups = " or ".join(f"[{group}]" for group in GROUPS_OF[folder])
            if not owners:
                self.report.add(path, f"{why}, belongs to no Debian package")
            elif not owners & good and (key := (folder, *sorted(owners))) not in blamed:
                blamed.add(key)
                self.report.add(path, f"{why}, belongs to {', '.join(sorted(owners))}, which no package under "
                                      f"{groups} of tools/packages.txt brings")


def main():
    options = common.parser(__doc__).parse_args()
    build = options.build or options.root / "build/release"
    if not (build / "build.ninja").is_file():
        sys.exit(f"check packages: {build} is not built; ./dev build does it")
    check = Check(options.root, build)
    check.collect()
    check.judge()
    packages = {owner for _, path, _ in check.uses for owner in check.dpkg.owner(path)}
    return check.report.finish(f"{len(check.uses)} system files of {len(packages)} packages")


if __name__ == "__main__":
    sys.exit(main())
