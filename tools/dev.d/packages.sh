# Installs the Debian packages that a command needs. It asks dpkg each time what is installed (a few
# milliseconds), so that there is no stamp that could be wrong.

# packages_of GROUP...: the packages of these groups of tools/packages.txt, each once.
packages_of() {
  local group
  for group in "$@"; do
    awk -v heading="[$group]" '
      { sub(/#.*/, "") }
      /^\[/ { inside = ($1 == heading); next }
      inside && NF { print $1 }' "$root/tools/packages.txt"
  done | sort -u
}

# optional_among PACKAGE...: those that tools/packages.txt marks so, because some releases lack them.
optional_among() {
  comm -12 <(printf '%s\n' "$@" | sort -u) <(awk '{ sub(/#.*/, "") } $2 == "optional" { print $1 }' "$root/tools/packages.txt" | sort -u)
}

# without_unknown PACKAGE...: these packages without optional ones that apt does not know.
without_unknown() {
  local package optional unknown=""
  optional="$(optional_among "$@")"
  # Without lists of packages apt knows none, optional or not.
  [[ -z "$optional" ]] || has_lists || ! can_be_root || as_root apt-get update --quiet >&2
  for package in $optional; do
    is_known "$package" || unknown+="$package"$'\n'
  done
  comm -23 <(printf '%s\n' "$@" | sort -u) <(printf '%s' "$unknown" | sort -u)
}

# missing_packages PACKAGE...: those that are not installed.
missing_packages() {
  local installed
  # dpkg-query fails if it does not know a package, which is an answer here.
  installed="$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | awk '$1 == "installed" { print $2 }')" || true
  comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$installed")
}

# list_libraries GROUP...: prints, for systems without apt, what tools/packages.txt asks for.
list_libraries() {
  echo "This system has no apt-get, so nothing is installed. Needed are (Debian's names):"
  local package
  for package in $(packages_of "$@"); do
    awk -v package="$package" '$1 == package { sub(/^[^ ]+ */, ""); sub(/^# */, ""); printf "  %-24s %s\n", package, $0; exit }' \
      "$root/tools/packages.txt"
  done
}

# as_root COMMAND...: runs it as root; only called when that is possible.
as_root() {
  if [[ "$(id -u)" == 0 ]]; then
    "$@"
  else
    sudo -n "$@"
  fi
}

can_be_root() {
  [[ "$(id -u)" == 0 ]] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends "$@"
}

# is_known PACKAGE...: whether apt has them all.
is_known() { command -v apt-cache >/dev/null && apt-cache show "$@" >/dev/null 2>&1; }

# has_lists: whether apt has fetched its lists of packages.
has_lists() { compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; }

# need GROUP...: makes sure the groups' packages are installed, or exits with 2.
need() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    [[ -f "$root/build/release/build.ninja" ]] || list_libraries "$@" >&2
    return
  fi
  local wanted missing
  mapfile -t wanted < <(packages_of "$@")
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  [[ ${#missing[@]} -eq 0 ]] && return
  mapfile -t missing < <(without_unknown "${missing[@]}")
  [[ ${#missing[@]} -eq 0 ]] && return
  if ! can_be_root; then
    echo "./dev: these Debian packages are missing; install them as root, then start this again:" >&2
    echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 2
  fi
  echo "Installing Debian packages: ${missing[*]}" >&2
  # The lists of packages are fetched only if apt does not know these packages, or knows versions that are
  # gone.
  if apt-get install --simulate --no-install-recommends "${missing[@]}" >/dev/null 2>&1; then
    apt_install "${missing[@]}" >&2 && return
  fi
  as_root apt-get update --quiet >&2
  apt_install "${missing[@]}" >&2
}
