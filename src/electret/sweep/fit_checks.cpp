#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/fit/fit_files.hpp>
#include <electret/fit/job_overrides.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/words.hpp>
#include <electret/sweep/fit_checks.hpp>

namespace electret {

bool FitChecks::read() {
  const SweepJob& job = plan_.job;
  const std::filesystem::path own(job.sweep.fit);
  const std::string path = job.folder.empty() || job.folder == "." || own.is_absolute()
                               ? job.sweep.fit
                               : (job.folder / own).string();
  try {
    plan_.fit.emplace();
    plan_.fit->file = path;
    plan_.fit->job = read_fit_job(path, report_);
    return true;
  } catch (const InputError& error) {
    findings_.fault("sweep.fit", "fit " + in_quotes(job.sweep.fit) + ": " + error.findings()[0].message,
                    error.findings()[0].allowed);
    return false;
  }
}

void FitChecks::check_job() const {
  const KeepTable& keep = plan_.job.keep;
  const auto refuse = [this](const char* key, bool is_given) {
    if (is_given)
      findings_.fault(std::string("keep.") + key, in_quotes(key) + " of a fit",
                      "a fit keeps its loss, its values and how it ended; remove it");
  };
  refuse("quantities", !keep.quantities.empty());
  refuse("loss", !keep.loss.empty());
  refuse("gradient", !keep.gradient.empty());
  refuse("frames", keep.frames > 0);
  refuse("velocities", keep.velocities);
}

std::vector<Finding> FitChecks::findings_about_starts(const std::vector<std::string>& own) const {
  std::vector<Finding> found;
  for (const std::string& text : own) {
    if (!text.starts_with(start_key)) continue;
    const std::size_t equal = text.rfind('=');
    const std::string key = text.substr(0, equal), name = key.substr(start_key.size());
    const auto& tables = plan_.fit->job.parameters;
    const auto table =
        std::find_if(tables.begin(), tables.end(), [&](const auto& each) { return each.name == name; });
    const auto value = number_in(std::string_view(text).substr(equal + 1));
    if (table == tables.end() || !value) {  // `override_job` says what is wrong.
      FitJob job = plan_.fit->job;
      Report report = report_;
      override_job(job, {text}, report);
      try {
        report.throw_if_any(plan_.fit->file);
      } catch (const InputError& error) {
        for (const Finding& finding : error.findings())
          if (finding.where.file == "--set " + key) found.push_back(finding);
      }
      continue;
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double least = table->minimum.value_or(-infinity), most = table->maximum.value_or(infinity);
    if (least <= most && !(*value >= least && *value <= most))
      found.push_back({{"--set " + key, 0, 0},
                       fmt::format("\"start\" = {:g} is outside its limits", *value),
                       fmt::format("allowed: {:g} … {:g}", least, most)});
  }
  return found;
}

std::vector<Finding> FitChecks::check_fit(const FitSceneReader& read_scene,
                                          const std::vector<std::string>& values) {
  FitJob job = plan_.fit->job;
  Report report = report_;
  check_own_starts(job);
  std::vector<std::string> own = plan_.job.sweep.set;
  for (const std::string& key : plan_.job.sweep.unset) own.push_back("--unset " + key);
  own.insert(own.end(), values.begin(), values.end());
  override_job(job, own, report);
  try {
    const FitPlan fit = plan_fit(job, report, plan_.fit->file, read_scene);
    plan_.vertices = static_cast<Count>(fit.assembly.rest_positions.size());
    plan_.fit->values = value_names(fit.parameters);
    plan_.fit->logarithmic.clear();
    for (const FitParameter& each : fit.parameters) {
      check_range(each);
      const Parameter& parameter = each.parameter;
      plan_.fit->logarithmic.insert(plan_.fit->logarithmic.end(), parameter.size(),
                                    parameter.scale == ParameterScale::logarithmic);
      const double size =
          is_place(parameter) ? typical_size(fit.assembly, parameter, parameter.read(fit.assembly)) : 0.0;
      plan_.fit->place_sizes.insert(plan_.fit->place_sizes.end(), parameter.size(), size);
    }
    for (const FitLossTable& loss : job.losses)
      if (const std::string file = loss_file(loss.of, job.folder); !file.empty())
        plan_.files[loss_key(loss.of)] = read_whole_file(file);
  } catch (const InputError& error) {
    return error.findings();
  }
  return {};
}

void FitChecks::check_own_starts(const FitJob& job) {
  const auto refuse = [&](const char* key, const char* what) {
    const auto at = job.source.find(std::string("starts.") + key);
    findings_.add(Finding{at != job.source.end() ? at->second : Location{plan_.fit->file, 0, 0}, what,
                          "each run of a sweep has one start; remove it"},
                  "");
  };
  if (job.starts.count > 1) refuse("count", "the fit has several starts of its own");
  if (job.starts.best_of > 0) refuse("best_of", "the fit draws starts of its own");
}

/// Sampled starts at the ends of their ranges, and listed ones, must be values that the parameter may have.
void FitChecks::check_range(const FitParameter& parameter) {
  const std::string key = std::string(start_key) + parameter.parameter.name;
  ListFindings told;
  const auto check = [&](double value, const std::string& at) {
    if (!parameter.parameter.range.contains(value) && told.admit_another())
      findings_.add(Finding{{"--set " + key, 0, 0},
                            fmt::format("\"start\" = {:g} is out of range", value),
                            "allowed: " + to_string(parameter.parameter.range)},
                    at);
  };
  for (const VaryTable& vary : plan_.job.vary) {
    const std::vector<std::string> own = vary.all_keys();
    if (std::find(own.begin(), own.end(), key) == own.end()) continue;
    for (const double end : vary.range) check(end, SweepFindings::at_end);
    if (!vary.is_listed()) return;  // A sample outside is a run that is refused.
  }
  const auto& keys = plan_.design.keys();
  const auto at = std::find(keys.begin(), keys.end(), key);
  if (at == keys.end()) return;
  const auto column = static_cast<std::size_t>(at - keys.begin());
  for (Count run = 0; run < plan_.design.runs(); ++run)
    if (const auto value = plan_.design.number(run, column)) check(*value, SweepFindings::at_run(run));
}

}  // namespace electret
