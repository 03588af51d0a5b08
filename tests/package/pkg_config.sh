# pkg_config.sh SOURCE PROGRAM [ARGUMENTS]: compiles, links and runs a program with what pkg-config says.
set -eu
source="$1" program="$2"
shift 2
# shellcheck disable=SC2046 -- pkg-config prints several words on purpose
"$CXX" -std=c++20 "$source" -o "$program" $(pkg-config --static --cflags --libs electret)
exec "$program" "$@"
