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
  std::vector<std::string> set;    ///< "KEY=VALUE", as of --set,
  std::vector<std::string> unset;  ///< and "KEY" of --unset, over the scene.
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
  Count seed = 1;
};

/// `[signs]`
struct FitSignsTable {
  Count trials = 0, evaluations = 25, seed = 1;  ///< Of the search.
  Count tried = 24;                              ///< Values whose sign is reversed alone after the fit.
};

/// `[horizons]`
struct FitHorizonsTable {
  std::vector<double> durations;  ///< s, before the scene's own.
};

/// `[[scan]]`: a parameter's range, or two parameters', over which the loss is drawn.
struct FitScanTable {
  std::string parameter;
  double from = 0.0, to = 0.0;
  Count points = 21;
};

/// `[identifiability]`
struct FitIdentifiabilityTable {
  Count products = 12;  ///< Gradients that look for values which the loss does not tell.
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
  SourceMap source;  ///< "parameter.0.name" → its place.
};

/// Reads a job file. Throws InputError with every finding: syntax, unknown keys, wrong types, ranges, tables
/// that are missing.
FitJob read_fit_job(const std::string& path);
/// The same, findings into `report` instead: what they are about is as if it were not written.
FitJob read_fit_job(const std::string& path, Report& report);
/// The same of a text.
FitJob parse_fit_job(const std::string& text, const std::string& file_name, const std::string& folder);
FitJob parse_fit_job(const std::string& text, const std::string& file_name, const std::string& folder,
                     Report& report);

/// The reference part of docs/gradients.md: a Markdown table for each table of a job.
std::string fit_job_reference();

}  // namespace electret
