#include <algorithm>
#include <array>
#include <string>

#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/force/coulomb.hpp>
#include <electret/force/detail/coincident.hpp>

namespace electret {
namespace {

class CoulombForce final : public ExplicitForce {
 public:
  CoulombForce(std::unique_ptr<FieldSolver> solver, Index vertex_count, Threads& threads)
      : solver_(std::move(solver)),
        threads_(threads),
        parameters_{{{"charges", "C", static_cast<std::size_t>(vertex_count), ParameterOwner::charges}}},
        product_(parameters_[0].size),
        scalar_product_(parameters_[0].size) {
    field_.resize(parameters_[0].size);
    potential_.resize(parameters_[0].size);
  }

  [[nodiscard]] std::string_view name() const override { return "coulomb"; }
  [[nodiscard]] ForceRole role() const override { return ForceRole::coulomb; }
  [[nodiscard]] EnergyColumn column() const override { return EnergyColumn::coulomb; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return parameters_; }
  [[nodiscard]] Count field_evaluations() const override { return evaluations_; }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    evaluate(at, Want::field);
    const ScalarView q = at.inputs.charges;
    for_vertices(threads_, f.size(), [&](std::size_t i) { f[i] += q[i] * field_[i]; });
  }

  /// ½ Σ_i q_i φ_i.
  double potential_energy(const ForcePoint& at) override {
    evaluate(at, Want::potential);
    const ScalarView q = at.inputs.charges;
    return 0.5 * sum_over_vertices(threads_, potential_.size(),
                                   [&](std::size_t i) { return q[i] * potential_[i]; });
  }

  void add_transposed_jacobian_x(const ForcePoint& at, VectorView z, VectorSpan out) override {
    prepare(at);
    solver_->transposed_jacobian_product(at.inputs.charges, z, product_);
    for_vertices(threads_, out.size(), [&](std::size_t i) { out[i] += product_[i]; });
  }

  void add_parameter_gradient(const ForcePoint& at, std::size_t, VectorView z, ScalarSpan out) override {
    prepare(at);
    solver_->charge_gradient(at.inputs.charges, z, scalar_product_);
    for_vertices(threads_, out.size(), [&](std::size_t i) { out[i] += scalar_product_[i]; });
  }

  void add_products(const ForcePoint& at, VectorView z, const ForceProducts& out) override {
    const bool both = !out.positions.empty() && !out.parameters.empty() && !out.parameters[0].empty();
    if (!both) return ExplicitForce::add_products(at, z, out);
    require(out.parameters.size() == 1, "force products: not one span per parameter");
    prepare(at);
    solver_->products(at.inputs.charges, z, product_, scalar_product_);
    for_vertices(threads_, out.positions.size(), [&](std::size_t i) {
      out.positions[i] += product_[i];
      out.parameters[0][i] += scalar_product_[i];
    });
  }

  /// -q_i E_i.
  void add_potential_gradient(const ForcePoint& at, VectorSpan out) override {
    evaluate(at, Want::field);
    const ScalarView q = at.inputs.charges;
    for_vertices(threads_, out.size(), [&](std::size_t i) { out[i] -= q[i] * field_[i]; });
  }

  /// ∂U/∂q_i = φ_i: the ½ cancels because each pair counts twice.
  void add_potential_parameter_gradient(const ForcePoint& at, std::size_t, ScalarSpan out) override {
    evaluate(at, Want::potential);
    for_vertices(threads_, out.size(), [&](std::size_t i) { out[i] += potential_[i]; });
  }

 private:
  enum class Want { field, potential };

  /// Gives the solver the positions of the charges, unless it already has them.
  void prepare(const ForcePoint& at) {
    require(at.positions.size() == field_.size() && at.inputs.charges.size() == field_.size(),
            "Coulomb force: the arrays do not have one row per vertex");
    if (prepared_ && std::equal(positions_.begin(), positions_.end(), at.positions.begin())) return;
    prepared_ = evaluated_ = false;
    solver_->prepare(at.positions);
    positions_.assign(at.positions.begin(), at.positions.end());
    prepared_ = true;
  }

  /// Evaluates the field at `at`, and the potential if it is wanted; once for equal positions and charges.
  /// The potential is computed along with the field if it was wanted last time, as in runs that write every
  /// step. Runs that seldom write save its cost. A solver's field has the same bits with and without the
  /// potential.
  void evaluate(const ForcePoint& at, Want want) {
    prepare(at);
    const auto& q = at.inputs.charges;
    const bool same = evaluated_ && std::equal(charges_.begin(), charges_.end(), q.begin());
    const bool asked_before = potential_asked_;
    potential_asked_ = want == Want::potential || (same && asked_before);
    if (same && (want == Want::field || has_potential_)) return;
    evaluated_ = false;
    has_potential_ = want == Want::potential || asked_before;
    solver_->field(q, field_, has_potential_ ? ScalarSpan(potential_) : ScalarSpan());
    ++evaluations_;
    if (solver_->coincident_pairs() > 0) report_coincident(at);
    charges_.assign(q.begin(), q.end());
    evaluated_ = true;
  }

  [[noreturn]] static void report_coincident(const ForcePoint& at) {
    const auto pair = detail::coincident_charges(at.positions, at.inputs.charges);
    const Edge vertices = pair.value_or(Edge{-1, -1});
    throw DivergenceError(0, vertices[0],
                          "the charged vertices " + std::to_string(vertices[0]) + " and " +
                              std::to_string(vertices[1]) + " are at the same point",
                          "use a smaller step, or [coulomb] softening > 0");
  }

  std::unique_ptr<FieldSolver> solver_;
  Threads& threads_;
  std::array<ForceParameter, 1> parameters_;
  VectorArray product_;
  std::vector<double> scalar_product_;
  // The last evaluation, and the arguments that it was made with.
  bool prepared_ = false, evaluated_ = false, has_potential_ = false, potential_asked_ = true;
  VectorArray positions_, field_;
  std::vector<double> charges_, potential_;
  Count evaluations_ = 0;
};

}  // namespace

std::unique_ptr<ExplicitForce> make_coulomb_force(std::unique_ptr<FieldSolver> solver, Index vertex_count,
                                                  Threads& threads) {
  return std::make_unique<CoulombForce>(std::move(solver), vertex_count, threads);
}

std::unique_ptr<ExplicitForce> make_coulomb_force(const FieldOptions& options, Index vertex_count,
                                                  Threads& threads) {
  return make_coulomb_force(make_field_solver(options, vertex_count, threads), vertex_count, threads);
}

}  // namespace electret
