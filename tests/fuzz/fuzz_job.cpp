/// A fit's job file and the table of places that it names, as `electret fit` reads them before the first run.
/// A line of "%" parts the two.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/fit/fit_plan.hpp>
#include <electret/fit/job.hpp>

#include "fuzz/run_files.hpp"

namespace {

using namespace electret;

/// A folder with all that a job may name.
struct JobFolder {
  JobFolder() {
    test::run_some_steps(test::fuzzed_chain(), folder.path(), 2);
    test::put_file(folder / "scene.toml",
                   "[time]\nstep = 0.01\nsteps = 4\n[coulomb]\n[[body]]\nname = \"chain\"\n"
                   "generate = { shape = \"chain\", vertices = 3 }\nmass = 1.0\ncharge = 1e-9\n"
                   "  [[body.springs]]\n  stiffness = 40.0\n");
    test::put_file(folder / "target.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\n");
  }
  test::TemporaryFolder folder;
};

/// A shape of a size that is not known before it is made may take all memory.
bool may_generate(const FitJob& job) {
  return std::any_of(job.fit.set.begin(), job.fit.set.end(), [](const std::string& text) {
    return text.find("generate") != std::string::npos || text.find('\\') != std::string::npos;
  });
}

void check(const InputError& error) {
  if (error.findings().empty()) std::abort();
  for (const Finding& finding : error.findings())
    if (finding.message.empty() || to_string(finding).find('\n') != std::string::npos) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const JobFolder here;
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  const std::size_t cut = std::min(text.find("%\n"), text.size());
  test::put_file(here.folder / "target.csv", std::string_view(text).substr(std::min(cut + 2, text.size())));
  const std::string file = here.folder / "job.toml";
  Report report;
  FitJob job = parse_fit_job(text.substr(0, cut), file, here.folder.path(), report);
  if (job.fit.scene != "scene.toml" && job.fit.scene != "target.obj") job.fit.scene = "none.toml";
  if (may_generate(job)) return 0;
  try {
    const FitPlan plan = plan_fit(job, report, file);
    if (plan.parameters.empty() || plan.options.starts.empty() || plan.loss == nullptr) std::abort();
  } catch (const InputError& error) {
    check(error);
  }
  return 0;
}
