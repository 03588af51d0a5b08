# subproject.sh CMAKE GENERATOR SOURCES LIBRARY SCENE: configures a project that has Electret as a part, and compiles, links
# and runs its program. The library is not built once more: LIBRARY, which is built already, takes its place. So only
# the program's own two commands are run, as the project has them.
set -eu
cmake="$1" generator="$2" sources="$3" library="$4" scene="$5"
here="$(cd "$(dirname "$0")" && pwd)"
fail() {
  echo "$*" >&2
  exit 1
}
# configured FOLDER [OPTIONS]: configures the project in FOLDER and lists what it set in the cache in FOLDER.cache.
configured() {
  folder="$1"
  shift
  rm -rf "$folder"
  "$cmake" -S "$here/subproject" -B "$folder" -G "$generator" "-DCMAKE_CXX_COMPILER=$CXX" "-DELECTRET_SOURCES=$sources" "$@" >&2
  grep -E '^[A-Za-z_0-9]+:' "$folder/CMakeCache.txt" | sort > "$folder.cache"
}

configured without -DWITH_ELECTRET=OFF
configured with
# Packages that are looked for leave paths in the cache, and FetchContent its own words.
comm -13 without.cache with.cache | grep -vE '^(ELECTRET_|Electret_|FETCHCONTENT_|WITH_ELECTRET:)|_DIR:|_LIBRAR(Y|IES)[A-Z_]*:|_INCLUDE_DIRS?:|:(INTERNAL|STATIC)=|^PKG_CONFIG_|_EXECUTABLE[A-Z_]*:|^pkgcfg_lib_' \
  > added.txt || true
[ ! -s added.txt ] || fail "the project's cache also has: $(cat added.txt)"
"$cmake" --build with --target help > targets.txt
! grep -E '(^|/| )(electret_(command|experiments|python)|blender_addon|test_[a-z]+)(:|$)' targets.txt ||
  fail "the project also builds what nobody asked for"

built="$(cat with/library.txt)"
mkdir -p "$(dirname "$built")"
ln -sf "$library" "$built"
case "$generator" in
  Ninja) (cd with && ninja -t commands consumer | grep -E 'consumer\.dir/|-o consumer' > ../commands.txt && sh -e ../commands.txt) ;;
  *) "$cmake" --build with --target consumer/fast ;;
esac
with/consumer "$scene"

configured field -DELECTRET_FIELD_ONLY=ON
