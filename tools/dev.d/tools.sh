# ./dev format, ./dev tidy, ./dev bench.

dev_format() {
  need test
  if [[ "${1:-}" == --check ]]; then
    /usr/bin/python3 "$root/tools/checks/format.py" --root "$root"
  else
    /usr/bin/python3 "$root/tools/checks/format.py" --root "$root" --fix
  fi
}

# dev_tidy [FILE ...]: clang-tidy over the sources that are built, or over FILEs.
dev_tidy() {
  need build test tidy
  forget_if_moved release
  configure release -DELECTRET_BUILD_TESTS=ON
  local files=("$@")
  if [[ ${#files[@]} -eq 0 ]]; then
    mapfile -t files < <(cd "$root" && git ls-files 'src/*.cpp' 'apps/*.cpp')
  fi
  (cd "$root" && printf '%s\0' "${files[@]}" |
    xargs -0 -n 1 -P "$(jobs)" clang-tidy-14 --quiet --warnings-as-errors='*' -p build/release \
      --extra-arg=-Wno-unknown-warning-option --header-filter="^$root/(src|apps)/")
}

# dev_bench [NAME [--json] [ARGS]]: bench/NAME.cpp's program, or bench/NAME.py.
dev_bench() {
  need build bench
  forget_if_moved bench
  configure bench
  if [[ $# -eq 0 ]]; then
    echo "Benchmarks:"
    (cd "$root/bench" && ls -- *.cpp *.py 2>/dev/null) | sed -E 's/\.(cpp|py)$//; s/^/  /' | sort -u
    return
  fi
  local name="$1" format=()
  shift
  if [[ "${1:-}" == --json ]]; then
    format=(--benchmark_format=json)
    shift
  fi
  if [[ -f "$root/bench/$name.py" ]]; then
    compile bench >&2
    [[ ${#format[@]} -gt 0 ]] && format=(--json)
    exec /usr/bin/python3 "$root/bench/$name.py" --build "$root/build/bench" "${format[@]}" "$@"
  fi
  if [[ ! -f "$root/bench/$name.cpp" ]]; then
    echo "./dev bench: there is no benchmark '$name'; ./dev bench lists them" >&2
    exit 2
  fi
  compile bench "bench_$name" >&2
  exec "$root/build/bench/bin/bench_$name" "${format[@]}" "$@"
}
