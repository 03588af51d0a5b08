#pragma once
/// \file
/// Where and how much two runs differ, for `electret compare`.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// A frame and a vertex.
struct DifferencePlace {
  Count frame = 0;
  Index vertex = 0;
  double time = 0.0;  ///< s.
};

/// The distances |a - b| of vertices, over the frames that both runs have.
struct ArrayDifference {
  double largest = 0.0;   ///< m, m/s or N.
  DifferencePlace where;  ///< The place of the largest distance.
  double mean = 0.0;
  double root_mean_square = 0.0;
  /// The worst vertex of the first frame with a distance above 1e-12 × the largest magnitude in that frame.
  std::optional<DifferencePlace> first;
  bool identical = true;  ///< Bitwise, but -0 equals 0.
};

/// What obstacles push with, frame by frame.
struct ContactDifference {
  ArrayDifference forces;  ///< N, by vertex: the sums over obstacles.
  /// Rows of frames × vertices that touch other obstacles, or stick in one run and not in the other.
  Count other_states = 0;
  std::optional<DifferencePlace> first_state;  ///< The first of these.
};

/// What bodies push each other with, frame by frame.
struct PairDifference {
  ArrayDifference forces;  ///< N, by vertex: the sums over pairs.
  /// Rows of frames × pairs that push in one run alone, or slip in one and not in the other.
  Count other_pairs = 0;
  std::optional<DifferencePlace> first_pair;  ///< The first of these, by its first vertex.
};

/// One column of energy.csv. Works and dissipations differ by 0 if a run of an earlier version has none.
struct EnergyDifference {
  std::string column;
  double largest = 0.0;   ///< J.
  double relative = 0.0;  ///< `largest` / the largest magnitude of the total energy in either run.
  double time = 0.0;      ///< s; the time of the largest difference.
};

/// A setting or a piece of data in which the runs differ.
struct Mismatch {
  /// "step", "vertices", "spring_stiffness (2 of 60 differ, first number 7)", "scene text (from line 4)",
  /// "charges at frame 3 (1 of 60 differ, first number 0)" of the first frame in which they differ.
  std::string what;
  std::string first, second;  ///< The values there.
};

struct RunDifference {
  Count frames = 0;  ///< The frames compared, which are those that both runs have.
  Count first_frames = 0, second_frames = 0;
  std::optional<ArrayDifference> positions;   ///< Absent if the numbers of vertices differ.
  std::optional<ArrayDifference> velocities;  ///< Absent, too, if a run has none.
  /// Reactions of pins, N. Absent if a run has none, or if the runs pin other vertices.
  std::optional<ArrayDifference> pin_reactions;
  /// Absent if a run stores no contacts.
  std::optional<ContactDifference> contacts;
  /// Absent if bodies may not touch each other in a run.
  std::optional<PairDifference> pairs;
  std::vector<EnergyDifference> energies;  ///< One per column; empty if a run has no energy.csv.
  std::vector<Mismatch> mismatches;
  /// Whether the runs have the same frames, bitwise the same positions, velocities, reactions, contacts,
  /// pairs and energies, and no mismatch.
  [[nodiscard]] bool identical() const;
};

/// Compares the runs in two directories. Throws InputError if a run is missing or its trajectory is damaged,
/// and IoError.
RunDifference compare(const std::string& first_directory, const std::string& second_directory);

}  // namespace electret
