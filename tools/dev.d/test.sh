# ./dev test, ./dev sanitize, ./dev fuzz.

readonly checks=(format includes words snippets packages)

# run_checks: every check of tools/checks; prints a line each, and what failed.
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
  local preset="$1"
  shift
  ctest --test-dir "$root/build/$preset" --output-on-failure --parallel "$(jobs)" "$@"
}

dev_test() {
  local status=0
  build_all
  run_checks || status=1
  run_tests release "$@" || status=1
  [[ $status -eq 0 ]] && echo "./dev test: all checks and all tests passed" || echo "./dev test: FAILED" >&2
  return $status
}

dev_sanitize() {
  local status=0
  need build test
  echo "AddressSanitizer and UndefinedBehaviorSanitizer: every test"
  forget_if_moved address
  configure address
  compile address
  ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 \
    run_tests address --label-exclude package "$@" || status=1

  echo "ThreadSanitizer: the tests that use threads"
  forget_if_moved thread
  configure thread
  compile thread
  TSAN_OPTIONS=second_deadlock_stack=1 \
    run_tests thread --label-exclude "package|single_threaded" "$@" || status=1
  return $status
}

# dev_fuzz [SECONDS]: each fuzz target for SECONDS on its committed corpus; new inputs stay in build/fuzz.
dev_fuzz() {
  local seconds="${1:-60}" target name work status=0
  need build fuzz
  forget_if_moved fuzz
  configure fuzz
  compile fuzz
  for target in "$root"/build/fuzz/bin/fuzz_*; do
    [[ -x "$target" ]] || { echo "there is no fuzz target" >&2; return 1; }
    name="$(basename "$target")"
    work="$root/build/fuzz/$name"
    mkdir -p "$work/found" "$work/corpus"
    echo "$name: $seconds s"
    "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
      -artifact_prefix="$work/found/" "$work/corpus" "$root/tests/fuzz/corpus/${name#fuzz_}" \
      >"$work/log" 2>&1 || { status=1; echo "$name: a finding, see $work" >&2; }
    tail -n 8 "$work/log"
  done
  return $status
}
