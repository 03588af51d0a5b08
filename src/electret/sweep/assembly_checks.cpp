#include <algorithm>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/sweep/assembly_checks.hpp>
#include <electret/sweep/scene_checks.hpp>

namespace electret {
namespace {

constexpr Count most_assembled = 100, most_vertices = 200'000;

}  // namespace

AssemblyChecks::AssemblyChecks(SweepPlan& plan, SweepFindings& findings, Reader read)
    : plan_(plan),
      findings_(findings),
      read_(std::move(read)),
      causes_(plan, [this](const auto& own) { return about(own); }) {}

const std::vector<Finding>& AssemblyChecks::about(const std::vector<std::string>& own) {
  const auto [found, is_new] = known_.try_emplace(plan_.scene_overrides(own));
  if (!is_new) return found->second;
  try {
    (void)read_(own);
  } catch (const InputError& error) {
    found->second = error.findings();
  }
  return found->second;
}

bool AssemblyChecks::may_differ(const std::vector<Finding>& findings, Count run) {
  const std::vector<std::string> own = plan_.design.overrides(run);
  return std::all_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    const auto vary = causes_.vary_of(finding, own);
    return vary && !plan_.job.vary[*vary].is_listed();
  });
}

std::optional<Assembly> AssemblyChecks::usual() {
  constexpr Count most_tried = 100;
  const Count step = combinations_of(plan_), first = plan_.usual_run;
  for (Count tried = 0, run = first; tried <= most_tried && run < plan_.design.runs(); ++tried, run += step) {
    try {
      Assembly assembly = read_(plan_.design.overrides(run));
      plan_.usual_run = run;
      return assembly;
    } catch (const InputError& error) {
      const bool has_samples = plan_.job.sweep.samples > 1;
      if (!has_samples || (run == first && !may_differ(error.findings(), run))) return std::nullopt;
    }
  }
  return std::nullopt;
}

const std::vector<Finding>& AssemblyChecks::check(const std::vector<std::string>& own, Count run) {
  const std::vector<Finding>& found = about(own);
  ++checked_;
  for (const Finding& finding : found) {
    const auto known = std::find_if(told_.begin(), told_.end(),
                                    [&](const Told& each) { return is_same(each.finding, finding); });
    if (known == told_.end()) {
      told_.push_back({finding, own, run, 1});
      continue;
    }
    ++known->times;
    if (run >= 0 && run < known->run) known->own = own, known->run = run;
  }
  return found;
}

void AssemblyChecks::check_runs() {
  check_combinations();
  check_ends();
  tell();
}

void AssemblyChecks::check_combinations() {
  const Count combinations = combinations_of(plan_);
  const Count most = std::clamp(most_vertices / std::max<Count>(plan_.vertices, 1), Count{2}, most_assembled);
  if (combinations > most) return check_each_column(static_cast<std::size_t>(most));
  for (Count run = plan_.usual_run; run < plan_.usual_run + combinations; ++run) check(run);
}

void AssemblyChecks::check_each_column(std::size_t most) {
  const auto run_of = [this](std::size_t at) { return plan_.usual_run + static_cast<Count>(at); };
  check(plan_.usual_run);
  for (std::size_t k = 0; k < plan_.design.keys().size(); ++k)
    check_each({static_cast<std::size_t>(combinations_of(plan_)),
                [&](std::size_t at) { return std::string(plan_.design.value(run_of(at), k)); },
                [&](std::size_t at) { return check(run_of(at)).empty(); }},
               most);
}

void AssemblyChecks::check_ends() {
  for (const VaryTable& vary : plan_.job.vary)
    if (vary.has_ends())
      for (const double end : vary.range) check(overrides_at_end(plan_, vary, end), -1);
}

/// What all of them have and the scene as it stands has, too, is a finding of the scene.
void AssemblyChecks::tell() {
  const std::vector<std::string> usual = plan_.design.overrides(plan_.usual_run);
  const std::vector<std::string> good = about(usual).empty() ? usual : std::vector<std::string>();
  for (const Told& told : told_) {
    const std::string at = told.run < 0 ? SweepFindings::at_end : SweepFindings::at_run(told.run);
    if (findings_.is_placed(told.finding) ||
        (told.times == checked_ && causes_.stands_in_scene(told.finding)))
      findings_.add(told.finding, at);
    else
      findings_.add_at(causes_.job_key_of(told.finding, told.own, good), told.finding, at);
  }
}

}  // namespace electret
