#include <algorithm>
#include <utility>

#include <electret/field/fmm/passes/mutual_sums.hpp>

namespace electret::fmm {

template <class T>
void TaskSums<T>::start(Index begin, Index end, bool potential, bool products) {
  begin_ = begin, end_ = end;
  potential_ = potential, products_ = products;
  cleared_sums(end - begin, potential, products, own_);
  later_count_ = 0;
  leaves_.clear();
  has_exact_ = false;
  exact_later_.clear();
}

template <class T>
std::size_t TaskSums<T>::add_later(Index leaf, Index count) {
  const std::size_t at = later_count_, numbers = 3U + (potential_ ? 1U : 0U) + (products_ ? 4U : 0U);
  later_count_ += numbers * room_for(count);
  if (later_.size() < later_count_) later_.resize(later_count_);
  std::fill(later_.begin() + static_cast<std::ptrdiff_t>(at),
            later_.begin() + static_cast<std::ptrdiff_t>(later_count_), T{0});
  leaves_.push_back({leaf, count, at});
  return leaves_.size() - 1;
}

template <class T>
LeafSums<T> TaskSums<T>::of_later(std::size_t number) {
  const LaterLeaf& leaf = leaves_[number];
  LeafSums<T> sums;
  T* next = later_.data() + leaf.at;
  const auto take = [&next, room = room_for(leaf.count)] { return std::exchange(next, next + room); };
  for (T*& axis : sums.field) axis = take();
  if (potential_) sums.potential = take();
  if (!products_) return sums;
  for (T*& axis : sums.product) axis = take();
  sums.charge_product = take();
  return sums;
}

template <class T>
PointSums* TaskSums<T>::exact_of_own(Index point) {
  if (!has_exact_) exact_own_.assign(static_cast<std::size_t>(end_ - begin_), {});
  has_exact_ = true;
  return exact_own_.data() + (point - begin_);
}

template <class T>
PointSums* TaskSums<T>::exact_of_later(std::size_t number) {
  LaterLeaf& leaf = leaves_[number];
  if (leaf.exact < 0) {
    leaf.exact = static_cast<std::ptrdiff_t>(exact_later_.size());
    exact_later_.resize(exact_later_.size() + static_cast<std::size_t>(leaf.count));
  }
  return exact_later_.data() + leaf.exact;
}

template <class T>
void MutualSums<T>::start(const Tree& tree) {
  if (tasks_.size() < tree.subtrees().size()) tasks_.resize(tree.subtrees().size());
}

template <class T>
void MutualSums<T>::connect(const Tree& tree) {
  first_part_.assign(tree.cells().size(), -1);
  parts_.clear();
  // Begins with the last task, because each part is put in front of those that are there.
  for (auto t = static_cast<Index>(tree.subtrees().size()) - 1; t >= 0; --t) {
    const auto& leaves = of_task(t).later_leaves();
    for (std::size_t number = 0; number < leaves.size(); ++number) {
      Index& first = first_part_[static_cast<std::size_t>(leaves[number].leaf)];
      parts_.push_back({t, number, first});
      first = static_cast<Index>(parts_.size()) - 1;
    }
  }
}

template <class T>
void MutualSums<T>::put_leaf(Index task, Index leaf, const Tree& tree, const MutualKernels<T>& kernels,
                             Workspace<T>& work, const Store& store) {
  const Cell& cell = tree.cell(leaf);
  const auto count = static_cast<std::size_t>(cell.count());
  const auto each_part = [&](auto what) {
    for (Index p = first_part_[static_cast<std::size_t>(leaf)]; p >= 0;) {
      const Part& part = parts_[static_cast<std::size_t>(p)];
      what(of_task(part.task), part.number);
      p = part.next;
    }
  };
  const LeafSums<T> sums = of_task(task).of_own(cell.begin);
  each_part(
      [&](TaskSums<T>& from, std::size_t number) { kernels.add(from.of_later(number), cell.count(), sums); });
  // All are written before any is read; LeafPass says why.
  work.point_sums.assign(count, {});
  for (std::size_t i = 0; i < count; ++i) put_sums(sums, i, work.point_sums[i]);
  const auto add = [&](const PointSums* exact) {
    for (PointSums& to : work.point_sums) to += *exact++;
  };
  if (of_task(task).has_exact()) add(of_task(task).exact_of_own(cell.begin));
  each_part([&](TaskSums<T>& from, std::size_t number) {
    if (from.later_leaves()[number].exact >= 0) add(from.exact_of_later(number));
  });
  store.put(store.context, numbers_of(tree, cell), work.point_sums.data());
}

template <class T>
void MutualSums<T>::store(Index task, const Tree& tree, const MutualKernels<T>& kernels, Workspace<T>& work,
                          const Store& store) {
  // Announces each leaf before the leaf in front of it is stored.
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
