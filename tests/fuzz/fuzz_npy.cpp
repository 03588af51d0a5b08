#include <cstdint>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/geometry/npy.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  for (const std::size_t columns : {3U, 4U}) {
    try {
      electret::parse_npy({reinterpret_cast<const char*>(bytes), size}, "fuzz.npy", columns);
    } catch (const electret::InputError&) {  // the answer to input that is wrong
    }
  }
  return 0;
}
