#pragma once
/// \file
/// Reads a `trajectory.h5`, finished, killed or still growing. Readers of one file that are open at once in
/// one process all see the frames that the first of them saw. To see later frames, close all of them and open
/// the file again.
///
/// \code
///   electret::TrajectoryReader run("runs/torus/trajectory.h5");
///   electret::VectorArray x = run.positions(run.frames() - 1);
/// \endcode

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <electret/contact/body_contacts.hpp>
#include <electret/contact/contact_set.hpp>
#include <electret/core/types.hpp>
#include <electret/record/run_arrays.hpp>
#include <electret/record/unreadable_error.hpp>

namespace electret {

/// The arrays of each frame.
enum class FrameValues { positions, velocities, charges, pin_reactions };

class TrajectoryReader {
 public:
  /// Checks the whole file but for the frames' numbers. Throws UnreadableError, which names the file and the
  /// attribute or dataset, if the file is missing, no trajectory, damaged, or of another format version.
  explicit TrajectoryReader(const std::string& path);
  ~TrajectoryReader();
  TrajectoryReader(TrajectoryReader&&) noexcept;
  TrajectoryReader& operator=(TrajectoryReader&&) noexcept;

  /// The number of complete frames at the time of opening, which is the length of the shortest growing
  /// dataset.
  [[nodiscard]] Count frames() const;
  [[nodiscard]] Index vertices() const;
  [[nodiscard]] bool has_velocities() const;
  [[nodiscard]] bool charges_change() const;
  /// Whether reactions of pins are stored: if there are pins, and the writer was not an older version.
  [[nodiscard]] bool has_pin_reactions() const;
  [[nodiscard]] bool single_precision() const;
  [[nodiscard]] const std::string& scene() const;  ///< The scene file's text.
  /// One line per change of the scene file: "KEY=VALUE" of `--set` or "--unset KEY". Empty if there were
  /// none.
  [[nodiscard]] const std::string& overrides() const;
  [[nodiscard]] const std::string& version() const;  ///< The version of the program that wrote it.
  [[nodiscard]] double time_step() const;            ///< h, s.

  // Each of these reads the file and throws UnreadableError if it cannot, or if the file has no such frame.
  [[nodiscard]] std::vector<double> times() const;          ///< frames, s.
  [[nodiscard]] VectorArray positions(Count frame) const;   ///< n×3, m.
  [[nodiscard]] VectorArray velocities(Count frame) const;  ///< n×3, m/s; throws if they are not stored.
  [[nodiscard]] std::vector<double> charges(Count frame) const;  ///< n, C.
  /// p×3, N: the force that held or moved each pin over the step that ends at the frame, 0 if no step led to
  /// it (frame 0). Throws if they are not stored.
  [[nodiscard]] VectorArray pin_reactions(Count frame) const;
  /// Whether what exact obstacles push with is stored, and the names of the obstacles; none if it is not.
  [[nodiscard]] bool has_contacts() const;
  [[nodiscard]] const std::vector<std::string>& contact_obstacles() const;
  /// The vertices that exact obstacles pushed at the end of the step that ends at the frame, ascending, and
  /// with what. None at frame 0.
  [[nodiscard]] std::vector<ContactForce> contacts(Count frame) const;
  /// Whether what bodies that touch each other push each other with is stored.
  [[nodiscard]] bool has_contact_pairs() const;
  /// The pairs of parts of bodies that pushed each other at the end of the step that ends at the frame,
  /// ascending. None at frame 0.
  [[nodiscard]] std::vector<PairForce> contact_pairs(Count frame) const;
  /// Fills the caller's memory with a frame's values: n×3 numbers, n for charges, p×3 for reactions. Throws
  /// std::invalid_argument if `out` has another size. If the file is in single precision, floats receive its
  /// numbers exactly.
  void read(FrameValues what, Count frame, std::span<double> out) const;
  void read(FrameValues what, Count frame, std::span<float> out) const;
  [[nodiscard]] std::vector<double> masses() const;              ///< n, kg.
  [[nodiscard]] VectorArray rest_positions() const;              ///< n×3, m.
  [[nodiscard]] std::vector<Edge> springs() const;               ///< s×2.
  [[nodiscard]] std::vector<double> spring_stiffness() const;    ///< s, N/m.
  [[nodiscard]] std::vector<double> spring_rest_length() const;  ///< s, m.
  [[nodiscard]] std::vector<Triangle> faces() const;             ///< F×3; empty if there are none.
  [[nodiscard]] std::vector<Index> pins() const;  ///< p pinned vertices, ascending; empty if there are none.
  [[nodiscard]] std::vector<Count> body_offsets() const;      ///< bodies + 1.
  [[nodiscard]] std::vector<std::string> body_names() const;  ///< One per body; older files have none.
  using Groups = std::map<std::string, std::map<std::string, std::vector<Index>>>;
  /// Global vertex indices by body and group, under the names that these have in the file; older files have
  /// none.
  [[nodiscard]] Groups groups() const;
  /// The element groups of the bodies, as element numbers with the tetrahedra first.
  [[nodiscard]] Groups element_groups() const;
  /// Any of the constant arrays; empty if it is absent.
  [[nodiscard]] ArrayValues values(const RunArray& array) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace electret
