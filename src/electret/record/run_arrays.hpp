#pragma once
/// \file
/// The arrays of trajectory.h5 that do not change during a run, as one table. The writer, the fingerprints of
/// a scene and the comparison of runs go through it. A new dataset needs one row here.

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include <electret/record/trajectory_header.hpp>

namespace electret {

/// An array's entries, row after row, stored in the type that they have here.
using ArrayValues = std::variant<std::vector<double>, std::vector<std::int32_t>, std::vector<std::int64_t>>;

/// What the numbers of an array are. `TrajectoryReader` checks files by it.
enum class ArrayContents {
  numbers,
  vertices,          ///< Each row has vertices of one body.
  corners,           ///< The same, or -1 where a corner is missing; the first one is there.
  surface_vertices,  ///< Each row has rows of /surface_corners of one body.
  offsets,           ///< One row per body and one more, ascending from 0.
};

struct RunArray {
  const char* name;            ///< The dataset's name.
  const char* part;            ///< What users call it in messages; arrays of one part change together.
  std::size_t columns = 1;     ///< Entries per row; if it is 1, the dataset has rank 1.
  bool may_be_absent = false;  ///< The dataset is left out if it is empty.
  ArrayValues (*of)(const TrajectoryHeader& header) = nullptr;
  ArrayContents contents = ArrayContents::numbers;
  const char* as_long_as = nullptr;  ///< The array that has as many rows; null: any number.
};

const std::vector<RunArray>& run_arrays();
/// The row of that name, which must exist.
const RunArray& run_array(std::string_view name);

}  // namespace electret
