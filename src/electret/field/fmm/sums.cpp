#include <numeric>

#include <electret/field/fmm/leaves.hpp>
#include <electret/field/fmm/sums.hpp>
#include <electret/field/fmm/traversal.hpp>

namespace electret::fmm {
namespace {

/// A workspace of its own for the time of a task.
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

}  // namespace

/// One evaluation.
template <class T>
struct Sums<T>::Pass {
  Sums& sums;
  const Sources<T>& sources;
  const Targets<T>& targets;
  Traversal<T> traversal;
  LeafPass<T> leaves;

  const Tree& tree() const { return targets.points->tree(); }
  ShiftQueue<T> shifts() const { return {sums.kernels_.shift_locals, sums.kernels_.width, sums.locals_}; }
  void add_parent(Index cell, ShiftQueue<T>& queue) {
    const Index parent = tree().cell(cell).parent;
    queue.add(sums.locals_.of(parent), sums.locals_.of(cell), targets.points->frame(cell),
              targets.points->frame(parent));
  }
  const Candidates& candidates(const Tree::Upper& upper) const {
    return upper.parent < 0 ? sums.root_ : sums.candidates_[static_cast<std::size_t>(upper.parent)];
  }

  /// The cells above all tasks: their far pairs, what they leave to their children, their parents' locals.
  void sum_top() {
    const auto& upper = tree().upper();
    if (sums.candidates_.size() < upper.size()) sums.candidates_.resize(upper.size());
    const Borrowed<T> work(sums.workspaces_);
    traversal.start(*work);
    for (std::size_t k = 0; k < upper.size(); ++k) {
      if (upper[k].task >= 0) continue;
      sums.locals_.clear(upper[k].cell);
      traversal.visit(upper[k].cell, candidates(upper[k]), 0, *work);
      sums.candidates_[k].assign(work->passed_on[0]);
    }
    traversal.flush(*work);
    ShiftQueue<T> queue = shifts();
    for (const auto& u : upper) {
      if (u.task >= 0 || u.parent < 0) continue;
      add_parent(u.cell, queue);
      queue.flush();  // a parent's locals must be whole before its children's turn
    }
  }

  Count sum_task(const Tree::Upper& upper) {
    const Borrowed<T> work(sums.workspaces_);
    const Subtree& subtree = tree().subtrees()[static_cast<std::size_t>(upper.task)];
    for (const auto& [begin, end] : subtree.levels)
      for (Index c = begin; c < end; ++c) sums.locals_.clear(c);
    traversal.start(*work);
    traversal.descend(upper.cell, candidates(upper), 0, *work);
    traversal.flush(*work);
    ShiftQueue<T> queue = shifts();
    for (const auto& [begin, end] : subtree.levels) {
      for (Index c = begin; c < end; ++c)
        if (c != 0) add_parent(c, queue);
      queue.flush();
    }
    Count coincident = 0;
    for (const NearList& list : work->near) coincident += leaves.sum(list, *work, store);
    return coincident;
  }

  const Store& store;
};

template <class T>
Sums<T>::Sums(const Plan& plan, const ExpansionKernels<T>& kernels, Threads& threads)
    : plan_(plan), acceptance_(plan), kernels_(kernels), threads_(threads) {
  for (int k = 0; k < threads.count(); ++k) workspaces_.push_back(std::make_unique<Workspace<T>>());
}

template <class T>
Sums<T>::~Sums() = default;

template <class T>
Count Sums<T>::evaluate(const Sources<T>& sources, const Targets<T>& targets, const SumSettings& settings,
                        const Store& store) {
  const Tree& tree = targets.points->tree();
  if (tree.cells().empty()) return 0;
  if (sources.points->tree().cells().empty()) {
    const PointSums nothing;
    for (const Index& i : tree.order()) store.put(store.context, {&i, 1}, &nothing);
    return 0;
  }
  const int sets = sources.dipoles ? 2 : 1;
  moments_.resize(sources.points->tree().cells().size(), plan_.order, sets);
  locals_.resize(tree.cells().size(), plan_.order, sets);
  find_moments(sources, kernels_, threads_, moments_);
  root_.clear();
  root_.add(0, sources.points->tree().cells()[0]);
  Pass pass{*this,
            sources,
            targets,
            Traversal<T>(*targets.points, *sources.points, acceptance_, kernels_, settings.closest_far,
                         moments_, locals_),
            LeafPass<T>(sources, targets, settings, kernels_, locals_),
            store};
  pass.sum_top();
  const auto& upper = tree.upper();
  coincident_.assign(upper.size(), 0);
  threads_.for_chunks(static_cast<Count>(upper.size()), 1, [&](Count k, Count) {
    const Tree::Upper& u = upper[static_cast<std::size_t>(k)];
    if (u.task >= 0) coincident_[static_cast<std::size_t>(k)] = pass.sum_task(u);
  });
  return std::accumulate(coincident_.begin(), coincident_.end(), Count{0});
}

template class Sums<float>;
template class Sums<double>;

}  // namespace electret::fmm
