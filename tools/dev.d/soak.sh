# ./dev soak: the studio for a while.

# dev_soak studio|replays [SECONDS] | pulls [TIMES]
dev_soak() {
  local what="${1:-}" number="${2:-}"
  local -A usual=([studio]=600 [replays]=60 [pulls]=20)
  if [[ -z "$what" || -z "${usual[$what]:-}" || $# -gt 2 ]]; then
    echo "usage: ./dev soak studio|replays [SECONDS], or ./dev soak pulls [TIMES]" >&2
    exit 2
  fi
  number="${number:-${usual[$what]}}"
  if [[ ! "$number" =~ ^[1-9][0-9]*$ ]]; then
    echo "./dev soak: '$number' is no number of $([[ "$what" == pulls ]] && echo pulls || echo seconds)" >&2
    exit 2
  fi
  need_studio
  [[ "$what" != studio ]] || need_browser
  need test
  if [[ "$what" == pulls ]]; then
    dev_build test_studio
    ELECTRET_PULLS="$number" "$root/build/release/bin/test_studio" --gtest_filter='StudioManyPulls.*'
    return
  fi
  build_command
  export ELECTRET="$root/build/release/bin/electret" ELECTRET_SOURCE="$root"
  if [[ "$what" == replays ]]; then
    ELECTRET_REPLAY_SECONDS="$number" ELECTRET_REPLAY_TABLE=1 /usr/bin/python3 -B "$root/tests/apps/test_studio_replays.py" -v
  else
    ELECTRET_SOAK_SECONDS="$number" /usr/bin/python3 -B "$root/tests/studio/browser/test_soak.py" -v
  fi
}
