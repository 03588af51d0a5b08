# ./dev test and ./dev sanitize.

readonly checks=(format includes words locales snippets packages)

# run_checks: runs every check of tools/checks; prints one line per check, and which failed.
run_checks() {
  local check failed=()
  for check in "${checks[@]}"; do
    if ! /usr/bin/python3 "$root/tools/checks/$check.py" --root "$root" --build "$root/build/release"; then
      failed+=("$check")
    fi
  done
  if [[ ${#failed[@]} -gt 0 ]]; then
    echo "Checks that failed: ${failed[*]}" >&2
    return 1
  fi
}

# run_tests FOLDER [ARGUMENTS of ctest]: the tests of a build folder, or of one folder within it. One test more than there
# are processors runs at a time, because tests wait for disks, browsers and schedulers.
run_tests() {
  local folder="$1" status=0
  shift
  ctest --test-dir "$folder" --output-on-failure --parallel "$(($(jobs) + 1))" "$@" || status=$?
  # One test of ctest is a whole suite of GoogleTest.
  local log="$folder/Testing/Temporary/LastTest.log"
  [[ ! -f "$log" ]] || awk '/^\[==========\] Running [0-9]+ test/ { cases += $3 }
    END { if (cases) print "GoogleTest suites among them hold " cases " test cases" }' "$log"
  [[ ! -f "$log" ]] || reasons_for_skips "$log"
  return $status
}

# reasons_for_skips LOG: prints what the tests in Python skipped here and why, each reason once. ctest itself does not
# show it, because a file whose other tests passed has passed.
reasons_for_skips() {
  awk '/^SKIPPED \[[0-9]+\] / { sub(/^SKIPPED \[[0-9]+\] /, ""); sub(/^[^ ]*\//, ""); sub(/:[0-9]+: /, ": "); print }
    /^ *test_[^ ]* \(/ { name = $1 }
    / \.\.\. skipped / { sub(/.* \.\.\. skipped ./, ""); sub(/.$/, ""); print name ": " $0 }' "$1" |
    sort -u | awk 'NR == 1 { print "Skipped here:" } { print "  " $0 }'
}

# say_unknown GROUP: which of the group's packages apt does not know here; each test that is skipped says why.
say_unknown() {
  local unknown
  unknown="$(comm -23 <(packages_of "$1") <(without_unknown $(packages_of "$1")))"
  [[ -z "$unknown" ]] || echo "apt has no $(paste -sd' ' <<<"$unknown") here: the tests of [$1] that need it are skipped" >&2
}

# need_opencl: what the tests of devices need, where apt has it.
need_opencl() {
  need opencl
  say_unknown opencl
  # A build that began without the headers looks for them again.
  if is_configured release && [[ -e /usr/include/CL/cl.h ]] && has_setting release -DELECTRET_OPENCL_HEADERS=ELECTRET_OPENCL_HEADERS-NOTFOUND; then
    configure_again release
  fi
}

# need_browser: what the studio's page is tried with, where apt has it.
need_browser() {
  need browser
  say_unknown browser
}

# need_beside_build: what tests need, but no source: a browser and torch, where apt has them.
need_beside_build() {
  need_browser
  if is_known $(packages_of torch); then
    need torch
  else
    echo "apt has no python3-torch here: the tests of electret.torch are skipped" >&2
  fi
}

dev_test() {
  local status=0 installation="" is_short=""
  if [[ "${1:-}" == --long ]]; then
    shift
    export ELECTRET_CALLS=100000
  elif [[ $# -eq 0 ]]; then
    is_short=1
    set -- --label-exclude '^long$'
  fi
  need_opencl
  need_studio
  need build test python
  # Large packages are fetched while sources are compiled. Whoever may not install gets the answer before.
  if can_be_root; then
    need_beside_build &
    installation=$!
    trap wait EXIT # An installation is never left behind.
  else
    need_beside_build
  fi
  build_all strict
  has_setting release "$strict" ||
    echo "./dev test: this build began without warnings as errors; after 'rm -rf build/release' it has them" >&2
  [[ -z "$installation" ]] || wait "$installation"
  run_checks || status=1
  run_tests "$root/build/release" "$@" || status=1
  [[ -z "$is_short" ]] || echo "Left out: the tests labelled long, which take minutes each; ./dev test -L long runs them"
  [[ $status -eq 0 ]] && echo "./dev test: all checks and all tests passed" || echo "./dev test: FAILED" >&2
  return $status
}

# The rooms labelled `threads` in tests/. Everything above them uses threads only through them.
readonly threaded_rooms=(core linear elastic field force dynamics)

run_address_tests() {  # FOLDER [ARGUMENTS of ctest]
  ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 \
    LSAN_OPTIONS="suppressions=$root/tools/dev.d/leaks.supp:print_suppressions=0" \
    run_tests "$@" --label-exclude package
}

run_thread_tests() {  # FOLDER [ARGUMENTS of ctest]
  # CHOLMOD's OpenMP runtime is not instrumented, so that correct hand-overs between its threads would be
  # reported as races.
  OMP_THREAD_LIMIT=1 TSAN_OPTIONS=second_deadlock_stack=1 run_tests "$@"
}

# sanitize_room PRESET ROOM [ARGUMENTS of ctest]: builds and runs the tests of one folder of tests/. As bash goes on
# after an error in what follows `||`, each step here and below says itself what comes of one.
sanitize_room() {
  local preset="$1" room="$2" targets=()
  shift 2
  case "$room" in
    apps | experiments | end_to_end | render) targets=(electret_command electret_experiments) ;;
    python) targets=(electret_command electret_python) ;;
    studio) targets=(electret_command) ;;  # Its page is opened in a browser.
    fuzz)
      find_readers
      targets=("${readers[@]/#/fuzz_}")
      ;;
  esac
  ! compgen -G "$root/tests/$room/test_*.cpp" >/dev/null || targets+=("test_$room")
  [[ ${#targets[@]} -eq 0 ]] || compile "$preset" "${targets[@]}" || return 1
  "run_${preset}_tests" "$root/build/$preset/tests/$room" "$@"
}

# sanitize_part PART [ARGUMENTS of ctest]
sanitize_part() {
  local part="$1" preset="${1%%:*}" folder
  folder="$root/build/$preset"
  shift
  forget_if_moved "$preset"
  configure "$preset" || return 1
  case "$part" in
    thread) # First the rooms whose loops run on threads, then what uses them.
      compile thread "${threaded_rooms[@]/#/test_}" || return 1
      run_thread_tests "$folder" --label-regex '^threads$' "$@" || return 1
      compile thread || return 1
      run_thread_tests "$folder" --label-exclude "package|single_threaded|instructions|^threads$" "$@"
      ;;
    address)
      compile address || return 1
      run_address_tests "$folder" "$@"
      ;;
    *) sanitize_room "$preset" "${part#*:}" "$@" ;;
  esac
}

is_sanitize_part() {
  [[ "$1" == thread || "$1" == address ]] && return
  [[ "$1" =~ ^(thread|address):([a-z_]+)$ && -f "$root/tests/${BASH_REMATCH[2]}/CMakeLists.txt" ]]
}

# dev_sanitize [PART ...] [-- ARGUMENTS of ctest]
dev_sanitize() {
  local status=0 part parts=() rows=() result seconds
  while [[ $# -gt 0 && "$1" != -- ]]; do
    if ! is_sanitize_part "$1"; then
      echo "./dev sanitize: '$1' is no part; there are thread, address, and thread:ROOM and address:ROOM for each folder of tests/" >&2
      exit 2
    fi
    parts+=("$1")
    shift
  done
  [[ $# -eq 0 ]] || shift
  [[ ${#parts[@]} -gt 0 ]] || parts=(thread address)
  export ELECTRET_TEST_SECONDS=1500
  need build test python
  for part in "${parts[@]}"; do
    echo "Sanitizer: $part"
    seconds=$SECONDS result=clean
    sanitize_part "$part" "$@" || result=FAILED status=1
    seconds=$((SECONDS - seconds))
    rows+=("| $part | $result | $((seconds / 60)) min $((seconds % 60)) s |")
  done
  printf '%s\n' '| part | result | time |' '| --- | --- | --- |' "${rows[@]}"
  return $status
}
