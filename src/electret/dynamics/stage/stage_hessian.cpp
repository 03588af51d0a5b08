#include <algorithm>
#include <optional>
#include <vector>

#include <electret/core/same_bits.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/stage/preconditioner_choice.hpp>
#include <electret/dynamics/stage/solve_costs.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>
#include <electret/dynamics/stage/stage_operator.hpp>
#include <electret/dynamics/stage/stage_preconditioners.hpp>

namespace electret {
namespace {

std::vector<char> held_vertices(const System& system) {
  std::vector<char> held(static_cast<std::size_t>(system.vertex_count()), 0);
  for (const Index vertex : system.pins) held[static_cast<std::size_t>(vertex)] = 1;
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
        solver_(operator_, chosen_, *system.threads),
        rhs_(system.pins.empty() ? 0 : held_.size()) {}

  void begin_step(StageHessianMemory memory, std::span<const double> multigrid_place, bool keeps_place) {
    keeps_place_ = keeps_place && !has_solids_;
    if (!keeps_place_) multigrid_place = {};
    choice_.begin(memory.multigrid || is_large_solid_ ? PreconditionerChoice::Kind::multigrid
                                                      : PreconditionerChoice::Kind::block_jacobi,
                  memory.wear, memory.rates);
    prepared_.reset();
    jacobi_clamped_ = false;
    has_eigenvalues_ = false;
    // What multigrid is made of is all that it depends on: made elsewhere it would be the same.
    if (multigrid_clamped_ != memory.clamped || !is_made_at(multigrid_place) ||
        (is_fine_apart_ && !choice_.is_fine_worn()))
      is_made_ = false;
    multigrid_clamped_ = memory.clamped;
    multigrid_place_.resize(multigrid_place.size() / 3);
    for (std::size_t i = 0; i < multigrid_place_.size(); ++i)
      multigrid_place_[i] = {multigrid_place[3 * i], multigrid_place[3 * i + 1], multigrid_place[3 * i + 2]};
    is_place_new_ = false;
  }
  [[nodiscard]] StageHessianMemory memory() const {
    MultigridWear wear = choice_.wear();
    if (is_fine_apart_) wear.fine_spent = choice_.fine_worth();
    return {is_multigrid(), multigrid_clamped_, wear, choice_.rates()};
  }
  /// Where multigrid has been made since the step began, for steps that go on from it; none elsewhere.
  [[nodiscard]] VectorView new_multigrid_place() const {
    return is_place_new_ && keeps_place_ ? VectorView(multigrid_place_) : VectorView{};
  }

  void linearise(VectorView x) {
    place_.assign(x.begin(), x.end());
    prepared_.reset();
  }
  [[nodiscard]] double cost() const { return cost_; }

  /// Again where block-Jacobi is given up for multigrid, or multigrid of another place for one of this.
  SolveReport solve(VectorView rhs, const SolveOptions& options, VectorSpan z) {
    const VectorView free = without_pins(rhs);
    choice_.begin_system(options, making());
    if (prepared_ != choice_.now()) make_usable();
    const bool began_with_multigrid = is_multigrid();
    int before = 0;
    for (int left = 2;; --left) {
      SolveReport report = solve_safely(free, left > 0 ? limited(options) : options, z);
      const bool again = left > 0 && improve(report);
      if (!again) choice_.count(report, !began_with_multigrid);
      report.iterations += before;
      if (!again) return report;
      before = report.iterations;
    }
  }

  void product_unmasked(VectorView d, VectorSpan product) { operator_.multiply_unmasked(d, product); }

  [[nodiscard]] double place_bytes() const {
    return may_be_multigrid_ && !has_solids_ ? static_cast<double>(sizeof(Vec3)) * system_.vertex_count()
                                             : 0.0;
  }

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
  VectorView without_pins(VectorView rhs) {
    if (rhs_.empty()) return rhs;
    rhs_.assign(rhs.begin(), rhs.end());
    for (const Index pin : system_.pins) rhs_[static_cast<std::size_t>(pin)] = {};
    return rhs_;
  }

  [[nodiscard]] PreconditionerChoice::Making making() const {
    using Making = PreconditionerChoice::Making;
    if (!has_solids_ && keeps_place_) return Making::kept;
    const bool is_made =
        has_solids_ ? prepared_ == PreconditionerChoice::Kind::multigrid : !multigrid_place_.empty();
    return is_made ? Making::made : Making::anew;
  }

  [[nodiscard]] bool is_multigrid() const { return choice_.now() == PreconditionerChoice::Kind::multigrid; }
  bool& clamped() { return is_multigrid() ? multigrid_clamped_ : jacobi_clamped_; }
  [[nodiscard]] bool is_made_at(std::span<const double> place) const {
    const auto* numbers = multigrid_place_.empty() ? nullptr : &multigrid_place_[0].x;
    return is_made_ && same_bits(std::span(numbers, 3 * multigrid_place_.size()), place);
  }
  [[nodiscard]] bool is_made_here() const { return same_bits(multigrid_place_, place_); }

  /// Where a system has ended at its limit, block-Jacobi gives way to multigrid, multigrid of another place
  /// to one of this.
  bool improve(const SolveReport& report) {
    if (choice_.give_up(report))
      make_usable();
    else if (PreconditionerChoice::is_unfinished(report) && is_multigrid() && !is_made_here())
      make_here();
    else
      return false;
    return true;
  }

  [[nodiscard]] SolveOptions limited(SolveOptions options) const {
    options.max_iterations = choice_.most_iterations(options, is_made_here());
    if (!is_multigrid()) options.min_iterations = PreconditionerChoice::fewest_jacobi_iterations;
    return options;
  }

  StageSide& side() {
    if (is_multigrid()) {
      if (!multigrid_)
        multigrid_ = lattice_ ? make_lattice_side(system_, factor_, held_, *lattice_)
                              : make_multigrid_side(system_, factor_, held_);
      return *multigrid_;
    }
    if (!jacobi_) jacobi_ = make_jacobi_side(system_, factor_, held_);
    return *jacobi_;
  }

  /// Linearises at the place of the solves, with a preconditioner made with as much care as it takes.
  void make_usable() {
    if (!is_multigrid())
      refresh(place_);
    else if (multigrid_place_.empty() || has_solids_ || choice_.is_worn())
      make_here();
    else
      make_again();
    if (!is_usable() && is_multigrid() && !is_made_here()) make_here();
    if (!is_usable() && !clamped()) use_clamped();
    prepared_ = choice_.now();
  }

  /// Solves again where a preconditioner turns out not to be positive definite: with one of this place, of
  /// the clamped Hessian, by block-Jacobi at last.
  SolveReport solve_safely(VectorView rhs, const SolveOptions& options, VectorSpan z) {
    SolveReport report = solve_once(rhs, options, z);
    if (report.bad_preconditioner && is_multigrid() && !is_made_here()) {
      make_here();
      report = solve_once(rhs, options, z);
    }
    if (report.bad_preconditioner && is_multigrid() && lattice_ && are_eigenvalues_kept_) {
      has_eigenvalues_ = false;
      make_here();
      report = solve_once(rhs, options, z);
    }
    if (report.bad_preconditioner && !clamped()) {
      use_clamped();
      report = solve_once(rhs, options, z);
    }
    if (!report.bad_preconditioner || !is_multigrid()) return report;
    choice_.set(PreconditionerChoice::Kind::block_jacobi);
    make_usable();
    return solve_safely(rhs, options, z);
  }

  SolveReport solve_once(VectorView rhs, const SolveOptions& options, VectorSpan z) {
    if (is_usable()) {
      chosen_.choose(side().preconditioner());
      const SolveReport report = solver_.solve(rhs, options, z);
      const SolveCosts& costs = choice_.costs();
      cost_ += report.iterations * (is_multigrid() ? costs.multigrid_iteration : costs.jacobi_iteration);
      return report;
    }
    SolveReport refused;
    refused.bad_preconditioner = true;
    return refused;
  }

  void linearise_energies(VectorView x, HessianKind kind) {
    for (const auto& energy : system_.elastic) energy->linearise(x, kind, {});
    operator_.linearised();
  }

  [[nodiscard]] bool is_usable() const { return is_multigrid() ? multigrid_usable_ : jacobi_usable_; }

  /// Multigrid of its place, with a fine level of this one where that is worn.
  void make_again() {
    if (!is_made_) refresh(multigrid_place_);
    if (choice_.is_fine_worn()) {
      choice_.make_fine_new();
      refresh(place_, false);
    } else {
      linearise_energies(place_, HessianKind::exact);
    }
  }

  void make_here() {
    multigrid_place_ = place_;
    is_place_new_ = true;
    choice_.make_new();
    refresh(multigrid_place_);
  }

  /// The preconditioner is that of `x`, the products those of the exact Hessian at the place of the solves.
  void refresh(const VectorArray& x, bool all = true) {
    linearise_energies(x, clamped() ? HessianKind::clamped : HessianKind::exact);
    const bool usable = side().refresh(all, is_multigrid() && has_eigenvalues_);
    if (clamped() || !same_bits(x, place_)) linearise_energies(place_, HessianKind::exact);
    if (is_multigrid()) {
      cost_ += all ? choice_.costs().multigrid_refresh : choice_.costs().fine_refresh;
      multigrid_usable_ = usable;
      are_eigenvalues_kept_ = has_eigenvalues_;
      has_eigenvalues_ = usable;
      is_made_ = true;
      is_fine_apart_ = !all;
    } else {
      jacobi_usable_ = usable;
    }
    if (!usable || !is_multigrid()) return;
    // The matrix of another place is not H, nor is a clamped one.
    if (LinearMap* products = side().products(!clamped() && same_bits(x, place_))) operator_.use(*products);
  }

  /// M + a·(positive semi-definite) is positive definite, so that a refusal here is rounding of entries far
  /// beyond the masses: then nothing is solved.
  void use_clamped() {
    clamped() = true;
    has_eigenvalues_ = false;
    if (is_multigrid())
      make_here();
    else
      refresh(place_);
  }

  System& system_;
  double factor_;
  std::vector<char> held_;  ///< 1 at pins.
  /// With solids multigrid is made anew at every place: products by kept multigrid's elements cost them more
  /// than its matrix, which serves the products, too.
  bool has_solids_, is_large_solid_, may_be_multigrid_;
  std::optional<Lattice> lattice_;  ///< That solids lie on.
  PreconditionerChoice choice_;
  std::optional<PreconditionerChoice::Kind> prepared_;  ///< The last made for the place of the solves.
  double cost_ = 0.0;
  StageOperator operator_;
  ChosenPreconditioner chosen_;
  BlockSystem solver_;
  std::unique_ptr<StageSide> jacobi_, multigrid_;  ///< Made when first chosen.
  VectorArray place_, rhs_;
  VectorArray multigrid_place_;        ///< n×3, m: where multigrid is made, or is to be; empty: nowhere yet.
  bool is_place_new_ = false;          ///< That place is of this step.
  bool keeps_place_ = false;           ///< The next step may go on from it.
  bool is_made_ = false;               ///< Multigrid is that of its place, clamped as said.
  bool is_fine_apart_ = false;         ///< Its fine level is of another place.
  bool has_eigenvalues_ = false;       ///< Of multigrid's smoothers, found in this step.
  bool are_eigenvalues_kept_ = false;  ///< Multigrid was made with those that it had.
  bool jacobi_clamped_ = false, multigrid_clamped_ = false;
  bool jacobi_usable_ = true, multigrid_usable_ = true;  ///< Positive definite as far as was looked.
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
  return {values[0] != 0.0, values[1] != 0.0, {values[2], values[3], values[4]}, {values[5], values[6]}};
}

void StageHessian::begin_step(const MethodMemory& memory) {
  parts_->begin_step(last(memory), memory.find(place_name), true);
}

void StageHessian::end_step(MethodMemory& memory) const {
  const StageHessianMemory now = parts_->memory();
  std::vector<double>& values = memory.values(memory_name, memory_size);
  values[0] = now.multigrid ? 1.0 : 0.0;
  values[1] = now.clamped ? 1.0 : 0.0;
  values[2] = now.wear.spent;
  values[3] = now.wear.fine_spent;
  values[4] = now.wear.rate;
  values[5] = now.rates.jacobi;
  values[6] = now.rates.multigrid;
  const VectorView place = parts_->new_multigrid_place();
  if (place.empty()) return;
  std::vector<double>& stored = memory.values(place_name, 3 * place.size());
  for (std::size_t i = 0; i < place.size(); ++i)
    stored[3 * i] = place[i].x, stored[3 * i + 1] = place[i].y, stored[3 * i + 2] = place[i].z;
}

std::array<std::pair<std::string_view, std::size_t>, 2> StageHessian::memory_sizes(std::size_t vertices) {
  return {{{memory_name, memory_size}, {place_name, 3 * vertices}}};
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

double StageHessian::memory_in_state(bool with_place) const {
  return 8.0 * memory_size + (with_place ? parts_->place_bytes() : 0.0);
}

SolveReport StageHessian::solve(VectorView rhs, const SolveOptions& options, VectorSpan z) {
  return parts_->solve(rhs, options, z);
}

void StageHessian::product_unmasked(VectorView d, VectorSpan product) {
  parts_->product_unmasked(d, product);
}

}  // namespace electret
