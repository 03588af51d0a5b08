# ./dev web: the studio's third-party bundles, made by maintainers and committed. Building and testing need no Node.

readonly web="$root/src/electret/studio/web"
readonly bundles=(three ui plot editor movie)

# has_node: whether Node 20 or newer and npm are here.
has_node() {
  command -v node >/dev/null && command -v npm >/dev/null && [[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ]]
}

# web_modules: installs what package-lock.json names in build/web, unless it is there.
web_modules() {
  local folder="$root/build/web"
  mkdir -p "$folder"
  if [[ ! -d "$folder/node_modules" ]] || ! cmp -s "$web/package-lock.json" "$folder/package-lock.json"; then
    cp -- "$web/package.json" "$web/package-lock.json" "$folder/"
    (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund >&2)
  fi
}

# make_bundles FOLDER: the bundles and their licences. The same esbuild makes the same bytes.
make_bundles() {
  local name folder="$root/build/web"
  rm -rf -- "$folder/entries"
  cp -r -- "$web/vendor/entries" "$folder/entries"
  for name in "${bundles[@]}"; do
    (cd "$folder" && esbuild "entries/$name.ts" --bundle --format=esm --minify --target=es2022 --charset=utf8 \
      --legal-comments=inline --log-level=warning --outfile="$1/$name.js")
  done
  for name in three preact @preact/signals @preact/signals-core uplot webm-muxer @codemirror/{commands,language,lint,search,state,streamparser,view} \
    @lezer/{common,highlight,lr} @marijn/find-cluster-break crelt style-mod w3c-keyname; do
    printf '%s %s\n\n' "$name" "$(node -p "require('$folder/node_modules/$name/package.json').version")"
    cat -- "$folder/node_modules/$name/LICENSE"
    printf '\n%s\n\n' ----------------------------------------
  done >"$1/LICENCES.txt"
}

# check_bundles: rebuilds the bundles and compares them with the committed ones, byte for byte.
check_bundles() {
  local name made status=0
  made="$(mktemp -d)"
  make_bundles "$made"
  for name in "${bundles[@]/%/.js}" LICENCES.txt; do
    if ! cmp -s "$made/$name" "$web/vendor/$name"; then
      echo "./dev web: vendor/$name is not what package-lock.json and this esbuild make; ./dev web vendor makes it" >&2
      status=1
    fi
  done
  rm -rf -- "$made"
  return $status
}

# check_types: TypeScript's opinion of the page's sources.
check_types() {
  local folder="$root/build/web"
  rm -rf -- "$folder/sources"
  cp -r -- "$web" "$folder/sources"
  (cd "$folder" && node_modules/.bin/tsc --project sources/tsconfig.json)
}

# dev_web vendor [--check] | types
dev_web() {
  case "${1:-} ${2:-}" in
    "vendor " | "vendor --check" | "types ") ;;
    *)
      echo "usage: ./dev web vendor [--check] | types" >&2
      exit 2
      ;;
  esac
  if ! has_node; then
    echo "./dev web: Node 20 or newer with npm is needed (from nodejs.org); building and testing need neither" >&2
    exit 2
  fi
  need studio
  web_modules
  case "${1:-} ${2:-}" in
    "vendor ") make_bundles "$web/vendor" ;;
    "vendor --check") check_bundles && echo "./dev web: the bundles are what the lock file makes" ;;
    "types ") check_types ;;
  esac
}
