#pragma once
/// \file
/// What the runs of a sweep of fits have in common: the fitting job, whose starts and scene vary.

#include <string>
#include <vector>

#include <electret/fit/run_job.hpp>

namespace electret {

struct SweptFit {
  std::string file;                 ///< Of the fitting job, as seen from the working directory.
  FitJob job;                       ///< As it is in the file.
  std::vector<std::string> values;  ///< One name per fitted value (`value_names`).
  std::vector<bool> logarithmic;    ///< For each value whether it moves on a logarithmic scale.
  std::vector<double> place_sizes;  ///< For each value that is a place its typical size, m, else 0.
};

}  // namespace electret
