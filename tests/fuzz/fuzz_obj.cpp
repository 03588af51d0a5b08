#include <cstdint>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/geometry/obj.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    electret::parse_obj({reinterpret_cast<const char*>(bytes), size}, "fuzz.obj");
  } catch (const electret::InputError&) {  // the answer to input that is wrong
  }
  return 0;
}
