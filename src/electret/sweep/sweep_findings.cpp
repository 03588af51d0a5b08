#include <algorithm>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/sweep/sweep_findings.hpp>

namespace electret {

void SweepFindings::fault(const std::string& key, std::string wrong, std::string allowed) const {
  report_.add(plan_.job.source, key, std::move(wrong), std::move(allowed));
}

void SweepFindings::add(const InputError& error, Count run) {
  for (const Finding& finding : error.findings()) add(finding, run);
}

void SweepFindings::add(const Finding& finding, Count run) {
  const std::string& file = finding.where.file;
  const std::string at = run < 0 ? "at the end of its range: " : fmt::format("run {}: ", run);
  const std::string where = job_key_of(file);
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
    const VaryTable& vary = plan_.job.vary[k];
    if (vary.key == key) return fmt::format("vary.{}.key", k);
    if (std::find(vary.keys.begin(), vary.keys.end(), key) != vary.keys.end())
      return fmt::format("vary.{}.keys", k);
  }
  const auto& keys = plan_.design.keys();
  return std::find(keys.begin(), keys.end(), key) != keys.end() ? "sweep.table" : "sweep.set";
}

}  // namespace electret
