#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <unordered_set>

#include <electret/field/detail/checks.hpp>
#include <electret/field/field.hpp>

namespace electret {
namespace {

CoulombField evaluated(FieldSolver& solver, ScalarView charges, std::size_t targets) {
  CoulombField result{VectorArray(targets), std::vector<double>(targets), 0};
  solver.field(charges, result.field, result.potential);
  result.coincident_pairs = solver.coincident_pairs();
  return result;
}

/// `samples` different numbers of [0, n) in ascending order, by Floyd's algorithm with a fixed seed. The
/// engine gives the same numbers on every platform (the standard library's distributions do not).
std::vector<std::size_t> sampled_indices(std::size_t n, Count samples) {
  const auto count = std::min(n, static_cast<std::size_t>(std::max<Count>(0, samples)));
  std::mt19937_64 engine(20231109);  // Any number, but a fixed one.
  std::unordered_set<std::size_t> taken;
  for (std::size_t last = n - count; last < n; ++last)
    if (!taken.insert(static_cast<std::size_t>(engine() % (last + 1))).second) taken.insert(last);
  std::vector<std::size_t> indices(taken.begin(), taken.end());
  std::sort(indices.begin(), indices.end());
  return indices;
}

/// The plain sums at `indices` of the targets.
struct Sums {
  VectorArray field;
  std::vector<double> potential;
};

template <class Value>
std::vector<Value> at(std::span<const Value> values, const std::vector<std::size_t>& indices) {
  std::vector<Value> chosen;
  for (const std::size_t i : indices)
    if (!values.empty()) chosen.push_back(values[i]);
  return chosen;
}

Sums sums_at(VectorView positions, ScalarView charges, VectorView targets,
             const std::vector<std::size_t>& indices, const FieldOptions& options) {
  VectorArray sampled;
  for (const std::size_t i : indices) sampled.push_back(targets[i]);
  Sums sums{VectorArray(indices.size()), std::vector<double>(indices.size())};
  const auto solver = make_reference_field_solver(options);
  solver->prepare(positions, sampled);
  solver->field(charges, sums.field, sums.potential);
  return sums;
}

/// The same sums at the charges themselves, without self pairs. The charges are given as separate targets.
/// With ε = 0 a charge is at distance 0 from itself, and the pair drops out. With ε > 0 its own potential q/ε
/// would stay, so its charge is set to 0 in that sum.
Sums sums_at_charges(VectorView positions, ScalarView charges, const std::vector<std::size_t>& indices,
                     const FieldOptions& options) {
  if (options.softening == 0.0) return sums_at(positions, charges, positions, indices, options);
  Sums sums;
  std::vector<double> others(charges.begin(), charges.end());
  for (const std::size_t i : indices) {
    others[i] = 0.0;
    const Sums one = sums_at(positions, others, positions, {i}, options);
    others[i] = charges[i];
    sums.field.push_back(one.field[0]);
    sums.potential.push_back(one.potential[0]);
  }
  return sums;
}

/// The Euclidean norm of values as mantissa · 2^exponent. The values are scaled by the largest before they
/// are squared, because the square of a field of 1e-300 underflows and that of 1e200 overflows.
struct Norm {
  double mantissa = 0.0;
  int exponent = 0;
};

Norm norm_of(ScalarView values) {
  double largest = 0.0, sum = 0.0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  Norm norm;
  if (std::isfinite(largest)) std::frexp(largest, &norm.exponent);
  for (const double v : values) {
    const double scaled = std::ldexp(v, -norm.exponent);
    sum += scaled * scaled;
  }
  norm.mantissa = std::sqrt(sum);
  return norm;
}

/// |difference| / |reference|; |difference| if the reference is 0.
double relative_error(ScalarView difference, ScalarView reference) {
  const Norm d = norm_of(difference), r = norm_of(reference);
  return r.mantissa > 0.0 ? std::ldexp(d.mantissa / r.mantissa, d.exponent - r.exponent)
                          : std::ldexp(d.mantissa, d.exponent);
}

/// `potential` is empty if it is not compared.
FieldError compared(VectorView field, ScalarView potential, VectorView reference,
                    ScalarView reference_potential) {
  FieldError error;
  error.samples = static_cast<Count>(field.size());
  if (!potential.empty()) error.potential = 0.0;
  if (field.empty()) return error;
  std::vector<double> relative, differences, references, potential_differences;
  for (std::size_t k = 0; k < field.size(); ++k) {
    const Vec3 e = reference[k], d = field[k] - e;
    differences.insert(differences.end(), {d.x, d.y, d.z});
    references.insert(references.end(), {e.x, e.y, e.z});
    const double one = relative_error(ScalarView(differences).last(3), ScalarView(references).last(3));
    relative.push_back(std::isnan(one) ? std::numeric_limits<double>::infinity() : one);
    if (!potential.empty()) potential_differences.push_back(potential[k] - reference_potential[k]);
  }
  error.relative = relative_error(differences, references);
  if (!potential.empty()) error.potential = relative_error(potential_differences, reference_potential);
  std::sort(relative.begin(), relative.end());
  error.median = relative[relative.size() / 2];
  error.worst = relative.back();
  return error;
}

void check_sizes(std::size_t sources, std::size_t charges, std::size_t targets, VectorView field,
                 ScalarView potential, Count samples) {
  if (samples < 0) throw std::invalid_argument("verify_field: a negative number of samples");
  if (charges != sources) throw std::invalid_argument("verify_field: not one charge per position");
  if (field.size() != targets) throw std::invalid_argument("verify_field: not one field vector per target");
  if (!potential.empty() && potential.size() != targets)
    throw std::invalid_argument("verify_field: neither one potential per target nor none");
}

}  // namespace

CoulombField coulomb_field(VectorView positions, ScalarView charges, const FieldOptions& options,
                           int threads) {
  check_finite("positions", positions);
  check_finite("charges", charges);
  Threads team(threads);
  const auto solver = make_field_solver(options, static_cast<Count>(positions.size()), team);
  solver->prepare(positions);
  return evaluated(*solver, charges, positions.size());
}

CoulombField coulomb_field_at(VectorView positions, ScalarView charges, VectorView targets,
                              const FieldOptions& options, int threads) {
  check_finite("positions", positions);
  check_finite("charges", charges);
  check_finite("targets", targets);
  Threads team(threads);
  const auto solver = make_field_solver(options, static_cast<Count>(positions.size()), team);
  solver->prepare(positions, targets);
  return evaluated(*solver, charges, targets.size());
}

FieldError field_difference(VectorView field, ScalarView potential, VectorView reference,
                            ScalarView reference_potential) {
  const auto check = [&](std::size_t size, std::size_t expected) {
    if (size != expected)
      throw std::invalid_argument("field_difference: not one reference per field vector or potential");
  };
  check(reference.size(), field.size());
  check(reference_potential.size(), potential.size());
  if (!potential.empty()) check(potential.size(), field.size());
  return compared(field, potential, reference, reference_potential);
}

FieldError verify_field(VectorView positions, ScalarView charges, VectorView field,
                        const FieldOptions& options, Count samples, ScalarView potential) {
  check_sizes(positions.size(), charges.size(), positions.size(), field, potential, samples);
  const auto indices = sampled_indices(positions.size(), samples);
  const Sums sums = sums_at_charges(positions, charges, indices, options);
  return compared(at(field, indices), at(potential, indices), sums.field, sums.potential);
}

FieldError verify_field_at(VectorView positions, ScalarView charges, VectorView targets, VectorView field,
                           const FieldOptions& options, Count samples, ScalarView potential) {
  check_sizes(positions.size(), charges.size(), targets.size(), field, potential, samples);
  const auto indices = sampled_indices(targets.size(), samples);
  const Sums sums = sums_at(positions, charges, targets, indices, options);
  return compared(at(field, indices), at(potential, indices), sums.field, sums.potential);
}

}  // namespace electret
