/// \file
/// electret-experiments: the papers' experiments. `electret reproduce` starts it, so that who wants to run a
/// scene need not wait until they are built.

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <apps/electret/print.hpp>
#include <apps/electret/reproduce_options.hpp>
#include <apps/electret/signals.hpp>
#include <apps/electret/standard_streams.hpp>
#include <apps/electret/terminal.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/parallel.hpp>
#include <electret/core/stopwatch.hpp>
#include <electret/core/version.hpp>
#include <electret/scene/words.hpp>

#include "experiment.hpp"

namespace electret::experiments {
namespace {

using Options = app::ReproduceOptions;

void list() {
  for (const Experiment& experiment : experiments())
    app::say("{:<18}{} ({})\n", experiment.name, experiment.description, experiment.source);
}

/// The experiments asked for, each once, in the table's order. Throws InputError for unknown names.
std::vector<const Experiment*> chosen(const Options& options) {
  const auto table = experiments();
  std::vector<std::string> known;
  for (const Experiment& experiment : table) known.emplace_back(experiment.name);
  std::vector<Finding> findings;
  for (const auto& name : options.names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      findings.push_back(
          {{}, "there is no experiment \"" + name + "\" in this version", suggestion(name, known)});
  if (!findings.empty()) throw InputError(std::move(findings));
  std::vector<const Experiment*> result;
  for (const Experiment& experiment : table)
    if (options.all || std::count(options.names.begin(), options.names.end(), experiment.name) > 0)
      result.push_back(&experiment);
  return result;
}

/// Throws InputError where the folder of --data is none.
void check_data(const Options& options) {
  std::error_code error;
  if (options.data.empty() || std::filesystem::is_directory(options.data, error)) return;
  throw InputError(
      Finding{{options.data, 0, 0}, "is no folder", "--data takes a folder with the papers' own bodies"});
}

/// The file of the user's folder without which an experiment cannot run; empty: none.
std::string_view needed_file(std::string_view experiment) {
  return experiment == "cow" ? "spot.obj" : "";
}

/// Experiments that need a body of the user's folder that is not there: an error where they are named, else
/// they are left out, which is said.
void leave_out_without_bodies(const Options& options, std::vector<const Experiment*>& experiments) {
  std::vector<Finding> findings;
  std::erase_if(experiments, [&](const Experiment* experiment) {
    std::error_code error;
    const std::string_view needed = needed_file(experiment->name);
    const std::filesystem::path body = std::filesystem::path(options.data) / needed;
    if (needed.empty() || (!options.data.empty() && std::filesystem::exists(body, error))) return false;
    const std::string text =
        fmt::format("{} needs {}, which Electret does not bring", experiment->name, needed);
    const std::string advice = "--data takes the folder that has it";
    if (std::count(options.names.begin(), options.names.end(), experiment->name) > 0)
      findings.push_back({{}, text, advice});
    else
      app::tell("electret: {}; {}\n", text, advice);
    return true;
  });
  if (!findings.empty()) throw InputError(std::move(findings));
}

std::string folder_of(const Options& options, const Experiment& experiment) {
  return (std::filesystem::path(options.directory) / experiment.name).string();
}

void run_one(const Experiment& experiment, const Options& options, Threads& threads,
             const app::SignalStop& signals) {
  const std::string folder = folder_of(options, experiment);
  app::ProgressDisplay display("electret: " + std::string(experiment.name));
  Report report;
  double seconds = 0.0;
  {
    const Stopwatch watch(seconds);
    const Context context(
        options.quick, options.data, threads,
        [&](std::string_view what, double part) { display.update(what, part); }, signals.token());
    experiment.run(context, report);
  }
  display.clear();
  const std::string size =
      options.quick ? "a quick, small version; its sizes are not the paper's" : "full size";
  report.setting("size of the run", size);
  report.setting("run", fmt::format("electret {}, {} thread(s), {}", version, threads.count(),
                                    app::duration_text(seconds)));
  report.write(folder, std::string(experiment.name),
               fmt::format("{}: {}.\n", experiment.source, experiment.description));
  for (const auto& claim : report.claims()) app::say("{}\n", to_string(claim));
  if (options.quick) app::say("(--quick: small sizes, not the paper's)\n");
  app::say("report in {}/report.md\n", folder);
}

int run(const Options& options) {
  if (options.names.empty() && !options.all) {
    list();
    return app::Status::done;
  }
  auto experiments = chosen(options);
  check_data(options);
  leave_out_without_bodies(options, experiments);
  for (const Experiment* experiment : experiments) Report::check_usable(folder_of(options, *experiment));
  const app::SignalStop signals;
  Threads threads(options.threads);
  try {
    for (const Experiment* experiment : experiments) run_one(*experiment, options, threads, signals);
  } catch (const Cancelled&) {
    app::tell("electret: interrupted; nothing of the unfinished experiment is kept\n");
    return app::ended_by(signals.received());
  }
  return app::Status::done;
}

}  // namespace
}  // namespace electret::experiments

int main(int argc, char** argv) {
  using namespace electret::app;
  hold_closed_streams();
  let_writes_fail();
  return guarded([&] {
    CommandLine line("electret-experiments", "The papers' experiments, as `electret reproduce` starts them.",
                     version_text);
    add_reproduce(line, electret::experiments::run);
    return line.parse({argv + 1, argv + argc})();
  });
}
