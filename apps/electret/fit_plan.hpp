#pragma once
/// \file
/// From a fitting job to what the library's `fit` takes.

#include <memory>
#include <string>
#include <vector>

#include <electret/fit/fit.hpp>
#include <electret/fit/job.hpp>

namespace electret::app {

/// One axis of a scan.
struct ScanAxis {
  std::string name;   ///< "body.cloth.stiffness (N/m)".
  std::size_t value;  ///< Number among all parameters' values.
  std::vector<double> points;
};

struct FitPlan {
  Assembly assembly;
  std::vector<FitParameter> parameters;
  std::unique_ptr<Loss> loss;
  FitOptions options;  ///< Optimiser, starts, horizons.
  std::vector<ScanAxis> scans;
};

/// Reads the job's scene and targets. `report`: what reading the job found. Throws InputError with that and
/// all further findings, of the job's keys where they are written.
FitPlan plan_fit(const FitJob& job, Report& report, const std::string& job_file);

}  // namespace electret::app
