#pragma once
/// \file
/// What is checked of a sweep of fits before it begins, beside its scene.

#include <map>

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
  /// Whether starts are numbers within the limits of the fitting job. `own` is as for scene_of_run.
  void check_starts(const std::vector<std::string>& own, Count run);
  /// Reads the fit of run 0 whole, with its losses, by `read_scene`. Notes its values and its losses' files.
  void check_fit(const FitSceneReader& read_scene);

 private:
  void check_own_starts(const FitJob& job);
  void check_range(const FitParameter& parameter);

  SweepPlan& plan_;
  SweepFindings& findings_;
  Report report_;  ///< What reading the fitting job has found.
};

}  // namespace electret
