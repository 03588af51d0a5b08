#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/core/stopwatch.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/force_products.hpp>
#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/methods/linear_implicit.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/clamped_system.hpp>
#include <electret/dynamics/stage/common_motion.hpp>
#include <electret/dynamics/stage/free_parts.hpp>
#include <electret/dynamics/vector_arrays.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {
namespace {

/// The tolerance of a backward step's solve. A solve that stops at its rounding is accepted.
constexpr int most_adjoint_iterations = 10000;

class LinearImplicit final : public Integrator {
 public:
  LinearImplicit(System& system, const IntegratorOptions& options)
      : system_(system),
        options_(options),
        forces_(system, ForceSet::all),
        products_(system, ForceSet::all),
        matrix_(system, system.time_step * system.time_step),
        motion_(system, matrix_.parts()),
        parts_(system) {
    const auto n = static_cast<std::size_t>(system.vertex_count());
    for (auto* array :
         {&force_, &before_, &right_hand_side_, &z_, &product_, &by_force_, &free_flight_, &size_})
      array->resize(n);
  }

  std::string_view name() const override { return "linear_implicit"; }
  int order() const override { return 1; }
  std::string_view description() const override {
    return "one linear system per step; stable at large steps, but damps oscillations faster than the step";
  }
  double stability_limit() const override { return std::numeric_limits<double>::infinity(); }
  double memory_needed() const override {
    // Measured: beyond verlet, on grids of 250² and 500² vertices and a lattice of 28³.
    constexpr double vertex = 310.0, element = 42.0;  // Work arrays; a spring as it is linearised.
    double bytes = vertex * static_cast<double>(system_.vertex_count());
    for (const auto& energy : system_.elastic)
      bytes += element * static_cast<double>(energy->elements().size());
    return bytes;
  }

  StepReport step(State& state, const StepInputs& inputs, VectorSpan reactions, StepTape*) override {
    const double h = system_.time_step;
    VectorArray &x = state.positions, &v = state.velocities;
    forces_.evaluate(x, v, inputs.start, force_);
    copy_rows(*system_.threads, v, before_);
    move_pins(system_, inputs.start.pin_positions, inputs.end.pin_positions, h, v);
    const StepReport report = solve(x, v);
    react(v, reactions);
    for_vertices(*system_.threads, x.size(), [&](std::size_t i) { x[i] += h * v[i]; });
    place_pins(system_, inputs.end.pin_positions, x);
    return report;
  }

  AdjointReport step_backward(const BackwardStep& at, StepCotangent& c, const StepGradients& out) override {
    const double h = system_.time_step;
    const VectorArray &x = at.start.positions, &v = at.start.velocities, &next = at.end.velocities;
    release_pin_places(system_, c.positions, out.inputs.end);
    const AdjointReport report = solve_adjoint(x, c);
    // The effect of the pinned vertices' velocities on the others.
    for_pins(system_,
             [&](const PinRow& pin) { c.velocities[pin.vertex] -= pin.share(product_[pin.vertex]); });
    release_pin_velocities(system_, h, c.velocities, out.inputs);
    for_vertices(*system_.threads, z_.size(), [&](std::size_t i) {
      out.parameters.masses[i] -= dot(z_[i], next[i] - v[i]);
      c.velocities[i] = system_.masses()[i] * z_[i];
      by_force_[i] = h * z_[i];
      product_[i] = (-h * h) * z_[i];
    });
    transpose_matrix(x, next, c, out.parameters);
    const PointGradients here{c.positions, c.velocities, out.inputs.start, out.parameters};
    products_.add_position_part(x, at.inputs.start, by_force_, here);
    products_.add_velocity_part(x, v, at.inputs.start, by_force_, here);
    return report;
  }

 private:
  /// A v' = M v + h F on the free vertices, from v; `v` holds the pins' v' already.
  StepReport solve(VectorView x, VectorArray& v) {
    const Stopwatch watch(system_.timings.elastic);
    place_right_hand_side();
    matrix_.linearise(x);
    StepReport report;
    find_size(v);
    const ClampedTarget target{options_.tolerance, size_};
    ClampedSolve solved;
    if (options_.linear_solver == "jacobi") {
      copy_rows(*system_.threads, v, product_);
      solved = matrix_.solve_by_jacobi(right_hand_side_, options_.jacobi_weight, target,
                                       options_.max_iterations, v);
      // It has not converged but ended before the cap, because the weight is too large for this matrix.
      if (!solved.converged && solved.iterations < options_.max_iterations) {
        copy_rows(*system_.threads, product_, v);
        report.elastic_iterations = solved.iterations;
      }
    }
    if (options_.linear_solver != "jacobi" || report.elastic_iterations > 0)
      solved = matrix_.solve_by_cg(right_hand_side_, target, options_.max_iterations, v);
    report.elastic_iterations += solved.iterations;
    report.residual = solved.residual;
    report.residual_target = solved.target;
    report.failed = !std::isfinite(solved.residual);
    report.capped = !solved.converged && !report.failed;
    conserve_momentum(v);
    return report;
  }

  /// The right-hand side without what each part does as a whole; `v` holds the pins' v' already.
  void find_size(VectorView v) {
    motion_.find(before_, [&](std::size_t pin) { return v[static_cast<std::size_t>(system_.pins[pin])]; });
    motion_.take_from(free_flight_, size_);
    for_vertices(*system_.threads, v.size(),
                 [&](std::size_t i) { size_[i] = system_.masses()[i] * size_[i]; });
  }

  /// Makes Σ m v' = Σ (M v + h F) over each part that no pin holds, however inexactly v' was solved for.
  void conserve_momentum(VectorArray& v) {
    set_zero(*system_.threads, product_);
    parts_.conserve_momentum(v, free_flight_, product_);
    for_vertices(*system_.threads, v.size(), [&](std::size_t i) { v[i] += product_[i]; });
  }

  /// And `free_flight_`, the velocities without the springs.
  void place_right_hand_side() {
    for_vertices(*system_.threads, before_.size(), [&](std::size_t i) {
      right_hand_side_[i] = system_.masses()[i] * before_[i] + system_.time_step * force_[i];
    });
    hold_pins(system_, right_hand_side_);
    for_vertices(*system_.threads, free_flight_.size(),
                 [&](std::size_t i) { free_flight_[i] = (1.0 / system_.masses()[i]) * right_hand_side_[i]; });
  }

  /// At pins m (v' - v)/h - F + h H_c v', the springs' pull being that of the linearised step.
  void react(VectorView v, VectorSpan reactions) {
    if (system_.pins.empty()) return;
    matrix_.multiply(v, product_);
    for (const Index pin : system_.pins)
      force_[static_cast<std::size_t>(pin)] -=
          (1.0 / system_.time_step) * product_[static_cast<std::size_t>(pin)];
    pin_reactions(system_, before_, v, force_, reactions);
  }

  /// A z = ∂ℒ/∂v' + h ∂ℒ/∂x' on the free vertices, z_P = 0; `product_` is A z, pinned rows too.
  AdjointReport solve_adjoint(VectorView x, const StepCotangent& c) {
    for_vertices(*system_.threads, z_.size(), [&](std::size_t i) {
      right_hand_side_[i] = c.velocities[i] + system_.time_step * c.positions[i];
    });
    hold_pins(system_, right_hand_side_);
    matrix_.linearise(x);
    set_zero(*system_.threads, z_);
    const double size = norm(*system_.threads, right_hand_side_);
    const ClampedSolve solved =
        matrix_.solve_by_cg(right_hand_side_, {std::min(1e-10, options_.tolerance), right_hand_side_},
                            most_adjoint_iterations, z_);
    matrix_.multiply(z_, product_);
    return {solved.iterations, size > 0.0 ? solved.residual / size : 0.0, "cg"};
  }

  /// -h² ∂(zᵀH_c(x)v')/∂x and ∂θ; `product_` = -h² z.
  void transpose_matrix(VectorView x, VectorView next, StepCotangent& c, ParameterGradients& out) {
    for (std::size_t k = 0; k < system_.elastic.size(); ++k) {
      ClampedForm& form = *system_.elastic[k]->clamped_form();
      form.add_gradient(x, product_, next, c.positions);
      spans_.assign(out.elastic[k].begin(), out.elastic[k].end());
      form.add_parameter_gradients(x, product_, next, spans_);
    }
  }

  System& system_;
  IntegratorOptions options_;
  ForceSum forces_;
  ForceSumProducts products_;
  ClampedSystem matrix_;
  CommonMotion motion_;
  FreeParts parts_;
  VectorArray force_;            ///< F, n×3, N.
  VectorArray before_;           ///< v, n×3, m/s.
  VectorArray right_hand_side_;  ///< n×3, N s.
  VectorArray free_flight_;      ///< n×3, m/s: velocities without the matrix' springs.
  VectorArray size_;             ///< n×3, N s: the right-hand side relative to each part's motion.
  VectorArray product_;          ///< n×3.
  // Of backward steps.
  VectorArray z_, by_force_;  ///< n×3; ∂ℒ/∂F.
  std::vector<ScalarSpan> spans_;
};

}  // namespace

std::unique_ptr<Integrator> make_linear_implicit(System& system, const IntegratorOptions& options) {
  return std::make_unique<LinearImplicit>(system, options);
}

}  // namespace electret
