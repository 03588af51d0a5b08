#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/dynamics/elastic_objective.hpp>
#include <electret/dynamics/same_bits.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Adds aL to a matrix under construction, and Σ_j |aL_ij| to the rows' magnitudes.
class ScaledSink final : public ScalarMatrixSink {
 public:
  ScaledSink(SparseMatrixBuilder& builder, double factor, std::vector<double>& magnitudes)
      : builder_(builder), factor_(factor), magnitudes_(magnitudes) {}
  void add(Index row, Index column, double value) override {
    builder_.add(row, column, factor_ * value);
    magnitudes_[static_cast<std::size_t>(row)] += std::abs(factor_ * value);
  }

 private:
  SparseMatrixBuilder& builder_;
  double factor_;
  std::vector<double>& magnitudes_;
};

}  // namespace

ElasticObjective::ElasticObjective(System& system, double factor, double tolerance)
    : system_(system), factor_(factor), tolerance_(tolerance) {
  const auto n = static_cast<std::size_t>(system.vertex_count());
  free_.assign(n, 1.0);
  for (const Index pin : system.pins) free_[static_cast<std::size_t>(pin)] = 0.0;
  free_masses_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    free_masses_[i] = free_[i] * system.masses()[i];
    if (free_[i] != 0.0 && (smallest_mass_ == 0.0 || free_masses_[i] < smallest_mass_))
      smallest_mass_ = free_masses_[i];
  }
  for (auto* array : {&evaluated_, &elastic_gradient_, &gradient_, &scratch_}) array->resize(n);
  factor_constant_hessian();
  std::vector<double> scale(n, 0.0);
  for (const auto& energy : system.elastic) energy->add_force_scale(scale);
  double squares = 0.0;
  for (std::size_t i = 0; i < n; ++i) squares += free_[i] * scale[i] * scale[i];
  force_scale_ = std::sqrt(squares);
}

void ElasticObjective::factor_constant_hessian() {
  magnitudes_.assign(system_.masses().begin(), system_.masses().end());
  SparseMatrixBuilder builder(system_.vertex_count());
  for (Index i = 0; i < system_.vertex_count(); ++i)
    builder.add(i, i, system_.masses()[static_cast<std::size_t>(i)]);
  ScaledSink sink(builder, factor_, magnitudes_);
  for (const auto& energy : system_.elastic) energy->add_majoriser(sink);
  for (std::size_t i = 0; i < magnitudes_.size(); ++i) magnitudes_[i] *= free_[i];
  constant_hessian_ = make_prefactored_system(builder.build(), system_.pins);
}

double ElasticObjective::free_norm(ScalarView weights, VectorView x, VectorView y) {
  const double squares = threads().sum(static_cast<Count>(x.size()), [&](Count begin, Count end) {
    double sum = 0.0;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const Vec3 d = y.empty() ? x[i] : x[i] - y[i];
      sum += weights[i] * weights[i] * squared_norm(d);
    }
    return sum;
  });
  return std::sqrt(squares);
}

void ElasticObjective::begin(VectorView x_t, VectorView y) {
  y_ = y;
  // The last step ended where this one starts: its ∇E is that of x_t, if the bits agree.
  if (!known_ || !same_bits(x_t, evaluated_)) evaluate_elastic_gradient(x_t);
  const double start = free_norm(free_masses_, x_t, y) + factor_ * free_norm(free_, elastic_gradient_, {});
  const double floor = 4.0 * epsilon * (free_norm(free_masses_, x_t, {}) + factor_ * force_scale_);
  target_ = std::max(tolerance_ * start, floor);
  const double size = free_norm(free_, x_t, {});
  gradient_rounding_ = 4.0 * epsilon * (free_norm(magnitudes_, x_t, {}) + factor_ * force_scale_);
  value_slope_ = epsilon * start * size;
}

double ElasticObjective::value_rounding(double value) const {
  // A relative part far above rounding, as in Hager and Zhang's approximate Wolfe conditions (SIAM J. Optim.
  // 16, 2005): near the minimum slopes tell more than values; and the rounding of large coordinates.
  return 1e-9 * std::abs(value) + 4.0 * value_slope_;
}

void ElasticObjective::evaluate_elastic_gradient(VectorView x) {
  known_ = false;
  std::fill(elastic_gradient_.begin(), elastic_gradient_.end(), Vec3{});
  elastic_energy_ = 0.0;
  for (auto& energy : system_.elastic) elastic_energy_ += energy->add_gradient(x, elastic_gradient_);
  std::copy(x.begin(), x.end(), evaluated_.begin());
  known_ = true;
}

double ElasticObjective::evaluate(VectorView x) {
  evaluate_elastic_gradient(x);
  const double quadratic = threads().sum(static_cast<Count>(x.size()), [&](Count begin, Count end) {
    double sum = 0.0;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const Vec3 d = x[i] - y_[i];
      const Vec3 inertial = free_masses_[i] * d;
      gradient_[i] = inertial + (factor_ * free_[i]) * elastic_gradient_[i];
      sum += dot(inertial, d);
    }
    return sum;
  });
  gradient_norm_ = norm(threads(), gradient_);
  value_ = 0.5 * quadratic + factor_ * elastic_energy_;
  return value_;
}

double ElasticObjective::evaluate_start(VectorView x_t, VectorSpan x) {
  evaluate(x);
  if (is_finite()) return value_;
  std::copy(x.begin(), x.end(), scratch_.begin());
  for (std::size_t i = 0; i < x.size(); ++i)
    if (free_[i] != 0.0) x[i] = x_t[i];
  evaluate(x);
  if (!is_finite()) std::copy(scratch_.begin(), scratch_.end(), x.begin());
  return value_;
}

void ElasticObjective::solve_constant_hessian(VectorView rhs, VectorSpan direction) {
  constant_hessian_->solve(rhs, direction);
}

void ElasticObjective::linearise(VectorView x) {
  std::fill(scratch_.begin(), scratch_.end(), Vec3{});  // a gradient nobody reads: that of x is known already
  for (auto& energy : system_.elastic) energy->linearise(x, HessianKind::exact, scratch_);
}

void ElasticObjective::hessian_product(VectorView d, VectorSpan product) {
  std::fill(product.begin(), product.end(), Vec3{});
  for (auto& energy : system_.elastic) energy->add_hessian_product(d, product);
  threads().for_chunks(static_cast<Count>(d.size()), Threads::default_chunk, [&](Count begin, Count end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      product[i] = free_masses_[i] * d[i] + (factor_ * free_[i]) * product[i];
  });
}

}  // namespace electret
