# headers.sh COMPILER FOLDER: every installed header compiles by itself, with the standard library alone.
set -eu
compiler="$1"
cd "$2"
find electret -name '*.hpp' -print0 | xargs -0 -n 4 -P "$(nproc)" sh -c '
  for header in "$@"; do
    echo "#include <$header>" | "$0" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I. -x c++ - ||
      { echo "$header does not compile by itself" >&2; exit 255; }
  done' "$compiler"
