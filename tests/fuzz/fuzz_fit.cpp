/// What an interrupted fit left: fit.json and evaluations.bin, parted by a line of "%". The first byte says
/// how the fit goes on.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/version.hpp>
#include <electret/fit/fit_files.hpp>

#include "fuzz/run_files.hpp"

namespace {

using namespace electret;

constexpr const char* scene =
    "[time]\nstep = 0.02\nsteps = 2\n[[body]]\nname = \"chain\"\n"
    "generate = { shape = \"chain\", vertices = 3 }\nmass = 1.0\nvelocity = [0.5, 0.0, 0.0]\n"
    "  [[body.springs]]\n  stiffness = 40.0\n";
constexpr const char* job_text =
    "[fit]\nscene = \"scene.toml\"\n[[parameter]]\nname = \"body.chain.velocity\"\nminimum = -3.0\n"
    "[[loss]]\nof = \"centre_of_mass:1.2,0.1,0\"\n[optimiser]\nevaluations = 4\n";

struct Fit {
  Fit() {
    test::put_file(folder / "scene.toml", scene);
    test::put_file(folder / "job.toml", job_text);
    Report report;
    job = read_fit_job(folder / "job.toml", report);
    plan = plan_fit(job, report, folder / "job.toml");
  }
  test::TemporaryFolder folder;
  FitJob job;
  FitPlan plan;
};

/// As the command does.
void go_on(const Fit& fit_of, const std::string& directory, FitMode mode) {
  FitFiles files(directory, fit_of.folder / "job.toml", fit_of.job, fit_of.plan, mode);
  if (files.has_ended()) {
    if (files.ended_rows().empty()) std::abort();
    static_cast<void>(files.ended_well());
    return;
  }
  FitOptions options = fit_of.plan.options;
  options.threads = 1;
  options.known = files.known();
  bool begun = false;
  options.observe = [&](const FitEvaluation& evaluation) {
    if (!std::exchange(begun, true)) files.begin();
    files.add(evaluation);
  };
  const FitResult result = fit(fit_of.plan.assembly, fit_of.plan.parameters, *fit_of.plan.loss, options);
  if (!begun) files.begin();
  files.interrupted();
}

/// The state of this fit, where the input only says "JOB" and "IDENTITY", which no input can know.
std::string with_names(std::string state, const Fit& fit_of) {
  const auto put = [&](const std::string& mark, std::string value) {
    for (std::size_t at = 0; (at = value.find('\n', at)) != std::string::npos; at += 2)
      value.replace(at, 1, "\\n");
    for (std::size_t at = 0; (at = value.find('"', at)) != std::string::npos; at += 2)
      value.replace(at, 1, "\\\"");
    if (const auto at = state.find(mark); at != std::string::npos) state.replace(at, mark.size(), value);
  };
  put("JOB", fit_of.folder / "job.toml");
  put("IDENTITY", std::string(version) + "\n" + job_text + "\n" + scene);
  return state;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const Fit fit_of;
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const std::size_t cut = std::min(text.find("%\n"), text.size());
  const std::string directory = fit_of.folder / "out";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directory(directory);
  test::put_file(directory + "/fit.json", with_names(text.substr(0, cut), fit_of));
  test::put_file(directory + "/evaluations.bin",
                 std::string_view(text).substr(std::min(cut + 2, text.size())));
  if (bytes[0] / 3 % 2 == 1)
    for (const char* name : {"fitted.toml", "fit.csv", "fit.svg", "fit.png"})
      test::put_file(directory + "/" + name, "");
  const auto mode = std::array{FitMode::resume, FitMode::fresh, FitMode::overwrite}[bytes[0] % 3];
  try {
    go_on(fit_of, directory, mode);
  } catch (const InputError&) {  // the answer to what is no fit of this job
  } catch (const DivergenceError&) {
  }
  return 0;
}
