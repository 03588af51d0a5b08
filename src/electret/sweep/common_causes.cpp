#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/same_finding.hpp>
#include <electret/sweep/common_causes.hpp>

namespace electret {

std::string CommonCauses::job_key_at(std::size_t item) const {
  const std::size_t removals = plan_.job.sweep.unset.size();
  return item < removals ? fmt::format("sweep.unset.{}", item) : fmt::format("sweep.set.{}", item - removals);
}

std::vector<std::string> CommonCauses::without(std::size_t item) const {
  std::vector<std::string> others = common_;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(item));
  return others;
}

/// What is wrong with the scene of these overrides, and no values of runs.
const std::vector<Finding>& CommonCauses::about(const std::vector<std::string>& common) {
  const auto [found, is_new] = known_.try_emplace(common);
  if (!is_new) return found->second;
  try {
    (void)load_scene_text(plan_.scene_text, plan_.scene_file, plan_.scene_folder,
                          plan_.scene_overrides(common, {}), read_regular_file, meshes_);
  } catch (const InputError& error) {
    found->second = error.findings();
  }
  return found->second;
}

/// Whether these overrides do not lead to the finding, and to no other that would keep the scene from being
/// read as far.
bool CommonCauses::is_mended(const Finding& finding, const std::vector<std::string>& common) {
  const std::vector<Finding>&left = about(common), &all = about(common_);
  return !has_same(left, finding) &&
         std::all_of(left.begin(), left.end(), [&](const Finding& each) { return has_same(all, each); });
}

std::string CommonCauses::job_key_of(const Finding& finding) {
  if (common_.empty() || plan_.scene_text.empty() || !has_same(about(common_), finding) ||
      has_same(about({}), finding))
    return {};
  for (std::size_t item = 0; item < common_.size(); ++item)
    if (is_mended(finding, without(item))) return job_key_at(item);
  // An item that the scene needs may be wrong, too: the only one without which the finding is gone.
  std::vector<std::size_t> needed;
  for (std::size_t item = 0; item < common_.size(); ++item)
    if (!has_same(about(without(item)), finding)) needed.push_back(item);
  if (needed.size() == 1) return job_key_at(needed.front());
  return plan_.job.sweep.set.empty() ? "sweep.unset" : "sweep.set";
}

}  // namespace electret
