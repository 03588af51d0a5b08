#include <cmath>
#include <stdexcept>

#include <electret/core/digits.hpp>
#include <electret/core/errors.hpp>
#include <electret/field/detail/checks.hpp>

namespace electret {
namespace {

void check_size(std::size_t size, std::size_t expected, const char* what) {
  if (size != expected)
    throw std::invalid_argument(std::string(what) + " has " + std::to_string(size) + " entries; " +
                                std::to_string(expected) + " are expected" +
                                (expected == 0 ? ": prepare() sets the positions first" : ""));
}

void reject_row(const char* what, std::size_t row) {
  throw std::invalid_argument(std::string(what) + " has a number that is not finite at row " +
                              std::to_string(row));
}

}  // namespace

void check_field_options(const FieldOptions& options) {
  std::vector<Finding> findings;
  const auto reject = [&](const std::string& key, double value, const char* allowed) {
    findings.push_back({{}, "coulomb." + key + " = " + general_text(value, 6), allowed});
  };
  if (options.accuracy && !(*options.accuracy > 0.0 && *options.accuracy <= 1.0))
    reject("accuracy", *options.accuracy, "allowed: number > 0 and ≤ 1");
  if (!std::isfinite(options.constant)) reject("constant", options.constant, "allowed: a finite number");
  if (!(options.softening >= 0.0 && std::isfinite(options.softening)))
    reject("softening", options.softening, "allowed: number ≥ 0, in m");
  if (!findings.empty()) throw InputError(std::move(findings));
}

void check_field_sizes(std::size_t sources, std::size_t targets, ScalarView charges, VectorSpan field,
                       ScalarSpan potential) {
  check_size(charges.size(), sources, "charges");
  check_size(field.size(), targets, "field");
  if (!potential.empty()) check_size(potential.size(), targets, "potential");
}

void check_product_sizes(std::size_t sources, ScalarView charges, VectorView z, std::size_t out) {
  check_size(charges.size(), sources, "charges");
  check_size(z.size(), sources, "z");
  check_size(out, sources, "out");
}

void check_adjoint_sizes(std::size_t sources, std::size_t targets, ScalarView charges, VectorView w,
                         VectorSpan target_gradient, VectorSpan source_gradient, ScalarSpan charge_gradient) {
  check_size(charges.size(), sources, "charges");
  check_size(w.size(), targets, "w");
  check_size(target_gradient.size(), targets, "target_gradient");
  check_size(source_gradient.size(), sources, "source_gradient");
  check_size(charge_gradient.size(), sources, "charge_gradient");
}

void check_finite(const char* what, VectorView rows) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!is_finite(rows[i])) reject_row(what, i);
}

void check_finite(const char* what, ScalarView rows) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!std::isfinite(rows[i])) reject_row(what, i);
}

void check_own_targets(bool targets_are_sources) {
  if (!targets_are_sources)
    throw std::invalid_argument(
        "this product needs targets that are the sources: call prepare(sources); for other targets use "
        "target_adjoint");
}

}  // namespace electret
