# ./dev fuzz: the programs of tests/fuzz.

readonly corpus="$root/tests/fuzz/corpus"

# find_readers: those of every program of tests/fuzz, fuzz_READER.cpp.
find_readers() {
  local program
  readers=()
  for program in "$root"/tests/fuzz/fuzz_*.cpp; do
    program="${program##*/fuzz_}"
    readers+=("${program%.cpp}")
  done
}

# in_memory: makes a folder for what readers must find in files, in memory where the system has such a place, and sets
# TMPDIR to it. It goes with this process, whatever a reader that crashed left there.
in_memory() {
  local place=/dev/shm
  [[ -d "$place" && -w "$place" ]] || place="${TMPDIR:-/tmp}"
  TMPDIR="$(mktemp -d "$place/electret-fuzz-XXXXXX")"
  export TMPDIR
  trap 'rm -rf -- "$TMPDIR"' EXIT
}

# fuzz_for SECONDS: each of the readers on the committed corpus; new inputs and findings stay in build/fuzz/READER.
fuzz_for() {
  local reader work status=0
  export LSAN_OPTIONS="suppressions=$root/tools/dev.d/leaks.supp:print_suppressions=0"
  in_memory
  for reader in "${readers[@]}"; do
    work="$root/build/fuzz/$reader"
    mkdir -p "$work/corpus" "$work/found"
    echo "$reader: $1 s"
    if "$root/build/fuzz/bin/fuzz_$reader" -max_total_time="$1" -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
      -artifact_prefix="$work/found/" "$work/corpus" "$corpus/$reader" >"$work/log" 2>&1; then
      tail -n 1 "$work/log"
    else
      status=1
      echo "$reader: a finding; the input is in $work/found, what was said in $work/log" >&2
    fi
  done
  return $status
}

# merge_corpora: adds to the committed corpus a few inputs that reach code none of its own reaches.
merge_corpora() {
  local reader found
  for reader in "${readers[@]}"; do
    found="$root/build/fuzz/$reader/corpus"
    mkdir -p "$found"
    "$root/build/fuzz/bin/fuzz_$reader" -set_cover_merge=1 -use_counters=0 "$corpus/$reader" "$found" 2>&1 | tail -n 1
  done
}

# reader_sources READER: the sources whose lines its corpus should reach.
reader_sources() {
  case "$1" in
    obj) echo src/electret/geometry/{obj,input_text}.cpp ;;
    msh) (cd "$root" && echo src/electret/geometry/{msh*,cell_collector}.cpp) ;;
    vtk) echo src/electret/geometry/{vtk,vtk_grid,vtk_numbers,number_flow}.cpp ;;
    vtu) (cd "$root" && echo src/electret/geometry/{vtu*,vtk_grid,vtk_numbers}.cpp) ;;
    medit | tetgen) echo "src/electret/geometry/$1.cpp" src/electret/geometry/{number_flow,cell_collector}.cpp ;;
    trajectory) (cd "$root" && echo src/electret/record/{trajectory_reader,run_bodies,run_arrays,describe}.cpp src/electret/record/detail/{trajectory_*,hdf5_reading}.cpp) ;;
    checkpoint) echo src/electret/record/{checkpoint,resumable}.cpp src/electret/record/detail/hdf5_reading.cpp ;;
    energies) echo src/electret/record/energy_{table,plot}.cpp ;;
    summary) echo src/electret/record/{summary,run_directory}.cpp ;;
    notes) echo src/electret/record/{picture_list,detail/export_folder}.cpp ;;
    charges) echo apps/electret/field_files.cpp ;;
    job) echo src/electret/fit/job.cpp src/electret/fit/{fit_plan,loss_forms,loss_text}.cpp ;;
    fit) echo src/electret/fit/fit_files.cpp ;;
    studio) echo src/electret/studio/protocol/json_commands.cpp src/electret/studio/server/request.cpp ;;
    npy) echo src/electret/geometry/{npy,npy_header}.cpp ;;
    expression) (cd "$root" && echo src/electret/scene/expression*.cpp) ;;
    scene) (cd "$root" && echo src/electret/scene/*.cpp) ;;
    *) (cd "$root" && echo "src/electret/geometry/$1"*.cpp) ;;
  esac
}

# report_coverage: of each reader's sources, how many lines the committed corpus reaches.
report_coverage() {
  local reader program profile sources
  configure coverage
  compile coverage "${readers[@]/#/fuzz_}"
  for reader in "${readers[@]}"; do
    program="$root/build/coverage/bin/fuzz_$reader"
    profile="$root/build/coverage/$reader"
    LLVM_PROFILE_FILE="$profile.raw" "$program" "$corpus/$reader" >/dev/null
    llvm-profdata merge -sparse "$profile.raw" -o "$profile.profile"
    read -r -a sources < <(reader_sources "$reader")
    echo "$reader: lines, lines not reached, reached"
    # The columns of llvm-cov: regions, functions, lines, branches, three each.
    (cd "$root" && llvm-cov report "$program" -instr-profile="$profile.profile" "${sources[@]}") |
      awk '/%/ { printf "  %-28s %6s %6s %8s\n", $1, $8, $9, $10 }'
  done
}

# dev_fuzz [SECONDS | --merge | --coverage] [READER ...]
dev_fuzz() {
  local reader
  find_readers
  for reader in "${@:2}"; do
    if [[ ! " ${readers[*]} " == *" $reader "* ]]; then
      echo "./dev fuzz: there is no reader '$reader'; there are ${readers[*]}" >&2
      exit 2
    fi
  done
  [[ $# -lt 2 ]] || readers=("${@:2}")
  case "${1:-60}" in
    --coverage)
      need build test fuzz
      forget_if_moved coverage
      report_coverage
      return
      ;;
    --merge | [1-9]*) ;;
    *)
      echo "./dev fuzz: '$1' is neither a number of seconds, --merge nor --coverage" >&2
      exit 2
      ;;
  esac
  need build fuzz
  forget_if_moved fuzz
  configure fuzz
  compile fuzz "${readers[@]/#/fuzz_}"
  if [[ "${1:-}" == --merge ]]; then
    merge_corpora
  else
    fuzz_for "${1:-60}"
  fi
}
