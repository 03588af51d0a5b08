#include <algorithm>
#include <utility>

#include <electret/dynamics/stage/preconditioned_hessian.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>

namespace electret {

/// The systems' solver, on top of the Hessian with its preconditioner.
class StageHessian::Parts {
 public:
  /// One linear system, or the transpose of one.
  struct Linear {
    VectorView rhs;
    const SolveOptions& options;
    bool transposed = false;
  };

  Parts(System& system, double factor, PreconditionerPolicy policy)
      : system_(system),
        hessian_(system, factor, policy),
        rigid_motions_(system, factor),
        solver_(hessian_.products(), hessian_.chosen(), *system.threads) {
    for (const Roller& roller : system.rollers) rollers_.push_back(roller.constraint);
    solver_.set_constraints(rollers_, system.fixed);
  }

  [[nodiscard]] PreconditionedHessian& hessian() { return hessian_; }
  [[nodiscard]] RigidMotions& rigid_motions() { return rigid_motions_; }
  [[nodiscard]] const BlockSystem& block_system() const { return solver_; }

  /// `given` are the constraints besides pins.
  void constrain(std::span<const VertexConstraint> given) {
    if (given.empty() && !is_constrained_) return;
    all_.assign(given.begin(), given.end());
    const std::size_t others = all_.size();
    for (const VertexConstraint& roller : rollers_)
      if (!std::any_of(given.begin(), given.end(),
                       [&](const VertexConstraint& c) { return c.vertex == roller.vertex; }))
        all_.push_back(roller);
    own_ = others;
    solver_.set_constraints(all_, system_.fixed);
    is_constrained_ = !given.empty();
  }
  /// The preconditioner is made when H is first needed, with the constraints of that time.
  void expect() { hessian_.expect(is_constrained_ ? all_ : rollers_); }
  /// Of parts that touch each other.
  void couple_by(const StencilMatrix* matrix) { coupling_ = matrix; }
  void place(VectorView x) {
    if (!rigid_motions_.is_empty()) place_.assign(x.begin(), x.end());
  }
  [[nodiscard]] bool has_rollers() const { return !rollers_.empty(); }
  /// `rhs` with the numbers of rollers' bases at rollers.
  VectorView at_rollers(VectorView rhs) {
    if (rollers_.empty()) return rhs;
    reduced_.assign(rhs.begin(), rhs.end());
    const std::span<const VertexConstraint> others =
        is_constrained_ ? std::span<const VertexConstraint>(all_).subspan(own_) : rollers_;
    for (const VertexConstraint& c : others) {
      const Vec3 full = rhs[static_cast<std::size_t>(c.vertex)];
      Vec3 numbers;
      for (int k = 0; k < c.columns; ++k) numbers[k] = dot(c.trial[static_cast<std::size_t>(k)], full);
      reduced_[static_cast<std::size_t>(c.vertex)] = numbers;
    }
    return reduced_;
  }

  /// Again where block-Jacobi is given up for multigrid, or multigrid of another place for one of this.
  SolveReport solve(const Linear& of, VectorSpan z) {
    const double cost_before = hessian_.cost();
    if (!rigid_motions_.is_empty()) solver_.set_slow_motions(&rigid_motions_.at(place_, coupling_));
    expect();
    hessian_.begin_system(of.options);
    const bool began_with_multigrid = hessian_.is_multigrid();
    int before = 0;
    for (int left = 2;; --left) {
      SolveReport report =
          solve_safely({of.rhs, left > 0 ? hessian_.limited(of.options) : of.options, of.transposed}, z);
      const bool again = left > 0 && hessian_.improve(report);
      if (!again) hessian_.count(report, cost_before, !began_with_multigrid);
      report.iterations += before;
      if (!again) return report;
      before = report.iterations;
    }
  }

 private:
  SolveReport solve_safely(const Linear& of, VectorSpan z) {
    SolveReport report = solve_once(of, z);
    while (report.bad_preconditioner && hessian_.replace_refused()) report = solve_once(of, z);
    return report;
  }

  SolveReport solve_once(const Linear& of, VectorSpan z) {
    SolveReport report;
    report.bad_preconditioner = true;
    report.residual = 1.0;
    if (of.transposed) std::fill(z.begin(), z.end(), Vec3{});
    if (!hessian_.take_preconditioner()) return report;
    report = of.transposed ? solver_.solve_transposed(of.rhs, of.options, z)
                           : solver_.solve(of.rhs, of.options, z);
    hessian_.add_cost(report);
    return report;
  }

  System& system_;
  PreconditionedHessian hessian_;
  RigidMotions rigid_motions_;
  VectorArray place_;                        ///< Of the solves, where there are stiff parts.
  const StencilMatrix* coupling_ = nullptr;  ///< Of parts that touch each other; null: none do.
  BlockSystem solver_;
  std::vector<VertexConstraint> rollers_,
      all_;                      ///< all_: those that were given, then those of other rollers.
  std::size_t own_ = 0;          ///< The first of these in `all_`.
  VectorArray reduced_;          ///< A right-hand side with rollers.
  bool is_constrained_ = false;  ///< By more than pins.
};

StageHessian::StageHessian(System& system, double factor, PreconditionerPolicy policy)
    : parts_(std::make_unique<Parts>(system, factor, policy)) {}
StageHessian::~StageHessian() = default;

void StageHessian::begin_step(StageHessianMemory memory) {
  parts_->hessian().begin_step(memory, {}, false);
}

StageHessianMemory StageHessian::last(const MethodMemory& memory) {
  const std::span<const double> values = memory.find(memory_name);
  if (values.size() != memory_size) return {};
  return {values[0] != 0.0,
          values[1] != 0.0,
          {values[2], values[3], values[4]},
          {values[5], values[6]},
          {values[7], values[8]}};
}

void StageHessian::begin_step(const MethodMemory& memory) {
  parts_->hessian().begin_step(last(memory), memory.find(place_name), true);
}

void StageHessian::end_step(MethodMemory& memory) const {
  const StageHessianMemory now = parts_->hessian().memory();
  const ScalarSpan values = memory.values(memory_name, memory_size);
  values[0] = now.multigrid ? 1.0 : 0.0;
  values[1] = now.clamped ? 1.0 : 0.0;
  values[2] = now.age.spent;
  values[3] = now.age.fine_spent;
  values[4] = now.age.rate;
  values[5] = now.rates.jacobi;
  values[6] = now.rates.multigrid;
  values[7] = now.kept.saved;
  values[8] = now.kept.rate;
  const VectorView place = parts_->hessian().new_multigrid_place();
  if (place.empty()) return;
  const ScalarSpan stored = memory.values(place_name, 3 * place.size());
  for (std::size_t i = 0; i < place.size(); ++i)
    stored[3 * i] = place[i].x, stored[3 * i + 1] = place[i].y, stored[3 * i + 2] = place[i].z;
}

StageHessianMemory StageHessian::memory() const {
  return parts_->hessian().memory();
}

std::string_view StageHessian::preconditioner() const {
  return memory().multigrid ? "multigrid" : "block_jacobi";
}

void StageHessian::add(const StencilMatrix* matrix, std::function<const StencilMatrix*()> definite) {
  parts_->couple_by(matrix);
  parts_->hessian().add(matrix, std::move(definite));
}

void StageHessian::linearise(VectorView x, HessianKind kind) {
  parts_->place(x);
  parts_->hessian().linearise(x, kind);
}

void StageHessian::expect(std::span<const VertexConstraint> constraints) {
  parts_->constrain(constraints);
  parts_->expect();
}

RigidMotions& StageHessian::rigid_motions() {
  return parts_->rigid_motions();
}

double StageHessian::cost() const {
  return parts_->hessian().cost();
}

double StageHessian::memory_needed() const {
  return parts_->hessian().memory_needed();
}

std::vector<MemoryArray> StageHessian::memory_layout(bool with_place) const {
  std::vector<MemoryArray> layout = memory_arrays();
  if (!with_place || !parts_->hessian().may_keep_place()) layout.pop_back();
  return layout;
}

std::vector<MemoryArray> StageHessian::memory_arrays() {
  return {{.name = memory_name, .count = memory_size},
          {.name = place_name, .count = 3, .is_per_vertex = true}};
}

SolveReport StageHessian::solve(VectorView rhs, const SolveOptions& options, VectorSpan z) {
  SolveReport report = solve(rhs, {}, options, z);
  if (parts_->has_rollers()) expand(z);
  return report;
}

SolveReport StageHessian::solve(VectorView rhs, std::span<const VertexConstraint> constraints,
                                const SolveOptions& options, VectorSpan solution) {
  parts_->constrain(constraints);
  return parts_->solve({parts_->at_rollers(rhs), options, false}, solution);
}

SolveReport StageHessian::solve_transposed(VectorView rhs, std::span<const VertexConstraint> constraints,
                                           const SolveOptions& options, VectorSpan solution) {
  parts_->constrain(constraints);
  return parts_->solve({parts_->at_rollers(rhs), options, true}, solution);
}

void StageHessian::expand(VectorSpan solution) const {
  parts_->block_system().expand(solution);
}

void StageHessian::expand_transposed(VectorSpan solution) const {
  parts_->block_system().expand_transposed(solution);
}

void StageHessian::product(VectorView d, VectorSpan product) {
  parts_->hessian().product(d, product);
}

}  // namespace electret
