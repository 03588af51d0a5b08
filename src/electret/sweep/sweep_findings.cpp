#include <algorithm>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/scene/document.hpp>
#include <electret/sweep/sweep_findings.hpp>

namespace electret {
namespace {

/// "scene.toml:3:1: what is wrong".
std::string with_place(const Finding& finding) {
  return to_string(finding.where) + ": " + finding.message;
}

}  // namespace

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
  if (!where.empty() && said_.insert(finding.message + where).second)
    return fault(where, at + finding.message, finding.allowed);
  if (!where.empty() || !said_.insert(with_place(finding)).second) return;
  const bool is_in_fit = plan_.fit && file == plan_.fit->file;
  const std::string cause = is_in_fit ? std::string() : causes_.job_key_of(finding);
  if (!cause.empty())
    fault(cause, with_place(finding), finding.allowed);
  else if (file == plan_.scene_file)
    report_.add_at(finding.where, "sweep.scene", finding.message, finding.allowed);
  else if (is_in_fit)
    report_.add_at(finding.where, "sweep.fit", finding.message, finding.allowed);
  else
    fault("sweep", at + with_place(finding), finding.allowed);
}

void SweepFindings::add_at(const std::string& job_key, const Finding& finding, const std::string& at) {
  if (is_placed(finding)) return add(finding, at);
  if (said_.insert(with_place(finding)).second) fault(job_key, at + with_place(finding), finding.allowed);
}

bool SweepFindings::is_new(const Finding& finding) const {
  const std::string where = job_key_of(finding.where.file);
  return !said_.contains(where.empty() ? with_place(finding) : finding.message + where);
}

std::string SweepFindings::job_key_of(const std::string& place) const {
  constexpr std::string_view set = "--set ";
  constexpr std::string_view unset = "--unset ";
  const SweepTable& sweep = plan_.job.sweep;
  if (!place.starts_with(set)) {
    if (!place.starts_with(unset)) return "";
    const auto removed = std::find(sweep.unset.begin(), sweep.unset.end(), place.substr(unset.size()));
    return removed == sweep.unset.end() ? "sweep.unset"
                                        : fmt::format("sweep.unset.{}", removed - sweep.unset.begin());
  }
  const std::string key = place.substr(set.size());
  for (std::size_t k = 0; k < plan_.job.vary.size(); ++k) {
    const std::vector<std::string> own = plan_.job.vary[k].all_keys();
    if (std::find(own.begin(), own.end(), key) != own.end())
      return fmt::format("vary.{}.{}", k, plan_.job.vary[k].place_of_keys());
  }
  const auto& keys = plan_.design.keys();  // Empty if the table has faults.
  const bool is_in_table = std::find(keys.begin(), keys.end(), key) != keys.end();
  // The last one counts.
  const auto item = std::find_if(sweep.set.rbegin(), sweep.set.rend(),
                                 [&](const std::string& text) { return key_of_override(text) == key; });
  if (is_in_table || (!sweep.table.empty() && item == sweep.set.rend())) return "sweep.table";
  return item == sweep.set.rend() ? "sweep.set" : fmt::format("sweep.set.{}", sweep.set.rend() - item - 1);
}

}  // namespace electret
