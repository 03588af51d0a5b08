#pragma once
/// \file
/// Turns a fitting job into the arguments of `fit`.

#include <memory>
#include <string>
#include <vector>

#include <electret/fit/fit.hpp>
#include <electret/fit/job.hpp>

namespace electret {

/// One axis of a scan.
struct ScanAxis {
  std::string name;   ///< With the unit, such as "body.cloth.stiffness (N/m)".
  std::size_t value;  ///< Index among all parameters' values.
  std::vector<double> points;
};

struct FitPlan {
  Assembly assembly;
  std::vector<FitParameter> parameters;
  std::unique_ptr<Loss> loss;
  FitOptions options;  ///< Optimiser, starts, horizons.
  /// Random starts, of which those with the smallest losses take the place of `options.starts`. Empty: none.
  std::vector<std::vector<double>> samples;
  std::vector<ScanAxis> scans;
};

/// Reads the job's scene and targets. `report` holds what reading the job has found. Throws InputError with
/// that and all further findings; those about the job's keys give the place of the key.
FitPlan plan_fit(const FitJob& job, Report& report, const std::string& job_file);

}  // namespace electret
