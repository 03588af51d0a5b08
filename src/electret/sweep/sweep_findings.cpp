#include <algorithm>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/sweep/sweep_findings.hpp>

namespace electret {

void SweepFindings::fault(const std::string& key, std::string wrong, std::string allowed) const {
  report_.add(plan_.job.source, key, std::move(wrong), std::move(allowed));
}

std::string SweepFindings::at_run(Count run) {
  return fmt::format("run {}: ", run);
}

void SweepFindings::add(const InputError& error, const std::string& at) {
  for (const Finding& finding : error.findings()) add(finding, at);
}

void SweepFindings::add(const Finding& finding, const std::string& at) {
  const std::string& file = finding.where.file;
  const std::string where = job_key_of(file);
  if (doubts_scene_ && where.empty() && file == plan_.scene_file) return;
  const std::string text = (where.empty() ? to_string(finding.where) + ": " : "") + finding.message;
  if (!said_.insert(text + where).second) return;  // One mistake in many runs is one finding.
  if (where.empty() && file == plan_.scene_file)
    report_.add_at(finding.where, "sweep.scene", finding.message, finding.allowed);
  else if (where.empty() && plan_.fit && file == plan_.fit->file)
    report_.add_at(finding.where, "sweep.fit", finding.message, finding.allowed);
  else
    fault(where.empty() ? "sweep" : where, at + text, finding.allowed);
}

/// The job's key of what readers call "--set KEY"; empty if it is none.
std::string SweepFindings::job_key_of(const std::string& place) const {
  constexpr std::string_view set = "--set ";
  if (!place.starts_with(set)) return place.starts_with("--unset ") ? "sweep.unset" : "";
  const std::string key = place.substr(set.size());
  for (std::size_t k = 0; k < plan_.job.vary.size(); ++k) {
    const std::vector<std::string> own = plan_.job.vary[k].all_keys();
    if (std::find(own.begin(), own.end(), key) != own.end())
      return fmt::format("vary.{}.{}", k, plan_.job.vary[k].place_of_keys());
  }
  const SweepTable& sweep = plan_.job.sweep;
  const auto& keys = plan_.design.keys();  // Empty if the table has faults.
  const bool is_in_table = std::find(keys.begin(), keys.end(), key) != keys.end();
  const bool is_set = std::any_of(sweep.set.begin(), sweep.set.end(),
                                  [&](const std::string& text) { return text.starts_with(key + "="); });
  return is_in_table || (!sweep.table.empty() && !is_set) ? "sweep.table" : "sweep.set";
}

}  // namespace electret
