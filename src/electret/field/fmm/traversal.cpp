#include <algorithm>
#include <cmath>

#include <electret/field/fmm/traversal.hpp>

namespace electret::fmm {

namespace {

/// Moves pair `from` of one batch behind those of another.
template <class T>
void move_pair(const FarBatch<T>& batch, int from, FarBatch<T>& to) {
  const int l = to.count++;
  to.moments[l] = batch.moments[from];
  to.locals[l] = batch.locals[from];
  for (int axis = 0; axis < 3; ++axis) to.offset[axis][l] = batch.offset[axis][from];
  to.target_scale[l] = batch.target_scale[from];
  to.source_scale[l] = batch.source_scale[from];
}

}  // namespace

template <class T>
void Traversal<T>::start(Workspace<T>& work) {
  const auto clear = [&](FarBatch<T>& batch, int order, T* sums) {
    batch.count = 0;
    batch.order = order;
    batch.sets = moments_.sets();
    batch.set_stride = moments_.stride();
    batch.sums = sums;
    // Lanes without a pair must hold numbers.
    for (auto& axis : batch.offset) std::fill_n(axis, max_lanes, T{1});
    std::fill_n(batch.target_scale, max_lanes, T{0});
    std::fill_n(batch.source_scale, max_lanes, T{0});
  };
  for (int p = 0; p <= max_order; ++p) {
    clear(work.far[static_cast<std::size_t>(p)], p, nullptr);
    clear(work.far_of_target[static_cast<std::size_t>(p)], p, work.lane_sums.data());
  }
  work.ranges.clear();
  work.near.clear();
  // What an exception may have left behind.
  if (work.highest_in_lanes > 0) work.lane_sums.fill(T{0});
  work.highest_of_target = work.highest_in_lanes = 0;
}

template <class T>
void Traversal<T>::add_far(Index target, Index source, int order, Workspace<T>& work) {
  FarBatch<T>& batch = work.far_of_target[static_cast<std::size_t>(order)];
  const CellFrame<T>&a = targets_.frame(target), &b = sources_.frame(source);
  const int l = batch.count++;
  batch.moments[l] = moments_.of(source);
  batch.locals[l] = locals_.of(target);
  for (int axis = 0; axis < 3; ++axis)
    batch.offset[axis][l] = (a.centre[axis] - b.centre[axis]) + (a.centre_low[axis] - b.centre_low[axis]);
  batch.target_scale[l] = a.scale;
  batch.source_scale[l] = b.scale;
  work.highest_of_target = std::max(work.highest_of_target, order);
  if (batch.count < kernels_.width) return;
  kernels_.far(batch);
  batch.count = 0;
  work.highest_in_lanes = std::max(work.highest_in_lanes, order);
}

template <class T>
void Traversal<T>::finish_target(Index target, Workspace<T>& work) {
  for (int p = 1; p <= work.highest_of_target; ++p) {
    FarBatch<T>& batch = work.far_of_target[static_cast<std::size_t>(p)];
    FarBatch<T>& shared = work.far[static_cast<std::size_t>(p)];
    // Lanes left empty cost less than adding up each target's own.
    if (3 * batch.count >= 2 * kernels_.width) {
      kernels_.far(batch);
      work.highest_in_lanes = std::max(work.highest_in_lanes, p);
    } else {
      for (int l = 0; l < batch.count; ++l) {
        move_pair(batch, l, shared);
        if (shared.count < kernels_.width) continue;
        kernels_.far(shared);
        shared.count = 0;
      }
    }
    batch.count = 0;
  }
  if (work.highest_in_lanes > 0)
    kernels_.collect_lanes(work.lane_sums.data(), work.highest_in_lanes, locals_.sets(), locals_.of(target),
                           locals_.stride());
  work.highest_of_target = work.highest_in_lanes = 0;
}

template <class T>
void Traversal<T>::flush(Workspace<T>& work) {
  for (FarBatch<T>& batch : work.far) {
    if (batch.count > 0) kernels_.far(batch);
    batch.count = 0;
  }
}

template <class T>
void Traversal<T>::visit(Index a, const std::vector<Index>& candidates, std::size_t depth,
                         Workspace<T>& work) {
  const auto& target_cells = targets_.tree().cells();
  const auto& source_cells = sources_.tree().cells();
  const bool same_tree = &targets_ == &sources_;
  const Cell& target = target_cells[static_cast<std::size_t>(a)];
  const std::size_t first_range = work.ranges.size();
  if (work.passed_on.size() <= depth) work.passed_on.resize(depth + 1);
  auto& passed_on = work.passed_on[depth];
  auto& open = work.open;
  passed_on.clear();
  open.assign(candidates.begin(), candidates.end());
  while (!open.empty()) {
    const Index b = open.back();
    open.pop_back();
    if (same_tree && a == b) {
      if (!target.is_leaf()) passed_on.push_back(b);
      continue;
    }
    const Cell& source = source_cells[static_cast<std::size_t>(b)];
    const double distance_squared = squared_norm(target.centre - source.centre);
    const double reach = target.radius + source.radius;
    const bool leaves = target.is_leaf() && source.is_leaf();
    int order =
        distance_squared > closest_far_squared_ ? acceptance_.order(reach * reach, distance_squared) : 0;
    if (leaves && Count{target.count()} * source.count() < Acceptance::pairs_worth(order)) order = 0;
    if (order > 0) {
      add_far(a, b, order, work);
    } else if (leaves) {
      const double distance = std::sqrt(distance_squared);
      work.ranges.push_back({source.begin, source.end, static_cast<float>(distance + source.radius),
                             static_cast<float>(distance - reach)});
    } else if (source.is_leaf() || (!target.is_leaf() && (target.radius > source.radius ||
                                                          (target.radius == source.radius && a < b)))) {
      passed_on.push_back(b);
    } else {
      for (Index k = 0; k < source.child_count; ++k) open.push_back(source.first_child + k);
    }
  }
  finish_target(a, work);
  if (target.is_leaf()) work.near.push_back({a, first_range, work.ranges.size()});
}

template <class T>
void Traversal<T>::descend(Index a, const std::vector<Index>& candidates, std::size_t depth,
                           Workspace<T>& work) {
  visit(a, candidates, depth, work);
  const Cell& target = targets_.tree().cells()[static_cast<std::size_t>(a)];
  for (Index k = 0; k < target.child_count; ++k)
    descend(target.first_child + k, work.passed_on[depth], depth + 1, work);
}

template class Traversal<float>;
template class Traversal<double>;

}  // namespace electret::fmm
