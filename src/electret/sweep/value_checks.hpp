#pragma once
/// \file
/// What is right and wrong in the values of a job of which faults leave no design, so that all is told at
/// once.

#include <string>
#include <vector>

#include <electret/sweep/scene_findings.hpp>

namespace electret {

/// Keys with one value in each row, and what may stand where it is not known.
struct CandidateColumn {
  std::vector<std::string> keys;
  /// Each of these may stand for the value, "" for none: those that the job has, then others of the kind.
  std::vector<std::string> stand_ins;
  std::size_t of_job = 0;  ///< How many stand-ins are values of the job.
  bool is_sure = false;    ///< Rows have its values: it is listed, without a fault.
};

/// Keys that advance together: a `[[vary]]`, all of one `together`, or a table.
struct Candidate {
  std::vector<CandidateColumn> columns;
  std::vector<std::vector<std::string>> rows;  ///< Of each a value for each column; "": it has a fault.
  std::size_t usual = 0;                       ///< A row that the scene takes, if there is one.

  [[nodiscard]] std::vector<std::string> keys() const;
};

/// What the job or its table says of values. `doubt` is called if a key itself has a fault, so that nothing
/// is known of what it would set.
[[nodiscard]] std::vector<Candidate> value_candidates(const SweepPlan& plan, const Report& report,
                                                      const std::function<void()>& doubt);

/// Checks each row of values in scenes with one row of all others. Where a value has a fault, others stand
/// for it in further scenes: what is wrong in all of these is told, because it is wrong whatever is meant.
class ValueChecks {
 public:
  ValueChecks(const SweepPlan& plan, const Report& report, SweepFindings& findings,
              const SceneFindings& scenes);

  /// Tells what is wrong. Gives the overrides of these scenes; the first one is the usual one.
  std::vector<std::vector<std::string>> check();

 private:
  using Row = std::vector<std::string>;

  [[nodiscard]] std::vector<std::string> overrides(std::size_t scene, const Candidate* own,
                                                   const Row* row) const;
  [[nodiscard]] std::vector<Finding> common(const Candidate* own, const Row* row) const;
  void find_usual(Candidate& candidate) const;
  void check_rows(const Candidate& candidate);
  void check_stand_ins(const Candidate& candidate);
  void tell(const std::vector<Finding>& found, const std::string& job_key);

  SweepFindings& findings_;
  const SceneFindings& scenes_;
  std::vector<Candidate> candidates_;
  std::size_t scene_count_ = 1;
  std::vector<Finding> usual_findings_;
};

}  // namespace electret
