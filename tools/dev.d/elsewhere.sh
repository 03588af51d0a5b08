# ./dev elsewhere: the README's commands, or another, on another release of Debian, in a root made by mmdebstrap.

# Where the roots are kept between calls: outside the tree, so that no check or clone sees them.
roots_folder() { echo "${ELECTRET_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/electret/roots}"; }

# make_root RELEASE FOLDER: a root with apt and git, whole or not at all.
make_root() {
  local release="$1" folder="$2"
  mkdir -p "${folder%/*}"
  rm -rf -- "$folder.part"
  echo "Making a root of $release in $folder" >&2
  mmdebstrap --quiet --variant=apt --include=ca-certificates,git "$release" "$folder.part" >&2
  mv -- "$folder.part" "$folder"
}

# inside FOLDER COMMAND...: runs COMMAND in the root FOLDER, in the clone. The mounts are the call's own and end
# with it; the environment is that of a fresh machine.
inside() {
  local folder="$1"
  shift
  cp -- /etc/resolv.conf "$folder/etc/resolv.conf" 2>/dev/null || true
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child bash -c '
    folder="$1"
    shift
    mount --make-rprivate /
    mount -t proc proc "$folder/proc"
    mount --rbind /dev "$folder/dev"
    mount --rbind /sys "$folder/sys"
    mount -t tmpfs tmpfs "$folder/tmp"
    exec chroot "$folder" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      bash -c "cd /electret && exec \"\$@\"" bash "$@"' bash "$folder" "$@"
}

# clone_into FOLDER: what is committed here, as a clone in the root. What earlier calls built there stays.
clone_into() {
  local clone="$1/electret"
  if [[ -d "$clone/.git" ]]; then
    git -C "$clone" fetch --quiet --force "$root" HEAD
    git -C "$clone" checkout --quiet --force --detach FETCH_HEAD
  else
    git clone --quiet --no-hardlinks -- "$root" "$clone"
  fi
}

# timed_inside RELEASE FOLDER COMMAND...: runs it and adds a row to the table of results.
timed_inside() {
  local release="$1" folder="$2" result=passed seconds=$SECONDS
  shift 2
  echo "$release: $*" >&2
  inside "$folder" "$@" || result="failed ($?)"
  seconds=$((SECONDS - seconds))
  rows+=("| $release | \`$*\` | $result | $((seconds / 60)) min $((seconds % 60)) s |")
  [[ $result == passed ]]
}

dev_elsewhere() {
  local fresh=no
  [[ "${1:-}" == --fresh ]] && fresh=yes && shift
  if [[ ! "${1:-}" =~ ^[a-z]+$ ]]; then
    echo "usage: ./dev elsewhere [--fresh] RELEASE [COMMAND ...]; for example ./dev elsewhere trixie ./dev test" >&2
    exit 2
  fi
  if [[ "$(id -u)" != 0 ]]; then
    echo "./dev elsewhere: only root can make and enter a root of another release" >&2
    exit 2
  fi
  need elsewhere
  local release="$1" folder status=0 rows=()
  shift
  folder="$(roots_folder)/$release"
  [[ $fresh == no ]] || rm -rf -- "$folder"
  [[ -d "$folder" ]] || make_root "$release" "$folder"
  clone_into "$folder"
  if [[ $# -gt 0 ]]; then
    timed_inside "$release" "$folder" "$@" || status=1
  else
    timed_inside "$release" "$folder" ./dev run examples/charged_torus.toml --overwrite || status=1
    timed_inside "$release" "$folder" ./dev test || status=1
  fi
  printf '%s\n' '| release | command | result | time |' '| --- | --- | --- | --- |' "${rows[@]}"
  return $status
}
