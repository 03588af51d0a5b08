#include <algorithm>
#include <utility>

#include <electret/core/same_bits.hpp>
#include <electret/dynamics/stage/preconditioned_hessian.hpp>
#include <electret/dynamics/stage/solve_costs.hpp>
#include <electret/dynamics/vector_arrays.hpp>

namespace electret {
namespace {

std::vector<char> held_vertices(const System& system) {
  std::vector<char> held(static_cast<std::size_t>(system.vertex_count()), 0);
  for (const Index vertex : system.fixed) held[static_cast<std::size_t>(vertex)] = 1;
  return held;
}

bool has_solids(const System& system) {
  return std::any_of(system.elastic.begin(), system.elastic.end(),
                     [](const auto& energy) { return energy->is_solid(); });
}

/// Solids of so many vertices take hundreds of block-Jacobi's iterations: it need not be tried.
constexpr Index fewest_vertices_of_large_solids = 2000;

}  // namespace

bool has_solids_and_many_vertices(const System& system) {
  return has_solids(system) && system.vertex_count() >= fewest_vertices_of_large_solids;
}

PreconditionedHessian::PreconditionedHessian(System& system, double factor, PreconditionerPolicy policy)
    : system_(system),
      factor_(factor),
      held_(held_vertices(system)),
      has_solids_(has_solids(system)),
      is_large_solid_(has_solids_and_many_vertices(system)),
      may_be_multigrid_(PreconditionerChoice::may_be_multigrid(system.vertex_count(), policy)),
      lattice_(has_solids_ && may_be_multigrid_ ? lattice_of(system) : std::nullopt),
      choice_(system.vertex_count(), policy, solve_costs(system, lattice_.has_value())),
      operator_(system, factor) {
  at_multigrid().kind = PreconditionerKind::multigrid;
}

void PreconditionedHessian::begin_step(StageHessianMemory memory, std::span<const double> multigrid_place,
                                       bool keeps_place) {
  keeps_place_ = keeps_place && !has_solids_;
  if (!keeps_place_) multigrid_place = {};
  choice_.begin(
      memory.multigrid || is_large_solid_ ? PreconditionerKind::multigrid : PreconditionerKind::block_jacobi,
      memory.age, memory.rates, memory.kept);
  ready_.reset();
  without_pairs_.reset();
  at_jacobi().matrix = HessianKind::exact;
  begin_multigrid(memory.clamped ? HessianKind::clamped : HessianKind::exact, multigrid_place);
  is_place_new_ = false;
}

StageHessianMemory PreconditionedHessian::memory() const {
  const Preconditioning& multigrid = preconditionings_[1];
  MultigridAge age = choice_.age();
  if (multigrid.fine_made_at == FineMadeAt::apart) age.fine_spent = choice_.fine_worth();
  return {is_multigrid(), multigrid.matrix == HessianKind::clamped, age, choice_.rates(), choice_.kept()};
}

void PreconditionedHessian::add(const StencilMatrix* matrix, std::function<const StencilMatrix*()> definite) {
  added_ = matrix;
  definite_ = std::move(definite);
  operator_.add(matrix);
}

void PreconditionedHessian::linearise(VectorView x, HessianKind kind) {
  kind_ = kind;
  place_.resize(x.size());
  copy_rows(*system_.threads, x, place_);
  ready_.reset();
  expected_.clear();
  Preconditioning& multigrid = at_multigrid();
  if (multigrid.made_at != MadeAt::nowhere)
    multigrid.made_at =
        same_bits(*system_.threads, multigrid_place_, place_) ? MadeAt::here : MadeAt::elsewhere;
}

void PreconditionedHessian::product(VectorView d, VectorSpan product) {
  if (!ready_) make_ready();  // Nothing was solved here before.
  operator_.multiply(d, product);
}

double PreconditionedHessian::memory_needed() const {
  constexpr double vertex = 310.0;              // Padded vectors of conjugate gradients and of the smoother.
  constexpr double block = 40.0, grids = 55.0;  // Of the matrix; of coarse ones and the way to them.
  constexpr double lattice_vertex = 60.0;       // On a lattice, whose levels hold the vectors themselves.
  const bool grown = system_.vertex_count() >= PreconditionerChoice::fewest_vertices;
  double bytes = vertex * system_.vertex_count(), blocks = system_.vertex_count();
  // The second matrix on a lattice is not counted: only solves of a clamped Hessian make it, which are
  // rare.
  if (lattice_) return lattice_vertex * system_.vertex_count() + LatticeMultigrid::bytes(lattice_->shape);
  for (const auto& energy : system_.elastic) {
    const auto elements = static_cast<double>(energy->elements().size());
    bytes += energy->memory_needed();
    blocks += energy->element_costs().blocks * elements;
  }
  // The place that multigrid is made at, here and in the state of the run.
  const double places = 2.0 * sizeof(Vec3) * system_.vertex_count();
  return bytes + (grown ? (block + grids) * blocks + places : 0.0);
}

/// What multigrid is made of is all that it depends on: made elsewhere it would be the same.
void PreconditionedHessian::begin_multigrid(HessianKind matrix, std::span<const double> place) {
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

PreconditionerChoice::Making PreconditionedHessian::making() const {
  using Making = PreconditionerChoice::Making;
  if (!has_solids_ && keeps_place_) return Making::kept;
  const bool is_made = has_solids_ ? ready_ == PreconditionerKind::multigrid : !multigrid_place_.empty();
  return is_made ? Making::made : Making::anew;
}

void PreconditionedHessian::begin_system(const SolveOptions& options) {
  choose_for_pairs();
  if (!has_pairs()) choice_.begin_system(options, making());
  if (ready_ != choice_.now()) make_ready();
}

/// Block-Jacobi serves while there are pairs, and then what served before them.
void PreconditionedHessian::choose_for_pairs() {
  if (has_pairs()) {
    if (!without_pairs_) without_pairs_ = choice_.now();
    choice_.set(PreconditionerKind::block_jacobi);
  } else if (without_pairs_) {
    choice_.set(*without_pairs_);
    without_pairs_.reset();
  }
}

bool PreconditionedHessian::improve(const SolveReport& report) {
  if (has_pairs()) return false;
  const Preconditioning before = now();
  const bool is_unfinished =
      is_multigrid() ? PreconditionerChoice::is_unfinished(report) : choice_.give_up(report);
  return is_unfinished && follow(PreconditioningEvent::unfinished, before);
}

SolveOptions PreconditionedHessian::limited(SolveOptions options) const {
  if (!has_pairs())
    options.max_iterations =
        choice_.most_iterations(options, !is_multigrid() || now().made_at == MadeAt::here);
  if (!is_multigrid()) options.min_iterations = PreconditionerChoice::fewest_jacobi_iterations;
  return options;
}

StagePreconditioner& PreconditionedHessian::preconditioner() {
  if (is_multigrid()) {
    if (!multigrid_)
      multigrid_ = lattice_ ? make_stage_lattice(system_, factor_, held_, *lattice_)
                            : make_stage_multigrid(system_, factor_, held_);
    return *multigrid_;
  }
  if (!jacobi_) jacobi_ = make_stage_jacobi(system_, factor_, held_);
  // Jacobi of the clamped Hessian follows one of the exact one that was refused.
  jacobi_->add(now().matrix == HessianKind::clamped && definite_ ? definite_() : added_, place_);
  return *jacobi_;
}

bool PreconditionedHessian::take_preconditioner() {
  if (is_refused()) return false;
  chosen_.choose(preconditioner().preconditioner());
  return true;
}

void PreconditionedHessian::add_cost(const SolveReport& report) {
  const SolveCosts& costs = choice_.costs();
  cost_ += report.iterations * (is_multigrid() ? costs.multigrid_iteration : costs.jacobi_iteration);
}

/// Linearises at the place of the solves, with a preconditioner made with as much care as it takes.
void PreconditionedHessian::make_ready() {
  choose_for_pairs();
  // Multigrid of solids serves one place, once.
  if (is_multigrid() && has_solids_) now().made_at = MadeAt::nowhere;
  now().age = choice_.of_age();
  if (!follow(PreconditioningEvent::needed)) linearise_energies(place_, HessianKind::exact);
  while (is_refused() && follow(PreconditioningEvent::refused_matrix)) {
  }
  ready_ = choice_.now();
}

void PreconditionedHessian::linearise_energies(VectorView x, HessianKind kind) {
  if (kind_ == HessianKind::clamped) kind = HessianKind::clamped;
  for (const auto& energy : system_.elastic) energy->linearise(x, kind, {});
  operator_.linearised();
}

/// Makes what `next` asks for. False if that is there already.
bool PreconditionedHessian::follow(PreconditioningEvent event, const Preconditioning before) {
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

void PreconditionedHessian::make_multigrid_here() {
  multigrid_place_ = place_;
  is_place_new_ = true;
  choice_.make_new();
  refresh(multigrid_place_);
}

/// All levels of their place, if none is made, and the fine one of this, if that is old. The products are
/// those of a run in which multigrid was not made again.
void PreconditionedHessian::make_multigrid_again(const Preconditioning& before) {
  if (before.fine_made_at == FineMadeAt::nowhere) refresh(multigrid_place_);
  if (before.age != PreconditionerAge::fine_old) return linearise_energies(place_, HessianKind::exact);
  choice_.make_fine_new();
  refresh(place_, false);
}

/// The preconditioner is that of `x`, the products those of the exact Hessian at the place of the solves.
void PreconditionedHessian::refresh(const VectorArray& x, bool all) {
  Preconditioning& made = now();
  const bool is_here = !all || !is_multigrid() || made.made_at == MadeAt::here;
  const bool is_exact = made.matrix == HessianKind::exact;
  linearise_energies(x, made.matrix);
  const bool keeps_bounds = is_multigrid() && made.bounds != SmootherBounds::none && !is_refused();
  // Multigrid of springs serves other steps, too, with other constraints.
  if (has_solids_) preconditioner().expect(expected_);
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

}  // namespace electret
