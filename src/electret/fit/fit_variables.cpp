#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <electret/core/arguments.hpp>
#include <electret/core/text.hpp>
#include <electret/fit/fit_variables.hpp>
#include <electret/scene/overlaps.hpp>

namespace electret {
namespace {

bool is_logarithmic(const Parameter& parameter) {
  return parameter.scale == ParameterScale::logarithmic;
}

/// A limit as a variable. On a logarithmic scale, a limit that no value can reach becomes none.
double limit(double value, double scale) {
  if (!std::isfinite(value)) return value;
  if (scale > 0.0) return value / scale;
  return value > 0.0 ? std::log(value) : -std::numeric_limits<double>::infinity();
}

Finding about(const Parameter& parameter, std::string wrong, std::string allowed) {
  return {{parameter.name, 0, 0}, std::move(wrong), std::move(allowed)};
}

void check_limits(const FitParameter& each, std::vector<Finding>& findings) {
  const Parameter& parameter = each.parameter;
  if (!(each.minimum <= each.maximum)) {
    findings.push_back(about(
        parameter, fmt::format("minimum = {:g} is more than maximum = {:g}", each.minimum, each.maximum),
        "the minimum is the smaller one"));
    return;
  }
  for (const auto& [limit, name] : {std::pair(each.minimum, "minimum"), std::pair(each.maximum, "maximum")})
    if (std::isfinite(limit) && !parameter.range.contains(limit))
      findings.push_back(about(parameter, fmt::format("{} = {:g} is out of range", name, limit),
                               "allowed: " + to_string(parameter.range)));
}

DivergenceError no_derivative(const Parameter& parameter, double value) {
  return {0, -1,
          fmt::format("the loss has no derivative with respect to {} where that is {:g}",
                      in_quotes(parameter.name), value),
          "start elsewhere, or write the formula that has it so that it is smooth there"};
}

}  // namespace

std::vector<Finding> FitVariables::check(const Assembly& assembly,
                                         const std::vector<FitParameter>& parameters) {
  std::vector<Finding> findings;
  if (parameters.empty()) findings.push_back({{}, "nothing is fitted", "name at least one parameter"});
  std::vector<Parameter> all;
  for (const FitParameter& each : parameters) all.push_back(each.parameter);
  const std::vector<std::size_t> repeated = overlapping(assembly, all);
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const FitParameter& each = parameters[k];
    const std::vector<double> values = each.parameter.read(assembly);
    check_limits(each, findings);
    if (each.parameter.source.kind == &number::rest_positions)
      findings.push_back(about(each.parameter, "rest positions cannot be fitted: a scene has no key for them",
                               "electret gradient gives derivatives with respect to them"));
    const std::vector<bool> held = held_values(assembly, each.parameter);
    if (std::find(held.begin(), held.end(), false) == held.end())
      findings.push_back(about(each.parameter, "all of its keys decide where the pin is at time 0",
                               "a pin starts at the initial place; fit one with later keys"));
    if (std::find(repeated.begin(), repeated.end(), k) != repeated.end())
      findings.push_back(about(each.parameter, "some of its values are fitted under another name, too",
                               "fit each number once"));
    if (!each.prior.empty() && each.prior.size() != values.size())
      findings.push_back(about(each.parameter, fmt::format("its prior has {} values", each.prior.size()),
                               fmt::format("expected {}", values.size())));
    for (const double prior : each.prior)
      if (is_logarithmic(each.parameter) && !(prior > 0.0))
        findings.push_back(about(each.parameter, fmt::format("its prior is {:g}", prior), "allowed: > 0"));
  }
  return findings;
}

FitVariables::FitVariables(const Assembly& assembly, std::vector<FitParameter> parameters)
    : parameters_(std::move(parameters)) {
  std::vector<double> prior_values;
  for (const FitParameter& each : parameters_) {
    const std::vector<double> now = each.parameter.read(assembly);
    const double scale = is_logarithmic(each.parameter) ? 0.0 : typical_size(assembly, each.parameter, now);
    scales_.insert(scales_.end(), now.size(), scale);
    const NumberRange& range = ranges_.emplace_back(each.parameter.range_in(assembly));
    const double low = std::max(each.minimum, range.minimum);
    const double high = std::min(each.maximum, range.maximum);
    minima_.insert(minima_.end(), now.size(), low);
    maxima_.insert(maxima_.end(), now.size(), high);
    bounds_.lower.insert(bounds_.lower.end(), now.size(), limit(low, scale));
    bounds_.upper.insert(bounds_.upper.end(), now.size(), limit(high, scale));
    hold(held_values(assembly, each.parameter), now);
    const std::vector<double>& prior = each.prior.empty() ? now : each.prior;
    prior_values.insert(prior_values.end(), prior.begin(), prior.end());
  }
  priors_ = to_variables(prior_values);
}

/// Of the parameter that was added last. Its limits keep held values to the last bit, which a variable that
/// is scaled back may not.
void FitVariables::hold(const std::vector<bool>& held, ScalarView now) {
  const std::size_t first = scales_.size() - held.size();
  for (std::size_t v = 0; v < held.size(); ++v) {
    if (!held[v]) continue;
    const std::size_t k = first + v;
    minima_[k] = maxima_[k] = now[v];
    bounds_.lower[k] = bounds_.upper[k] = limit(now[v], scales_[k]);
  }
}

std::vector<bool> held_values(const Assembly& assembly, const Parameter& parameter) {
  std::vector<bool> held(parameter.size(), false);
  if (parameter.source.kind != &number::pin_offsets) return held;
  const KeyFrames<Vec3>& keys = assembly.pin_tracks[parameter.source.index].offsets;
  std::vector<double> weights(keys.times.size());
  key_weights(keys, 0.0, assembly.scene.time.step, weights);
  for (std::size_t r = 0; r < parameter.rows(); ++r)
    for (std::size_t axis = 0; axis < parameter.columns; ++axis)
      held[parameter.columns * r + axis] = weights[static_cast<std::size_t>(parameter.members[r])] != 0.0;
  return held;
}

std::vector<double> values_of(const Assembly& assembly, const std::vector<FitParameter>& parameters) {
  std::vector<double> all;
  for (const FitParameter& each : parameters) {
    const std::vector<double> now = each.parameter.read(assembly);
    all.insert(all.end(), now.begin(), now.end());
  }
  return all;
}

void write_values(Assembly& assembly, const std::vector<FitParameter>& parameters, ScalarView values) {
  std::size_t first = 0;
  for (const FitParameter& each : parameters) {
    each.parameter.write(assembly, values.subspan(first, each.parameter.size()));
    first += each.parameter.size();
  }
}

std::vector<double> FitVariables::to_variables(ScalarView values) const {
  require_argument(values.size() == scales_.size(), "the fitted parameters have another number of values");
  std::vector<double> variables(values.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    variables[k] = scales_[k] > 0.0 ? values[k] / scales_[k] : std::log(values[k]);
  return variables;
}

std::vector<double> FitVariables::to_values(ScalarView variables) const {
  std::vector<double> values(variables.size());
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const double value = scales_[k] > 0.0 ? variables[k] * scales_[k] : std::exp(variables[k]);
    values[k] = std::clamp(value, minima_[k], maxima_[k]);
  }
  return values;
}

void FitVariables::require_allowed(ScalarView values) const {
  std::size_t k = 0;
  for (std::size_t p = 0; p < parameters_.size(); ++p)
    for (std::size_t end = k + parameters_[p].parameter.size(); k < end; ++k)
      if (!std::isfinite(values[k]) || !ranges_[p].contains(values[k]))
        throw DivergenceError(0, -1, fmt::format("{} is {:g}", parameters_[p].parameter.name, values[k]),
                              "allowed: " + to_string(ranges_[p]));
}

void FitVariables::pull(const AssemblyGradient& by_numbers, ScalarView values, ScalarSpan gradient) const {
  std::size_t k = 0;
  for (const FitParameter& each : parameters_)
    for (const double slope : each.parameter.pull(by_numbers)) {
      if (!std::isfinite(slope)) throw no_derivative(each.parameter, values[k]);
      gradient[k] = slope * (scales_[k] > 0.0 ? scales_[k] : values[k]);
      ++k;
    }
}

double FitVariables::add_priors(ScalarView variables, ScalarSpan gradient) const {
  double sum = 0.0;
  std::size_t k = 0;
  for (const FitParameter& each : parameters_) {
    const double weight = each.prior_weight / static_cast<double>(each.parameter.size());
    for (std::size_t end = k + each.parameter.size(); k < end; ++k) {
      const double apart = variables[k] - priors_[k];
      sum += weight * apart * apart;
      gradient[k] += 2.0 * weight * apart;
    }
  }
  return sum;
}

}  // namespace electret
