#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <electret/core/arguments.hpp>
#include <electret/fit/fit.hpp>
#include <electret/fit/signs.hpp>

namespace electret {
namespace {

/// A number in [0, 1), the same on every machine.
double uniform(std::mt19937_64& engine) {
  return static_cast<double>(engine() >> 11) * 0x1p-53;
}

bool has_places(const Parameter& parameter) {
  return parameter.source.kind == &number::charges && !parameter.is_common;
}

}  // namespace

bool may_have_either_sign(const FitParameter& parameter) {
  const NumberRange& range = parameter.parameter.range;
  return parameter.parameter.columns == 1 && parameter.parameter.scale == ParameterScale::linear &&
         std::max(parameter.minimum, range.minimum) < 0.0 && std::min(parameter.maximum, range.maximum) > 0.0;
}

SignFlips::SignFlips(const Assembly& assembly, const std::vector<FitParameter>& parameters) {
  std::size_t value = 0, groups = parameters.size();
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const Parameter& parameter = parameters[p].parameter;
    for (std::size_t r = 0; r < parameter.size(); ++r, ++value) {
      if (!may_have_either_sign(parameters[p])) continue;
      values_.push_back(value);
      parameter_.push_back(has_places(parameter) ? p : groups++);
      places_.push_back(has_places(parameter)
                            ? assembly.initial_positions[static_cast<std::size_t>(parameter.members[r])]
                            : Vec3{});
    }
  }
}

std::vector<std::size_t> SignFlips::around(std::size_t first, std::size_t count) const {
  require_argument(first < values_.size(), "there is no such value that may have either sign");
  std::vector<std::pair<double, std::size_t>> by_distance;
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const Vec3 apart = places_[k] - places_[first];
    if (k != first && parameter_[k] == parameter_[first]) by_distance.emplace_back(dot(apart, apart), k);
  }
  std::sort(by_distance.begin(), by_distance.end());
  std::vector<std::size_t> nearest{first};
  for (std::size_t k = 0; k < by_distance.size() && nearest.size() < count; ++k)
    nearest.push_back(by_distance[k].second);
  return nearest;
}

void SignFlips::flip(std::mt19937_64& engine, std::vector<double>& all_values) const {
  require_argument(!values_.empty() && values_.back() < all_values.size(),
                   "no value can change its sign, or there are fewer values than were fitted");
  const std::size_t first = engine() % values_.size();
  const double half = std::max(1.0, 0.5 * static_cast<double>(values_.size()));
  const auto count = static_cast<std::size_t>(std::floor(std::pow(half, uniform(engine)) + 0.5));
  for (const std::size_t k : around(first, count)) all_values[values_[k]] = -all_values[values_[k]];
}

bool SignAmbiguity::is_ambiguous(double reversed) const {
  return reversed - loss <= std::abs(loss);
}

std::vector<std::size_t> SignAmbiguity::ambiguous() const {
  std::vector<std::size_t> entries;
  for (std::size_t k = 0; k < tried.size(); ++k)
    if (is_ambiguous(losses[k])) entries.push_back(k);
  std::stable_sort(entries.begin(), entries.end(),
                   [&](std::size_t a, std::size_t b) { return losses[a] < losses[b]; });
  return entries;
}

SignAmbiguity sign_ambiguity(const Assembly& assembly, const std::vector<FitParameter>& parameters,
                             Loss& loss, const std::vector<double>& values, Count most, int threads,
                             const Control& control) {
  require_argument(most >= 0, "sign_ambiguity: a negative number of runs");
  SignAmbiguity result;
  const SignFlips flips(assembly, parameters);
  result.possible = flips.values().size();
  if (result.possible == 0 || most == 0) return result;
  const std::vector<double> u = FitVariables(assembly, parameters).to_variables(values);
  result.tried = flips.values();
  std::stable_sort(result.tried.begin(), result.tried.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(u[a]) < std::abs(u[b]); });
  result.tried.resize(std::min(result.tried.size(), static_cast<std::size_t>(most)));
  std::vector<std::vector<double>> points(2 + result.tried.size(), values);
  for (const std::size_t value : flips.values()) points[1][value] = -values[value];
  for (std::size_t k = 0; k < result.tried.size(); ++k)
    points[2 + k][result.tried[k]] = -values[result.tried[k]];
  const std::vector<double> losses = scan_loss(assembly, parameters, loss, points, threads, control);
  result.loss = losses[0];
  result.together = losses[1];
  result.losses.assign(losses.begin() + 2, losses.end());
  return result;
}

}  // namespace electret
