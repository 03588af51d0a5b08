#pragma once
/// \file
/// Which scenes of a sweep are read before it begins, so that what is wrong with its values is found.

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <electret/sweep/fit_checks.hpp>

namespace electret {

/// Reads scenes, but no meshes. A finding about a value of the job is placed at the job's key.
class SceneChecks {
 public:
  /// Without a scene (`has_scene`) only the starts of fits are checked.
  SceneChecks(SweepPlan& plan, const Report& report, SweepFindings& findings, const FitChecks& fits,
              bool has_scene)
      : plan_(plan), report_(report), findings_(findings), fits_(fits), has_scene_(has_scene) {}

  /// The runs of the design: every combination of listed values while these are at most 1000, else each value
  /// once (`check_each`); and sampled keys at both ends of their ranges. Notes the usual run
  /// (`SweepPlan::usual_run`), which `normal` keys have other values than in run 0 if its are out of range.
  void check_runs();
  /// Where faults leave no design: each value by itself, in a scene that has one value of each other key.
  /// Gives the overrides of such a scene.
  [[nodiscard]] std::vector<std::string> check_values();
  /// Whether all of these are about keys of a normal distribution: others of its values may be right.
  [[nodiscard]] bool are_about_normal(const std::vector<Finding>& findings) const;
  /// The number of combinations of the listed keys, which are the first runs; of a table, all runs.
  [[nodiscard]] Count combinations() const;

 private:
  /// Keys of one value, and what it may be.
  struct Candidate {
    std::vector<std::string> keys, values;
    bool has_range = false;  ///< The values are only some of many, of which one stands for all.
  };
  /// The values of one key. `is_good` reads a scene with one of them, and tells whether the key has no
  /// finding.
  struct ValueList {
    std::size_t size = 0;
    std::function<const std::string&(std::size_t)> at;
    std::function<bool(std::size_t)> is_good;
  };

  [[nodiscard]] std::vector<Finding> findings_about(const std::vector<std::string>& own) const;
  std::vector<Finding> check(const std::vector<std::string>& own, const std::string& at);
  [[nodiscard]] Count usual_sample() const;
  static void check_each(const ValueList& list);
  void check_each_column();
  void check_ends(const VaryTable& vary);
  void check_each(const Candidate& candidate, const std::vector<std::string>& usual);
  [[nodiscard]] std::vector<std::string> usual_of(const std::vector<Candidate>& candidates) const;
  [[nodiscard]] std::vector<Candidate> candidates() const;
  [[nodiscard]] std::vector<Candidate> candidates_of_table() const;
  [[nodiscard]] Candidate candidate_of(std::size_t table) const;

  SweepPlan& plan_;
  const Report& report_;
  SweepFindings& findings_;
  const FitChecks& fits_;
  bool has_scene_;
  std::set<std::vector<std::string>> checked_;  ///< Overrides of scenes of fits.
};

}  // namespace electret
