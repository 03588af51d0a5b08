#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <electret/field/field.hpp>

namespace electret {
namespace {

CoulombField evaluated(FieldSolver& solver, ScalarView charges, std::size_t targets) {
  CoulombField result{VectorArray(targets), std::vector<double>(targets), 0};
  solver.field(charges, result.field, result.potential);
  result.coincident_pairs = solver.coincident_pairs();
  return result;
}

/// `samples` of [0, n) evenly spread: the middles of equal parts.
std::vector<std::size_t> spread_indices(std::size_t n, Count samples) {
  const auto count = std::min(n, static_cast<std::size_t>(std::max<Count>(0, samples)));
  std::vector<std::size_t> indices(count);
  for (std::size_t k = 0; k < count; ++k) indices[k] = (2 * k + 1) * n / (2 * count);
  return indices;
}

FieldError compared(const VectorArray& reference, VectorView field, const std::vector<std::size_t>& indices) {
  FieldError error;
  error.samples = static_cast<Count>(indices.size());
  if (indices.empty()) return error;
  std::vector<double> relative;
  double difference = 0.0, magnitude = 0.0;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const double d2 = squared_norm(field[indices[k]] - reference[k]), m2 = squared_norm(reference[k]);
    difference += d2;
    magnitude += m2;
    relative.push_back(m2 > 0.0 ? std::sqrt(d2 / m2) : std::sqrt(d2));
  }
  error.relative = magnitude > 0.0 ? std::sqrt(difference / magnitude) : std::sqrt(difference);
  std::sort(relative.begin(), relative.end());
  error.median = relative[relative.size() / 2];
  error.worst = relative.back();
  return error;
}

}  // namespace

CoulombField coulomb_field(VectorView positions, ScalarView charges, const FieldOptions& options,
                           int threads) {
  Threads team(threads);
  const auto solver = make_field_solver(options, static_cast<Count>(positions.size()), team);
  solver->prepare(positions);
  return evaluated(*solver, charges, positions.size());
}

CoulombField coulomb_field_at(VectorView positions, ScalarView charges, VectorView targets,
                              const FieldOptions& options, int threads) {
  Threads team(threads);
  const auto solver = make_field_solver(options, static_cast<Count>(positions.size()), team);
  solver->prepare(positions, targets);
  return evaluated(*solver, charges, targets.size());
}

FieldError verify_field(VectorView positions, ScalarView charges, VectorView field,
                        const FieldOptions& options, Count samples) {
  // The sampled charges as separate targets: with ε = 0 the charge itself is at distance 0 and drops out;
  // with ε > 0 its field at its own place is 0.
  return verify_field_at(positions, charges, positions, field, options, samples);
}

FieldError verify_field_at(VectorView positions, ScalarView charges, VectorView targets, VectorView field,
                           const FieldOptions& options, Count samples) {
  if (field.size() != targets.size()) throw std::invalid_argument("verify_field: one field vector a target");
  const auto indices = spread_indices(targets.size(), samples);
  VectorArray sampled(indices.size()), reference(indices.size());
  for (std::size_t k = 0; k < indices.size(); ++k) sampled[k] = targets[indices[k]];
  const auto solver = make_reference_field_solver(options);
  solver->prepare(positions, sampled);
  solver->field(charges, reference, {});
  return compared(reference, field, indices);
}

}  // namespace electret
