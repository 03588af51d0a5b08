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
struct Place {
  Count frame = 0;
  Index vertex = 0;
  double time = 0.0;  ///< s.
};

/// The distances |a - b| of vertices, over the frames both runs have.
struct ArrayDifference {
  double largest = 0.0;  ///< m or m/s.
  Place where;           ///< Of the largest.
  double mean = 0.0;
  double root_mean_square = 0.0;
  std::optional<Place>
      first;  ///< The first beyond 1e-12 × the largest magnitude of that frame; its worst vertex.
  bool identical = true;  ///< Bitwise, -0 and 0 being the same.
};

/// One column of energy.csv.
struct EnergyDifference {
  std::string column;
  double largest = 0.0;   ///< J.
  double relative = 0.0;  ///< `largest` / the largest magnitude of the total energy in either run.
  double time = 0.0;      ///< s; of the largest.
};

/// A setting or a piece of data the runs do not share.
struct Mismatch {
  std::string what;  ///< "step", "vertices", "spring_stiffness".
  std::string first, second;
};

struct RunDifference {
  Count frames = 0;  ///< Compared: those both have.
  Count first_frames = 0, second_frames = 0;
  std::optional<ArrayDifference> positions;   ///< Absent where the numbers of vertices differ.
  std::optional<ArrayDifference> velocities;  ///< Absent as well where a run has none.
  std::vector<EnergyDifference> energies;     ///< A column each; empty where a run has no energy.csv.
  std::vector<Mismatch> mismatches;
  /// Same frames, bitwise the same positions, velocities and energies, no mismatch.
  [[nodiscard]] bool identical() const;
};

/// Throws InputError where a run is missing or its trajectory damaged, IoError.
RunDifference compare(const std::string& first_directory, const std::string& second_directory);

}  // namespace electret
