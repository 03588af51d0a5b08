#include "standard_input.hpp"

#include <electret/core/errors.hpp>
#include <electret/geometry/read.hpp>

#include "standard_streams.hpp"

namespace electret::app {

namespace {

InputError unreadable() {
  return InputError(Finding{{std::string(standard_input), 0, 0}, "cannot be read", "give a file, or a pipe"});
}

}  // namespace

std::string text_of_standard_input() {
  if (is_standard_input_closed()) throw unreadable();
  try {
    return read_whole_file("/dev/stdin");
  } catch (const InputError&) {
    throw unreadable();
  }
}

}  // namespace electret::app
