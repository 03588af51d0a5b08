#include <stdexcept>

#include <electret/field/detail/checks.hpp>
#include <electret/field/solver.hpp>

namespace electret {
namespace {

/// One pair: r = target - source, ρ² = |r|² + ε². `skip` says that the pair contributes nothing.
struct Pair {
  Vec3 r;
  double rho_squared = 0.0;
  bool skip = false;
  [[nodiscard]] double inverse_rho() const { return 1.0 / std::sqrt(rho_squared); }
  [[nodiscard]] double inverse_rho_cubed() const { return inverse_rho() / rho_squared; }
  /// K'(r) z = z/ρ³ - 3 r (r·z)/ρ⁵.
  [[nodiscard]] Vec3 kernel_gradient_product(const Vec3& z) const {
    return inverse_rho_cubed() * (z - (3.0 * dot(r, z) / rho_squared) * r);
  }
};

class ReferenceFieldSolver final : public FieldSolver {
 public:
  explicit ReferenceFieldSolver(const FieldOptions& options)
      : constant_(options.constant), softening_squared_(options.softening * options.softening) {
    check_field_options(options);
  }

  [[nodiscard]] std::string_view name() const override { return "reference"; }

  void prepare(VectorView sources) override {
    sources_.assign(sources.begin(), sources.end());
    targets_ = sources_;
    self_ = true;
  }

  void prepare(VectorView sources, VectorView targets) override {
    sources_.assign(sources.begin(), sources.end());
    targets_.assign(targets.begin(), targets.end());
    self_ = false;
  }

  void field(ScalarView charges, VectorSpan field, ScalarSpan potential) override {
    check_field_sizes(sources_.size(), targets_.size(), charges, field, potential);
    coincident_ = 0;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      Vec3 e;
      double phi = 0.0;
      for (std::size_t j = 0; j < sources_.size(); ++j) {
        const Pair p = pair(i, j);
        if (p.skip) {
          const bool self = self_ && i == j;
          if (!self && charges[j] != 0.0 && (!self_ || charges[i] != 0.0)) ++coincident_;
          continue;
        }
        e += (charges[j] * p.inverse_rho_cubed()) * p.r;
        phi += charges[j] * p.inverse_rho();
      }
      field[i] = constant_ * e;
      if (!potential.empty()) potential[i] = constant_ * phi;
    }
  }

  void transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) override {
    check_own_targets(self_);
    check_product_sizes(sources_.size(), charges, z, out.size());
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      Vec3 sum;
      for (std::size_t j = 0; j < sources_.size(); ++j) {
        const Pair p = pair(i, j);
        if (!p.skip) sum += charges[j] * p.kernel_gradient_product(z[i] - z[j]);
      }
      out[i] = (constant_ * charges[i]) * sum;
    }
  }

  void charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) override {
    check_own_targets(self_);
    check_product_sizes(sources_.size(), charges, z, out.size());
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < sources_.size(); ++j) {
        const Pair p = pair(i, j);
        if (!p.skip) sum += charges[j] * p.inverse_rho_cubed() * (dot(z[i], p.r) - dot(z[j], p.r));
      }
      out[i] = constant_ * sum;
    }
  }

  void target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                      VectorSpan source_gradient, ScalarSpan charge_gradient) override {
    check_adjoint_sizes(sources_.size(), targets_.size(), charges, w, target_gradient, source_gradient,
                        charge_gradient);
    for (auto& g : target_gradient) g = {};
    for (auto& g : source_gradient) g = {};
    for (auto& g : charge_gradient) g = 0.0;
    for (std::size_t a = 0; a < targets_.size(); ++a) {
      for (std::size_t j = 0; j < sources_.size(); ++j) {
        const Pair p = pair(a, j);
        if (p.skip) continue;
        const Vec3 g = (constant_ * charges[j]) * p.kernel_gradient_product(w[a]);
        target_gradient[a] += g;
        source_gradient[j] -= g;
        charge_gradient[j] += constant_ * p.inverse_rho_cubed() * dot(w[a], p.r);
      }
    }
  }

  [[nodiscard]] Count coincident_pairs() const override { return coincident_; }

 private:
  [[nodiscard]] Pair pair(std::size_t target, std::size_t source) const {
    Pair p;
    p.r = targets_[target] - sources_[source];
    p.rho_squared = squared_norm(p.r) + softening_squared_;
    p.skip = (self_ && target == source) || p.rho_squared == 0.0;
    return p;
  }

  double constant_, softening_squared_;
  VectorArray sources_, targets_;
  bool self_ = true;
  Count coincident_ = 0;
};

}  // namespace

std::unique_ptr<FieldSolver> make_reference_field_solver(const FieldOptions& options) {
  return std::make_unique<ReferenceFieldSolver>(options);
}

}  // namespace electret
