#include "standard_input.hpp"

#include <electret/core/errors.hpp>
#include <electret/geometry/read.hpp>

namespace electret::app {

std::string text_of_standard_input() {
  try {
    return read_whole_file("/dev/stdin");
  } catch (const InputError&) {
    throw InputError(
        Finding{{std::string(standard_input), 0, 0}, "cannot be read", "give a file, or a pipe"});
  }
}

}  // namespace electret::app
