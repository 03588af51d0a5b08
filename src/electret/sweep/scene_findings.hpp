#pragma once
/// \file
/// What is wrong with scenes of a sweep, and which of the job's keys causes it.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <electret/scene/same_finding.hpp>
#include <electret/sweep/fit_checks.hpp>

namespace electret {

/// Reads scenes with values of the job, but no meshes, and the starts of fits.
class SceneFindings {
 public:
  /// Without a scene (`has_scene`) only the starts of fits are read.
  SceneFindings(const SweepPlan& plan, const FitChecks& fits, bool has_scene)
      : plan_(plan), fits_(fits), has_scene_(has_scene) {}

  /// What is wrong with the scene of these overrides.
  [[nodiscard]] std::vector<Finding> about(const std::vector<std::string>& own) const;
  /// The same of the starts alone.
  [[nodiscard]] std::vector<Finding> about_starts(const std::vector<std::string>& own) const;
  [[nodiscard]] bool has_scene() const { return has_scene_; }

 private:
  const SweepPlan& plan_;
  const FitChecks& fits_;
  bool has_scene_;
};

/// Whether the finding is about a value that is set for one of these keys.
[[nodiscard]] bool is_about(const Finding& finding, const std::vector<std::string>& keys);
[[nodiscard]] bool is_any_about(const std::vector<Finding>& findings, const std::vector<std::string>& keys);

/// Whether a value's text is that of a whole number.
[[nodiscard]] bool is_whole_number(const std::string& text);

/// The values of one key. `is_good` reads a scene with one of them, and tells whether the key has no finding.
struct ValueList {
  std::size_t size = 0;
  std::function<std::string(std::size_t)> at;
  std::function<bool(std::size_t)> is_good;
};

/// Reads each text, and of the numbers the first ones, so that these are `most`. Of the others it reads those
/// at the two ends of their order, until one is right: a key allows what lies between two numbers that it
/// allows. Whole numbers have an order of their own, because a key may allow no other ones.
void check_each(const ValueList& list, std::size_t most);

/// Finds the `[[vary]]` whose values cause a finding that is located in the scene or in one of its files.
class FindingCauses {
 public:
  /// Reads the scene with these overrides and gives what is wrong with it.
  using Trial = std::function<std::vector<Finding>(const std::vector<std::string>& own)>;

  FindingCauses(const SweepPlan& plan, Trial trial) : plan_(plan), trial_(std::move(trial)) {}

  /// Whether the scene has the finding without any value of the job, too.
  [[nodiscard]] bool stands_in_scene(const Finding& finding);
  /// The number of the `[[vary]]` without whose values, and those that advance together with them, the
  /// overrides `own` do not have the finding. They are replaced by those of `good`, overrides without
  /// findings, or left out if there are none. Nothing if no single one causes it.
  [[nodiscard]] std::optional<std::size_t> vary_of(const Finding& finding,
                                                   const std::vector<std::string>& own,
                                                   const std::vector<std::string>& good = {});
  /// The job's key where such a finding is placed.
  [[nodiscard]] std::string job_key_of(const Finding& finding, const std::vector<std::string>& own,
                                       const std::vector<std::string>& good = {});

 private:
  const SweepPlan& plan_;
  Trial trial_;
  std::optional<std::vector<Finding>> standing_;
};

}  // namespace electret
