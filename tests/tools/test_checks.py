"""Every check finds the faults it is there for, and finds nothing where there is none."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECKS = ROOT / "tools/checks"
sys.path.insert(0, str(CHECKS))

import packages  # noqa: E402

GOOD_HEADER = "#pragma once\n/// \\file\n/// A thing.\n\nnamespace electret {\n\nint one();\n\n}  // namespace electret\n"


class CheckTest(unittest.TestCase):
    """A small project in a folder of its own, to which a check is applied."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def check(self, name, *arguments):
        command = ["/usr/bin/python3", "-B", CHECKS / f"{name}.py", "--root", self.root, "--build", self.root / "build"]
        result = subprocess.run([*command, *arguments], capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr

    def assert_ok(self, name, *arguments):
        status, said = self.check(name, *arguments)
        self.assertEqual(status, 0, said)

    def assert_finds(self, name, *words):
        status, said = self.check(name)
        self.assertEqual(status, 1, said)
        for word in words:
            self.assertIn(word, said)


class Format(CheckTest):
    @unittest.skipUnless(shutil.which("clang-format-14"), "clang-format-14 is not installed")
    def test_sees_a_badly_laid_out_file_and_mends_it(self):
        self.write(".clang-format", (ROOT / ".clang-format").read_text())
        self.write("src/electret/core/a.cpp", "int  one( ){return 1;}\n")
        self.assert_finds("format", "a.cpp:1")
        self.assert_ok("format", "--fix")
        self.assert_ok("format")

    def test_format_is_skipped_with_a_word_without_its_version_of_clang_format(self):
        self.write(".clang-format", (ROOT / ".clang-format").read_text())
        self.write("a.cpp", "int  one( ) ;\n")
        command = ["/usr/bin/python3", "-B", CHECKS / "format.py", "--root", self.root]
        result = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/nowhere"})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("skipped", result.stdout)


class Words(CheckTest):
    def test_accepts_plain_text_and_addresses(self):
        self.write("README.md", "See https://example.org/home/page and docs/work/plan.\n")
        self.assert_ok("words")

    def test_sees_what_is_left_to_do(self):
        self.write("src/a.cpp", "int a;\n// TO" "DO: more\n")
        self.assert_finds("words", "src/a.cpp:2")

    def test_sees_a_path_of_one_machine(self):
        self.write("docs/a.md", "It is in /ho" "me/ann/electret.\n")
        self.assert_finds("words", "docs/a.md:1")

    def test_sees_a_merge_mark(self):
        self.write("a.py", "<" * 7 + " ours\n")
        self.assert_finds("words", "a.py:1")


class Locales(CheckTest):
    def test_accepts_numbers_that_no_locale_touches(self):
        self.write("src/a.cpp", '#include <cstdio>\nvoid f() { std::snprintf(t, 9, "%d %s %016llx", 1, "f", h); }\n'
                   "auto g() { return general_text(0.5, 3) + std::to_string(3); }\nstd::istringstream words(text);\n")
        self.write("tests/a.cpp", 'std::snprintf(text, 9, "%.3g", 0.5);\n')
        self.assert_ok("locales")

    def test_sees_numbers_that_are_written_by_the_locale(self):
        self.write("src/a.cpp", 'int a;\nstd::snprintf(text, sizeof text, "%.3g", 0.5);\n')
        self.write("apps/b.cpp", 'std::fprintf(stderr, "%s %+8.2lf", a, b);\n')
        self.write("python/src/c.cpp", "std::ostringstream text;\n")
        self.assert_finds("locales", "src/a.cpp:2", "apps/b.cpp:1", "python/src/c.cpp:1")

    def test_sees_numbers_that_are_read_by_the_locale(self):
        self.write("src/a.cpp", "double a = std::strtod(text, nullptr);\ndouble b = std::stod(text);\n")
        self.assert_finds("locales", "src/a.cpp:1", "src/a.cpp:2")


class Includes(CheckTest):
    def header(self, name, include):
        text = GOOD_HEADER.replace("\nnamespace", f"\n#include <{include}>\n\nnamespace", 1)
        self.write(f"src/electret/{name}", text)

    def test_accepts_what_is_allowed(self):
        self.header("geometry/a.hpp", "electret/core/types.hpp")
        self.header("scene/a.hpp", "electret/field/options.hpp")
        self.header("force/a.hpp", "electret/field/solver.hpp")
        self.write("src/electret/linear/a.cpp", "#include <Eigen/Core>\n")
        self.assert_ok("includes")

    def test_sees_a_wrong_direction(self):
        for room, target in [("core", "geometry/mesh.hpp"), ("geometry", "scene/scene.hpp"),
                             ("elastic", "field/solver.hpp"), ("field", "geometry/mesh.hpp"),
                             ("scene", "dynamics/system.hpp"), ("dynamics", "record/run.hpp")]:
            with self.subTest(room=room, target=target):
                self.header(f"{room}/a.hpp", f"electret/{target}")
                self.assert_finds("includes", f"{room}/a.hpp:5", target)
                (self.root / f"src/electret/{room}/a.hpp").unlink()

    def test_programs_are_right_of_the_library(self):
        self.write("experiments/a.cpp", "#include <apps/electret/print.hpp>\n#include <electret/render/trace.hpp>\n")
        self.assert_ok("includes")
        for name, target in [("src/electret/render/a.cpp", "apps/electret/print.hpp"),
                             ("apps/electret/a.cpp", "experiments/report.hpp")]:
            with self.subTest(name=name):
                path = self.write(name, f"#include <{target}>\n")
                self.assert_finds("includes", f"{name}:1", "may not include")
                path.unlink()

    def test_the_package_is_right_of_the_library_and_beside_the_command(self):
        self.write("python/src/a.cpp", '#include <electret/render/trace.hpp>\n#include "b.hpp"\n#include "part/../b.hpp"\n')
        self.assert_ok("includes")
        self.header("render/a.hpp", "electret/python/a.hpp")
        self.assert_finds("includes", "render/a.hpp:5", "render/ may not include python/")

    def test_sees_a_relative_path_that_leads_out_of_a_room(self):
        self.write("apps/electret/part/a.cpp", '#include "../print.hpp"\n')
        self.assert_ok("includes")
        for name, target in [("python/src/a.cpp", "../../apps/electret/print.hpp"), ("apps/electret/a.cpp", "../../python/src/a.hpp"),
                             ("python/src/b.cpp", "../../tests/a.hpp"), ("apps/electret/b.cpp", "../../src/electret/core/a.hpp")]:
            with self.subTest(name=name, target=target):
                path = self.write(name, f'#include "{target}"\n')
                self.assert_finds("includes", f"{name}:1", "by a relative path")
                path.unlink()

    def test_sees_options_that_include_more_than_core(self):
        self.header("field/options.hpp", "electret/field/solver.hpp")
        self.assert_finds("includes", "core/ only")

    def test_sees_a_heavy_library_in_a_header(self):
        for library in ["Eigen/Core", "toml++/toml.h", "nlohmann/json.hpp", "hdf5.h", "tbb/parallel_for.h"]:
            with self.subTest(library=library):
                self.header("linear/a.hpp", library)
                self.assert_finds("includes", "heavy library")

    def test_sees_an_imported_namespace_a_missing_guard_and_a_silent_header(self):
        self.write("src/electret/core/a.hpp", "using namespace std;\n")
        self.assert_finds("includes", "imports no namespace", "#pragma once", "\\file")

    def test_sees_an_undocumented_type(self):
        self.write("src/electret/core/a.hpp", GOOD_HEADER + "struct A {\n  int a;\n};\n\n\nstruct B {\n  int b;\n};\n")
        self.assert_finds("includes", "'A' has no /// comment")

    def test_sees_an_unknown_room(self):
        self.header("cellar/a.hpp", "vector")
        self.assert_finds("includes", "no known room")

    def test_sees_an_interface_that_the_documents_do_not_tell(self):
        self.write("src/electret/electret.hpp", "#pragma once\n#include <electret/core/a.hpp>\n")
        section = "# Architecture\n\n`core/b.hpp`\n\n## The public interface\n\n%s in `electret/electret.hpp`\n\n## Next\n"
        self.write("docs/architecture.md", section % "`core/a.hpp`")
        self.assert_ok("includes")
        self.write("docs/architecture.md", section % "nothing")
        self.assert_finds("includes", "does not name `core/a.hpp`")
        self.write("docs/architecture.md", section % "`core/a.hpp`, `core/b.hpp`")
        self.assert_finds("includes", "names `core/b.hpp`")


class Snippets(CheckTest):
    """Against a stand-in for the command that knows `check FILE`, `run SCENE` and one option."""

    def setUp(self):
        super().setUp()
        command = self.write("build/bin/electret", """#!/bin/sh
if [ "$2" = --help ]; then echo "--threads N"; exit 0; fi
case "$1" in check | run) ;; *) exit 2 ;; esac
[ -f "$2" ] || { echo "error: there is no $2" >&2; exit 2; }
grep -q wrong "$2" && { echo "$2:1:1: error: 'wrong'" >&2; exit 2; }
mkdir -p runs/a && echo done > runs/a/result
""")
        command.chmod(0o755)
        self.write("tools/packages.txt", "[build]\ng++   # compiler\n")
        self.write("dev", (ROOT / "dev").read_text()).chmod(0o755)
        for part in (ROOT / "tools/dev.d").iterdir():
            self.write(f"tools/dev.d/{part.name}", part.read_text())
        self.write("examples/a.toml", "[time]\n")

    def document(self, language, text):
        self.write("docs/a.md", f"# Title\n\n```{language}\n{text}\n```\n")

    def assert_good(self, language, text):
        self.document(language, text)
        self.assert_ok("snippets")

    def assert_bad(self, language, text, *words):
        self.document(language, text)
        self.assert_finds("snippets", "docs/a.md:3", *words)

    def test_scenes(self):
        self.assert_good("toml", "[gravity]")
        self.assert_bad("toml", "[wrong]", "error: 'wrong'")

    def test_commands(self):
        self.assert_good("sh", "electret run examples/a.toml\n./dev test\n./dev format --check")
        self.assert_good("sh", "electret run SCENE --threads 2   # a remark")
        self.assert_bad("sh", "electret fly examples/a.toml", "electret fly")
        self.assert_bad("sh", "electret run SCENE --colour", "no option --colour")
        self.assert_bad("sh", "./dev fly", "no command 'fly'")
        self.assert_bad("sh", "./dev format --colour", "no option --colour")
        self.assert_bad("sh", "frobnicate", "neither run nor known")

    def test_declared_packages(self):
        self.assert_good("sh", "sudo apt-get install g++")
        self.assert_bad("sh", "apt-get install gfortran", "does not declare gfortran")

    def test_python_reads_what_ran_before(self):
        self.write("docs/a.md", "```sh\n./dev run examples/a.toml\n```\n\n```python\nprint(open('runs/a/result').read())\n```\n")
        self.assert_ok("snippets")
        self.assert_bad("python", "open('runs/a/result')", "FileNotFoundError")

    def test_named_scenes_are_kept(self):
        scene, commands = "```toml\n# b.toml\n[time]\n```\n", "\n```sh\nelectret run b.toml\n```\n"
        self.write("docs/a.md", scene + commands)
        self.assert_ok("snippets")
        self.write("docs/a.md", scene.replace("# b.toml", "# c.toml") + commands)
        self.assert_finds("snippets", "docs/a.md:6", "b.toml", "failed")
        self.assert_bad("toml", "# b.toml\n[wrong]", "error: 'wrong'")

    def test_chosen_documents(self):
        self.write("docs/b.md", "[there](docs/c.md)\n")
        self.document("json", "{}")
        self.assert_finds("snippets", "docs/b.md:1")
        self.assert_ok("snippets", "--only", "docs/a.md")
        self.assertEqual(self.check("snippets", "--only", "docs/a.md", "docs/b.md")[0], 1)
        self.assertIn("no document: docs/c.md", self.check("snippets", "--only", "docs/c.md")[1])

    def test_json_and_kinds(self):
        self.assert_good("json", '{"a": 1}')
        self.assert_bad("json", "{a}")
        self.assert_good("text", "anything")
        self.assert_bad("", "anything", "cannot be tried")

    def test_links(self):
        self.write("README.md", "[here](docs/a.md), [far](https://example.org)\n")
        self.assert_good("text", "")
        self.write("README.md", "\n[there](docs/b.md)\n")
        self.assert_finds("snippets", "README.md:2")


class CppSnippets(CheckTest):
    """Compiling, with an installed library that is one header."""

    def test_programs(self):
        import snippets
        workshop = snippets.Workshop(self.root, self.root / "build", self.root)
        workshop.installed, workshop.flags = True, lambda: []
        for good, text in [(True, "int main() { return 0; }"), (False, "int main() { return 1; }"),
                           (False, "int main() { return zero; }"), (True, "struct A {};"), (False, "struct A {}")]:
            with self.subTest(text=text):
                problem = workshop.try_cpp(snippets.Block(pathlib.Path("a.md"), 1, "cpp", text + "\n"))
                self.assertEqual(problem is None, good, problem)


class Packages(CheckTest):
    """On a tiny build of its own."""

    def build(self, source, packages):
        self.write("tools/packages.txt", f"[build]\n{packages}\n[test]\n[bench]\n")
        self.write("main.cpp", source)
        self.write("build/build.ninja", """
rule CXX_COMPILER__a
  command = g++ -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
build a.o: CXX_COMPILER__a ../main.cpp
rule CXX_EXECUTABLE_LINKER__a
  command = g++ $in -o $out $LINK_LIBRARIES
build a: CXX_EXECUTABLE_LINKER__a a.o
  LINK_LIBRARIES = -Wl,--no-as-needed -lfmt
  OBJECT_DIR = .

""")
        subprocess.run(["ninja", "-C", self.root / "build"], check=True, capture_output=True)

    def test_accepts_declared_packages(self):
        self.build("#include <fmt/format.h>\n#include <vector>\nint main() {}\n", "g++\nlibfmt-dev")
        self.assert_ok("packages")

    def test_sees_an_undeclared_header_and_library(self):
        self.build("#include <fmt/format.h>\nint main() {}\n", "g++")
        self.assert_finds("packages", "libfmt-dev", "header")
        self.build("int main() {}\n", "g++")
        self.assert_finds("packages", "libfmt", "linked")

    def test_sees_a_file_of_no_package(self):
        outside = tempfile.TemporaryDirectory()
        self.addCleanup(outside.cleanup)
        pathlib.Path(outside.name, "stray.hpp").write_text("\n")
        self.build(f'#include "{outside.name}/stray.hpp"\nint main() {{}}\n', "g++\nlibfmt-dev")
        self.assert_finds("packages", "stray.hpp", "no Debian package")

    def test_sees_an_undeclared_python_module(self):
        self.write("tests/a.py", "import numpy\n")
        self.build("int main() {}\n", "g++\nlibfmt-dev")
        self.assert_finds("packages", "numpy", "tests/a.py")

    def test_takes_nothing_that_a_linker_notes_for_a_header(self):
        self.build("int main() {}\n", "g++\n[test]\nlibfmt-dev")
        path = self.root / "build/build.ninja"
        for old, new in (("build a: ", "build bin/a: "), ("OBJECT_DIR = .", "OBJECT_DIR = tests/a"),
                         ("$LINK_LIBRARIES", "$LINK_LIBRARIES -Wl,--dependency-file=$out.d\n  depfile = $out.d\n  deps = gcc")):
            path.write_text(path.read_text().replace(old, new))
        subprocess.run(["ninja", "-C", self.root / "build"], check=True, capture_output=True)
        self.assertIn("libfmt", subprocess.run(["ninja", "-C", self.root / "build", "-t", "deps", "bin/a"], check=True,
                                               capture_output=True, text=True).stdout)
        self.assert_ok("packages")

    def test_finds_modules_that_are_folders_alone(self):
        self.write("plain/inner.py", "\n")
        sys.path.insert(0, str(self.root))
        self.addCleanup(sys.path.remove, str(self.root))
        self.assertEqual(packages.place_of("plain"), str(self.root / "plain"))
        self.assertIsNone(packages.place_of("no_such_module"))


if __name__ == "__main__":
    unittest.main()
