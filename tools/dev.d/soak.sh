# ./dev soak: the studio for a while.

# dev_soak studio [SECONDS]
dev_soak() {
  local seconds="${2:-600}"
  if [[ "${1:-}" != studio || $# -gt 2 ]]; then
    echo "usage: ./dev soak studio [SECONDS]" >&2
    exit 2
  fi
  if [[ ! "$seconds" =~ ^[1-9][0-9]*$ ]]; then
    echo "./dev soak: '$seconds' is no number of seconds" >&2
    exit 2
  fi
  need_studio
  need_browser
  need test
  build_command
  ELECTRET="$root/build/release/bin/electret" ELECTRET_SOURCE="$root" ELECTRET_SOAK_SECONDS="$seconds" \
    /usr/bin/python3 -B "$root/tests/studio/browser/test_soak.py" -v
}
