#pragma once
/// \file
/// What is checked of a sweep of fits before it begins, beside its scene.

#include <string>
#include <vector>

#include <electret/sweep/sweep_findings.hpp>

namespace electret {

class FitChecks {
 public:
  FitChecks(SweepPlan& plan, SweepFindings& findings) : plan_(plan), findings_(findings) {}

  /// Reads the fitting job into the plan. Returns false if there is no such file. What is wrong in it is told
  /// by `check_fit` with the rest.
  bool read();
  /// The job's keys that a sweep of fits has no use for.
  void check_job() const;
  /// What is wrong with starts: they are numbers within the limits of the fitting job. `own` is as for
  /// scene_of_run.
  [[nodiscard]] std::vector<Finding> findings_about_starts(const std::vector<std::string>& own) const;
  /// Reads the fit of a run with these overrides whole, with its losses, by `read_scene`. Notes its values
  /// and its losses' files, or gives what is wrong with it.
  [[nodiscard]] std::vector<Finding> check_fit(const FitSceneReader& read_scene,
                                               const std::vector<std::string>& values);

 private:
  void check_own_starts(const FitJob& job);
  void check_range(const FitParameter& parameter);

  SweepPlan& plan_;
  SweepFindings& findings_;
  Report report_;  ///< What reading the fitting job has found.
};

}  // namespace electret
