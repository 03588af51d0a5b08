#include <algorithm>
#include <utility>

#include <electret/field/fmm/mutual_sums.hpp>

namespace electret::fmm {

template <class T>
void TaskSums<T>::start(Index begin, Index end, bool potential, bool products) {
  begin_ = begin, end_ = end;
  potential_ = potential, products_ = products;
  cleared_sums(end - begin, potential, products, own_);
  later_count_ = 0;
  leaves_.clear();
  exact_.clear();
}

template <class T>
std::size_t TaskSums<T>::add_later(Index leaf, Index count) {
  const std::size_t at = later_count_, numbers = 3U + (potential_ ? 1U : 0U) + (products_ ? 4U : 0U);
  later_count_ += numbers * room_for(count);
  if (later_.size() < later_count_) later_.resize(later_count_);
  std::fill(later_.begin() + static_cast<std::ptrdiff_t>(at),
            later_.begin() + static_cast<std::ptrdiff_t>(later_count_), T{0});
  leaves_.push_back({leaf, at});
  return at;
}

template <class T>
LeafSums<T> TaskSums<T>::of_later(std::size_t at, Index count) {
  LeafSums<T> sums;
  T* next = later_.data() + at;
  const auto take = [&next, room = room_for(count)] { return std::exchange(next, next + room); };
  for (T*& axis : sums.field) axis = take();
  if (potential_) sums.potential = take();
  if (!products_) return sums;
  for (T*& axis : sums.product) axis = take();
  sums.charge_product = take();
  return sums;
}

template <class T>
void MutualSums<T>::start(const Tree& tree) {
  if (tasks_.size() < tree.subtrees().size()) tasks_.resize(tree.subtrees().size());
}

template <class T>
void MutualSums<T>::connect(const Tree& tree) {
  first_part_.assign(tree.cells().size(), -1);
  parts_.clear();
  exact_.clear();
  const auto count = static_cast<Index>(tree.subtrees().size());
  // The last first: each is put before those that are there.
  for (Index t = count - 1; t >= 0; --t)
    for (const auto& later : of_task(t).later_leaves()) {
      Index& first = first_part_[static_cast<std::size_t>(later.leaf)];
      parts_.push_back({t, later.at, first});
      first = static_cast<Index>(parts_.size()) - 1;
    }
  for (Index t = 0; t < count; ++t)
    exact_.insert(exact_.end(), of_task(t).exact().begin(), of_task(t).exact().end());
  std::stable_sort(exact_.begin(), exact_.end(),
                   [](const ExactSum& a, const ExactSum& b) { return a.point < b.point; });
}

template <class T>
void MutualSums<T>::put_leaf(Index task, Index leaf, const Tree& tree, const MutualKernels<T>& kernels,
                             Workspace<T>& work, const Store& store) {
  const Cell& cell = tree.cell(leaf);
  const LeafSums<T> sums = of_task(task).of_own(cell.begin);
  for (Index p = first_part_[static_cast<std::size_t>(leaf)]; p >= 0;) {
    const Part& part = parts_[static_cast<std::size_t>(p)];
    kernels.add(of_task(part.task).of_later(part.at, cell.count()), cell.count(), sums);
    p = part.next;
  }
  const auto count = static_cast<std::size_t>(cell.count());
  // All are written before any is read: see LeafPass.
  work.point_sums.assign(count, {});
  for (std::size_t i = 0; i < count; ++i) put_sums(sums, i, work.point_sums[i]);
  if (!exact_.empty()) {
    const auto before = [](const ExactSum& sum, Index point) { return sum.point < point; };
    for (auto exact = std::lower_bound(exact_.begin(), exact_.end(), cell.begin, before);
         exact != exact_.end() && exact->point < cell.end; ++exact)
      work.point_sums[static_cast<std::size_t>(exact->point - cell.begin)] += exact->sums;
  }
  store.put(store.context, numbers_of(tree, cell), work.point_sums.data());
}

template <class T>
void MutualSums<T>::store(Index task, const Tree& tree, const MutualKernels<T>& kernels, Workspace<T>& work,
                          const Store& store) {
  // One leaf ahead of what is stored.
  Index announced = -1;
  for (const auto& [begin, end] : tree.subtrees()[static_cast<std::size_t>(task)].levels)
    for (Index c = begin; c < end; ++c) {
      if (!tree.cell(c).is_leaf()) continue;
      store.announce(store.context, numbers_of(tree, tree.cell(c)));
      if (announced >= 0) put_leaf(task, announced, tree, kernels, work, store);
      announced = c;
    }
  put_leaf(task, announced, tree, kernels, work, store);
}

template class TaskSums<float>;
template class TaskSums<double>;
template class MutualSums<float>;
template class MutualSums<double>;

}  // namespace electret::fmm
