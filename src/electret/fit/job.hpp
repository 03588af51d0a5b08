#pragma once
/// \file
/// Fitting jobs: what `electret fit JOB.toml` reads (docs/gradients.md, "Fits").

#include <optional>
#include <string>
#include <vector>

#include <electret/fit/optimiser.hpp>
#include <electret/scene/report.hpp>
#include <electret/scene/scene.hpp>

namespace electret {

/// `[fit]`
struct FitTable {
  std::string scene;               ///< Path, relative to the job's folder.
  std::vector<std::string> set;    ///< "KEY=VALUE", as for --set, applied to the scene.
  std::vector<std::string> unset;  ///< "KEY", as for --unset, applied to the scene.
};

/// `[[parameter]]`
struct FitParameterTable {
  std::string name;
  std::optional<double> start, minimum, maximum, prior;
  std::string scale = "auto";
  double prior_weight = 0.0;
};

/// `[[loss]]`
struct FitLossTable {
  std::string of;  ///< "final_position:FILE", …; files relative to the job's folder.
  double weight = 1.0;
};

/// `[starts]`
struct FitStartsTable {
  Count count = 1;
  double spread = 2.0;
  std::string signs = "kept";
  std::string sample = "spread";
  Count best_of = 0;
  Count seed = 1;
};

/// `[signs]`
struct FitSignsTable {
  Count trials = 0, evaluations = 25, seed = 1;  ///< For the search.
  /// How many values have their sign reversed, each alone, after the fit.
  Count tried = 24;
};

/// `[horizons]`
struct FitHorizonsTable {
  std::vector<double> durations;  ///< s; fitted before the scene's own duration.
};

/// `[[scan]]`: the range of a parameter over which the loss is drawn; two scans make a picture of two
/// parameters.
struct FitScanTable {
  std::string parameter;
  double from = 0.0, to = 0.0;
  Count points = 21;
};

/// `[identifiability]`
struct FitIdentifiabilityTable {
  Count products = 12;  ///< How many gradients look for values that the loss does not determine.
};

struct FitJob {
  FitTable fit;
  std::vector<FitParameterTable> parameters;
  std::vector<FitLossTable> losses;
  OptimiserOptions optimiser;
  FitStartsTable starts;
  FitHorizonsTable horizons;
  FitSignsTable signs;
  FitIdentifiabilityTable identifiability;
  std::vector<FitScanTable> scans;

  std::string text, folder;
  std::vector<std::string> overrides;  ///< Those of `override_job`, in their order.
  SourceMap source;                    ///< From a key such as "parameter.0.name" to its place.
};

/// Reads a job file. Throws InputError with every finding: syntax errors, unknown keys, wrong types, values
/// out of range, missing tables.
FitJob read_fit_job(const std::string& path);
/// The same, but findings go to `report`. What they concern is treated as if it were not in the file.
FitJob read_fit_job(const std::string& path, Report& report);
/// The same for a text.
FitJob parse_fit_job(const std::string& text, const std::string& file_name, const std::string& folder);
FitJob parse_fit_job(const std::string& text, const std::string& file_name, const std::string& folder,
                     Report& report);

/// The reference part of docs/gradients.md: one Markdown table per table of a job.
std::string fit_job_reference();

}  // namespace electret
