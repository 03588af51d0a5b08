#pragma once
/// \file
/// Findings about a sweep's job. One mistake in many runs is one finding, at the job's line that causes it.

#include <set>
#include <string>

#include <electret/sweep/common_causes.hpp>
#include <electret/sweep/sweep_plan.hpp>

namespace electret {

class SweepFindings {
 public:
  /// `plan` has its job.
  SweepFindings(const SweepPlan& plan, Report& report) : plan_(plan), report_(report), causes_(plan) {}

  /// "run 3: ", in front of what is wrong with values of the job.
  [[nodiscard]] static std::string at_run(Count run);
  /// The same for a sampled key.
  static constexpr const char* at_end = "at the end of its range: ";

  /// A finding about a key of the job.
  void fault(const std::string& key, std::string wrong, std::string allowed) const;
  /// A finding of the scene's or the fit's reader. What it says of "--set KEY" is placed at the job's line of
  /// that key. `at` says which values are meant, such as `at_run`; it may be empty. What is located in the
  /// scene or its files, but caused by what the job sets for all runs, is told at the job's line (and names
  /// its own place); else what is located in the scene is told there, as of the scene as it stands.
  void add(const Finding& finding, const std::string& at);
  void add(const InputError& error, const std::string& at);
  /// The same of a finding that is located in the scene or its files but is caused by values of the job: it
  /// is placed at that key of the job, and names its own place.
  void add_at(const std::string& job_key, const Finding& finding, const std::string& at);
  /// Whether the finding is about "--set KEY" or "--unset KEY", which have a place in the job.
  [[nodiscard]] bool is_placed(const Finding& finding) const {
    return !job_key_of(finding.where.file).empty();
  }
  /// The job's key of what readers call "--set KEY"; empty if it is none.
  [[nodiscard]] std::string job_key_of(const std::string& place) const;
  /// Whether the same was not told yet.
  [[nodiscard]] bool is_new(const Finding& finding) const;
  /// From now on nothing is told of the scene as it is written: a key whose values have faults might mend it.
  void doubt_scene() { doubts_scene_ = true; }

 private:
  const SweepPlan& plan_;
  Report& report_;
  CommonCauses causes_;
  std::set<std::string> said_;  ///< One mistake in many runs is one finding.
  bool doubts_scene_ = false;
};

}  // namespace electret
