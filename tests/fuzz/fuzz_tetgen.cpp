#include <algorithm>
#include <cstdint>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/geometry/tetgen.hpp>

/// Both files in one: a line of "%" parts them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::size_t cut = std::min(text.find("%\n"), text.size());
  try {
    electret::parse_tetgen({text.substr(0, cut), "fuzz.node"},
                           {text.substr(std::min(cut + 2, text.size())), "fuzz.ele"});
  } catch (const electret::InputError&) {  // the answer to input that is wrong
  }
  return 0;
}
