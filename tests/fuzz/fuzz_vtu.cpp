#include <cstdint>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/geometry/vtu.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    electret::parse_vtu({reinterpret_cast<const char*>(bytes), size}, "fuzz.vtu");
  } catch (const electret::InputError&) {  // the answer to input that is wrong
  }
  return 0;
}
