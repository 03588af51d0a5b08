#pragma once
/// \file
/// The Hessian H = M + a∇²E of a stage as an operator, with a preconditioner that is made when it is needed.

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <electret/dynamics/stage/preconditioner_choice.hpp>
#include <electret/dynamics/stage/preconditioning.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>
#include <electret/dynamics/stage/stage_operator.hpp>
#include <electret/dynamics/stage/stage_preconditioners.hpp>

namespace electret {

/// One preconditioner or the other, so that both use the same solver and its work arrays.
class ChosenPreconditioner final : public Preconditioner {
 public:
  void choose(Preconditioner& now) { now_ = &now; }
  [[nodiscard]] std::string_view name() const override { return now_->name(); }
  [[nodiscard]] bool refresh(const BlockMatrix& matrix, std::span<const char> held) override {
    return now_->refresh(matrix, held);
  }
  void apply(PaddedView32 r, PaddedSpan32 z) override { now_->apply(r, z); }
  [[nodiscard]] std::array<float, 9> own_inverse(Index vertex) const override {
    return now_->own_inverse(vertex);
  }
  [[nodiscard]] bool is_block_diagonal() const override { return now_->is_block_diagonal(); }
  void apply_rows(PaddedView32 r, PaddedSpan32 z, Count begin, Count end) const override {
    now_->apply_rows(r, z, begin, end);
  }

 private:
  Preconditioner* now_ = nullptr;
};

/// With solids and so many vertices that block-Jacobi need not be tried.
bool has_solids_and_many_vertices(const System& system);

/// What is made of the energies: products with H at the place of the solves, and the preconditioner, there or
/// elsewhere. `next` (preconditioning.hpp) says what is made. Which kind a system begins with is the choice's
/// (preconditioner_choice.hpp).
class PreconditionedHessian {
 public:
  /// `factor` a, s². `system` must outlive this.
  PreconditionedHessian(System& system, double factor, PreconditionerPolicy policy);

  /// Begins a step. `multigrid_place` is where multigrid is to be made, 3n numbers, or empty. `keeps_place`:
  /// later steps may go on from such a place.
  void begin_step(StageHessianMemory memory, std::span<const double> multigrid_place, bool keeps_place);
  [[nodiscard]] StageHessianMemory memory() const;
  /// Where multigrid has been made since the step began, for steps that go on from it; none elsewhere.
  [[nodiscard]] VectorView new_multigrid_place() const {
    return is_place_new_ && keeps_place_ ? VectorView(multigrid_place_) : VectorView{};
  }
  [[nodiscard]] bool may_keep_place() const { return may_be_multigrid_ && !has_solids_; }
  /// As if multigrid were chosen, on a body that is large enough for it.
  [[nodiscard]] double memory_needed() const;

  /// H has this matrix, too (StageHessian::add).
  void add(const StencilMatrix* matrix, std::function<const StencilMatrix*()> definite);
  /// Makes `x` the place of the solves. Nothing is made there before it is needed. `kind` is that of H.
  void linearise(VectorView x, HessianKind kind = HessianKind::exact);
  /// The systems at this place have such constraints, as far as is known; none after `linearise`. Multigrid
  /// of solids is made for them.
  void expect(std::span<const VertexConstraint> constraints) {
    expected_.assign(constraints.begin(), constraints.end());
  }
  /// H d in float64.
  void product(VectorView d, VectorSpan product);

  /// What a solver of systems uses; it owns neither.
  [[nodiscard]] BlockOperator& products() { return operator_; }
  [[nodiscard]] Preconditioner& chosen() { return chosen_; }

  /// Begins a system: chooses the kind of preconditioner and makes it.
  void begin_system(const SolveOptions& options);
  [[nodiscard]] bool is_multigrid() const { return choice_.now() == PreconditionerKind::multigrid; }
  /// `options` with the most iterations that the system may take before `improve` is called.
  [[nodiscard]] SolveOptions limited(SolveOptions options) const;
  /// Lets `chosen` be the preconditioner for one solve. False if it is not positive definite.
  bool take_preconditioner();
  /// Where a system has ended at its limit, block-Jacobi gives way to multigrid, multigrid of another place
  /// to one of this. False if there is nothing better.
  bool improve(const SolveReport& report);
  /// After a solve that found the preconditioner not to be positive definite. False if there is no other.
  bool replace_refused() { return follow(PreconditioningEvent::refused_in_solve); }
  /// Counts a solve's iterations among the costs.
  void add_cost(const SolveReport& report);
  /// Counts a system that is done. `cost_before` is the cost when it began.
  void count(const SolveReport& report, double cost_before, bool began_with_jacobi) {
    if (!has_pairs()) choice_.count(report, cost_ - cost_before, began_with_jacobi);
  }
  [[nodiscard]] double cost() const { return cost_; }

 private:
  Preconditioning& at_jacobi() { return preconditionings_[0]; }
  Preconditioning& at_multigrid() { return preconditionings_[1]; }
  /// Whether H has, where multigrid might serve, a matrix of which coarse levels know nothing.
  [[nodiscard]] bool has_pairs() const {
    return may_be_multigrid_ && added_ != nullptr && !added_->is_zero();
  }
  void choose_for_pairs();
  /// Of the kind that is chosen now.
  [[nodiscard]] Preconditioning& now() { return preconditionings_[is_multigrid() ? 1 : 0]; }
  [[nodiscard]] const Preconditioning& now() const { return preconditionings_[is_multigrid() ? 1 : 0]; }
  [[nodiscard]] bool& is_refused() { return is_refused_[is_multigrid() ? 1 : 0]; }
  void begin_multigrid(HessianKind matrix, std::span<const double> place);
  [[nodiscard]] PreconditionerChoice::Making making() const;
  StagePreconditioner& preconditioner();
  void make_ready();
  bool follow(PreconditioningEvent event) { return follow(event, now()); }
  bool follow(PreconditioningEvent event, Preconditioning before);
  void make_multigrid_here();
  void make_multigrid_again(const Preconditioning& before);
  void refresh(const VectorArray& x, bool all = true);
  void linearise_energies(VectorView x, HessianKind kind);

  System& system_;
  double factor_;
  std::vector<char> held_;  ///< 1 at pins.
  /// With solids multigrid is made anew at every place: products by kept multigrid's elements cost them more
  /// than its matrix, which serves the products, too.
  bool has_solids_, is_large_solid_, may_be_multigrid_;
  std::optional<Lattice> lattice_;  ///< That solids lie on.
  std::vector<VertexConstraint> expected_;
  PreconditionerChoice choice_;
  std::optional<PreconditionerKind> without_pairs_;  ///< What was chosen before there were some.
  std::array<Preconditioning, 2> preconditionings_;  ///< Block-Jacobi, multigrid.
  std::array<bool, 2> is_refused_{};                 ///< Not positive definite, as far as was looked.
  std::optional<PreconditionerKind> ready_;          ///< The last made for the place of the solves.
  double cost_ = 0.0;
  HessianKind kind_ = HessianKind::exact;  ///< Of H.
  std::function<const StencilMatrix*()> definite_;
  const StencilMatrix* added_ = nullptr;
  StageOperator operator_;
  ChosenPreconditioner chosen_;
  std::unique_ptr<StagePreconditioner> jacobi_, multigrid_;  ///< Made when first chosen.
  VectorArray place_;
  VectorArray multigrid_place_;  ///< n×3, m: where multigrid is made, or is to be; empty: nowhere yet.
  bool is_place_new_ = false;    ///< That place is of this step.
  bool keeps_place_ = false;     ///< The next step may go on from it.
};

}  // namespace electret
