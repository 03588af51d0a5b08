# ./dev format, ./dev tidy, ./dev syntax, ./dev bench.

dev_format() {
  need test
  if [[ "${1:-}" == --check ]]; then
    /usr/bin/python3 "$root/tools/checks/format.py" --root "$root"
  else
    /usr/bin/python3 "$root/tools/checks/format.py" --root "$root" --fix
  fi
}

# sources_compiled FOLDER: what the build of FOLDER compiles of src/, apps/ and experiments/, batches of sources, too, but
# not what it makes itself.
sources_compiled() {
  grep -oE '"file": "[^"]*"' "$1/compile_commands.json" | cut -d'"' -f4 |
    grep -E "^($root/(src|apps|experiments)/|$1/(src|apps|experiments)/.*/Unity/)" | sort -u
}

# dev_tidy [--batches | FILE ...]: clang-tidy over the sources that are built, or over FILEs; and the types of the
# studio's page, where Node is. With --batches it reads the batches that a release compiles, without clang's analyzer: a
# tenth of the time.
dev_tidy() {
  local files=("$@") batches=OFF checks=() folder="$root/build/tidy"
  if [[ "${1:-}" == --batches ]]; then
    files=() batches=ON
    # A batch's constants may shadow another source's, for clang as for GCC (SHADOWS of electret_compile_together).
    checks=(--checks='-clang-analyzer-*,-bugprone-suspicious-include' --extra-arg=-Wno-shadow)
  fi
  need build test tidy
  if [[ ${#files[@]} -eq 0 ]]; then
    if has_node; then
      dev_web types
    else
      echo "./dev tidy: without Node 20 and npm the types of the studio's page are not checked" >&2
    fi
  fi
  # A folder of its own, because a release has precompiled headers and flags of GCC in its commands.
  (cd "$root" && cmake --preset release -B "$folder" -DELECTRET_BUILD_TESTS=ON -DELECTRET_UNITY="$batches" >/dev/null)
  [[ ${#files[@]} -gt 0 ]] || mapfile -t files < <(sources_compiled "$folder")
  # clang knows no such flags of GCC, and must see what each file includes itself.
  sed -i 's/ -fschedule-insns//g; s/ -fsched-pressure//g; s/ --param=ggc[^ ]*//g; s/ -Winvalid-pch -include [^ ]*cmake_pch.hxx//g' "$folder/compile_commands.json"
  (cd "$root" && printf '%s\0' "${files[@]}" |
    xargs -0 -n 1 -P "$(jobs)" clang-tidy --quiet --warnings-as-errors='*' -p build/tidy \
      --extra-arg=-Wno-unknown-warning-option "${checks[@]}" --header-filter="^$root/(src|apps|experiments)/")
}

# dev_syntax [--batches] [COMPILER]: every source by itself, without precompiled headers, read by COMPILER with warnings
# as errors. No code is generated. With --batches it reads the batches that a release compiles: a third of the time, the
# same warnings, but an include that is missing may stand in another source of the batch.
dev_syntax() {
  local batches=OFF
  if [[ "${1:-}" == --batches ]]; then
    batches=ON
    shift
  fi
  local compiler="${1:-clang++}" folder="$root/build/syntax" objects
  need build test python
  [[ $# -gt 0 ]] || need fuzz  # Clang is among its packages.
  if ! command -v "$compiler" >/dev/null; then
    echo "./dev syntax: there is no compiler '$compiler'" >&2
    exit 2
  fi
  # CMake tries the compiler with other flags than those of a release, and so with object files.
  cmake --fresh -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" \
    "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG -fsyntax-only" -DELECTRET_WARNINGS_AS_ERRORS=ON -DELECTRET_BUILD_TESTS=ON \
    -DELECTRET_PYTHON=AUTO -DELECTRET_UNITY="$batches" -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
    -DCMAKE_AR="$(command -v true)" -DCMAKE_RANLIB="$(command -v true)" >/dev/null  # There are no objects.
  mapfile -t objects < <(ninja -C "$folder" -t targets all | grep -oE '^[^:]+\.(cpp|cxx)\.o')
  if ninja -C "$folder" -j "$(jobs)" -k 0 "${objects[@]}"; then
    echo "./dev syntax: $compiler reads ${#objects[@]} $([[ $batches == ON ]] && echo batches || echo sources) without a warning"
  else
    echo "./dev syntax: $compiler stops at what is above" >&2
    return 1
  fi
}

# list_benchmarks: bench/NAME.cpp are programs of Google Benchmark, bench/NAME/compare_NAME.{py,cpp} compare with a peer.
list_benchmarks() {
  local path
  for path in "$root"/bench/*.cpp "$root"/bench/*/compare_*.{py,cpp}; do
    [[ -f "$path" ]] || continue
    path="${path##*/}"
    path="${path#compare_}"
    echo "  ${path%.*}"
  done
}

# dev_bench [NAME [--json] [ARGUMENTS]]: what is built is added to build/release, whose objects it links.
dev_bench() {
  if [[ $# -eq 0 ]]; then
    list_benchmarks
    return
  fi
  local name="$1" peer="$root/bench/$1/compare_$1"
  shift
  if [[ ! -f "$peer.py" && ! -f "$peer.cpp" && ! -f "$root/bench/$name.cpp" ]]; then
    echo "./dev bench: there is no benchmark '$name'; there are:" >&2
    list_benchmarks >&2
    exit 2
  fi
  need build bench
  forget_if_moved release
  is_configured release || configure release -DELECTRET_BUILD_TESTS=OFF >&2
  if [[ "$name" == python ]]; then
    need python
    [[ -d "$root/build/release/python/electret" ]] || configure release -DELECTRET_PYTHON=ON >&2
    compile release electret_python >&2
    export PYTHONPATH="$root/build/release/python" ELECTRET_BUILD="$root/build/release"
  elif [[ "$name" == sweep ]]; then
    configure release -DELECTRET_BUILD_BENCH=ON >&2
    compile release electret_command bench_sweep_loop bench_sweep_rows >&2
  elif [[ -f "$peer.py" ]]; then
    if [[ "$name" == studio ]]; then
      need_studio
      need_browser
    fi
    compile release electret_command >&2
  fi
  if [[ -f "$peer.py" ]]; then
    exec /usr/bin/python3 "$peer.py" "$root/build/release/bin/electret" "$@"
  fi
  configure release -DELECTRET_BUILD_BENCH=ON >&2
  compile release "bench_$name" >&2
  if [[ ! -f "$peer.cpp" && "${1:-}" == --json ]]; then
    shift
    set -- --benchmark_format=json "$@"
  fi
  exec "$root/build/release/bin/bench_$name" "$@"
}
