/// summary.json of a run, to `info` and to a run that is to be replaced or resumed.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/record/describe.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/summary.hpp>

#include "fuzz/run_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace electret;
  static const test::TemporaryFolder folder;
  const RunDirectory run(folder.path());
  test::put_file(run.summary(), {reinterpret_cast<const char*>(bytes), size});
  try {
    if (summary_text(read_summary(run.summary())).empty()) std::abort();
  } catch (const IoError&) {  // the answer to a file that is none
  }
  try {
    run.check_replaceable("/fuzz.toml");
    describe(folder.path());
  } catch (const InputError&) {  // of a run that ended with `done`: its trajectory is missing
  }
  return 0;
}
