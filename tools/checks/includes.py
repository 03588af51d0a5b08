#!/usr/bin/python3
"""Checks the rules of docs/architecture.md for includes and headers. A room includes only rooms to the left of it,
and never by a path that leads out of it.
Heavy libraries are included only in sources. Headers are guarded, import no namespace and say what they declare. The
headers that electret.hpp includes are the interface; docs/architecture.md names each of them and no other."""

import os.path
import pathlib
import re
import sys

import common

# The rooms in the order of their dependencies. Rooms of one row do not include each other, except as ALSO
# says.
ROWS = [["core"], ["geometry"], ["linear"], ["contact"], ["scene"], ["elastic", "field", "force"], ["dynamics"],
        ["adjoint", "record"], ["fit"], ["sweep"], ["render"], ["studio"], ["apps", "python"], ["experiments"]]
ROW_OF = {room: row for row, rooms in enumerate(ROWS) for room in rooms}
# Rooms that are folders of their own beside src/.
PROGRAMS = ("apps", "python", "experiments")
# An exception within a row: explicit forces evaluate Coulomb sums.
ALSO = {"force": {"field"}}
# The field library builds with only a compiler, so that it may include only core.
ONLY = {"field": {"core"}}
# Each component has one options struct, which readers of every kind use. It may be included from rooms to the
# left, too.
OPTIONS = "options.hpp"

HEAVY = re.compile(r"^(Eigen/|unsupported/Eigen/|toml\+\+/|toml\.hpp|CLI/|nlohmann/|fmt/|spdlog/|tbb/|oneapi/|"
                   r"hdf5\.h|H5|expat\.h|zlib\.h|cholmod\.h|suitesparse/|nanoflann|boost/|cairo|embree|lbfgs\.h|nlopt|gtest/|gmock/)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
USING_NAMESPACE = re.compile(r"^\s*using\s+namespace\b")
TYPE = re.compile(r"^(?:template <.*>\s*)?(?:enum class|class|struct|enum)\s+(\w+)[^;]*\{")


def room_of(name):
    """The room of a file: "dynamics" for src/electret/dynamics/…, None outside the rooms."""
    parts = name.parts
    if parts[:2] == ("src", "electret") and len(parts) > 3:
        return parts[2]
    return parts[0] if parts[0] in PROGRAMS else None


def room_of_include(target):
    """The room of <electret/ROOM/…>, <apps/…> or <experiments/…>, None for other headers."""
    parts = target.split("/")
    if parts[0] == "electret":
        return parts[1]
    return parts[0] if parts[0] in PROGRAMS else None


def allowed(room, other, header):
    """Whether a file of `room` may include `header` (path in `other`)."""
    if room == other:
        return True
    if header.endswith("/" + OPTIONS) and room != "core":
        return True
    if room in ONLY:
        return other in ONLY[room]
    return ROW_OF[other] < ROW_OF[room] or other in ALSO.get(room, ())


def is_public(name):
    return name.suffix == ".hpp" and name.parts[0] == "src" and "detail" not in name.parts


def check_include(report, name, number, room, mark, target):
    if mark == '"' and name.parts[0] == "src":
        report.add(f"{name}:{number}", f'"{target}" is included by a relative path; write <electret/...>')
    elif mark == '"' and room_of(pathlib.PurePath(os.path.normpath(name.parent / target))) != room:
        report.add(f"{name}:{number}", f'"{target}" leads out of {room}/ by a relative path')
    if name.suffix == ".hpp" and name.parts[0] == "src" and HEAVY.match(target):
        report.add(f"{name}:{number}", f"<{target}> is a heavy library in a header; only sources include those")
    other = room_of_include(target)
    if other is None:
        return
    if other not in ROW_OF:
        report.add(f"{name}:{number}", f"<{target}> is in no known room")
    elif name.name == OPTIONS and other != "core":
        report.add(f"{name}:{number}", f"<{target}>: an {OPTIONS} includes core/ only")
    elif not allowed(room, other, target):
        report.add(f"{name}:{number}", f"<{target}>: {room}/ may not include {other}/")
    if "detail" in target.split("/") and (other != room or is_public(name)):
        report.add(f"{name}:{number}", f"<{target}> is a detail of {other}/")


def check_documentation(report, name, lines):
    """Every public header says what it is for, which documents its main type; further types say it themselves."""
    if not any(line.startswith("/// \\file") for line in lines[:6]):
        report.add(f"{name}:1", "a public header says after '#pragma once' what it is for: /// \\file")
    types = [(index, found.group(1)) for index, line in enumerate(lines) if (found := TYPE.match(line))]
    silent = [(index, type_name) for index, type_name in types if not has_comment(lines, index)]
    for index, type_name in silent[:-1]:
        report.add(f"{name}:{index + 1}", f"'{type_name}' has no /// comment")


def has_comment(lines, index):
    """Whether the type that begins at `index` is documented, above or on its first members."""
    above = index - 1
    while lines[above].startswith("template"):
        above -= 1
    return any("///" in line for line in lines[above:index + 4])


def check_file(report, root, name):
    room = room_of(name)
    if room is None:
        return
    if room not in ROW_OF:
        report.add(name, f"'{room}' is no known room; tools/checks/includes.py lists them")
        return
    lines = (root / name).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if found := INCLUDE.match(line):
            check_include(report, name, number, room, *found.groups())
        if name.suffix == ".hpp" and USING_NAMESPACE.match(line):
            report.add(f"{name}:{number}", "a header imports no namespace")
    if name.suffix == ".hpp" and "#pragma once" not in lines:
        report.add(f"{name}:1", "a header begins with #pragma once")
    if is_public(name):
        check_documentation(report, name, lines)


def check_interface(report, root):
    """The headers of electret.hpp are those that the section of docs/architecture.md names, without `electret/`."""
    header, page = root / "src/electret/electret.hpp", root / "docs/architecture.md"
    if not header.exists():
        return
    lines = header.read_text(encoding="utf-8").splitlines()
    included = {found.group(2).removeprefix("electret/") for line in lines if (found := INCLUDE.match(line))}
    _, _, section = page.read_text(encoding="utf-8").partition("## The public interface\n")
    named = set(re.findall(r"`([a-z_/]+\.hpp)`", section.split("\n## ")[0])) - {"electret/electret.hpp"}
    for missing in sorted(included - named):
        report.add("docs/architecture.md", f'"The public interface" does not name `{missing}`, which electret.hpp includes')
    for other in sorted(named - included):
        report.add("docs/architecture.md", f'"The public interface" names `{other}`, which electret.hpp does not include')


def main():
    options = common.parser(__doc__).parse_args()
    report = common.Report("includes")
    files = [name for name in common.tracked(options.root, ".hpp", ".cpp") if room_of(name)]
    for name in files:
        check_file(report, options.root, name)
    check_interface(report, options.root)
    return report.finish(f"{len(files)} files of {len({room_of(name) for name in files})} rooms")


if __name__ == "__main__":
    sys.exit(main())
