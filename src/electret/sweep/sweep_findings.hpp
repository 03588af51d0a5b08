#pragma once
/// \file
/// Findings about a sweep's job. One mistake in many runs is one finding, at the job's line that causes it.

#include <set>
#include <string>

#include <electret/sweep/sweep_plan.hpp>

namespace electret {

class SweepFindings {
 public:
  SweepFindings(const SweepPlan& plan, Report& report) : plan_(plan), report_(report) {}

  [[nodiscard]] Report& report() const { return report_; }
  /// A finding about a key of the job.
  void fault(const std::string& key, std::string wrong, std::string allowed) const;
  /// A finding of the scene's or the fit's reader about a run; -1: about the end of a sampled range. What it
  /// says of "--set KEY" is placed at the job's line of that key.
  void add(const Finding& finding, Count run);
  void add(const InputError& error, Count run);

 private:
  [[nodiscard]] std::string job_key_of(const std::string& place) const;

  const SweepPlan& plan_;
  Report& report_;
  std::set<std::string> said_;
};

}  // namespace electret
