#include <array>
#include <cmath>
#include <numbers>

#include <electret/core/arguments.hpp>
#include <electret/core/stopwatch.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/elastic_inputs.hpp>
#include <electret/dynamics/methods/elastic_flow.hpp>
#include <electret/dynamics/methods/kick_trbdf2.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/stage_adjoint.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>
#include <electret/dynamics/vector_arrays.hpp>

namespace electret {
namespace {

constexpr double gamma = 2.0 - std::numbers::sqrt2;
constexpr double alpha = 0.5 * (std::numbers::sqrt2 + 1.0);
constexpr double beta = 0.5 * (std::numbers::sqrt2 - 1.0);

/// The reports of a step's two stages as one, with the residual that is further from its target.
StepReport combined(const StepReport& a, const StepReport& b) {
  const bool is_first_worse =
      std::isnan(a.residual) || a.residual * b.residual_target > b.residual * a.residual_target;
  StepReport both = is_first_worse ? a : b;
  both.elastic_iterations = a.elastic_iterations + b.elastic_iterations;
  both.counts = a.counts;
  both.counts.add(b.counts);
  both.capped = a.capped || b.capped;
  both.failed = a.failed || b.failed;
  return both;
}

class TrBdf2 final : public ElasticFlow {
 public:
  TrBdf2(System& system, const IntegratorOptions& options)
      : system_(system),
        rate_(2.0 / (gamma * system.time_step)),
        factor_(1.0 / (rate_ * rate_)),
        solver_(make_stage_solver(system, factor_, options)),
        adjoint_(system, *solver_, factor_, options),
        products_(system) {
    const auto n = static_cast<std::size_t>(system.vertex_count());
    for (auto* array : {&inertial_, &unforced_, &first_, &second_, &first_gradient_, &mean_gradient_,
                        &by_stage_, &by_next_, &minus_})
      array->resize(n);
  }

  std::string_view name() const override { return "kick_trbdf2"; }
  std::string_view description() const override {
    return "springs implicit in two stages, charges explicit; second order, damps only what oscillates "
           "faster "
           "than the step";
  }
  double memory_needed() const override {
    constexpr double vertex = 4.0 * sizeof(Vec3);  // What its stages take beyond another method's arrays.
    return solver_->memory_needed() + vertex * static_cast<double>(second_.size());
  }
  std::vector<MemoryArray> memory_layout() const override { return solver_->memory_layout(); }
  Choice elastic_choice() const override { return solver_->choice(); }
  bool conserves_energy() const override { return false; }
  std::span<const double> stage_fractions() const override { return fractions; }

  bool force_is_source() const override { return true; }

  StepReport step(State& state, VectorView force, const StepInputs& inputs, StepTape* tape) override {
    const Stopwatch watch(system_.timings.elastic);
    VectorArray &x = state.positions, &v = state.velocities;
    evaluate_gradient(x, inputs.start, first_gradient_);
    place_first(v, force);
    const Inputs& middle = inputs.stages[0];
    const StepReport first = solver_->solve(
        {x, inertial_, factor_, &middle, &state.memory, unforced_, middle.pin_positions}, first_);
    if (first.failed) return first;
    if (tape != nullptr) keep_stage(x, middle, *tape);
    start_mean();
    place_second(v, force);
    const StepReport second = solver_->solve(
        {x, inertial_, factor_, &inputs.end, &state.memory, {}, inputs.end.pin_positions, nullptr, unforced_},
        second_);
    finish_mean();
    for_vertices(*system_.threads, x.size(), [&](std::size_t i) {
      v[i] = velocity_after(first_[i], second_[i]);
      x[i] += second_[i];
    });
    place_pins(system_, inputs.end.pin_positions, x);
    return combined(first, second);
  }

  VectorView mean_gradient() const override { return mean_gradient_; }

  /// As the step computes it.
  void recompute_velocities(const BackwardStep& at, VectorSpan after) override {
    const VectorArray& x = at.start.positions;
    const std::span<const double> stage = at.tape.find(tape_name);
    require_argument(stage.size() == 3 * x.size(),
                     "kick_trbdf2 needs the tape that its step has filled: give one to Simulator::step");
    stage_.resize(x.size());
    for_vertices(*system_.threads, x.size(), [&](std::size_t i) {
      stage_[i] = row_of(stage, i);
      after[i] = velocity_after(stage_[i] - x[i], at.end.positions[i] - x[i]);
    });
  }

  AdjointReport step_backward(const BackwardStep& at, VectorView w, StepCotangent& c, VectorSpan by_force,
                              const StepGradients& out) override {
    const AdjointReport second = transpose_second(at, w, c, by_force, out);
    const AdjointReport first = transpose_first(at, w, c, by_force, out);
    return electret::combined(second, first);
  }

 private:
  static constexpr std::array<double, 1> fractions = {gamma};
  static constexpr std::string_view tape_name = "stage";

  /// ∇E(x), n×3, N.
  void evaluate_gradient(VectorView x, const Inputs& inputs, VectorArray& gradient) {
    set_elastic_inputs(system_, inputs);
    set_zero(*system_.threads, gradient);
    for (auto& energy : system_.elastic) energy->add_gradient(x, gradient);
  }

  /// y - x of the first stage, γh w - a M⁻¹∇E(x) + 2a M⁻¹f. Newton's method may start at γh w, the others at
  /// γh w + 2a M⁻¹f. They do not start at y, because a spring far too stiff for the step pulls y beyond the
  /// spring's other end, and the minimiser downhill from there is the spring turned over.
  void place_first(VectorView w, VectorView force) {
    for_vertices(*system_.threads, w.size(), [&](std::size_t i) {
      const double by_force = factor_ / system_.masses()[i];
      unforced_[i] = (2.0 / rate_) * w[i];
      first_[i] = unforced_[i] + (2.0 * by_force) * force[i];
      inertial_[i] = first_[i] - by_force * first_gradient_[i];
    });
    for (VectorArray* array : {&unforced_, &first_, &inertial_}) hold_pins(system_, *array);
  }

  /// y - x of the second without a M⁻¹f: α x_γ - β x + γh/2 (α v_γ - β w) - x with v_γ = 2 (x_γ - x)/(γh) - w
  /// and α - β = 1. `first` is x_γ - x.
  [[nodiscard]] Vec3 second_inertial(const Vec3& first, const Vec3& w) const {
    return (2.0 * alpha) * first - ((alpha + beta) / rate_) * w;
  }

  void place_second(VectorView w, VectorView force) {
    for_vertices(*system_.threads, w.size(), [&](std::size_t i) {
      unforced_[i] = system_.time_step * w[i];
      inertial_[i] = second_inertial(first_[i], w[i]) + (factor_ / system_.masses()[i]) * force[i];
    });
    hold_pins(system_, unforced_);
    hold_pins(system_, inertial_);
    second_ = inertial_;
  }

  /// v₊₊, from x_γ - x and x' - x.
  [[nodiscard]] Vec3 velocity_after(const Vec3& first, const Vec3& second) const {
    return rate_ * (second - alpha * first);
  }

  /// The tape's x_γ.
  void keep_stage(VectorView x, const Inputs& inputs, StepTape& tape) {
    stage_.resize(x.size());
    for_vertices(*system_.threads, x.size(), [&](std::size_t i) { stage_[i] = x[i] + first_[i]; });
    place_pins(system_, inputs.pin_positions, stage_);
    const ScalarSpan kept = tape.values(tape_name, 3 * x.size());
    for_vertices(*system_.threads, x.size(), [&](std::size_t i) { set_row(kept, i, stage_[i]); });
  }

  /// v₊₊ - w = h M⁻¹ (f - γ/2 [α∇E(x) + α∇E(x_γ) + ∇E(x')]).
  void start_mean() {
    const VectorView at_stage = solver_->elastic_gradient();
    for_vertices(*system_.threads, mean_gradient_.size(), [&](std::size_t i) {
      mean_gradient_[i] = (0.5 * gamma * alpha) * (first_gradient_[i] + at_stage[i]);
    });
  }
  void finish_mean() {
    const VectorView at_end = solver_->elastic_gradient();
    for_vertices(*system_.threads, mean_gradient_.size(),
                 [&](std::size_t i) { mean_gradient_[i] += (0.5 * gamma) * at_end[i]; });
  }

  /// Turns ∂ℒ/∂(x', v₊₊) into the second stage's derivatives with respect to x, w (in `c`), x_γ (in
  /// `by_stage_`) and f. The mass of a vertex stands in m (x' - y) without the force's part of y, because m
  /// times that is a f.
  AdjointReport transpose_second(const BackwardStep& at, VectorView w, StepCotangent& c, VectorSpan by_force,
                                 const StepGradients& out) {
    const VectorArray &x = at.start.positions, &stage = stage_;
    for_vertices(*system_.threads, by_next_.size(),
                 [&](std::size_t i) { by_next_[i] = c.positions[i] + rate_ * c.velocities[i]; });
    const AdjointReport report =
        adjoint_.solve(at.end.positions, by_next_, at.inputs.end, {at.end.memory, &at.tape});
    release_stage_pins(by_next_, out.inputs.end);
    const VectorView z = adjoint_.solution();
    for_vertices(*system_.threads, z.size(), [&](std::size_t i) {
      const Vec3 by_inertial = system_.masses()[i] * z[i];
      const Vec3 inertia = (at.end.positions[i] - x[i]) - second_inertial(stage[i] - x[i], w[i]);
      out.parameters.masses[i] -= dot(z[i], inertia);
      by_force[i] = factor_ * z[i];
      by_stage_[i] = (2.0 * alpha) * by_inertial - (rate_ * alpha) * c.velocities[i];
      c.positions[i] = (rate_ * beta) * c.velocities[i] - (alpha + beta) * by_inertial;
      c.velocities[i] = (-(alpha + beta) / rate_) * by_inertial;
    });
    adjoint_.add_elastic_parameters(at.end.positions, out.inputs.end, out.parameters);
    return report;
  }

  /// Turns ∂ℒ/∂x_γ into the first stage's share of ∂ℒ/∂(x, w, f).
  AdjointReport transpose_first(const BackwardStep& at, VectorView w, StepCotangent& c, VectorSpan by_force,
                                const StepGradients& out) {
    const VectorArray &x = at.start.positions, &stage = stage_;
    const AdjointReport report =
        adjoint_.solve(stage, by_stage_, at.inputs.stages[0], {at.end.memory, &at.tape});
    release_stage_pins(by_stage_, out.inputs.stages[0]);
    const VectorView z = adjoint_.solution();
    for_vertices(*system_.threads, z.size(), [&](std::size_t i) {
      const Vec3 by_inertial = system_.masses()[i] * z[i];
      // m times the rest of y, a (2f - ∇E(x)), has no mass.
      const Vec3 inertia = stage[i] - x[i] - (2.0 / rate_) * w[i];
      out.parameters.masses[i] -= dot(z[i], inertia);
      by_force[i] += (2.0 * factor_) * z[i];
      c.positions[i] += by_inertial;
      c.velocities[i] += (2.0 / rate_) * by_inertial;
      minus_[i] = -(factor_ * z[i]);
    });
    adjoint_.add_elastic_parameters(stage, out.inputs.stages[0], out.parameters);
    set_elastic_inputs(system_, at.inputs.start);
    transpose_first_gradient(x, c, out);
    return report;
  }

  /// -a zᵀ∇E(x), with `minus_` = -a z.
  void transpose_first_gradient(VectorView x, StepCotangent& c, const StepGradients& out) {
    for (auto& energy : system_.elastic) {
      energy->linearise(x, HessianKind::exact, first_gradient_);  // a gradient nobody reads
      energy->add_hessian_product(minus_, c.positions);
    }
    products_.add(x, minus_, out.inputs.start, out.parameters);
  }

  /// Adds the derivatives of the last solve with respect to the pins' places in its stage. `scratch` (n×3) is
  /// overwritten at the pins.
  void release_stage_pins(VectorArray& scratch, InputGradients& by_inputs) {
    for (const Index pin : system_.pins) scratch[static_cast<std::size_t>(pin)] = {};
    adjoint_.add_pin_places(scratch);
    release_pin_places(system_, scratch, by_inputs);
  }

  System& system_;
  double rate_;    ///< 2/(γh), 1/s.
  double factor_;  ///< a = (γh/2)², s².
  std::unique_ptr<StageSolver> solver_;
  StageAdjoint adjoint_;
  VectorArray inertial_;        ///< y - x of a stage, n×3, m,
  VectorArray unforced_;        ///< and γh w; h w in the second stage.
  VectorArray first_, second_;  ///< x_γ - x and x' - x, n×3, m.
  VectorArray first_gradient_;  ///< ∇E(x), n×3, N.
  VectorArray mean_gradient_;   ///< n×3, N.
  // Of backward steps, n×3.
  VectorArray by_stage_, by_next_;  ///< ∂ℒ/∂x_γ, ∂ℒ/∂x'.
  VectorArray minus_;               ///< -a z.
  VectorArray stage_;               ///< x_γ, m; of a step with a tape, too.
  ElasticProducts products_;
};

}  // namespace

std::unique_ptr<Integrator> make_kick_trbdf2(System& system, const IntegratorOptions& options) {
  return make_kick(system, std::make_unique<TrBdf2>(system, options));
}

}  // namespace electret
