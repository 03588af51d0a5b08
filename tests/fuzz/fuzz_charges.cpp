/// The tables of `electret field` and `electret compare`. The first byte says which, and whether it is CSV or
/// .npy.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <electret/core/errors.hpp>

#include "../../apps/electret/field_files.hpp"
#include "fuzz/run_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace electret;
  static const test::TemporaryFolder folder;
  if (size == 0) return 0;
  const std::string path = folder / (bytes[0] % 2 == 0 ? "table.csv" : "table.npy");
  test::put_file(path, {reinterpret_cast<const char*>(bytes) + 1, size - 1});
  try {
    if (bytes[0] / 2 % 3 == 0) {
      const auto table = app::read_charges(path);
      if (table.positions.empty() || table.positions.size() != table.charges.size()) std::abort();
    } else if (bytes[0] / 2 % 3 == 1) {
      if (!app::read_points(path).charges.empty()) std::abort();
    } else {
      const auto table = app::read_field(path);
      if (table.field.size() != table.potential.size()) std::abort();
    }
  } catch (const InputError& error) {  // the answer to input that is wrong
    if (error.findings().empty()) std::abort();
  }
  return 0;
}
