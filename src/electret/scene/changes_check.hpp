#pragma once
/// \file
/// What is wrong with the changes of a scene (changes.hpp).

#include <optional>
#include <string>
#include <vector>

#include <electret/scene/assembly.hpp>
#include <electret/scene/document.hpp>
#include <electret/scene/report.hpp>

namespace electret {

/// Brings findings about changed scenes to the changes that cause them.
class ChangeReport {
 public:
  /// What `report` has so far is known of the scene as written. `file` is the scene's. All outlive this.
  ChangeReport(const Scene& scene, const std::string& file, Report& report)
      : scene_(scene), file_(file), report_(report), known_(report.findings()) {}

  /// Adds the findings about the scene after change `k` that are not known yet. Returns whether there are
  /// none.
  bool add_new(std::size_t k, const Report& found);

 private:
  [[nodiscard]] Finding located(std::size_t k, const Finding& finding) const;

  const Scene& scene_;
  const std::string& file_;
  Report& report_;
  std::vector<Finding> known_;
};

/// Works out the legs of a run whose changes change its time step, and its number of steps if the scene says
/// how long the run is in seconds.
class RunLength {
 public:
  RunLength(Scene& scene, const Document& written, Report& report);

  /// Whether the run comes to change `k`; else a finding is added.
  bool reaches(std::size_t k);
  /// `time_step` is that after change `k`, s.
  void change(std::size_t k, double time_step);
  /// Adds a finding if the duration does not end with a step.
  void end();

 private:
  Scene& scene_;
  Report& report_;
  std::optional<double> duration_;   ///< s.
  TimeOptions time_;                 ///< `step` is that after the last change.
  std::optional<std::size_t> last_;  ///< The last change that changed the time step.
};

/// Whether the scene after change `k` keeps what runs need: vertices, pins and where they are, the places and
/// velocities at the start, and which obstacles have columns in a run's files. Else findings are added.
bool check_kept(const Assembly& before, const Assembly& after, std::size_t k, Report& report);

/// Whether a vertex has another charge, or other key-frames of it.
bool are_charges_changed(const Assembly& before, const Assembly& after);

}  // namespace electret
