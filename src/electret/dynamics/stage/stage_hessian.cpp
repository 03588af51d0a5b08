#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <electret/core/same_bits.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/stage/preconditioner_choice.hpp>
#include <electret/dynamics/stage/preconditioning.hpp>
#include <electret/dynamics/stage/solve_costs.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>
#include <electret/dynamics/stage/stage_operator.hpp>
#include <electret/dynamics/stage/stage_preconditioners.hpp>

namespace electret {
namespace {

std::vector<char> held_vertices(const System& system) {
  std::vector<char> held(static_cast<std::size_t>(system.vertex_count()), 0);
  for (const Index vertex : system.fixed) held[static_cast<std::size_t>(vertex)] = 1;
  return held;
}

bool has_solids(const System& system) {
  return std::any_of(system.elastic.begin(), system.elastic.end(), [](const auto& energy) {
    const ElementType type = energy->elements().type();
    return type == ElementType::tetrahedron || type == ElementType::hexahedron;
  });
}

/// Solids of so many vertices take hundreds of block-Jacobi's iterations: it need not be tried.
constexpr Index fewest_vertices_of_large_solids = 2000;

/// One or the other, so that both use the same solver and its work arrays.
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

}  // namespace

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
        factor_(factor),
        held_(held_vertices(system)),
        has_solids_(has_solids(system)),
        is_large_solid_(has_solids_ && system.vertex_count() >= fewest_vertices_of_large_solids),
        may_be_multigrid_(PreconditionerChoice::may_be_multigrid(system.vertex_count(), policy)),
        lattice_(has_solids_ && may_be_multigrid_ ? lattice_of(system) : std::nullopt),
        choice_(system.vertex_count(), policy, solve_costs(system, lattice_.has_value())),
        operator_(system, factor),
        solver_(operator_, chosen_, *system.threads) {
    at_multigrid().kind = PreconditionerKind::multigrid;
    for (const Roller& roller : system.rollers) rollers_.push_back(roller.constraint);
    solver_.set_constraints(rollers_, system.fixed);
  }

  void begin_step(StageHessianMemory memory, std::span<const double> multigrid_place, bool keeps_place) {
    keeps_place_ = keeps_place && !has_solids_;
    if (!keeps_place_) multigrid_place = {};
    choice_.begin(memory.multigrid || is_large_solid_ ? PreconditionerKind::multigrid
                                                      : PreconditionerKind::block_jacobi,
                  memory.age, memory.rates, memory.kept);
    ready_.reset();
    at_jacobi().matrix = HessianKind::exact;
    begin_multigrid(memory.clamped ? HessianKind::clamped : HessianKind::exact, multigrid_place);
    is_place_new_ = false;
  }
  [[nodiscard]] StageHessianMemory memory() const {
    const Preconditioning& multigrid = preconditionings_[1];
    MultigridAge age = choice_.age();
    if (multigrid.fine_made_at == FineMadeAt::apart) age.fine_spent = choice_.fine_worth();
    return {is_multigrid(), multigrid.matrix == HessianKind::clamped, age, choice_.rates(), choice_.kept()};
  }
  /// Where multigrid has been made since the step began, for steps that go on from it; none elsewhere.
  [[nodiscard]] VectorView new_multigrid_place() const {
    return is_place_new_ && keeps_place_ ? VectorView(multigrid_place_) : VectorView{};
  }

  void linearise(VectorView x) {
    place_.assign(x.begin(), x.end());
    ready_.reset();
    Preconditioning& multigrid = at_multigrid();
    if (multigrid.made_at != MadeAt::nowhere)
      multigrid.made_at = same_bits(multigrid_place_, place_) ? MadeAt::here : MadeAt::elsewhere;
  }
  [[nodiscard]] double cost() const { return cost_; }

  /// `given` are the constraints besides pins.
  void constrain(std::span<const VertexConstraint> given) {
    if (given.empty() && !is_constrained_) return;
    all_.assign(rollers_.begin(), rollers_.end());
    all_.insert(all_.end(), given.begin(), given.end());
    solver_.set_constraints(all_, system_.fixed);
    is_constrained_ = !given.empty();
  }
  [[nodiscard]] bool has_rollers() const { return !rollers_.empty(); }
  /// `rhs` with the numbers of rollers' bases at rollers.
  VectorView at_rollers(VectorView rhs) {
    if (rollers_.empty()) return rhs;
    reduced_.assign(rhs.begin(), rhs.end());
    for (const VertexConstraint& c : rollers_) {
      const Vec3 full = rhs[static_cast<std::size_t>(c.vertex)];
      Vec3 numbers;
      for (int k = 0; k < c.columns; ++k) numbers[k] = dot(c.trial[static_cast<std::size_t>(k)], full);
      reduced_[static_cast<std::size_t>(c.vertex)] = numbers;
    }
    return reduced_;
  }
  [[nodiscard]] const BlockSystem& block_system() const { return solver_; }

  /// Again where block-Jacobi is given up for multigrid, or multigrid of another place for one of this.
  SolveReport solve(const Linear& of, VectorSpan z) {
    const double cost_before = cost_;
    choice_.begin_system(of.options, making());
    if (ready_ != choice_.now()) make_ready();
    const bool began_with_multigrid = is_multigrid();
    int before = 0;
    for (int left = 2;; --left) {
      SolveReport report =
          solve_safely({of.rhs, left > 0 ? limited(of.options) : of.options, of.transposed}, z);
      const bool again = left > 0 && improve(report);
      if (!again) choice_.count(report, cost_ - cost_before, !began_with_multigrid);
      report.iterations += before;
      if (!again) return report;
      before = report.iterations;
    }
  }

  void product(VectorView d, VectorSpan product) {
    if (!ready_) make_ready();  // Nothing was solved here before.
    operator_.multiply(d, product);
  }

  [[nodiscard]] bool may_keep_place() const { return may_be_multigrid_ && !has_solids_; }

  /// As if multigrid were chosen, on a body that is large enough for it.
  [[nodiscard]] double memory_needed() const {
    constexpr double vertex = 310.0;  // Padded vectors of conjugate gradients and of the smoother.
    constexpr double block = 40.0, grids = 55.0;  // Of the matrix; of coarse ones and the way to them.
    constexpr double lattice_vertex = 60.0;       // On a lattice, whose levels hold the vectors themselves.
    constexpr double spring = 90.0;               // A linearised one; other elements tell theirs.
    const bool grown = system_.vertex_count() >= PreconditionerChoice::fewest_vertices;
    double bytes = vertex * system_.vertex_count(), blocks = system_.vertex_count();
    // The second matrix on a lattice is not counted: only solves of a clamped Hessian make it, which are
    // rare.
    if (lattice_) return lattice_vertex * system_.vertex_count() + LatticeMultigrid::bytes(lattice_->shape);
    for (const auto& energy : system_.elastic) {
      const auto elements = static_cast<double>(energy->elements().size());
      const double corners = energy->elements().vertices_per_element();
      const ElementType type = energy->elements().type();
      bytes += type == ElementType::spring ? spring * elements : energy->memory_needed();
      // Solid elements share sides and edges, tetrahedra more of them: at most this part is their own.
      const double own = type == ElementType::hexahedron    ? 0.5
                         : type == ElementType::tetrahedron ? 0.25
                                                            : 1.0;
      blocks += own * corners * (corners - 1.0) * elements;
    }
    // The place that multigrid is made at, here and in the state of the run.
    const double places = 2.0 * sizeof(Vec3) * system_.vertex_count();
    return bytes + (grown ? (block + grids) * blocks + places : 0.0);
  }

 private:
  Preconditioning& at_jacobi() { return preconditionings_[0]; }
  Preconditioning& at_multigrid() { return preconditionings_[1]; }
  [[nodiscard]] bool is_multigrid() const { return choice_.now() == PreconditionerKind::multigrid; }
  /// Of the kind that is chosen now.
  [[nodiscard]] Preconditioning& now() { return preconditionings_[is_multigrid() ? 1 : 0]; }
  [[nodiscard]] bool& is_refused() { return is_refused_[is_multigrid() ? 1 : 0]; }

  /// What multigrid is made of is all that it depends on: made elsewhere it would be the same.
  void begin_multigrid(HessianKind matrix, std::span<const double> place) {
    Preconditioning& multigrid = at_multigrid();
    const auto* numbers = multigrid_place_.empty() ? nullptr : &multigrid_place_[0].x;
    const bool is_of_place = same_bits(std::span(numbers, 3 * multigrid_place_.size()), place);
    const bool is_forgotten = multigrid.fine_made_at == FineMadeAt::apart && !choice_.is_fine_old();
    if (multigrid.matrix != matrix || !is_of_place || is_forgotten)
      multigrid.fine_made_at = FineMadeAt::nowhere;
    multigrid.matrix = matrix;
    multigrid.bounds = SmootherBounds::none;
    multigrid.made_at = place.empty() ? MadeAt::nowhere : MadeAt::elsewhere;
    multigrid_place_.resize(place.size() / 3);
    for (std::size_t i = 0; i < multigrid_place_.size(); ++i)
      multigrid_place_[i] = {place[3 * i], place[3 * i + 1], place[3 * i + 2]};
  }

  [[nodiscard]] PreconditionerChoice::Making making() const {
    using Making = PreconditionerChoice::Making;
    if (!has_solids_ && keeps_place_) return Making::kept;
    const bool is_made = has_solids_ ? ready_ == PreconditionerKind::multigrid : !multigrid_place_.empty();
    return is_made ? Making::made : Making::anew;
  }

  /// Where a system has ended at its limit, block-Jacobi gives way to multigrid, multigrid of another place
  /// to one of this.
  bool improve(const SolveReport& report) {
    const Preconditioning before = now();
    const bool is_unfinished =
        is_multigrid() ? PreconditionerChoice::is_unfinished(report) : choice_.give_up(report);
    return is_unfinished && follow(PreconditioningEvent::unfinished, before);
  }

  [[nodiscard]] SolveOptions limited(SolveOptions options) {
    options.max_iterations =
        choice_.most_iterations(options, !is_multigrid() || now().made_at == MadeAt::here);
    if (!is_multigrid()) options.min_iterations = PreconditionerChoice::fewest_jacobi_iterations;
    return options;
  }

  StagePreconditioner& preconditioner() {
    if (is_multigrid()) {
      if (!multigrid_)
        multigrid_ = lattice_ ? make_stage_lattice(system_, factor_, held_, *lattice_)
                              : make_stage_multigrid(system_, factor_, held_);
      return *multigrid_;
    }
    if (!jacobi_) jacobi_ = make_stage_jacobi(system_, factor_, held_);
    return *jacobi_;
  }

  /// Linearises at the place of the solves, with a preconditioner made with as much care as it takes.
  void make_ready() {
    // Multigrid of solids serves one place, once.
    if (is_multigrid() && has_solids_) now().made_at = MadeAt::nowhere;
    now().age = choice_.of_age();
    if (!follow(PreconditioningEvent::needed)) linearise_energies(place_, HessianKind::exact);
    while (is_refused() && follow(PreconditioningEvent::refused_matrix)) {
    }
    ready_ = choice_.now();
  }

  SolveReport solve_safely(const Linear& of, VectorSpan z) {
    SolveReport report = solve_once(of, z);
    while (report.bad_preconditioner && follow(PreconditioningEvent::refused_in_solve))
      report = solve_once(of, z);
    return report;
  }

  SolveReport solve_once(const Linear& of, VectorSpan z) {
    SolveReport report;
    report.bad_preconditioner = true;
    if (is_refused()) return report;
    chosen_.choose(preconditioner().preconditioner());
    report = of.transposed ? solver_.solve_transposed(of.rhs, of.options, z)
                           : solver_.solve(of.rhs, of.options, z);
    const SolveCosts& costs = choice_.costs();
    cost_ += report.iterations * (is_multigrid() ? costs.multigrid_iteration : costs.jacobi_iteration);
    return report;
  }

  void linearise_energies(VectorView x, HessianKind kind) {
    for (const auto& energy : system_.elastic) energy->linearise(x, kind, {});
    operator_.linearised();
  }

  bool follow(PreconditioningEvent event) { return follow(event, now()); }
  /// Makes what `next` asks for. False if that is there already.
  bool follow(PreconditioningEvent event, const Preconditioning before) {
    const Preconditioning wanted = next(before, event);
    if (wanted.kind != before.kind) {
      choice_.set(wanted.kind);
      make_ready();
      return true;
    }
    if (wanted == before && (is_multigrid() || event != PreconditioningEvent::needed)) return false;
    now() = wanted;
    if (!is_multigrid())
      refresh(place_);
    else if (is_made_anew(before, wanted))
      make_multigrid_here();
    else
      make_multigrid_again(before);
    return true;
  }

  void make_multigrid_here() {
    multigrid_place_ = place_;
    is_place_new_ = true;
    choice_.make_new();
    refresh(multigrid_place_);
  }

  /// All levels of their place, if none is made, and the fine one of this, if that is old. The products are
  /// those of a run in which multigrid was not made again.
  void make_multigrid_again(const Preconditioning& before) {
    if (before.fine_made_at == FineMadeAt::nowhere) refresh(multigrid_place_);
    if (before.age != PreconditionerAge::fine_old) return linearise_energies(place_, HessianKind::exact);
    choice_.make_fine_new();
    refresh(place_, false);
  }

  /// The preconditioner is that of `x`, the products those of the exact Hessian at the place of the solves.
  void refresh(const VectorArray& x, bool all = true) {
    Preconditioning& made = now();
    const bool is_here = !all || !is_multigrid() || made.made_at == MadeAt::here;
    const bool is_exact = made.matrix == HessianKind::exact;
    linearise_energies(x, made.matrix);
    const bool keeps_bounds = is_multigrid() && made.bounds != SmootherBounds::none && !is_refused();
    is_refused() = !preconditioner().refresh(all, keeps_bounds);
    if (!is_exact || !is_here) linearise_energies(place_, HessianKind::exact);
    if (!is_multigrid()) return;
    cost_ += all ? choice_.costs().multigrid_refresh : choice_.costs().fine_refresh;
    if (lattice_)
      made.bounds = keeps_bounds   ? SmootherBounds::kept
                    : is_refused() ? SmootherBounds::none
                                   : SmootherBounds::found;
    if (is_refused()) return;
    // The matrix of another place is not H, nor is a clamped one.
    if (LinearMap* products = preconditioner().products(is_exact && is_here)) operator_.use(*products);
  }

  System& system_;
  double factor_;
  std::vector<char> held_;  ///< 1 at pins.
  /// With solids multigrid is made anew at every place: products by kept multigrid's elements cost them more
  /// than its matrix, which serves the products, too.
  bool has_solids_, is_large_solid_, may_be_multigrid_;
  std::optional<Lattice> lattice_;  ///< That solids lie on.
  PreconditionerChoice choice_;
  std::array<Preconditioning, 2> preconditionings_;  ///< Block-Jacobi, multigrid.
  std::array<bool, 2> is_refused_{};                 ///< Not positive definite, as far as was looked.
  std::optional<PreconditionerKind> ready_;          ///< The last made for the place of the solves.
  double cost_ = 0.0;
  StageOperator operator_;
  ChosenPreconditioner chosen_;
  BlockSystem solver_;
  std::vector<VertexConstraint> rollers_, all_;              ///< all_: with those that were given.
  VectorArray reduced_;                                      ///< A right-hand side with rollers.
  bool is_constrained_ = false;                              ///< By more than pins.
  std::unique_ptr<StagePreconditioner> jacobi_, multigrid_;  ///< Made when first chosen.
  VectorArray place_;
  VectorArray multigrid_place_;  ///< n×3, m: where multigrid is made, or is to be; empty: nowhere yet.
  bool is_place_new_ = false;    ///< That place is of this step.
  bool keeps_place_ = false;     ///< The next step may go on from it.
};

StageHessian::StageHessian(System& system, double factor, PreconditionerPolicy policy)
    : parts_(std::make_unique<Parts>(system, factor, policy)) {}
StageHessian::~StageHessian() = default;

void StageHessian::begin_step(StageHessianMemory memory) {
  parts_->begin_step(memory, {}, false);
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
  parts_->begin_step(last(memory), memory.find(place_name), true);
}

void StageHessian::end_step(MethodMemory& memory) const {
  const StageHessianMemory now = parts_->memory();
  std::vector<double>& values = memory.values(memory_name, memory_size);
  values[0] = now.multigrid ? 1.0 : 0.0;
  values[1] = now.clamped ? 1.0 : 0.0;
  values[2] = now.age.spent;
  values[3] = now.age.fine_spent;
  values[4] = now.age.rate;
  values[5] = now.rates.jacobi;
  values[6] = now.rates.multigrid;
  values[7] = now.kept.saved;
  values[8] = now.kept.rate;
  const VectorView place = parts_->new_multigrid_place();
  if (place.empty()) return;
  std::vector<double>& stored = memory.values(place_name, 3 * place.size());
  for (std::size_t i = 0; i < place.size(); ++i)
    stored[3 * i] = place[i].x, stored[3 * i + 1] = place[i].y, stored[3 * i + 2] = place[i].z;
}

StageHessianMemory StageHessian::memory() const {
  return parts_->memory();
}

std::string_view StageHessian::preconditioner() const {
  return memory().multigrid ? "multigrid" : "block_jacobi";
}

void StageHessian::linearise(VectorView x) {
  parts_->linearise(x);
}

double StageHessian::cost() const {
  return parts_->cost();
}

double StageHessian::memory_needed() const {
  return parts_->memory_needed();
}

std::vector<MemoryArray> StageHessian::memory_layout(bool with_place) const {
  std::vector<MemoryArray> layout = memory_arrays();
  if (!with_place || !parts_->may_keep_place()) layout.pop_back();
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
  parts_->product(d, product);
}

}  // namespace electret
