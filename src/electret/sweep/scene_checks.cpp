#include <algorithm>
#include <optional>

#include <electret/core/text.hpp>
#include <electret/scene/words.hpp>
#include <electret/sweep/scene_checks.hpp>

namespace electret {
namespace {

/// The most combinations, values of one key, or samples that are all read. Reading a scene takes 0.2 ms.
constexpr Count most_read = 1000;

}  // namespace

std::vector<Finding> SceneChecks::check(const std::vector<std::string>& own, const std::string& at) {
  const bool is_known =
      plan_.fit && scenes_.has_scene() && !checked_.insert(plan_.scene_overrides(own)).second;
  std::vector<Finding> found = is_known ? scenes_.about_starts(own) : scenes_.about(own);
  for (const Finding& finding : found)
    if (findings_.is_placed(finding) || causes_.stands_in_scene(finding))
      findings_.add(finding, at);
    else if (findings_.is_new(finding))
      findings_.add_at(causes_.job_key_of(finding, own), finding, at);
  return found;
}

Count combinations_of(const SweepPlan& plan) {
  return plan.design.runs() / std::max<Count>(plan.job.sweep.samples, 1);
}

std::vector<std::string> overrides_at_end(const SweepPlan& plan, const VaryTable& vary, double end) {
  std::vector<std::string> own = plan.design.overrides(plan.usual_run);
  for (const std::string& key : vary.all_keys()) own.push_back(key + "=" + decimal_text(end));
  return own;
}

bool SceneChecks::is_about_normal(const Finding& finding) const {
  const auto& vary = plan_.job.vary;
  return std::any_of(vary.begin(), vary.end(), [&](const VaryTable& table) {
    return table.is_normal() && is_about(finding, table.all_keys());
  });
}

/// The first point of the sampled keys of which the scene takes all values of normal distributions. A value
/// far out may be wrong in one run, which is then refused, and right in the others.
Count SceneChecks::usual_sample() const {
  const auto& vary = plan_.job.vary;
  if (std::none_of(vary.begin(), vary.end(), [](const VaryTable& table) { return table.is_normal(); }))
    return 0;
  std::optional<Count> other;  // What is wrong there is not about these keys.
  for (Count sample = 0; sample < std::min(plan_.job.sweep.samples, most_read); ++sample) {
    const auto found = scenes_.about(plan_.design.overrides(sample * combinations_of(plan_)));
    if (found.empty()) return sample;
    const auto is_normal = [this](const Finding& finding) { return is_about_normal(finding); };
    if (!other && std::none_of(found.begin(), found.end(), is_normal)) other = sample;
  }
  return other.value_or(0);
}

void SceneChecks::check_runs() {
  const SweepDesign& design = plan_.design;
  const Count combinations = combinations_of(plan_);
  plan_.usual_run = usual_sample() * combinations;
  if (combinations > most_read)
    check_each_column();
  else
    for (Count run = plan_.usual_run; run < plan_.usual_run + combinations; ++run)
      check(design.overrides(run), SweepFindings::at_run(run));
  for (const VaryTable& vary : plan_.job.vary) check_ends(vary);
}

void SceneChecks::check_each_column() {
  const SweepDesign& design = plan_.design;
  const auto run_of = [this](std::size_t at) { return plan_.usual_run + static_cast<Count>(at); };
  for (std::size_t k = 0; k < design.keys().size(); ++k)
    check_each({static_cast<std::size_t>(combinations_of(plan_)),
                [&](std::size_t at) { return std::string(design.value(run_of(at), k)); },
                [&](std::size_t at) {
                  const Count run = run_of(at);
                  return !is_any_about(check(design.overrides(run), SweepFindings::at_run(run)),
                                       {design.keys()[k]});
                }},
               static_cast<std::size_t>(most_read));
}

void SceneChecks::check_ends(const VaryTable& vary) {
  if (!vary.has_ends()) return;
  for (const double end : vary.range) check(overrides_at_end(plan_, vary, end), SweepFindings::at_end);
}

}  // namespace electret
