#pragma once
/// \file
/// Which setting that all runs have causes what is wrong in the scene.

#include <map>
#include <string>
#include <vector>

#include <electret/sweep/sweep_plan.hpp>

namespace electret {

/// Finds the item of `set` or `unset` in `[sweep]` that causes a finding which is located in the scene or in
/// one of its files. It reads the scene and its files, once for each set of overrides.
class CommonCauses {
 public:
  explicit CommonCauses(const SweepPlan& plan) : plan_(plan), common_(common_overrides(plan.job)) {}

  /// The job's key: "sweep.set.2", or "sweep.set" if no single item causes it. Empty if the scene as it is
  /// written has the finding, too, or if it depends on what varies.
  [[nodiscard]] std::string job_key_of(const Finding& finding);
  /// The job's key of an item by its number among the common overrides.
  [[nodiscard]] std::string job_key_at(std::size_t item) const;

 private:
  [[nodiscard]] std::vector<std::string> without(std::size_t item) const;
  const std::vector<Finding>& about(const std::vector<std::string>& common);
  bool is_mended(const Finding& finding, const std::vector<std::string>& common);

  const SweepPlan& plan_;
  std::vector<std::string> common_;
  std::map<std::vector<std::string>, std::vector<Finding>> known_;
  MeshStore meshes_;
};

}  // namespace electret
