#!/usr/bin/python3
"""headers.py COMPILER FOLDER SCRATCH: every installed header below FOLDER/electret compiles by itself, with the standard
library alone.

Most of the time goes into headers of the standard library and of electret/scene. They are precompiled in SCRATCH as a few
bases. A header may begin with a base only if it includes all of it, itself or through others, so that a base never
brings what a header forgot.
"""

import concurrent.futures
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys

BASES = [("electret/core/types.hpp",), ("electret/core/types.hpp", "optional", "string", "string_view"),
         ("electret/scene/assembly.hpp",)]
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Werror"]
INCLUDE = re.compile(r'^#\s*include\s+[<"]([^>"]+)[>"]', re.MULTILINE)


@functools.lru_cache(maxsize=None)
def included_by(folder, header):
    """What `header` includes, itself or through others of `folder`."""
    file = folder / header
    direct = INCLUDE.findall(file.read_text(encoding="utf-8")) if file.exists() else []
    return frozenset(direct).union(*(included_by(folder, name) for name in direct))


def precompiled(compiler, folder, scratch):
    """The bases as [(what they include, the file to include)], the largest last."""
    made = []
    for number, names in enumerate(BASES):
        base = scratch / f"base{number}.hpp"
        base.write_text("".join(f"#include <{name}>\n" for name in names))
        subprocess.run([*compiler, "-x", "c++-header", base, "-o", f"{base}.gch"], cwd=folder, check=True)
        made.append((frozenset(names).union(*(included_by(folder, name) for name in names)), base))
    return made


def problem_of(compiler, folder, bases, header):
    """What the compiler says of a source with `header` alone, or None."""
    names = included_by(folder, header)
    base = [file for needs, file in bases if needs <= names]
    first = ["-include", base[-1]] if base else []
    result = subprocess.run([*compiler, *first, "-fsyntax-only", "-x", "c++", "-"], cwd=folder, input=f"#include <{header}>\n",
                            capture_output=True, text=True, check=False)
    return f"{header} does not compile by itself\n{result.stderr}" if result.returncode or result.stderr else None


def main():
    compiler, folder, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    compiler = [compiler, *FLAGS, "-I."]
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    headers = sorted(str(path.relative_to(folder)) for path in folder.glob("electret/**/*.hpp"))
    if not headers:
        sys.exit(f"there are no headers below {folder}/electret")
    bases = precompiled(compiler, folder, scratch)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        problems = list(filter(None, threads.map(lambda header: problem_of(compiler, folder, bases, header), headers)))
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(headers)} headers compile by themselves")


if __name__ == "__main__":
    main()
