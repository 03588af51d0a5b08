#include <algorithm>
#include <limits>
#include <numeric>

#include <electret/field/fmm/passes/leaves.hpp>
#include <electret/field/fmm/passes/mutual_pass.hpp>
#include <electret/field/fmm/passes/sums.hpp>
#include <electret/field/fmm/passes/traversal.hpp>

namespace electret::fmm {
namespace {

/// A workspace that no other task uses while this object lives.
template <class T>
class Borrowed {
 public:
  explicit Borrowed(std::vector<std::unique_ptr<Workspace<T>>>& all) {
    for (;;)
      for (auto& work : all)
        if (!work->taken.test_and_set(std::memory_order_acquire)) {
          work_ = work.get();
          return;
        }
  }
  ~Borrowed() { work_->taken.clear(std::memory_order_release); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  Workspace<T>& operator*() const { return *work_; }
  Workspace<T>* operator->() const { return work_; }

 private:
  Workspace<T>* work_ = nullptr;
};

/// Whether Taylor series cost less than P2P for softened pairs up to this distance. They do if the distance
/// exceeds that of a leaf's neighbours.
bool softened_cells_pay(const Tree& sources, double distance) {
  if (distance == 0.0) return false;
  double radii = 0.0;
  Count leaves = 0;
  for (const Cell& cell : sources.cells()) {
    if (!cell.is_leaf()) continue;
    radii += cell.radius;
    ++leaves;
  }
  return distance * static_cast<double>(leaves) > 4.0 * radii;
}

}  // namespace

/// One evaluation.
template <class T>
struct Sums<T>::Pass {
  Sums& sums;
  const Sources<T>& sources;
  const Targets<T>& targets;
  Traversal<T> traversal;
  LeafInput<T> input;
  bool mutual;
  const Store& store;
  LeafPass<T> leaves{input};
  MutualPass<T> mutual_leaves{input};

  const Tree& tree() const { return targets.points->tree(); }
  void clear_locals(Index cell) {
    sums.series_.each_used([cell](Series<T>& kind) { kind.locals.clear(cell); });
  }
  ShiftQueue<T> shifts(const Series<T>& kind) const {
    return {kind.kernels.l2l, sums.kernels_.width, kind.locals};
  }
  void add_parent(Index cell, Expansions<T>& locals, ShiftQueue<T>& queue) {
    const Index parent = tree().cell(cell).parent;
    queue.add(locals.of(parent), locals.of(cell), targets.points->frame(cell), targets.points->frame(parent));
  }
  /// The candidates that the cell at this place of upper() leaves to its children. -1: the root's.
  const Candidates& left_by(Index upper) const {
    return upper < 0 ? sums.root_ : sums.candidates_[static_cast<std::size_t>(upper)];
  }

  /// Visits the cells above all tasks: computes their M2L, keeps the candidates for their children, and adds
  /// the locals of their parents.
  void sum_top() {
    const auto& upper = tree().upper();
    if (sums.candidates_.size() < upper.size()) sums.candidates_.resize(upper.size());
    const Borrowed<T> work(sums.workspaces_);
    traversal.start(*work);
    for (std::size_t k = 0; k < upper.size(); ++k) {
      clear_locals(upper[k].cell);
      traversal.visit(upper[k].cell, left_by(upper[k].parent), 0, *work);
      sums.candidates_[k].assign(work->passed_on[0]);
    }
    traversal.flush(*work);
    sums.series_.each_used([&](Series<T>& kind) {
      ShiftQueue<T> queue = shifts(kind);
      for (const auto& u : upper) {
        if (u.parent < 0) continue;
        add_parent(u.cell, kind.locals, queue);
        queue.flush();  // A parent's locals must be complete before its children's L2L
      }
    });
  }

  Count sum_task(Index number) {
    const Borrowed<T> work(sums.workspaces_);
    const Subtree& task = tree().subtrees()[static_cast<std::size_t>(number)];
    for (const auto& [begin, end] : task.levels)
      for (Index c = begin; c < end; ++c) clear_locals(c);
    traversal.start(*work);
    for (Index c = task.levels[0].first; c < task.levels[0].second; ++c)
      traversal.descend(c, left_by(task.above), 0, *work);
    traversal.flush(*work);
    sums.series_.each_used([&](Series<T>& kind) {
      ShiftQueue<T> queue = shifts(kind);
      for (const auto& [begin, end] : task.levels) {
        for (Index c = begin; c < end; ++c)
          if (c != 0) add_parent(c, kind.locals, queue);
        queue.flush();
      }
    });
    return mutual ? sum_mutually(number, *work) : sum_leaves(*work);
  }

  Count sum_leaves(Workspace<T>& work) {
    Count coincident = 0;
    for (const NearList& list : work.near) coincident += leaves.sum(list, work, store);
    return coincident;
  }

  Count sum_mutually(Index number, Workspace<T>& work) {
    TaskSums<T>& task = sums.mutual_->of_task(number);
    const Subtree& subtree = tree().subtrees()[static_cast<std::size_t>(number)];
    task.start(subtree.begin, subtree.end, targets.potential, targets.z != nullptr);
    ++work.stamp;
    if (work.later_places.size() < tree().cells().size()) work.later_places.resize(tree().cells().size());
    Count coincident = 0;
    for (const NearList& list : work.near) coincident += mutual_leaves.sum(list, work, task);
    return coincident;
  }

  void store_task(Index number) {
    const Borrowed<T> work(sums.workspaces_);
    sums.mutual_->store(number, tree(), sums.kernels_.mutual, *work, store);
  }
};

template <class T>
Sums<T>::Sums(const Plan& plan, const ExpansionKernels<T>& kernels, Threads& threads)
    : acceptance_(plan),
      kernels_(kernels),
      threads_(threads),
      series_{
          {kernels.harmonic, plan.order, coefficients(plan.order)},
          {kernels.taylor, acceptance_.highest_taylor_order(), powers(acceptance_.highest_taylor_order())}},
      mutual_(std::make_unique<MutualSums<T>>()) {
  for (int k = 0; k < threads.count(); ++k) workspaces_.push_back(std::make_unique<Workspace<T>>());
}

template <class T>
Sums<T>::~Sums() = default;

/// Chooses the kinds of expansions. Without Taylor series, softened pairs of close cells interact by P2P. If
/// the whole body is that close, no harmonic series are needed.
template <class T>
void Sums<T>::choose_series(const Tree& sources, const Tree& targets, SumSettings& settings) {
  series_.taylor.used = softened_cells_pay(sources, settings.closest_harmonic);
  if (!series_.taylor.used) settings.closest_far = std::max(settings.closest_far, settings.closest_harmonic);
  const Cell &a = targets.cell(0), &b = sources.cell(0);
  series_.harmonic.used =
      !series_.taylor.used || norm(a.centre - b.centre) + a.radius + b.radius > settings.closest_harmonic;
  // Cells' centres may lie outside the root's ball, so they may be a little farther apart than its points.
  if (!series_.harmonic.used) settings.closest_harmonic = std::numeric_limits<double>::infinity();
}

/// Makes room for the expansions and computes the moments.
template <class T>
void Sums<T>::find_series(const Sources<T>& sources, std::size_t targets) {
  const int sets = sources.dipoles ? 2 : 1;
  series_.each_used([&](Series<T>& kind) {
    kind.moments.resize(sources.points->tree().cells().size(), kind.order, kind.numbers, sets);
    kind.locals.resize(targets, kind.order, kind.numbers, sets);
    find_moments(sources, kind.kernels, kernels_.width, threads_, kind.moments);
  });
}

template <class T>
Count Sums<T>::evaluate(const Sources<T>& sources, const Targets<T>& targets, SumSettings settings,
                        const Store& store) {
  const Tree& tree = targets.points->tree();
  if (tree.cells().empty()) return 0;
  if (sources.points->tree().cells().empty()) {
    const PointSums nothing;
    for (const Index& i : tree.order()) store.put(store.context, {&i, 1}, &nothing);
    return 0;
  }
  choose_series(sources.points->tree(), tree, settings);
  find_series(sources, tree.cells().size());
  root_.clear();
  root_.add(0, sources.points->tree().cells()[0]);
  const bool mutual = targets.points == sources.points && targets.z == sources.vectors;
  Pass pass{*this,
            sources,
            targets,
            Traversal<T>(*targets.points, *sources.points, acceptance_, kernels_, settings, series_, mutual),
            {sources, targets, settings, kernels_, series_},
            mutual,
            store};
  pass.sum_top();
  if (mutual) mutual_->start(tree);
  const auto tasks = static_cast<Count>(tree.subtrees().size());
  coincident_.assign(tree.subtrees().size(), 0);
  threads_.for_chunks(tasks, 1, [&](Count k, Count) {
    coincident_[static_cast<std::size_t>(k)] = pass.sum_task(static_cast<Index>(k));
  });
  if (mutual) {
    mutual_->connect(tree);
    threads_.for_chunks(tasks, 1, [&](Count k, Count) { pass.store_task(static_cast<Index>(k)); });
  }
  return std::accumulate(coincident_.begin(), coincident_.end(), Count{0});
}

template class Sums<float>;
template class Sums<double>;

}  // namespace electret::fmm
