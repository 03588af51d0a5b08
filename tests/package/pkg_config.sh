# pkg_config.sh SOURCE PROGRAM [ARGUMENTS]: compiles and links a program with what pkg-config says and nothing else, as the
# documents tell, and runs it.
set -eu
source="$1" program="$2"
shift 2
# shellcheck disable=SC2046 -- pkg-config prints several words on purpose
"$CXX" "$source" -o "$program" $(pkg-config --cflags --libs electret)
exec "$program" "$@"
