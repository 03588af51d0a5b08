#pragma once
/// \file
/// Which scenes of a sweep are read before it begins, so that what is wrong with its values is found.

#include <set>
#include <string>
#include <vector>

#include <electret/sweep/scene_findings.hpp>

namespace electret {

/// Reads scenes of the runs of a design, but no meshes. A finding about a value of the job is placed at the
/// job's key.
class SceneChecks {
 public:
  SceneChecks(SweepPlan& plan, SweepFindings& findings, const SceneFindings& scenes)
      : plan_(plan),
        findings_(findings),
        scenes_(scenes),
        causes_(plan, [&scenes](const auto& own) { return scenes.about(own); }) {}

  /// Every combination of listed values while these are at most 1000, else each value once (`check_each`);
  /// and sampled keys at both ends of their ranges. Notes the usual run (`SweepPlan::usual_run`), which
  /// `normal` keys have other values than in run 0 if its are out of range.
  void check_runs();

 private:
  std::vector<Finding> check(const std::vector<std::string>& own, const std::string& at);
  [[nodiscard]] bool is_about_normal(const Finding& finding) const;
  [[nodiscard]] Count usual_sample() const;
  void check_each_column();
  void check_ends(const VaryTable& vary);

  SweepPlan& plan_;
  SweepFindings& findings_;
  const SceneFindings& scenes_;
  FindingCauses causes_;
  std::set<std::vector<std::string>> checked_;  ///< Overrides of scenes of fits.
};

/// The number of combinations of the listed keys, which are the first runs; of a table, all runs.
[[nodiscard]] Count combinations_of(const SweepPlan& plan);
/// The overrides with this end of the key's range, after those of the usual run.
[[nodiscard]] std::vector<std::string> overrides_at_end(const SweepPlan& plan, const VaryTable& vary,
                                                        double end);

}  // namespace electret
