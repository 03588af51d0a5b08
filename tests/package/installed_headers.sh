# installed_headers.sh COMPILER SOURCE FOLDER INTERFACE...: FOLDER has the interface headers and those that they include,
# as the compiler tells, and no others. Headers are electret/...; SOURCE is the folder that has electret/. electret.hpp
# is left out, because the field library has another one.
set -eu
compiler="$1" source="$2" folder="$3"
shift 3
needed=$(printf '#include <%s>\n' "$@" | "$compiler" -std=c++20 "-I$source" -MM -x c++ - | tr -s ' \\' '\n\n' |
  sed -n "s|^$source/||p" | grep -v '^electret/electret.hpp$' | sort)
installed=$(cd "$folder" && find electret -name '*.hpp' ! -path electret/electret.hpp | sort)
if [ "$needed" != "$installed" ]; then
  printf 'needed:\n%s\ninstalled:\n%s\n' "$needed" "$installed" >&2
  exit 1
fi
