#include <cstdint>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/geometry/vtk.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    electret::parse_vtk({reinterpret_cast<const char*>(bytes), size}, "fuzz.vtk");
  } catch (const electret::InputError&) {  // the answer to input that is wrong
  }
  return 0;
}
