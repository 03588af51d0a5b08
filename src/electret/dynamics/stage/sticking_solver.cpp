#include <algorithm>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/dynamics/stage/newton_directions_solver.hpp>
#include <electret/dynamics/stage/sticking_adjoint.hpp>
#include <electret/dynamics/stage/sticking_set.hpp>
#include <electret/dynamics/stage/surface_search.hpp>
#include <electret/dynamics/stage/surface_stage.hpp>

namespace electret {
namespace {

/// Solves with so many sets in a step at most, as published.
constexpr int most_sets = 5;
constexpr std::string_view memory_name = "sticking_set";

/// Newton's method for stages in which obstacles hold the vertices that touch them: the published contact
/// ([DiffPD] §5). The vertices of a set stay where the step began, as pins do; the others are free. A vertex
/// leaves the set if the obstacle would have to pull it, and enters it if it ends inside the obstacle. On a
/// roller it stays so in the directions that are left to it. Bodies may touch each other: then the solution
/// with each set is looked for from the start of the step, where no parts of them meet.
class StickingSolver final : public NewtonDirectionsSolver {
 public:
  StickingSolver(System& system, double factor, const IntegratorOptions& options)
      : NewtonDirectionsSolver(system, factor, options),
        contacts_(*system.contacts),
        hessian_(system, factor, SurfaceStage::preconditioner(system)),
        surfaces_(SurfaceStage::of(system, hessian_, factor)),
        adjoint_(contacts_),
        count_(contacts_.vertices().size()),
        set_(count_),
        is_held_(count_, 0),
        wanted_(count_, 0),
        downhill_(objective_.vertex_count()) {
    held_.reserve(count_);
    constraints_.reserve(count_);
    if (!surfaces_) return;
    ways_.resize(objective_.vertex_count());
    search_ = std::make_unique<SurfaceSearch>(objective_, hessian_, rule_, surfaces_->potential(), factor,
                                              SurfaceStage::iterations(system, options));
  }

  StepReport solve(const StageProblem& problem, VectorSpan displacement) override {
    require(problem.inputs != nullptr && problem.before != nullptr, "contacts: a stage without inputs");
    begin(problem);
    begin_hessian(hessian_, problem);
    contacts_.begin_step(problem.before->placements, problem.inputs->placements, problem.start);
    const double cost_before = hessian_.cost();
    StepReport report = solve_with_sets(problem, displacement);
    count_contacts(report);
    report.linear_cost = hessian_.cost() - cost_before;
    if (problem.memory != nullptr) hessian_.end_step(*problem.memory);
    if (surfaces_) surfaces_->end_step(objective_, problem);
    return report;
  }

  VectorView elastic_gradient() const override { return objective_.whole_gradient(); }

  void begin_backward(const BackwardStep& at, StepCotangent& by_end) override {
    if (surfaces_) surfaces_->adjoint().begin(at, by_end);
  }

  void keep(StepTape& tape) const override { adjoint_.keep(is_held_, objective_.vertex_count(), tape); }

  HessianSolve solve_transposed(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                                const StageRecord& record) override {
    begin_transposed(hessian_, record);
    if (surfaces_)
      surfaces_->adjoint().linearise(x);
    else
      hessian_.linearise(x);
    const double cost_before = hessian_.cost();
    HessianSolve report = adjoint_.solve(hessian_, x, rhs, tolerance, record, z);
    report.cost = hessian_.cost() - cost_before;
    if (surfaces_) surfaces_->adjoint().take(z);
    return report;
  }
  void add_transposed(VectorSpan by_start, const StepGradients& out) override {
    adjoint_.add(by_start, out);
    if (surfaces_) surfaces_->adjoint().add(by_start, out);
  }
  void end_backward(StepCotangent& by_start) override {
    if (surfaces_) surfaces_->adjoint().end(by_start);
  }

  void hessian_product_unmasked(VectorView d, VectorSpan product) override { hessian_.product(d, product); }
  double memory_needed() const override {
    return hessian_.memory_needed() + arrays_needed() +
           (surfaces_ ? arrays_needed() + surfaces_->potential().memory_needed() : 0.0);
  }
  std::vector<MemoryArray> memory_layout() const override {
    std::vector<MemoryArray> layout = layout_of(hessian_);
    layout.push_back({.name = memory_name, .count = 1, .is_per_vertex = true});
    if (surfaces_) layout.push_back(pair_memory_layout());
    return layout;
  }

 private:
  StepReport solve_with_sets(const StageProblem& problem, VectorSpan displacement) {
    begin_set(problem);
    contacts_.look(problem.start);
    is_unsettled_ = false;
    const std::span<const PairAnchor> anchors =
        surfaces_ ? surfaces_->read(problem) : std::span<const PairAnchor>{};
    StepReport report;
    for (int tried = 1;; ++tried) {
      hold(problem, displacement);
      if (surfaces_) {
        add(search_->solve(problem, anchors, displacement), report);
      } else {
        const double value =
            tried == 1 ? start_held(problem, displacement) : objective_.evaluate(displacement);
        add(minimise(value, problem, displacement), report);
      }
      if (report.failed) break;
      find_wanted(problem, displacement);
      if (tried == most_sets) {
        if (!std::equal(wanted_.begin(), wanted_.end(), set_.now().begin())) is_unsettled_ = true;
        break;
      }
      if (!set_.propose(wanted_)) break;
    }
    end_set(problem);
    return report;
  }

  void begin_set(const StageProblem& problem) {
    const std::span<const double> kept =
        problem.memory != nullptr ? problem.memory->find(memory_name) : std::span<const double>{};
    for (std::size_t k = 0; k < count_; ++k) is_held_[k] = !kept.empty() && kept[vertex(k)] != 0.0 ? 1 : 0;
    set_.begin(is_held_);
  }

  void end_set(const StageProblem& problem) {
    if (problem.memory == nullptr) return;
    const ScalarSpan kept = problem.memory->values(memory_name, objective_.vertex_count());
    std::fill(kept.begin(), kept.end(), 0.0);
    for (std::size_t k = 0; k < count_; ++k) kept[vertex(k)] = is_held_[k] != 0 ? 1.0 : 0.0;
  }

  /// The set's vertices go where the obstacle has carried them: nowhere, if it is at rest.
  void hold(const StageProblem& problem, VectorSpan displacement) {
    held_.clear();
    constraints_.clear();
    std::copy(set_.now().begin(), set_.now().end(), is_held_.begin());
    for (std::size_t k = 0; k < count_; ++k) {
      if (is_held_[k] == 0) continue;
      held_.push_back(contacts_.vertices()[k]);
      constraints_.push_back(pin(contacts_.vertices()[k]));
      displacement[vertex(k)] = way_of_held(problem, k);
      if (surfaces_) ways_[vertex(k)] = displacement[vertex(k)];
    }
    objective_.hold(held_);
    if (surfaces_) search_->hold(constraints_, ways_);
  }

  [[nodiscard]] Vec3 way_of_held(const StageProblem& problem, std::size_t k) const {
    return contacts_.free_part(k, contacts_.sights()[k].carried - problem.start[vertex(k)]);
  }

  /// As `start`, with the vertices of the set where they belong.
  double start_held(const StageProblem& problem, VectorSpan displacement) {
    const auto begin_at = [&](VectorView from) {
      if (from.empty())
        std::fill(displacement.begin(), displacement.end(), Vec3{});
      else
        std::copy(from.begin(), from.end(), displacement.begin());
      for (std::size_t k = 0; k < count_; ++k)
        if (is_held_[k] != 0) displacement[vertex(k)] = way_of_held(problem, k);
      return objective_.evaluate(displacement);
    };
    const double at_rest = objective_.value_at_start();
    const double onwards = begin_at(problem.unforced);
    return objective_.is_finite() && !(onwards > at_rest) ? onwards : begin_at({});
  }

  StepReport minimise(double value, const StageProblem& problem, VectorSpan displacement) {
    double before = 0.0;
    int linear_iterations = 0;
    StepReport report = search_down(
        value, problem.inertial, displacement,
        [&](int done) {
          const double norm = descent_.gradient_norm();
          linear_iterations +=
              find_direction(HessianKind::exact, direction_tolerance(done == 0 ? norm : before));
          before = norm;
        },
        nullptr, constraints_);
    report.counts.add("linear_iterations", linear_iterations);
    return report;
  }

  bool find_definite_direction() override {
    find_direction(HessianKind::clamped, definite_tolerance);
    return true;
  }

  int find_direction(HessianKind kind, double tolerance) {
    SolveOptions options;
    options.tolerance = tolerance;
    options.stop_at_negative_curvature = true;
    std::transform(descent_.gradient().begin(), descent_.gradient().end(), downhill_.begin(),
                   [](const Vec3& g) { return -g; });
    hessian_.linearise(objective_.place(), kind);
    const int iterations = hessian_.solve(downhill_, constraints_, options, descent_.direction()).iterations;
    hessian_.expand(descent_.direction());
    return iterations;
  }

  static void add(const StepReport& of_set, StepReport& report) {
    const int before = report.elastic_iterations;
    StepCounts counts = report.counts;
    counts.add(of_set.counts);
    report = of_set;
    report.elastic_iterations += before;
    report.counts = counts;
  }

  /// Sets forces and the set that this solution wants.
  void find_wanted(const StageProblem& problem, VectorView displacement) {
    contacts_.look(objective_.place());
    const ScalarView masses = objective_.system().masses();
    for (std::size_t k = 0; k < count_; ++k) {
      const std::size_t i = vertex(k);
      const bool is_held = is_held_[k] != 0;
      const Vec3 needed =
          contacts_.free_part(k, (masses[i] / factor_) * (displacement[i] - problem.inertial[i]) +
                                     objective_.whole_gradient()[i]);
      const SurfaceView& view = contacts_.sights()[k].view;
      wanted_[k] = (is_held ? !(dot(needed, view.normal) < 0.0) : view.distance < 0.0) ? 1 : 0;
      if (!contacts_.gives_way(k)) wanted_[k] = 0;
      contacts_.forces()[k] = is_held ? needed : Vec3{};
      contacts_.states()[k] = is_held ? ContactState::stick : ContactState::free;
    }
  }

  /// Counts what the last solution holds, and how deep inside it leaves vertices.
  void count_contacts(StepReport& report) const {
    ContactCounts& counts = report.contact;
    counts.is_unconverged = report.failed || report.capped || is_unsettled_;
    if (report.failed) return;
    counts.sticking = static_cast<Count>(std::count(is_held_.begin(), is_held_.end(), 1));
    for (const ContactSight& sight : contacts_.sights())
      counts.penetration = std::max(counts.penetration, -sight.view.distance);
  }

  [[nodiscard]] std::size_t vertex(std::size_t k) const {
    return static_cast<std::size_t>(contacts_.vertices()[k]);
  }

  ContactSet& contacts_;
  StageHessian hessian_;
  std::unique_ptr<SurfaceStage> surfaces_;  ///< Of bodies that touch each other; null: none do.
  std::unique_ptr<SurfaceSearch> search_;   ///< With them.
  VectorArray ways_;                        ///< Of held vertices, n×3, with bodies that touch each other.
  StickingAdjoint adjoint_;
  std::size_t count_;  ///< Vertices that may touch.
  StickingSet set_;
  std::vector<char> is_held_, wanted_;
  std::vector<Index> held_;
  std::vector<VertexConstraint> constraints_;
  bool is_unsettled_ = false;  ///< The step's last set does not want itself.
  VectorArray downhill_;       ///< -∇g.
};

}  // namespace

std::unique_ptr<StageSolver> make_sticking_solver(System& system, double factor,
                                                  const IntegratorOptions& options) {
  return std::make_unique<StickingSolver>(system, factor, options);
}

}  // namespace electret
