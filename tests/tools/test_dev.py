"""./dev installs what is missing, as far as it may, and says what it does. apt-get, dpkg-query, id and sudo are
stand-ins here that write down how they are called."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Machine(unittest.TestCase):
    """A copy of ./dev whose build is a script, on a machine whose packages are the file `installed`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        shutil.copy(ROOT / "dev", self.root)
        shutil.copytree(ROOT / "tools/dev.d", self.root / "tools/dev.d")
        (self.root / "tools/packages.txt").write_text("[build]\nalpha  # Alpha 1\nbeta\n[python]\ndelta\n[test]\ngamma\n")
        (self.root / "scene.toml").write_text("\n")
        self.bin = self.root / "bin"
        self.bin.mkdir()
        for program in ("bash", "dirname", "env", "awk", "sort", "comm", "grep", "rm", "nproc", "cat", "mkdir", "chmod"):
            (self.bin / program).symlink_to(shutil.which(program))
        self.log = self.root / "log"
        self.installed("")
        self.program("id", "echo ${FAKE_UID:-0}")
        self.program("cmake", 'mkdir -p "$FAKE_ROOT/build/release/bin"; echo "cmake $*" >> "$FAKE_ROOT/log"\n'
                     'echo "CMAKE_HOME_DIRECTORY:INTERNAL=$FAKE_ROOT" >> "$FAKE_ROOT/build/release/CMakeCache.txt"\n'
                     'for word in "$@"; do [[ $word != -D* ]] || { word=${word#-D}; echo "${word%%=*}:BOOL=${word#*=}"; }; done '
                     '>> "$FAKE_ROOT/build/release/CMakeCache.txt"\n'
                     ': > "$FAKE_ROOT/build/release/build.ninja"\n'
                     'printf "#!/bin/sh\\necho simulated \\"\\$@\\"\\n" > "$FAKE_ROOT/build/release/bin/electret"\n'
                     'chmod +x "$FAKE_ROOT/build/release/bin/electret"')
        self.program("ninja", 'echo "ninja $*" >> "$FAKE_ROOT/log"; echo "[1/1] Linking"')

    def program(self, name, text):
        path = self.bin / name
        path.write_text("#!/bin/bash\n" + text + "\n")
        path.chmod(0o755)

    def installed(self, names):
        (self.root / "installed").write_text(names)

    def debian(self, simulate="true", install="true"):
        """Gives the machine apt-get and dpkg-query; `simulate` and `install` say how apt-get's runs end."""
        self.program("dpkg-query", 'while read -r name; do [[ -n $name ]] && echo "installed $name"; done '
                     '< "$FAKE_ROOT/installed"')
        self.program("apt-get", 'echo "apt-get $* [$DEBIAN_FRONTEND]" >> "$FAKE_ROOT/log"\n'
                     f'case "$*" in *--simulate*) {simulate} ;; install*) {install} ;; esac')

    def dev(self, *arguments, uid=0):
        environment = {"PATH": str(self.bin), "FAKE_ROOT": str(self.root), "FAKE_UID": str(uid)}
        return subprocess.run([str(self.root / "dev"), *arguments], cwd=self.root, env=environment,
                              capture_output=True, text=True)

    def lines(self):
        return self.log.read_text().splitlines() if self.log.exists() else []


class Run(Machine):
    """./dev run, and what comes before it."""

    def test_installs_builds_and_runs(self):
        self.debian()
        result = self.dev("run", "scene.toml", "--threads", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "simulated run scene.toml --threads 2\n")
        self.assertIn("alpha beta", result.stderr)
        self.assertIn("apt-get install --yes --quiet --no-install-recommends alpha beta [noninteractive]", self.lines())
        self.assertFalse([line for line in self.lines() if "update" in line or "gamma" in line])
        self.assertTrue([line for line in self.lines() if line.startswith("cmake --preset release")])

    def test_second_run_installs_and_configures_nothing(self):
        self.debian()
        self.dev("run", "scene.toml")
        self.installed("alpha\nbeta\n")
        self.log.unlink()
        self.assertEqual(self.dev("run", "scene.toml").returncode, 0)
        self.assertFalse([line for line in self.lines() if not line.startswith("ninja")])

    def test_the_first_command_is_built_without_the_python_package(self):
        self.debian()
        self.dev("run", "scene.toml")
        configured = [line for line in self.lines() if line.startswith("cmake --preset release")]
        self.assertTrue(all("-DELECTRET_PYTHON=OFF" in line for line in configured), configured)
        self.assertFalse([line for line in self.lines() if "delta" in line or "electret_python" in line])

    def test_python_installs_and_builds_the_package_alone(self):
        self.debian()
        self.dev("run", "scene.toml")
        self.log.unlink()
        result = self.dev("python", "-c", "import os; print(os.environ['PYTHONPATH'])")
        self.assertEqual(result.stdout, f"{self.root}/build/release/python\n", result.stderr)
        self.assertIn("apt-get install --yes --quiet --no-install-recommends alpha beta delta [noninteractive]", self.lines())
        self.assertTrue([line for line in self.lines() if "-DELECTRET_PYTHON=ON" in line])
        self.assertTrue([line for line in self.lines() if line.startswith("ninja") and line.endswith("electret_python")])

    def test_a_moved_repository_is_built_afresh(self):
        self.debian()
        self.installed("alpha\nbeta\n")
        self.dev("run", "scene.toml")
        (self.root / "build/release/CMakeCache.txt").write_text("CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n")
        self.log.unlink()
        result = self.dev("run", "scene.toml")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue([line for line in self.lines() if line.startswith("cmake --preset")])

    def test_old_lists_are_renewed(self):
        self.debian(simulate="exit 100")
        self.assertEqual(self.dev("run", "scene.toml").returncode, 0)
        update = [k for k, line in enumerate(self.lines()) if "update" in line]
        install = [k for k, line in enumerate(self.lines()) if "install --yes" in line]
        self.assertTrue(update and install and update[0] < install[-1], self.lines())

    def test_a_failed_installation_ends_it(self):
        self.debian(install="exit 100")
        result = self.dev("run", "scene.toml")
        self.assertNotEqual(result.returncode, 0)
        self.assertFalse([line for line in self.lines() if line.startswith("cmake")])

    def test_without_root_the_exact_line_is_printed(self):
        self.debian()
        self.installed("alpha\n")
        result = self.dev("run", "scene.toml", uid=1000)
        self.assertEqual(result.returncode, 2)
        self.assertIn("\n  apt-get install --no-install-recommends beta\n", result.stderr)
        self.assertEqual(self.lines(), [])

    def test_sudo_that_asks_nothing_is_used(self):
        self.debian()
        self.program("sudo", 'echo "sudo $*" >> "$FAKE_ROOT/log"; shift; "$@"')
        self.assertEqual(self.dev("run", "scene.toml", uid=1000).returncode, 0)
        self.assertTrue([line for line in self.lines() if line.startswith("sudo -n env DEBIAN_FRONTEND")])

    def test_sudo_that_asks_is_not_used(self):
        self.debian()
        self.program("sudo", "exit 1")
        self.assertEqual(self.dev("run", "scene.toml", uid=1000).returncode, 2)
        self.assertEqual(self.lines(), [])

    def optional(self, known):
        """epsilon is optional, and apt knows it or not."""
        self.debian()
        with open(self.root / "tools/packages.txt", "a") as packages:
            packages.write("[build]\nepsilon optional  # where it is there\n")
        self.program("apt-cache", f'case "$*" in *epsilon*) exit {0 if known else 100} ;; esac')

    def test_an_optional_package_is_installed_where_apt_knows_it(self):
        self.optional(known=True)
        self.assertEqual(self.dev("run", "scene.toml").returncode, 0)
        self.assertTrue([line for line in self.lines() if "install --yes" in line and "alpha beta epsilon" in line])

    def test_an_optional_package_is_left_out_elsewhere(self):
        self.optional(known=False)
        result = self.dev("run", "scene.toml")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue([line for line in self.lines() if "install --yes" in line and "alpha beta" in line])
        self.assertFalse([line for line in self.lines() if "epsilon" in line])

    def test_a_missing_optional_package_installs_nothing_again(self):
        self.optional(known=False)
        self.installed("alpha\nbeta\n")
        self.assertEqual(self.dev("run", "scene.toml").returncode, 0)
        self.assertFalse([line for line in self.lines() if "install --yes" in line])

    def test_other_systems_get_the_list(self):
        result = self.dev("run", "scene.toml")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Alpha 1", result.stderr)
        self.assertNotIn("gamma", result.stderr)

    def test_mistakes_are_told_before_anything_happens(self):
        self.debian()
        for arguments in (["run"], ["run", "absent.toml"], ["studio", "absent.toml"], ["fly"]):
            with self.subTest(arguments=arguments):
                result = self.dev(*arguments)
                self.assertEqual(result.returncode, 2)
                self.assertTrue(result.stderr)
                self.assertEqual(self.lines(), [])

    def test_help_names_every_command(self):
        result = self.dev("help")
        self.assertEqual(result.returncode, 0)
        for command in ("run", "studio", "test", "build", "bench", "format", "tidy", "syntax", "sanitize", "elsewhere", "fuzz", "soak"):
            self.assertIn(f"\n  {command} ", result.stdout)


class Test(Machine):
    """./dev test with checks and a ctest that are stand-ins too."""

    def setUp(self):
        super().setUp()
        self.debian()
        self.installed("alpha\nbeta\ngamma\n")
        for check in ("format", "includes", "words", "locales", "snippets", "packages"):
            self.stand_in(check, 0)
        self.let_ctest_end_with(0)

    def stand_in(self, check, status):
        path = self.root / f"tools/checks/{check}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"print('ran {check}')\nraise SystemExit({status})\n")

    def let_ctest_end_with(self, status):
        self.program("ctest", f'echo "ran ctest $*"; exit {status}')

    def test_runs_every_check_and_every_test(self):
        result = self.dev("test", "-R", "torus")
        self.assertEqual(result.returncode, 0, result.stderr)
        for part in ("format", "includes", "words", "locales", "snippets", "packages", "ctest"):
            self.assertIn(f"ran {part}", result.stdout)
        self.assertIn("-R torus", result.stdout)

    def test_fails_with_any_check_after_running_the_tests(self):
        for check in ("format", "includes", "words", "locales", "snippets", "packages"):
            with self.subTest(check=check):
                self.stand_in(check, 1)
                result = self.dev("test")
                self.assertEqual(result.returncode, 1)
                self.assertIn(check, result.stderr)
                self.assertIn("ran ctest", result.stdout)
                self.stand_in(check, 0)

    def test_counts_the_test_cases_of_the_suites(self):
        log = self.root / "build/release/Testing/Temporary/LastTest.log"
        log.parent.mkdir(parents=True)
        log.write_text("1/2 Test: Threads\n[==========] Running 12 tests from 1 test suite.\n"
                       "2/2 Test: TreeSum\n[==========] Running 1 test from 1 test suite.\nok\n")
        self.assertIn("13 test cases", self.dev("test").stdout)

    def test_says_with_a_word_what_was_skipped(self):
        log = self.root / "build/release/Testing/Temporary/LastTest.log"
        log.parent.mkdir(parents=True)
        self.assertNotIn("Skipped", self.dev("test").stdout)
        log.write_text("..s [100%]\nSKIPPED [2] ../tests/python/test_types.py:22: mypy is not installed\n"
                       "SKIPPED [1] ../tests/python/test_types.py:22: mypy is not installed\n2 passed, 3 skipped\n"
                       "test_movie (__main__.Render.test_movie)\nA movie. ... ok\n"
                       "test_frames (__main__.Render.test_frames)\nFrames of it. ... skipped 'ffmpeg is not installed'\n")
        said = self.dev("test").stdout
        self.assertIn("Skipped here:\n  test_frames: ffmpeg is not installed\n  test_types.py: mypy is not installed\n", said)

    def large_package(self, ends):
        """iota, which tests alone need; its installation ends so once the build runs."""
        with open(self.root / "tools/packages.txt", "a") as packages:
            packages.write("[browser]\niota\n")
        (self.bin / "sleep").symlink_to(shutil.which("sleep"))
        self.debian(install='[[ "$*" != *iota* ]] || { until grep -q ninja "$FAKE_ROOT/log"; do sleep 0.02; done; '
                    f'echo "installed $*" >> "$FAKE_ROOT/log"; {ends}; }}')

    def test_large_packages_are_installed_while_sources_are_compiled(self):
        self.large_package("true")
        self.program("ctest", 'echo "ran ctest" >> "$FAKE_ROOT/log"')
        result = self.dev("test")
        self.assertEqual(result.returncode, 0, result.stderr)
        installed = next(number for number, line in enumerate(self.lines()) if line.startswith("installed") and "iota" in line)
        self.assertGreater(self.lines().index("ran ctest"), installed)

    def test_no_test_runs_without_its_packages(self):
        self.large_package("exit 100")
        result = self.dev("test")
        self.assertNotEqual(result.returncode, 0)
        self.assertNotIn("ran ctest", result.stdout)

    def test_whoever_may_not_install_learns_it_before_the_build(self):
        self.large_package("true")
        with open(self.root / "tools/packages.txt", "a") as packages:
            packages.write("[opencl]\nalpha\n[studio]\nalpha\n")
        self.installed("alpha\nbeta\ngamma\ndelta\n")
        result = self.dev("test", uid=1000)
        self.assertEqual(result.returncode, 2)
        self.assertIn("\n  apt-get install --no-install-recommends iota\n", result.stderr)
        self.assertEqual(self.lines(), [])

    def test_fails_with_the_tests(self):
        self.let_ctest_end_with(8)
        result = self.dev("test")
        self.assertEqual(result.returncode, 1)
        self.assertIn("FAILED", result.stderr)

    def warning_settings(self):
        return [word for line in self.lines() for word in line.split() if word.startswith("-DELECTRET_WARNINGS_AS_ERRORS")]

    def test_warnings_are_no_errors_for_users(self):
        """Nor later, in ./dev test: a build that changed its mind would be compiled again as a whole."""
        for command in (["run", "scene.toml"], ["build"], ["python", "-c", ""]):
            with self.subTest(command=command):
                shutil.rmtree(self.root / "build", ignore_errors=True)
                self.log.unlink(missing_ok=True)
                self.assertEqual(self.dev(*command).returncode, 0)
                self.assertEqual(self.warning_settings(), ["-DELECTRET_WARNINGS_AS_ERRORS=OFF"])
                result = self.dev("test")
                self.assertEqual(self.warning_settings(), ["-DELECTRET_WARNINGS_AS_ERRORS=OFF"])
                self.assertIn("began without warnings as errors", result.stderr)
                # The preset sets its variables again, this one among them.
                self.assertEqual(len([line for line in self.lines() if "--preset" in line]), 1, self.lines())

    def test_warnings_are_errors_for_developers(self):
        self.assertNotIn("warnings as errors", self.dev("test").stderr)
        for command in (["run", "scene.toml"], ["build"], ["test"]):
            self.dev(*command)
        self.assertEqual(self.warning_settings(), ["-DELECTRET_WARNINGS_AS_ERRORS=ON"])


class Soak(Machine):
    """./dev soak, with a soak that is a stand-in."""

    def setUp(self):
        super().setUp()
        self.debian()
        self.installed("alpha\nbeta\ngamma\n")
        folder = self.root / "tests/studio/browser"
        folder.mkdir(parents=True)
        (folder / "test_soak.py").write_text("import os, sys\nprint('soaked', os.environ['ELECTRET_SOAK_SECONDS'], os.path.basename(os.environ['ELECTRET']))\n"
                                             "raise SystemExit(int(os.environ['ELECTRET_SOAK_SECONDS'] == '7'))\n")
        (self.root / "tests/apps").mkdir()
        (self.root / "tests/apps/test_studio_replays.py").write_text(
            "import os\nprint('replayed', os.environ['ELECTRET_REPLAY_SECONDS'], 'ELECTRET_REPLAY_TABLE' in os.environ, os.path.basename(os.environ['ELECTRET']))\n")

    def test_lasts_ten_minutes_or_as_long_as_wished(self):
        self.assertIn("soaked 600 electret\n", self.dev("soak", "studio").stdout)
        result = self.dev("soak", "studio", "30")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("soaked 30 electret\n", result.stdout)
        self.assertTrue([line for line in self.lines() if line.startswith("ninja") and line.endswith("electret_command")])

    def test_replays_are_of_a_minute_or_as_long_as_wished(self):
        self.assertIn("replayed 60 True electret\n", self.dev("soak", "replays").stdout)
        self.assertIn("replayed 5 True electret\n", self.dev("soak", "replays", "5").stdout)

    def test_pulls_are_those_of_the_program_of_tests(self):
        (self.root / "build/release/bin").mkdir(parents=True)
        program = self.root / "build/release/bin/test_studio"
        program.write_text('#!/bin/bash\necho "pulled $ELECTRET_PULLS $*"\n')
        program.chmod(0o755)
        self.assertIn("pulled 20 --gtest_filter=StudioManyPulls.*\n", self.dev("soak", "pulls").stdout)
        self.assertIn("pulled 3 ", self.dev("soak", "pulls", "3").stdout)
        self.assertTrue([line for line in self.lines() if line.startswith("ninja") and line.endswith("test_studio")])

    def test_ends_as_the_soak_does(self):
        self.assertEqual(self.dev("soak", "studio", "7").returncode, 1)

    def test_mistakes_are_told_before_anything_happens(self):
        for arguments in ([], ["run"], ["studio", "0"], ["studio", "long"], ["studio", "5", "6"], ["replays", "0"], ["pulls", "many"]):
            with self.subTest(arguments=arguments):
                result = self.dev("soak", *arguments)
                self.assertEqual(result.returncode, 2)
                self.assertTrue(result.stderr)
                self.assertEqual(self.lines(), [])


class Sanitize(Machine):
    """./dev sanitize and its parts, with a ctest that is a stand-in."""

    def setUp(self):
        super().setUp()
        self.debian()
        self.installed("alpha\nbeta\ndelta\ngamma\n")
        self.program("ctest", 'echo "ctest $*" >> "$FAKE_ROOT/log"; case "$*" in *tests/record*) exit 8 ;; esac')
        for room in ("core", "record"):
            (self.root / f"tests/{room}").mkdir(parents=True)
            (self.root / f"tests/{room}/CMakeLists.txt").write_text("")
            (self.root / f"tests/{room}/test_{room}.cpp").write_text("")

    def test_all_parts_with_their_times(self):
        result = self.dev("sanitize")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"\| thread \| clean \| 0 min \d s \|\n\| address \| clean \| 0 min \d s \|\n$")
        self.assertEqual(len([line for line in self.lines() if line.startswith("ctest")]), 3)

    def test_one_room_builds_and_runs_that_room(self):
        self.assertEqual(self.dev("sanitize", "address:core", "--", "-R", "Torus").returncode, 0)
        ninja = [line for line in self.lines() if line.startswith("ninja")]
        self.assertEqual([line.split()[-1] for line in ninja], ["test_core"])
        self.assertIn("build/address", ninja[0])
        run = [line for line in self.lines() if line.startswith("ctest")]
        self.assertEqual(len(run), 1)
        self.assertIn(f"--test-dir {self.root}/build/address/tests/core ", run[0])
        self.assertIn("-R Torus", run[0])

    def test_a_part_that_fails_stops_no_other(self):
        result = self.dev("sanitize", "thread:record", "thread:core")
        self.assertEqual(result.returncode, 1)
        self.assertIn("| thread:record | FAILED |", result.stdout)
        self.assertIn("| thread:core | clean |", result.stdout)

    def test_a_part_that_cannot_be_built_is_not_run(self):
        self.program("ninja", 'echo "ninja $*" >> "$FAKE_ROOT/log"; exit 1')
        for part in ("address:core", "thread:core", "address", "thread"):
            with self.subTest(part=part):
                result = self.dev("sanitize", part)
                self.assertEqual(result.returncode, 1)
                self.assertIn(f"| {part} | FAILED |", result.stdout)
                self.assertEqual([line for line in self.lines() if line.startswith("ctest")], [])

    def test_the_room_of_fuzzers_builds_them_alone(self):
        (self.root / "tests/fuzz").mkdir()
        for name in ("CMakeLists.txt", "fuzz_obj.cpp", "fuzz_job.cpp", "replay.cpp"):
            (self.root / "tests/fuzz" / name).write_text("")
        self.assertEqual(self.dev("sanitize", "address:fuzz").returncode, 0)
        ninja = [line for line in self.lines() if line.startswith("ninja")]
        self.assertEqual(len(ninja), 1)
        self.assertRegex(ninja[0], " fuzz_job fuzz_obj$")

    def test_a_part_that_is_none_is_refused_before_anything_happens(self):
        for part in ("memory", "address:nowhere", "thread:", "address:../core"):
            with self.subTest(part=part):
                result = self.dev("sanitize", part)
                self.assertEqual(result.returncode, 2)
                self.assertIn(part, result.stderr)
                self.assertEqual(self.lines(), [])


class Syntax(Machine):
    """./dev syntax, with a ninja that knows two sources and a compiler that is a stand-in."""

    def setUp(self):
        super().setUp()
        self.debian()
        self.installed("alpha\nbeta\ndelta\ngamma\n")
        self.program("clang++", "")

    def knows(self, status):
        self.program("ninja", 'echo "ninja $*" >> "$FAKE_ROOT/log"; case "$*" in *"-t targets"*) '
                     f'echo "a.cpp.o: CXX"; echo "lib.a: AR"; echo "b.cpp.o: CXX" ;; *) exit {status} ;; esac')

    def test_reads_every_source(self):
        self.knows(0)
        result = self.dev("syntax")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("clang++ reads 2 sources without a warning", result.stdout)
        self.assertRegex(self.lines()[-1], " -k 0 a.cpp.o b.cpp.o$")
        self.assertTrue([line for line in self.lines() if "-fsyntax-only" in line and "-DCMAKE_CXX_COMPILER=clang++" in line])

    def test_batches_are_those_of_a_release(self):
        self.knows(0)
        result = self.dev("syntax", "--batches")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("clang++ reads 2 batches without a warning", result.stdout)
        self.assertTrue([line for line in self.lines() if "-fsyntax-only" in line and "-DELECTRET_UNITY=ON" in line])

    def test_a_source_with_a_warning_fails(self):
        self.knows(1)
        result = self.dev("syntax")
        self.assertEqual(result.returncode, 1)
        self.assertNotIn("without a warning", result.stdout)

    def test_an_absent_compiler_is_refused(self):
        self.knows(0)
        result = self.dev("syntax", "flying++")
        self.assertEqual(result.returncode, 2)
        self.assertIn("flying++", result.stderr)
        self.assertEqual([line for line in self.lines() if line.startswith(("cmake", "ninja"))], [])


class Elsewhere(Machine):
    """./dev elsewhere, with stand-ins for what makes and enters the root of another release."""

    def setUp(self):
        super().setUp()
        self.debian()
        with open(self.root / "tools/packages.txt", "a") as packages:
            packages.write("[elsewhere]\nzeta\n")
        self.installed("zeta\n")
        for program in ("cp", "mv"):
            (self.bin / program).symlink_to(shutil.which(program))
        self.program("mmdebstrap", 'echo "mmdebstrap $*" >> "$FAKE_ROOT/log"; mkdir -p "${@: -1}/etc"')
        self.program("git", 'echo "git $*" >> "$FAKE_ROOT/log"; [[ "$*" == *clone* ]] && mkdir -p "${@: -1}/.git"; true')
        self.program("unshare", 'while [[ "$1" != bash ]]; do shift; done; shift 5\n'
                     'echo "inside $*" >> "$FAKE_ROOT/log"; case "$*" in *fail*) exit 3 ;; esac')

    def dev(self, *arguments, uid=0):
        environment = {"PATH": str(self.bin), "FAKE_ROOT": str(self.root), "FAKE_UID": str(uid), "HOME": str(self.root / "home")}
        return subprocess.run([str(self.root / "dev"), *arguments], cwd=self.root, env=environment,
                              capture_output=True, text=True)

    def test_both_commands_in_a_new_root(self):
        result = self.dev("elsewhere", "trixie")
        self.assertEqual(result.returncode, 0, result.stderr)
        made = [line for line in self.lines() if line.startswith("mmdebstrap")]
        self.assertEqual(len(made), 1)
        self.assertTrue(made[0].endswith("trixie.part"))
        inside = [line for line in self.lines() if line.startswith("inside")]
        self.assertEqual(len(inside), 2, inside)
        self.assertIn("./dev run examples/charged_torus.toml", inside[0])
        self.assertIn("./dev test", inside[1])
        self.assertRegex(result.stdout, r"\| trixie \| `./dev test` \| passed \| 0 min \d s \|\n$")

    def test_the_root_is_kept_and_the_clone_renewed(self):
        self.dev("elsewhere", "trixie", "true")
        self.log.unlink()
        self.assertEqual(self.dev("elsewhere", "trixie", "true").returncode, 0)
        self.assertFalse([line for line in self.lines() if line.startswith("mmdebstrap") or " clone " in line])
        self.assertTrue([line for line in self.lines() if " fetch " in line])
        self.assertEqual(self.dev("elsewhere", "--fresh", "trixie", "true").returncode, 0)
        self.assertTrue([line for line in self.lines() if line.startswith("mmdebstrap")])

    def test_a_command_that_fails_is_told(self):
        result = self.dev("elsewhere", "trixie", "fail")
        self.assertEqual(result.returncode, 1)
        self.assertIn("| trixie | `fail` | failed (3) |", result.stdout)

    def test_mistakes_are_told_before_anything_happens(self):
        for arguments, uid in ((["elsewhere"], 0), (["elsewhere", "../etc"], 0), (["elsewhere", "trixie"], 1000)):
            with self.subTest(arguments=arguments):
                result = self.dev(*arguments, uid=uid)
                self.assertEqual(result.returncode, 2)
                self.assertTrue(result.stderr)
                self.assertEqual(self.lines(), [])


class Suites(unittest.TestCase):
    """cmake/ElectretSuites.cmake: ctest runs each suite of a GoogleTest program in one process."""

    LISTING = ("Running main() from gmock_main.cc\nTreeSum.\n  IsABinaryTree\n  Rounds\n"
               "All/Solver.  # TypeParam = x\n  Sums/direct  # GetParam() = a; b.\n  Sums/fmm  # GetParam() = c\n"
               "  Throws/direct  # GetParam() = a; b.\n  Throws/fmm  # GetParam() = c\n")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "test_room"
        (self.folder / "CTestTestfile.cmake").write_text(
            f'set(program "{self.program}")\nset(labels "threads")\n'
            f'include("{ROOT}/cmake/ElectretSuites.cmake")\n')

    def write_program(self, listing):
        self.program.write_text(f"#!/bin/sh\nif [ $1 = --gtest_list_tests ]; then cat <<'END'\n{listing}END\n"
                                f"else echo \"$1\" >> '{self.folder}/ran'; fi\n")
        self.program.chmod(0o755)

    def ctest(self, *arguments):
        return subprocess.run(["ctest", *arguments], cwd=self.folder, capture_output=True, text=True)

    def test_one_process_a_suite_and_a_case(self):
        self.write_program(self.LISTING)
        result = self.ctest("--label-regex", "threads")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual((self.folder / "ran").read_text().split(), [
            "--gtest_filter=TreeSum.*", "--gtest_filter=All/Solver.*/direct", "--gtest_filter=All/Solver.*/fmm"])
        self.assertIn("All/Solver/fmm", result.stdout)

    def test_a_newer_program_is_asked_again(self):
        self.write_program(self.LISTING)
        self.assertIn("Total Tests: 3", self.ctest("-N").stdout)
        os.utime(str(self.program) + ".suites", (1, 1))
        self.write_program("Other.\n  Case\n")
        self.assertIn("Total Tests: 1", self.ctest("-N").stdout)

    def test_a_program_that_is_missing_or_fails_is_a_failed_test(self):
        self.assertNotEqual(self.ctest().returncode, 0)
        self.program.write_text("#!/bin/sh\nexit 1\n")
        self.program.chmod(0o755)
        self.assertNotEqual(self.ctest().returncode, 0)


class Repository(unittest.TestCase):
    def test_continuous_integration_is_dev_test(self):
        script = (ROOT / ".ci/run").read_text().splitlines()
        self.assertEqual(script[-1], "exec ./dev test")
        self.assertTrue(os.access(ROOT / ".ci/run", os.X_OK) and os.access(ROOT / "dev", os.X_OK))

    def test_every_reader_is_fuzzed(self):
        folder = ROOT / "tests/fuzz"
        listed = subprocess.run(["bash", "-c", 'source tools/dev.d/fuzz.sh; find_readers; echo "${readers[@]}"'],
                                cwd=ROOT, env={**os.environ, "root": str(ROOT)}, capture_output=True, text=True)
        readers = listed.stdout.split()
        self.assertIn("msh", readers)
        built = re.findall(r"^electret_fuzzer\((\w+)", (folder / "CMakeLists.txt").read_text(), re.MULTILINE)
        self.assertCountEqual(readers, built)
        self.assertCountEqual(readers, [path.name for path in (folder / "corpus").iterdir()])


if __name__ == "__main__":
    unittest.main()
