# Configuring and building. The build folders are those of CMakePresets.json: build/release, build/address, …

jobs() { nproc 2>/dev/null || echo 2; }

is_configured() { [[ -f "$root/build/$1/build.ninja" ]]; }

# has_setting PRESET -DNAME=VALUE: whether build/PRESET was configured with it.
has_setting() {
  local name="${2#-D}"
  grep -q "^${name%%=*}:[A-Z]*=${name#*=}\$" "$root/build/$1/CMakeCache.txt"
}

# A build folder remembers where its sources were; after the repository was moved it is of no use.
forget_if_moved() {
  local folder="$root/build/$1"
  if [[ -f "$folder/CMakeCache.txt" ]] && ! has_setting "$1" "-DCMAKE_HOME_DIRECTORY=$root"; then
    echo "The repository has moved: building $folder afresh" >&2
    rm -rf -- "$folder"
  fi
}

# configure PRESET [-DNAME=VALUE ...]: configures build/PRESET, unless it is configured so already; ninja
# itself sees to it that changed CMake files are read again. Only a new folder is given the preset: a preset sets its
# variables again, warnings as errors among them, and with other flags all is compiled again.
configure() {
  local preset="$1" setting fresh=no
  shift
  is_configured "$preset" || fresh=yes
  for setting in "$@"; do
    [[ $fresh == yes ]] || has_setting "$preset" "$setting" || fresh=yes
  done
  if [[ $fresh == no ]]; then
    return
  elif is_configured "$preset"; then
    cmake "$@" "$root/build/$preset"
  else
    (cd "$root" && cmake --preset "$preset" "$@")
  fi
}

# configure_again PRESET: what was not found before may be there now.
configure_again() { cmake "$root/build/$1"; }

# compile PRESET [TARGET ...]
compile() {
  local preset="$1"
  shift
  ninja -C "$root/build/$preset" -j "$(jobs)" "$@"
}

# Warnings of a newer compiler or library must not stop a user's build, so that only ./dev test makes them errors, in a
# build of its own. A build stays as it began: otherwise all would be compiled again.
readonly lenient=-DELECTRET_WARNINGS_AS_ERRORS=OFF strict=-DELECTRET_WARNINGS_AS_ERRORS=ON

# need_studio: what `electret studio` needs; a build that began without looks for it again.
need_studio() {
  need studio
  if is_configured release && { has_setting release -DELECTRET_BEAST_INCLUDE=ELECTRET_BEAST_INCLUDE-NOTFOUND ||
    has_setting release -DELECTRET_ESBUILD=ELECTRET_ESBUILD-NOTFOUND; }; then
    configure_again release >&2
  fi
}

dev_studio() {
  case "${1:-}" in
    "" | -*) ;;
    *) [[ -e "$1" ]] || { echo "./dev studio: there is no file or folder '$1'" >&2; exit 2; } ;;
  esac
  need_studio >&2
  build_command >&2
  exec "$root/build/release/bin/electret" studio "$@"
}

# Builds only the command, so that a user who wants to run a scene need not wait for the tests or install
# their packages.
build_command() {
  need build
  forget_if_moved release
  is_configured release || configure release -DELECTRET_BUILD_TESTS=OFF -DELECTRET_PYTHON=OFF "$lenient"
  compile release electret_command
}

# build_all lenient|strict [TARGET ...]: the library, the command and the tests, or some of them. The first word
# counts if the build is new.
build_all() {
  local warnings=() kind="$1"
  shift
  need build test python
  forget_if_moved release
  is_configured release || warnings=("${!kind}")
  configure release -DELECTRET_BUILD_TESTS=ON -DELECTRET_PYTHON=AUTO "${warnings[@]}"
  compile release "$@"
}

dev_build() { build_all lenient "$@"; }

# dev_python [ARGUMENTS]: builds only the Python package and runs Debian's Python with it on the path.
dev_python() {
  need build python
  forget_if_moved release
  if ! is_configured release; then
    configure release -DELECTRET_BUILD_TESTS=OFF -DELECTRET_PYTHON=ON "$lenient" >&2
  elif [[ ! -d "$root/build/release/python/electret" ]]; then
    configure release -DELECTRET_PYTHON=ON >&2  # It was configured without Python, or before Python's packages were installed.
  fi
  compile release electret_python >&2
  PYTHONPATH="$root/build/release/python${PYTHONPATH:+:$PYTHONPATH}" exec /usr/bin/python3 "$@"
}

# Runs the notebooks and writes each with its results as a page. It uses Debian's kernel, whatever others are
# installed. Debian's own settings would have the page load scripts from this machine's folders: tools/nbconvert.json
# leaves them out.
dev_notebook() {
  need build test python torch notebook
  forget_if_moved release
  configure release -DELECTRET_BUILD_TESTS=ON -DELECTRET_PYTHON=AUTO >&2
  compile release electret_python >&2
  PYTHONPATH="$root/build/release/python${PYTHONPATH:+:$PYTHONPATH}" PYDEVD_DISABLE_FILE_VALIDATION=1 \
    /usr/bin/python3 -m nbconvert --to html --execute --config "$root/tools/nbconvert.json" --output-dir "$root/build/notebooks" "$root"/examples/python/*.ipynb
}

dev_run() {
  if [[ $# -eq 0 ]]; then
    echo "usage: ./dev run SCENE [OPTIONS]; try ./dev run examples/charged_torus.toml" >&2
    exit 2
  fi
  case "$1" in
    -h | --help) ;;
    *) [[ -e "$1" || "$1" == -* ]] || { echo "./dev run: there is no file '$1'" >&2; exit 2; } ;;
  esac
  # The build's output goes to standard error, so that standard output holds only what `electret run` prints.
  build_command >&2
  exec "$root/build/release/bin/electret" run "$@"
}
