#pragma once
/// \file
/// Recordings of a soft starfish robot as Du and others published them (RoboSoft 2021): how far a tendon
/// pulled, and where four markers were.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::experiments {

inline constexpr std::size_t starfish_markers = 4;

/// The rows from that on in which the tendon begins to pull, a fixed interval apart.
struct StarfishRecording {
  /// How far each marker is along x and z from where it was in the first row, m.
  using Row = std::array<std::array<double, 2>, starfish_markers>;

  std::string name;                  ///< The file's.
  double interval = 0.0;             ///< Between two rows, s.
  std::vector<double> contractions;  ///< Of the tendon, m, one a row.
  std::vector<Row> moved;
};

/// The length of the tendon that is not pulled, m.
inline constexpr double tendon_length = 0.065;

/// Reads a CSV file with ten columns: time (ms), the tendon's contraction (mm), then x and y of each marker
/// (mm), of which y points to our -z. Rows without a contraction (NaN), and those at the beginning whose
/// contraction is still the first, do not count. Throws InputError with every finding, at its line and
/// column: other columns, bad numbers, contractions that are not shorter than the tendon, times that do not
/// ascend by equal intervals, fewer than `least_rows` rows that count.
[[nodiscard]] StarfishRecording read_starfish_recording(std::string_view text, const std::string& name,
                                                        std::size_t least_rows);

}  // namespace electret::experiments
