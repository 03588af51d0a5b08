#pragma once
/// \file
/// Which scenes of a sweep are assembled before it begins, with their meshes and tables.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <electret/scene/assembly.hpp>
#include <electret/sweep/scene_findings.hpp>

namespace electret {

/// Assembles scenes of runs, of which all that can be read without meshes was found right.
class AssemblyChecks {
 public:
  /// Assembles the scene of these overrides. Throws InputError.
  using Reader = std::function<Assembly(const std::vector<std::string>& own)>;

  AssemblyChecks(SweepPlan& plan, SweepFindings& findings, Reader read);

  /// The usual run's scene. If its sampled values do not go with the meshes, the first of 100 further samples
  /// whose do becomes the usual one. Nothing if there is none, which `check_runs` tells.
  [[nodiscard]] std::optional<Assembly> usual();
  /// Tells what is wrong with the runs of the usual sample, and with sampled keys at both ends of their
  /// ranges. Every combination of listed values is assembled while these are at most 100 and have at most 200
  /// 000 vertices together, by the number of the usual run. Else each value is once; of a key's numbers,
  /// beyond so many, those at both ends of their order (`check_each`).
  void check_runs();
  /// Whether all of these may be right in another sample: they are caused by sampled values.
  [[nodiscard]] bool may_differ(const std::vector<Finding>& findings, Count run);

 private:
  /// What some runs have, and the first of them; -1 for a value at the end of a range.
  struct Told {
    Finding finding;
    std::vector<std::string> own;
    Count run = -1;
    Count times = 0;
  };

  [[nodiscard]] const std::vector<Finding>& about(const std::vector<std::string>& own);
  const std::vector<Finding>& check(const std::vector<std::string>& own, Count run);
  const std::vector<Finding>& check(Count run) { return check(plan_.design.overrides(run), run); }
  void check_combinations();
  void check_each_column(std::size_t most);
  void check_ends();
  void tell();

  SweepPlan& plan_;
  SweepFindings& findings_;
  Reader read_;
  FindingCauses causes_;
  std::map<std::vector<std::string>, std::vector<Finding>> known_;  ///< By the scene's overrides.
  std::vector<Told> told_;
  Count checked_ = 0;
};

}  // namespace electret
