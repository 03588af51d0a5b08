#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>

#include <electret/core/text.hpp>
#include <electret/fit/fit_plan.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/fit/losses.hpp>
#include <electret/fit/signs.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/report.hpp>
#include <electret/scene/table_reader.hpp>

namespace electret {
namespace {

/// A path of the job, as seen from the working directory.
std::string in_folder(const FitJob& job, const std::string& path) {
  if (job.folder.empty() || job.folder == "." || std::filesystem::path(path).is_absolute()) return path;
  return (std::filesystem::path(job.folder) / path).string();
}

/// `range` is that of the parameter in the fit's scene.
std::string allowed_range(const Parameter& parameter, const NumberRange& range) {
  std::string allowed = "allowed: " + to_string(range);
  if (range.minimum != parameter.range.minimum || range.maximum != parameter.range.maximum)
    allowed += ", so that each of the values that it shifts stays " + to_string(parameter.range);
  return allowed;
}

class Planner {
 public:
  Planner(const FitJob& job, Report& report, const FitSceneReader& read)
      : job_(job), report_(report), read_(read) {}

  /// False if the scene cannot be read, because nothing more can then be checked.
  bool plan() {
    for (const char* key : {"fit.scene", "fit.set", "fit.unset"})
      if (report_.is_bad(key)) return false;
    if (report_.is_bad_itself("fit") || report_.is_bad_itself("")) return false;
    try {
      plan_.assembly = scene();
    } catch (const InputError& error) {
      report_.add_all(error.findings(), "fit.scene");
      return false;
    }
    report_.add_all(findings_about_changes(plan_.assembly.scene, "a fit"), "fit.scene");
    for (std::size_t k = 0; k < job_.parameters.size(); ++k) parameter(k);
    losses();
    loss_tolerance();
    horizons();
    for (std::size_t k = 0; k < job_.scans.size(); ++k) scan(k);
    signs();
    if (!plan_.parameters.empty())
      for (const Finding& finding : FitVariables::check(plan_.assembly, plan_.parameters))
        add_located(finding);
    check_starts();
    if (!report_.empty()) return false;
    starts();
    plan_.options.optimiser = job_.optimiser;
    plan_.options.signs = {job_.signs.trials, job_.signs.evaluations, job_.signs.seed};
    return true;
  }
  FitPlan take() { return std::move(plan_); }

 private:
  Assembly scene() {
    const std::vector<std::string> overrides = scene_overrides_of(job_);
    return read_ ? read_(overrides) : load_scene(scene_file_of(job_), overrides);
  }

  void fault(const std::string& key, std::string wrong, std::string allowed) {
    report_.add(job_.source, key, std::move(wrong), std::move(allowed));
  }

  /// Places a finding of the library about a parameter at the table that names it.
  void add_located(const Finding& finding) {
    // If two have one name, the later one is at fault.
    for (std::size_t k = job_.parameters.size(); k-- > 0;)
      if (job_.parameters[k].name == finding.where.file)
        return fault(fmt::format("parameter.{}.name", k),
                     in_quotes(finding.where.file) + ": " + finding.message, finding.allowed);
    report_.add_at(finding.where, "", finding.message, finding.allowed);
  }

  void parameter(std::size_t k) {
    const FitParameterTable& table = job_.parameters[k];
    const std::string key = fmt::format("parameter.{}", k);
    if (report_.is_bad(key + ".name")) return;
    FitParameter result;
    try {
      result.parameter = find_parameter(plan_.assembly, table.name);
    } catch (const InputError& error) {
      fault(key + ".name", error.findings()[0].message, error.findings()[0].allowed);
      return;
    }
    if (table.minimum) result.minimum = *table.minimum;
    if (table.maximum) result.maximum = *table.maximum;
    result.prior_weight = table.prior_weight;
    if (table.start && !(*table.start >= result.minimum && *table.start <= result.maximum) &&
        result.minimum <= result.maximum)
      fault(key + ".start", fmt::format("\"start\" = {:g} is outside its limits", *table.start),
            fmt::format("allowed: {:g} … {:g}", result.minimum, result.maximum));
    if (table.prior) result.prior.assign(result.parameter.size(), *table.prior);
    if (table.start)
      start_at(k, *table.start, result.parameter);
    else if (job_.starts.best_of == 0)  // Otherwise all starts are drawn.
      check_scene_values(k, result);
    result.parameter = find_parameter(plan_.assembly, table.name);  // Its scale is taken from the start.
    if (table.scale == "linear") result.parameter.scale = ParameterScale::linear;
    if (table.scale == "logarithmic" && result.parameter.scale != ParameterScale::logarithmic)
      fault(key + ".scale", in_quotes(table.name) + " has values that are not positive, or may not stay so",
            "allowed: \"auto\", \"linear\"");
    plan_.parameters.push_back(std::move(result));
  }

  /// Sets the values that a fit does not move to those of the scene.
  void keep_held(const Parameter& parameter, ScalarSpan values) const {
    const std::vector<bool> held = held_values(plan_.assembly, parameter);
    const std::vector<double> now = parameter.read(plan_.assembly);
    for (std::size_t k = 0; k < held.size(); ++k)
      if (held[k]) values[k] = now[k];
  }

  /// All of the parameter's own values start there, but those that a fit does not move. Numbers that share
  /// one value keep their differences.
  void start_at(std::size_t k, double start, const Parameter& parameter) {
    const NumberRange range = parameter.range_in(plan_.assembly);
    if (!range.contains(start)) {
      fault(fmt::format("parameter.{}.start", k), fmt::format("\"start\" = {:g} is out of range", start),
            allowed_range(parameter, range));
      return;
    }
    std::vector<double> values(parameter.size(), start);
    keep_held(parameter, values);
    parameter.write(plan_.assembly, values);
  }

  /// Without a `start` the scene's values are the start.
  void check_scene_values(std::size_t k, const FitParameter& each) {
    if (!(each.minimum <= each.maximum)) return;
    for (const double value : each.parameter.read(plan_.assembly)) {
      if (value >= each.minimum && value <= each.maximum) continue;
      return fault(
          fmt::format("parameter.{}.{}", k, value < each.minimum ? "minimum" : "maximum"),
          fmt::format("{} starts at the scene's value, {:g}, which is outside its limits",
                      in_quotes(each.parameter.name), value),
          fmt::format("allowed: {:g} … {:g}; \"start\" sets another start", each.minimum, each.maximum));
    }
  }

  void losses() {
    std::vector<WeightedLoss> terms;
    for (std::size_t k = 0; k < job_.losses.size(); ++k) {
      const std::string key = fmt::format("loss.{}", k);
      if (job_.losses[k].weight == 0.0)
        fault(key + ".weight", "a weight of 0 removes its loss", "give another number");
      if (report_.is_bad(key + ".of")) continue;
      const std::string& of = job_.losses[k].of;
      const Location where = place_of(job_.source, key + ".of");
      try {
        terms.push_back({job_.losses[k].weight, parse_loss(of, plan_.assembly, where, job_.folder)});
        for (std::string& group : groups_of_loss(of, plan_.assembly, where, job_.folder))
          plan_.used_groups.push_back(std::move(group));
      } catch (const InputError& error) {
        report_.add_all(error.findings(), key + ".of");
      }
    }
    plan_.loss = sum_of_losses(std::move(terms));
  }

  /// A loss that may fall below 0 is not small where it is below a tolerance.
  void loss_tolerance() {
    if (!(job_.optimiser.loss_tolerance > 0.0) || report_.is_bad("optimiser.loss_tolerance")) return;
    const auto is_signed = std::find_if(job_.losses.begin(), job_.losses.end(), [](const FitLossTable& each) {
      return each.weight < 0.0 || may_be_negative(each.of);
    });
    if (is_signed == job_.losses.end()) return;
    fault("optimiser.loss_tolerance",
          fmt::format("\"loss_tolerance\" = {:g}, but the loss {}{} may be negative",
                      job_.optimiser.loss_tolerance, in_quotes(is_signed->of),
                      is_signed->weight < 0.0 ? fmt::format(" of weight {:g}", is_signed->weight) : ""),
          "leave it out: such a loss is not small because it is below a number");
  }

  void horizons() {
    const TimeOptions& time = plan_.assembly.scene.time;
    auto& horizons = plan_.options.horizons;
    for (const double duration : job_.horizons.durations) {
      const double steps = std::round(duration / time.step);
      if (std::abs(duration / time.step - steps) > 1e-6 || steps < 1.0 ||
          steps >= static_cast<double>(time.steps) ||
          (!horizons.empty() && static_cast<Count>(steps) <= horizons.back())) {
        fault("horizons.durations", fmt::format("a duration of {:g} s", duration),
              fmt::format(
                  "durations ascend, are whole numbers of steps of {:g} s, and less than the scene's {:g} s",
                  time.step, static_cast<double>(time.steps) * time.step));
        continue;
      }
      horizons.push_back(static_cast<Count>(steps));
    }
    if (time.steps < 1) fault("fit.scene", "the scene has no step", "a fit needs at least one");
    horizons.push_back(time.steps);
  }

  void scan(std::size_t k) {
    const FitScanTable& table = job_.scans[k];
    const std::string key = fmt::format("scan.{}", k);
    if (!report_.is_bad(key + ".from") && !report_.is_bad(key + ".to") && !(table.from < table.to))
      fault(key + ".from",
            fmt::format("\"from\" = {:g} is not less than \"to\" = {:g}", table.from, table.to),
            "a scan ascends");
    if (report_.is_bad(key + ".parameter")) return;
    std::size_t value = 0;
    for (const FitParameter& each : plan_.parameters) {
      if (each.parameter.name == table.parameter) {
        if (each.parameter.size() != 1)
          fault(key + ".parameter",
                fmt::format("{} has {} values", in_quotes(table.parameter), each.parameter.size()),
                "a scan takes a parameter with one value");
        const NumberRange range = each.parameter.range_in(plan_.assembly);
        for (const auto& [name, end] : {std::pair("from", table.from), std::pair("to", table.to)})
          if (!report_.is_bad(key_within(key, name)) && !range.contains(end))
            fault(key_within(key, name), fmt::format("\"{}\" = {:g} is out of range", name, end),
                  allowed_range(each.parameter, range));
        ScanAxis axis{table.parameter, value, {}};
        if (!each.parameter.unit.empty()) axis.name += " (" + each.parameter.unit + ")";
        for (Count p = 0; p < table.points; ++p)
          axis.points.push_back(table.from + (table.to - table.from) * static_cast<double>(p) /
                                                 static_cast<double>(table.points - 1));
        plan_.scans.push_back(std::move(axis));
        return;
      }
      value += each.parameter.size();
    }
    // If it was meant to be one, its [[parameter]] has a finding already.
    for (const FitParameterTable& each : job_.parameters)
      if (each.name == table.parameter) return;
    fault(key + ".parameter", in_quotes(table.parameter) + " is not fitted", "name one of [[parameter]]");
  }

  void signs() {
    const auto& all = plan_.parameters;
    if (report_.is_bad("parameter") || std::any_of(all.begin(), all.end(), may_have_either_sign)) return;
    constexpr const char* allowed = "fit a charge, or another value with limits on both sides of 0";
    if (job_.signs.trials > 0) fault("signs.trials", "no fitted value can change its sign", allowed);
    if (job_.starts.signs == "random" && job_.starts.sample != "limits")
      fault("starts.signs", "no fitted value can change its sign", allowed);
  }

  /// Finds starts that cannot be drawn.
  void check_starts() {
    const FitStartsTable& table = job_.starts;
    if (table.best_of > 0 && table.sample != "limits")
      fault("starts.best_of", "\"best_of\" draws starts between limits", "allowed: with sample = \"limits\"");
    if (table.best_of > 0 && table.best_of < table.count && !report_.is_bad("starts.best_of") &&
        !report_.is_bad("starts.count"))
      fault("starts.best_of", fmt::format("the best {} of {} random starts", table.count, table.best_of),
            "allowed: \"best_of\" from \"count\" on");
    if (table.sample != "limits") return;
    for (std::size_t k = 0; k < plan_.parameters.size(); ++k) {
      const auto [least, most] = limits_of(plan_.parameters[k]);
      if (!std::isfinite(least) || !std::isfinite(most))
        fault("starts.sample",
              fmt::format("{} has no {}, between which starts could be drawn",
                          in_quotes(plan_.parameters[k].parameter.name),
                          std::isfinite(least) ? "maximum" : "minimum"),
              "allowed: with \"minimum\" and \"maximum\" of every parameter");
      else if (plan_.parameters[k].parameter.scale == ParameterScale::logarithmic && !(least > 0.0))
        fault("starts.sample",
              fmt::format("{} has the minimum {:g}, and a logarithmic scale",
                          in_quotes(plan_.parameters[k].parameter.name), least),
              "allowed: minima above 0, or scale = \"linear\"");
    }
  }

  /// The first start is the scene's, unless the best of random ones start. The others are drawn by a
  /// generator with a fixed seed.
  void starts() {
    std::mt19937_64 engine(static_cast<std::uint64_t>(job_.starts.seed));
    auto& starts = plan_.options.starts;
    const auto draw = [&] {
      std::vector<double> start;
      for (const FitParameter& each : plan_.parameters) {
        job_.starts.sample == "limits" ? add_within(each, engine, start) : add_spread(each, engine, start);
        keep_held(each.parameter, ScalarSpan(start).last(each.parameter.size()));
      }
      return start;
    };
    for (Count s = 0; s < job_.starts.best_of; ++s) plan_.samples.push_back(draw());
    if (plan_.samples.empty()) starts = {values_of(plan_.assembly, plan_.parameters)};
    while (static_cast<Count>(starts.size()) < job_.starts.count)
      starts.push_back(plan_.samples.empty() ? draw() : plan_.samples[starts.size()]);
  }

  /// The limits within which the values of a parameter may start.
  [[nodiscard]] std::pair<double, double> limits_of(const FitParameter& each) const {
    const NumberRange range = each.parameter.range_in(plan_.assembly);
    return {std::max(each.minimum, range.minimum), std::min(each.maximum, range.maximum)};
  }

  void add_within(const FitParameter& each, std::mt19937_64& engine, std::vector<double>& start) const {
    const auto [least, most] = limits_of(each);
    for (std::size_t k = 0; k < each.parameter.size(); ++k) {
      // The middles of 2⁵² equal parts, so that a limit that is excluded is not drawn.
      const double part = (static_cast<double>(engine() >> 12) + 0.5) * 0x1p-52;
      const double value = each.parameter.scale == ParameterScale::logarithmic
                               ? least * std::pow(most / least, part)
                               : least + part * (most - least);
      start.push_back(std::clamp(value, least, most));
    }
  }

  void add_spread(const FitParameter& each, std::mt19937_64& engine, std::vector<double>& start) const {
    const std::vector<double> values = each.parameter.read(plan_.assembly);
    const double size = typical_size(plan_.assembly, each.parameter, values);
    const NumberRange range = each.parameter.range_in(plan_.assembly);
    for (const double value : values) {
      const double way = static_cast<double>(engine() >> 11) * 0x1p-52 - 1.0;
      const bool by_factor = each.parameter.scale == ParameterScale::logarithmic;
      double moved =
          by_factor ? value * std::pow(job_.starts.spread, way) : value + way * job_.starts.spread * size;
      if (job_.starts.signs == "random" && may_have_either_sign(each)) {
        const double from = value != 0.0 ? std::abs(value) : size;
        moved = (engine() % 2 == 0 ? from : -from) * std::pow(job_.starts.spread, way);
      }
      const double least = std::max(each.minimum, range.minimum);
      start.push_back(std::clamp(moved, least, std::max(least, std::min(each.maximum, range.maximum))));
    }
  }

  const FitJob& job_;
  Report& report_;
  const FitSceneReader& read_;
  FitPlan plan_;
};

}  // namespace

std::string scene_file_of(const FitJob& job) {
  return in_folder(job, job.fit.scene);
}

std::vector<std::string> scene_overrides_of(const FitJob& job) {
  std::vector<std::string> overrides;
  for (const std::string& key : job.fit.unset) overrides.push_back("--unset " + key);
  overrides.insert(overrides.end(), job.fit.set.begin(), job.fit.set.end());
  return overrides;
}

FitPlan plan_fit(const FitJob& job, Report& report, const std::string& job_file,
                 const FitSceneReader& read_fit_scene) {
  Planner planner(job, report, read_fit_scene);
  if (!planner.plan()) report.throw_if_any(job_file);
  return planner.take();
}

}  // namespace electret
