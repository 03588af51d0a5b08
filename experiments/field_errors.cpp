#include "field_errors.hpp"

#include <algorithm>
#include <cmath>

#include <electret/field/solver.hpp>

namespace electret::experiments {

std::vector<double> relative_errors(VectorView field, VectorView reference) {
  std::vector<double> errors;
  errors.reserve(field.size());
  for (std::size_t i = 0; i < field.size(); ++i) {
    const double size = norm(reference[i]);
    if (size > 0.0) errors.push_back(norm(field[i] - reference[i]) / size);
  }
  return errors;
}

Spread spread_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  Spread spread;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) spread.mean += value / n;
  for (const double value : values) spread.deviation += (value - spread.mean) * (value - spread.mean) / n;
  spread.deviation = std::sqrt(spread.deviation);
  spread.worst = *std::max_element(values.begin(), values.end());
  return spread;
}

double relative_l2(VectorView field, VectorView reference) {
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    difference += squared_norm(field[i] - reference[i]);
    size += squared_norm(reference[i]);
  }
  return size > 0.0 ? std::sqrt(difference / size) : std::sqrt(difference);
}

VectorArray field_of(const Cloud& cloud, const std::optional<VectorArray>& targets,
                     const FieldOptions& options, Threads& threads) {
  const auto solver = make_field_solver(options, static_cast<Count>(cloud.size()), threads);
  targets ? solver->prepare(cloud.positions, *targets) : solver->prepare(cloud.positions);
  VectorArray field(targets ? targets->size() : cloud.size());
  solver->field(cloud.charges, field, {});
  return field;
}

VectorArray reference_of(const Cloud& cloud, const std::optional<VectorArray>& targets, Threads& threads) {
  FieldOptions options;
  options.solver = "direct";
  return field_of(cloud, targets, options, threads);
}

FieldOptions ddef_options(Count m) {
  FieldOptions options;
  options.solver = "ddef";
  options.ddef_grid_points = m;
  return options;
}

}  // namespace electret::experiments
