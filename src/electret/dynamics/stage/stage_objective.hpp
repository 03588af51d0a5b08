#pragma once
/// \file
/// g(δ) = ½ (δ-d)ᵀM(δ-d) + a E(x_t + δ) over the free vertices, which every implicit stage minimises.

#include <cmath>

#include <electret/dynamics/stage/stage_potential.hpp>
#include <electret/dynamics/stage/stage_problem.hpp>

namespace electret {

/// Evaluates g, its gradient and its Hessian products. Displacements δ (n×3, m) are those of StageProblem;
/// gradients are 0 at pins.
class StageObjective {
 public:
  /// `system` must outlive this.
  explicit StageObjective(System& system);

  /// Takes x_t, d, a and the pins' places from `problem`, whose views must stay valid, and evaluates ∇E at
  /// the start of the step. Afterwards `elastic_gradient()` is that at x_t.
  void begin(const StageProblem& problem);
  /// Puts the pins elsewhere (pins×3, m) from the next evaluation on, until the next `begin`.
  void move_pins(VectorView pin_places) { pin_places_ = pin_places; }
  /// Adds a·`potential` to g from the next evaluation on; null: nothing. It must outlive the evaluations.
  void set_potential(StagePotential* potential) { potential_ = potential; }
  /// Takes these vertices for held until the next `begin`: ∇g is 0 there, and their displacements are the
  /// caller's. None is held in all directions; of those on rollers the parts of the displacement that rollers
  /// hold must be 0. They must outlive the stage.
  void hold(std::span<const Index> vertices) { held_ = vertices; }
  /// g(δ), kg m²; sets `gradient()`, `gradient_norm()`, `elastic_gradient()` and `place()`. May be infinite
  /// or NaN.
  double evaluate(VectorView displacement);
  /// Evaluates g at the start of a solve. If g or ∇g is not finite at `displacement` (an energy may be
  /// infeasible there), `displacement` becomes 0, the start of the step. If g or ∇g is not finite there
  /// either, `displacement` stays as it was.
  double evaluate_start(VectorSpan displacement);

  /// g(0) with the pins where they were then. Call it between `begin` and the next evaluation.
  [[nodiscard]] double value_at_start() const;

  /// Whether g and ‖∇g‖ at the last evaluated place are finite.
  [[nodiscard]] bool is_finite() const { return std::isfinite(value_) && std::isfinite(gradient_norm_); }
  /// ∇g at the last evaluated place (n×3, kg m), 0 at pins.
  [[nodiscard]] VectorView gradient() const { return gradient_; }
  [[nodiscard]] double gradient_norm() const { return gradient_norm_; }
  /// ∇E at the last evaluated place (n×3, N), pins included.
  [[nodiscard]] VectorView elastic_gradient() const { return elastic_gradient_; }
  /// x - x_t at the last evaluated place (n×3, m), with the ways of pins. With a potential only.
  [[nodiscard]] VectorView moved() const { return moved_; }
  /// The same with the gradient of the potential, if there is one.
  [[nodiscard]] VectorView whole_gradient() const {
    return potential_ != nullptr ? VectorView(whole_gradient_) : VectorView(elastic_gradient_);
  }
  /// ‖a ∇(potential)‖ at the last evaluated place over the free vertices, kg m; 0 without one.
  [[nodiscard]] double potential_gradient_norm() const;
  /// The last evaluated place, x_t + δ with the pins in their places (n×3, m).
  [[nodiscard]] VectorView place() const { return place_; }

  /// Sets a (s²) for Hessian products without a stage.
  void set_factor(double factor) { factor_ = factor; }
  /// Makes `x` the place of the Hessian products until the next call, even if g is evaluated elsewhere.
  void linearise(VectorView x, HessianKind kind = HessianKind::exact);
  /// product ← ∇²g d = (M + a ∇²E) d at the last `linearise`. `d` must be 0 at pins, and `product` is. The
  /// arrays differ.
  void hessian_product(VectorView d, VectorSpan product);
  /// The same with the rows at pins, a (∇²E d)_P, which an adjoint passes to the prescribed places.
  void hessian_product_unmasked(VectorView d, VectorSpan product);

  /// n; 1, at vertices that are held in all directions 0.
  [[nodiscard]] ScalarView free() const { return free_; }
  /// n, kg; 0 where `free` is.
  [[nodiscard]] ScalarView free_masses() const { return free_masses_; }
  /// a, s², of the last `begin` or `set_factor`.
  [[nodiscard]] double factor() const { return factor_; }
  [[nodiscard]] System& system() const { return system_; }
  [[nodiscard]] Threads& threads() const { return *system_.threads; }
  [[nodiscard]] std::size_t vertex_count() const { return gradient_.size(); }

 private:
  void evaluate_elastic_gradient();
  double add_potential(VectorView displacement);

  System& system_;
  double factor_ = 0.0;
  std::vector<double> free_, free_masses_;
  VectorView start_, inertial_, pin_places_;  ///< Of the stage.
  std::span<const Index> held_;               ///< Besides pins.
  double elastic_energy_ = 0.0;               ///< E at the last evaluated place, J.
  bool known_ = false;                        ///< `elastic_gradient_` is that at `place_` with `inputs_`.
  StagePotential* potential_ = nullptr;
  VectorArray moved_, whole_gradient_;  ///< With a potential: place_ - x_t; ∇ of all energies.
  Inputs inputs_;                       ///< The stage's; only what elastic energies read.
  VectorArray place_, elastic_gradient_, gradient_, scratch_;
  double value_ = 0.0, gradient_norm_ = 0.0;
};

}  // namespace electret
