#include <cstdint>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/geometry/medit.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    electret::parse_medit({reinterpret_cast<const char*>(bytes), size}, "fuzz.medit");
  } catch (const electret::InputError&) {  // the answer to input that is wrong
  }
  return 0;
}
