#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/lumped_masses.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Throws std::invalid_argument unless `p` finds its numbers in arrays such as `array`, that is, unless it is
/// a parameter of this assembly or of one of the same sizes.
template <class Array>
void check_fits(const Parameter& p, const Array& array) {
  const std::size_t rows = array.count / p.columns;
  const auto is_row = [rows](Index member) { return member >= 0 && static_cast<std::size_t>(member) < rows; };
  require_argument(!p.members.empty() && std::all_of(p.members.begin(), p.members.end(), is_row),
                   "a parameter of another assembly");
}

/// Calls visit(value, number) for each value and each number of the assembly's array that the value sets.
template <class Visit>
void for_numbers(const Parameter& p, Visit&& visit) {
  for (std::size_t m = 0; m < p.members.size(); ++m)
    for (std::size_t c = 0; c < p.columns; ++c)
      visit((p.is_common ? 0 : m * p.columns) + c, static_cast<std::size_t>(p.members[m]) * p.columns + c);
}

/// Logarithmic if no value can be negative and none is 0 now.
ParameterScale scale_of(const Parameter& parameter, const Assembly& assembly) {
  if (parameter.range.minimum != 0.0) return ParameterScale::linear;
  const auto values = parameter.read(assembly);
  const bool are_positive = std::all_of(values.begin(), values.end(), [](double v) { return v > 0.0; });
  return are_positive ? ParameterScale::logarithmic : ParameterScale::linear;
}

double root_mean_square(ScalarView values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return values.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(values.size()));
}

/// The root mean square of the coordinates (rows of 3), measured from their mean, axis by axis. 0 if that is
/// only their rounding.
double spread(ScalarView coordinates) {
  constexpr double rounding = 16.0 * std::numeric_limits<double>::epsilon();
  const std::size_t rows = coordinates.size() / 3;
  std::vector<double> apart(coordinates.begin(), coordinates.end());
  double farthest = 0.0;
  for (std::size_t axis = 0; axis < 3 && rows > 0; ++axis) {
    // From the first one, so that equal coordinates are exactly 0 apart.
    double mean = 0.0;
    for (std::size_t r = 0; r < rows; ++r) {
      apart[3 * r + axis] -= coordinates[axis];
      mean += apart[3 * r + axis] / static_cast<double>(rows);
    }
    for (std::size_t r = 0; r < rows; ++r) apart[3 * r + axis] -= mean;
    farthest = std::max(farthest, std::abs(coordinates[axis]));
  }
  const double size = root_mean_square(apart);
  return size > rounding * farthest ? size : 0.0;
}

/// The spread of all vertices and external charges.
double extent_of(const Assembly& assembly) {
  std::vector<double> coordinates;
  const auto add = [&](const Vec3& x) { coordinates.insert(coordinates.end(), {x.x, x.y, x.z}); };
  for (const Vec3& x : assembly.initial_positions) add(x);
  for (const ExternalChargeTrack& track : assembly.external_charges)
    for (const Vec3& shift : track.position.values)
      for (const Vec3& point : track.points) add(point + shift);
  return spread(coordinates);
}

}  // namespace

std::vector<double> Parameter::read(const Assembly& assembly) const {
  const auto array = numbers(assembly, source);
  check_fits(*this, array);
  std::vector<double> values(size());
  if (!shares.empty()) {
    // The largest share gives the smallest rounding error.
    const auto largest = std::max_element(shares.begin(), shares.end()) - shares.begin();
    const auto member = static_cast<std::size_t>(members[static_cast<std::size_t>(largest)]);
    return {array[member] / shares[static_cast<std::size_t>(largest)]};
  }
  if (!is_common) {
    for_numbers(*this, [&](std::size_t v, std::size_t k) { values[v] = array[k]; });
    return values;
  }
  // The first value plus the mean of the differences from it: exact if all are equal.
  const auto first = static_cast<std::size_t>(members.front()) * columns;
  for_numbers(*this, [&](std::size_t v, std::size_t k) { values[v] += array[k] - array[first + v]; });
  for (std::size_t v = 0; v < values.size(); ++v)
    values[v] = array[first + v] + values[v] / static_cast<double>(members.size());
  return values;
}

NumberRange Parameter::range_in(const Assembly& assembly) const {
  NumberRange narrowed = range;
  if (!is_common || columns != 1 || !shares.empty()) return narrowed;
  Parameter each = *this;
  each.is_common = false;
  const std::vector<double> all = each.read(assembly);
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  const double mean = read(assembly).front();
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * (std::abs(mean) + std::abs(*least));
  // An end that `write` keeps to exactly needs no room for rounding.
  if (*least < mean) {
    narrowed.minimum += mean - *least;
    if (range.minimum_excluded || *least + (narrowed.minimum - mean) < range.minimum)
      narrowed.minimum += rounding;
  }
  if (*most > mean) {
    narrowed.maximum -= *most - mean;
    if (range.maximum_excluded || *most + (narrowed.maximum - mean) > range.maximum)
      narrowed.maximum -= rounding;
  }
  return narrowed;
}

void Parameter::write(Assembly& assembly, ScalarView values) const {
  write_numbers(assembly, values);
  if (source.kind == &number::rest_positions) update_lumped_masses(assembly);
}

void Parameter::write_numbers(Assembly& assembly, ScalarView values) const {
  require_argument(values.size() == size(), "a parameter was given another number of values than it has");
  const auto array = numbers(assembly, source);
  check_fits(*this, array);
  if (!shares.empty()) {
    for (std::size_t m = 0; m < members.size(); ++m)
      array[static_cast<std::size_t>(members[m])] = values[0] * shares[m];
    return;
  }
  if (!is_common) {
    for_numbers(*this, [&](std::size_t v, std::size_t k) { array[k] = values[v]; });
    return;
  }
  const std::vector<double> now = read(assembly);
  for_numbers(*this, [&](std::size_t v, std::size_t k) {
    array[k] = array[k] == now[v] ? values[v] : array[k] + (values[v] - now[v]);
  });
}

std::vector<double> Parameter::pull(const AssemblyGradient& gradient) const {
  const auto array = numbers(gradient, source);
  check_fits(*this, array);
  std::vector<double> out(size());
  for (std::size_t m = 0; m < shares.size(); ++m)
    out[0] += shares[m] * array[static_cast<std::size_t>(members[m])];
  if (!shares.empty()) return out;
  for_numbers(*this, [&](std::size_t v, std::size_t k) { out[v] += array[k]; });
  return out;
}

bool is_place(const Parameter& parameter) {
  const NumberKind* kind = parameter.source.kind;
  return kind == &number::initial_positions || kind == &number::rest_positions ||
         kind == &number::external_position || kind == &number::grab_targets ||
         kind == &number::obstacle_origin;
}

double typical_size(const Assembly& assembly, const Parameter& parameter, ScalarView values) {
  const double size = is_place(parameter) ? spread(values) : root_mean_square(values);
  if (size > 0.0) return size;
  if (parameter.unit == "m")
    if (const double extent = extent_of(assembly); extent > 0.0) return extent;
  return parameter.unit == "C" ? 1e-6 : 1.0;
}

std::string parameter_reference() {
  std::string text = "| parameter | unit | values | |\n| --- | --- | --- | --- |\n";
  for (const ParameterRow& row : parameter_rows()) {
    const std::string allowed = to_string(row.range);
    text += "| `" + row.pattern + "` | " + row.unit + " | " + (allowed.empty() ? "any" : allowed) + " | " +
            row.description + " |\n";
  }
  return text;
}

std::vector<Parameter> parameters(const Assembly& assembly) {
  std::vector<Parameter> all;
  for (const ParameterRow& row : parameter_rows())
    for (Parameter parameter : row.find(assembly)) {
      if (parameter.members.empty()) continue;
      parameter.scale = scale_of(parameter, assembly);
      all.push_back(std::move(parameter));
    }
  return all;
}

Parameter find_parameter(const Assembly& assembly, std::string_view name) {
  std::vector<Parameter> all = parameters(assembly);
  const auto has_name = [&](const Parameter& parameter) { return parameter.name == name; };
  const auto found = std::find_if(all.begin(), all.end(), has_name);
  if (found != all.end() && std::find_if(found + 1, all.end(), has_name) != all.end())
    throw InputError(Finding{{},
                             "the scene has two parameters " + in_quotes(name),
                             "rename a body, group or obstacle so that the names of parameters differ"});
  if (found != all.end()) return std::move(*found);
  std::vector<std::string> names;
  for (const Parameter& parameter : all) names.push_back(parameter.name);
  throw InputError(Finding{{},
                           "the scene has no parameter " + in_quotes(name),
                           names.empty() ? "it has none at all" : suggestion(name, names)});
}

}  // namespace electret
