#pragma once
/// \file
/// Turns a fitting job into the arguments of `fit`.

#include <functional>
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
  std::vector<std::string> used_groups;  ///< "BODY.GROUP" of the losses.
  FitOptions options;                    ///< Optimiser, starts, horizons.
  /// Random starts, of which those with the smallest losses take the place of `options.starts`. Empty: none.
  std::vector<std::vector<double>> samples;
  std::vector<ScanAxis> scans;
};

/// Reads the job's scene with these overrides, the job's own.
using FitSceneReader = std::function<Assembly(const std::vector<std::string>& overrides)>;

/// Reads the job's scene and targets. `report` holds what reading the job has found. Throws InputError with
/// that and all further findings; those about the job's keys give the place of the key. Without
/// `read_fit_scene` the scene is read from its file.
FitPlan plan_fit(const FitJob& job, Report& report, const std::string& job_file,
                 const FitSceneReader& read_fit_scene = {});

/// The path of the job's scene, as seen from the working directory.
std::string scene_file_of(const FitJob& job);
/// The overrides of the job's scene: removals first, then settings.
std::vector<std::string> scene_overrides_of(const FitJob& job);

}  // namespace electret
