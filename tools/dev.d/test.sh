# ./dev test and ./dev sanitize.

readonly checks=(format includes words snippets packages)

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

run_tests() {
  local preset="$1" status=0
  shift
  ctest --test-dir "$root/build/$preset" --output-on-failure --parallel "$(jobs)" "$@" || status=$?
  # One test of ctest is a whole suite of GoogleTest.
  local log="$root/build/$preset/Testing/Temporary/LastTest.log"
  [[ ! -f "$log" ]] || awk '/^\[==========\] Running [0-9]+ test/ { cases += $3 }
    END { if (cases) print "GoogleTest suites among them hold " cases " test cases" }' "$log"
  return $status
}

dev_test() {
  local status=0
  if [[ "${1:-}" == --long ]]; then
    shift
    export ELECTRET_CALLS=100000
  fi
  build_all
  if is_known $(packages_of torch); then
    need torch
  else
    echo "apt has no python3-torch here: the tests of electret.torch are skipped" >&2
  fi
  run_checks || status=1
  run_tests release "$@" || status=1
  [[ $status -eq 0 ]] && echo "./dev test: all checks and all tests passed" || echo "./dev test: FAILED" >&2
  return $status
}

# The rooms labelled `threads` in tests/. Everything above them uses threads only through them.
readonly threaded_rooms=(core linear elastic field force dynamics)

run_thread_tests() {
  # CHOLMOD's OpenMP runtime is not instrumented, so that correct hand-overs between its threads would be
  # reported as races.
  OMP_THREAD_LIMIT=1 TSAN_OPTIONS=second_deadlock_stack=1 run_tests thread "$@"
}

dev_sanitize() {
  local status=0
  export ELECTRET_TEST_SECONDS=1500
  need build test python
  echo "ThreadSanitizer: the rooms whose loops run on threads"
  forget_if_moved thread
  configure thread
  compile thread "${threaded_rooms[@]/#/test_}"
  run_thread_tests --label-regex '^threads$' "$@" || status=1

  echo "AddressSanitizer and UndefinedBehaviorSanitizer: every test"
  forget_if_moved address
  configure address
  compile address
  ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 \
    LSAN_OPTIONS="suppressions=$root/tools/dev.d/leaks.supp:print_suppressions=0" \
    run_tests address --label-exclude package "$@" || status=1

  echo "ThreadSanitizer: what uses these rooms"
  compile thread
  run_thread_tests --label-exclude "package|single_threaded|^threads$" "$@" || status=1
  return $status
}
