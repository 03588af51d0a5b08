#!/usr/bin/python3
"""Checks that everything the documents show works. Every fenced block of README.md, CONTRIBUTING.md and docs/*.md is
tried, and every link to a file of the project must lead somewhere.

The word after a block's fence says what the block is:

  cpp      with main(): compiled against the library as installed, and run; without: compiled
  cmake    configured as the CMakeLists.txt of a project with a main.cpp, against the installed library; a copy
           of the sources is in its folder `electret`
  toml     completed to a whole scene if it is a part of one, and given to `electret check`; a job of `electret
           fit` or `electret sweep` is kept as job.toml; a block that begins with a comment such as `# chair.toml` is kept under that
           name, as it stands
  python   run; blocks that import torch or another module of OPTIONAL are run only if it is installed
  sh       lines that begin with `electret` or `./dev run` are run with the built command; of other `./dev` lines
           the command and its options must exist; `apt-get install` lines must name declared packages;
           a few programs that everybody has (PASSED_OVER) are not run
  json     parsed
  text     anything else: not looked at

Blocks of one document run in order and in one folder, in which examples/ is that of the project, so that a block
may read what an earlier one has written. Documents are tried side by side, as many as there are processors.
"""

import concurrent.futures
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

import common

FENCE = re.compile(r"^(\s*)```\s*(\S*)\s*$")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|<img[^>]*\ssrc=\"([^\"]+)\"")
# A word such as SCENE or [-o DIR] stands for something that the reader fills in.
PLACEHOLDER = re.compile(r"(?<![\w.=/-])[A-Z][A-Z_]+(?![\w.=/-])|\.\.\.|…|\[-")
NAME = re.compile(r"^# ([\w-]+\.toml)$", re.MULTILINE)
PASSED_OVER = {"git", "cd", "cmake", "ctest", "ninja", "ls", "cat", "mkdir", "python3", "pip", "g++", "source",
               "export", "tail", "make"}
OPTIONAL = ("torch", "distributed", "optuna")  # Modules that need not be there.
TIMEOUT = 300


class Block:
    """One fenced block: where it stands, its language and its text."""

    def __init__(self, document, line, language, text):
        self.document, self.line, self.language, self.text = document, line, language, text

    @property
    def where(self):
        return f"{self.document}:{self.line}"


def blocks_of(document, text):
    """The fenced blocks of a document, in order."""
    block, start, indent = None, 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if fence and block is None:
            indent, language = fence.groups()
            block, start = [], number
        elif block is not None and line.strip() == "```":
            yield Block(document, start, language, "\n".join(block) + "\n")
            block = None
        elif block is not None:
            block.append(line.removeprefix(indent))


def completed_scene(text):
    """`text` as a whole scene: the required tables it lacks are put in."""
    tables = re.findall(r"^\s*\[+([\w.]+)\]+", text, re.MULTILINE)
    body = '[[body]]\nname = "a"\ngenerate = { shape = "grid", vertices = 9 }\nmass = 1.0\n'
    if "body" not in tables:
        first = next((found.start() for found in re.finditer(r"^\s*\[\[body\.", text, re.MULTILINE)), None)
        text = text + "\n" + body if first is None else text[:first] + body + text[first:]
    if "time" not in tables:
        text = "[time]\nstep = 0.01\nsteps = 1\n" + text
    return text


class NotInstalled(Exception):
    """The library could not be installed, so that nothing can be tried against it."""


class Workshop:
    """Where blocks are tried: an installed copy of the library and a folder for each document."""

    def __init__(self, root, build, folder):
        self.root, self.build, self.folder = root, build, folder
        self.prefix = folder / "installed"
        self.environment = os.environ | {"PKG_CONFIG_PATH": str(self.prefix / "lib/pkgconfig"),
                                         "PATH": f"{build / 'bin'}:{os.environ['PATH']}", "MPLBACKEND": "Agg",
                                         "PYTHONPATH": str(build / "python")}
        self.installed = False
        self.installing = threading.Lock()

    def run(self, command, cwd=None):
        """Runs `command`; its result, with `problem` set to what went wrong or None."""
        try:
            result = subprocess.run(command, cwd=cwd or self.folder, env=self.environment, capture_output=True,
                                    text=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return None, f"took more than {TIMEOUT} s"
        except FileNotFoundError:
            return None, f"there is no program '{command[0]}'"
        if result.returncode == 0:
            return result, None
        said = (result.stderr.strip() or result.stdout.strip()).splitlines()
        errors = [line for line in said if "error" in line.lower()] or said[-3:]
        return result, f"'{shlex.join(map(str, command))[:120]}' failed: " + " | ".join(errors[:3])

    def install(self):
        with self.installing:
            if not self.installed:
                _, problem = self.run(["cmake", "--install", self.build, "--prefix", self.prefix])
                if problem:
                    raise NotInstalled(problem)
                self.installed = True

    def flags(self):
        """What pkg-config says."""
        return self.run(["pkg-config", "--static", "--cflags", "--libs", "electret"])[0].stdout.split()

    def desk(self, document):
        """The folder in which the blocks of `document` are tried."""
        desk = self.folder / str(document).replace("/", "_")
        if not desk.exists():
            desk.mkdir()
            if (self.root / "examples").is_dir():
                shutil.copytree(self.root / "examples", desk / "examples")
        return desk

    def try_cpp(self, block):
        self.install()
        source = self.desk(block.document) / "snippet.cpp"
        source.write_text(block.text)
        compiler = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror"]
        if not re.search(r"\bint main\(", block.text):
            return self.run([*compiler, "-fsyntax-only", source, *self.flags()])[1]
        program = source.with_suffix("")
        problem = self.run([*compiler, source, "-o", program, *self.flags()])[1]
        return problem or self.run([program], source.parent)[1]

    def try_cmake(self, block):
        self.install()
        project = self.desk(block.document) / "project"
        shutil.rmtree(project, ignore_errors=True)
        project.mkdir()
        text = block.text
        if "project(" not in text:
            text = "cmake_minimum_required(VERSION 3.24)\nproject(Snippet LANGUAGES CXX)\n" + text
        if "add_executable(" not in text:
            target = re.search(r"target_link_libraries\((\w+)", text)
            name = target.group(1) if target else "snippet"
            text = re.sub(r"(project\(.*\)\n)", rf"\1add_executable({name} main.cpp)\n", text, count=1)
        for name in re.findall(r"add_executable\(\w+ ([\w.]+)", text):
            (project / name).write_text("int main() {}\n")
        (project / "CMakeLists.txt").write_text(text)
        if "FetchContent" in text:
            (project / "electret").symlink_to(self.root)
        # The set-up installs ninja, and no other program that builds.
        return self.run(["cmake", "-G", "Ninja", "-S", project, "-B", project / "build",
                         f"-DCMAKE_PREFIX_PATH={self.prefix}"])[1]

    def try_toml(self, block):
        name = NAME.match(block.text)
        is_job = re.search(r"^\[(fit|sweep)\]", block.text, re.MULTILINE) is not None
        if name or is_job:  # A later block runs it.
            file = self.desk(block.document) / (name.group(1) if name else "job.toml")
            file.write_text(block.text)
        else:
            file = self.desk(block.document) / "examples" / "snippet.toml"
            file.parent.mkdir(exist_ok=True)
            file.write_text(completed_scene(block.text))
        return None if is_job else self.run(["electret", "check", file])[1]

    def try_python(self, block):
        for name in OPTIONAL:
            if re.search(rf"^(import|from) {name}\b", block.text, re.MULTILINE) and importlib.util.find_spec(name) is None:
                print(f"check snippets: {block.where} is not run: it needs {name}")
                return None
        return self.run(["/usr/bin/python3", "-c", block.text], self.desk(block.document))[1]

    def try_json(self, block):
        try:
            json.loads(block.text)
        except ValueError as error:
            return str(error)
        return None

    def try_sh(self, block):
        for line in block.text.replace("\\\n", " ").splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            if words and words[0] == "sudo":
                words = words[1:]
            if words and (problem := self.try_command(block, words)):
                return problem
        return None

    def try_command(self, block, words):
        program = words[0]
        if program == "./dev":
            return self.try_dev(block, words[1:])
        if program in ("electret", "build/release/bin/electret"):
            return self.try_electret(block, words[1:])
        if program == "apt-get":
            named = {word for word in words[2:] if not word.startswith("-")}
            unknown = sorted(named - declared_packages(self.root))
            return f"tools/packages.txt does not declare {', '.join(unknown)}" if unknown else None
        return None if program in PASSED_OVER else f"'{program}' is neither run nor known; is the block ```text?"

    def try_dev(self, block, words):
        if words[:1] == ["run"]:
            return self.try_electret(block, words)
        said, problem = self.run([self.root / "dev", "help"])
        if problem:
            return problem
        lines = re.sub(r"\n {8,}", " ", said.stdout).splitlines()
        listed = {line.split()[0]: line for line in lines if re.match(r"  [a-z]+ ", line)}
        command = words[0] if words else "help"
        if command not in listed:
            return f"./dev has no command '{command}'"
        known = listed[command] + (self.comparison_options(words[1:2]) if command == "bench" else "")
        missing = [word for word in words[1:] if word.startswith("--") and word not in known]
        return f"./dev {command} has no option {missing[0]}" if missing else None

    def comparison_options(self, names):
        """The source of a benchmark's comparison program, which names the options that it takes itself."""
        programs = [path for name in names for path in self.root.glob(f"bench/{name}/compare_{name}.*")]
        return "".join(path.read_text() for path in programs)

    def try_electret(self, block, words):
        redirected = next((k for k, word in enumerate(words) if word in (">", "2>", "|")), len(words))
        target = words[redirected + 1] if words[redirected:redirected + 1] == [">"] else None
        words = words[:redirected]
        if not PLACEHOLDER.search(" ".join(words)):
            said, problem = self.run(["electret", *words], self.desk(block.document))
            if target and not problem:
                (self.desk(block.document) / target).write_text(said.stdout)
            return problem
        command = [word for word in words[:1] if word.islower() and word.isalpha()]
        said, problem = self.run(["electret", *command, "--help"])
        if problem:
            return problem
        options = [word.strip("[]").split("=")[0] for word in words if word.strip("[").startswith("--")]
        missing = [option for option in options if option not in said.stdout]
        return f"electret {' '.join(command)} has no option {missing[0]}" if missing else None


def declared_packages(root):
    lines = (line.split("#")[0].strip() for line in (root / "tools/packages.txt").read_text().splitlines())
    return {line for line in lines if line and not line.startswith("[")}


def check_links(report, root, name, text):
    """Links to files, outside of fenced blocks."""
    outside = re.sub(r"^\s*```.*?^\s*```\s*$", lambda found: "\n" * found.group(0).count("\n"), text,
                     flags=re.MULTILINE | re.DOTALL)
    for number, line in enumerate(outside.splitlines(), 1):
        for found in LINK.finditer(line):
            target = found.group(1) or found.group(2)
            if "://" not in target and not target.startswith("mailto:") and not (root / name.parent / target).exists():
                report.add(f"{name}:{number}", f"the link to {target} leads nowhere")


def try_document(workshop, name, text):
    """Tries the blocks of the document `name` in order; how many it has, and [(where, problem)]."""
    count, problems = 0, []
    for block in blocks_of(name, text):
        count += 1
        if block.language == "text":
            continue
        attempt = getattr(workshop, f"try_{block.language}", None)
        problem = attempt(block) if attempt else f"a block of kind '{block.language}' cannot be tried; " \
                                                "say cpp, cmake, toml, python, sh, json or text"
        if problem:
            problems.append((block.where, problem))
    return count, problems


def documents(root):
    return [name for name in common.tracked(root, ".md") if name.parts[0] == "docs" or len(name.parts) == 1]


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--only", nargs="+", type=pathlib.Path, metavar="DOCUMENT",
                        help="documents that are looked at, relative to the repository (default: all)")
    options = parser.parse_args()
    root = options.root.resolve()
    build = (options.build or root / "build/release").resolve()
    report = common.Report("snippets")
    chosen = documents(root)
    if options.only:
        if unknown := [str(name) for name in options.only if name not in chosen]:
            parser.error(f"no document: {', '.join(unknown)}")
        chosen = options.only
    count = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        workshop = Workshop(root, build, pathlib.Path(folder))
        texts = [(root / name).read_text(encoding="utf-8") for name in chosen]
        tried = list(threads.map(lambda each: try_document(workshop, *each), zip(chosen, texts)))
    for name, text, (blocks, problems) in zip(chosen, texts, tried):
        check_links(report, root, name, text)
        count += blocks
        for where, problem in problems:
            report.add(where, problem)
    return report.finish(f"{count} blocks")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NotInstalled as error:
        sys.exit(f"check snippets: {error}")
