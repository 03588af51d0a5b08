/// energy.csv of a run, and what is drawn of it.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/record/energy_plot.hpp>
#include <electret/record/energy_table.hpp>

#include "fuzz/run_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace electret;
  static const test::TemporaryFolder folder;
  const std::string path = folder / "energy.csv";
  test::put_file(path, {reinterpret_cast<const char*>(bytes), size});
  try {
    if (energy_plot(read_energies(path), "fuzz").empty()) std::abort();
  } catch (const IoError&) {  // the answer to a table that is none
  }
  return 0;
}
