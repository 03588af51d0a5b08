#include <algorithm>

#include <electret/field/fmm/passes/traversal.hpp>

namespace electret::fmm {

template <class T>
void Traversal<T>::start(Workspace<T>& work) {
  const auto clear = [&](FarBatch<T>& batch, int order, const Series<T>& series, T* sums = nullptr) {
    batch.count = 0;
    batch.order = order;
    batch.sets = series.moments.sets();
    batch.set_stride = series.moments.stride();
    batch.sums = sums;
    batch.softening_squared = static_cast<T>(settings_.softening * settings_.softening);
    // Lanes without a pair must hold finite numbers.
    for (auto& axis : batch.offset) std::fill_n(axis, max_lanes, T{1});
    std::fill_n(batch.target_scale, max_lanes, T{0});
    std::fill_n(batch.source_scale, max_lanes, T{0});
  };
  for (int p = 0; p <= max_order; ++p) clear(work.far[static_cast<std::size_t>(p)], p, series_.harmonic);
  clear(work.far_of_target, 0, series_.harmonic, work.lane_sums.data());
  for (int p = 0; p <= max_taylor_order; ++p)
    clear(work.far_taylor[static_cast<std::size_t>(p)], p, series_.taylor);
  for (SortedCells& cells : work.sorted) cells.count = 0;
  work.ranges.clear();
  work.near.clear();
  // Clears what an exception may have left behind.
  if (work.highest_in_lanes > 0) work.lane_sums.fill(T{0});
  work.highest_in_lanes = 0;
}

template <class T>
void Traversal<T>::add_pair(Index target, Index source, Series<T>& series, FarBatch<T>& batch) {
  const CellFrame<T>&a = targets_.frame(target), &b = sources_.frame(source);
  const int l = batch.count++;
  batch.moments[l] = series.moments.of(source);
  batch.locals[l] = series.locals.of(target);
  for (int axis = 0; axis < 3; ++axis)
    batch.offset[axis][l] = (a.centre[axis] - b.centre[axis]) + (a.centre_low[axis] - b.centre_low[axis]);
  batch.target_scale[l] = a.scale;
  batch.source_scale[l] = b.scale;
}

template <class T>
void Traversal<T>::m2l_of_target(Index target, int order, Workspace<T>& work) {
  SortedCells& cells = work.sorted[static_cast<std::size_t>(order)];
  FarBatch<T>& batch = work.far_of_target;
  const int count = std::min(cells.count, kernels_.width);
  batch.count = 0;
  batch.order = order;
  for (int l = 0; l < count; ++l) add_pair(target, cells.cell[l], series_.harmonic, batch);
  kernels_.harmonic.m2l(batch);
  std::copy(cells.cell + count, cells.cell + cells.count, cells.cell);
  cells.count -= count;
  work.highest_in_lanes = std::max(work.highest_in_lanes, order);
}

template <class T>
void Traversal<T>::queue_m2l(Index target, SortedCells& cells, Series<T>& series, FarBatch<T>& batch) {
  for (int l = 0; l < cells.count; ++l) {
    add_pair(target, cells.cell[l], series, batch);
    if (batch.count < kernels_.width) continue;
    series.kernels.m2l(batch);
    batch.count = 0;
  }
  cells.count = 0;
}

template <class T>
void Traversal<T>::finish_target(Index target, Workspace<T>& work) {
  for (int p = 1; p <= acceptance_.highest_order(); ++p) {
    SortedCells& cells = work.sorted[static_cast<std::size_t>(p)];
    // A register with a few empty lanes costs less than adding each lane to its target separately.
    if (3 * cells.count >= 2 * kernels_.width) m2l_of_target(target, p, work);
    queue_m2l(target, cells, series_.harmonic, work.far[static_cast<std::size_t>(p)]);
  }
  Expansions<T>& locals = series_.harmonic.locals;
  if (work.highest_in_lanes > 0)
    kernels_.collect_lanes(work.lane_sums.data(), work.highest_in_lanes, locals.sets(), locals.of(target),
                           locals.stride());
  work.highest_in_lanes = 0;
}

template <class T>
void Traversal<T>::flush(Workspace<T>& work) {
  const auto sum = [](FarBatch<T>& batch, const SeriesKernels<T>& kernels) {
    if (batch.count > 0) kernels.m2l(batch);
    batch.count = 0;
  };
  for (FarBatch<T>& batch : work.far) sum(batch, kernels_.harmonic);
  for (FarBatch<T>& batch : work.far_taylor) sum(batch, kernels_.taylor);
}

template <class T>
template <class Number>
void Traversal<T>::classify(Index a, const BallBlock& sources, int count, Workspace<T>& work, Number number) {
  unsigned char found[ball_lanes];
  const Cell& target = targets_.tree().cell(a);
  const auto squared = [](double distance) { return distance * distance; };
  const bool softened = series_.taylor.used;
  const auto accept = softened ? kernels_.accept_softened : kernels_.accept;
  accept({.target = ball_of(target),
          .sources = &sources,
          .closest_squared = squared(settings_.closest_far),
          .tables = acceptance_.tables(),
          .verdicts = found,
          .softened_squared = squared(settings_.closest_harmonic),
          .softening_squared = squared(settings_.softening)});
  for (int l = 0; l < count; ++l) {
    const Index b = number(l);
    // The kernel does not know the cells' numbers. Of equally large cells the earlier is cut, in both
    // directions.
    const unsigned char tie = a <= b ? Verdict::near_or_cut_target : Verdict::cut_source;
    const unsigned char verdict = found[l] == Verdict::cut_either ? tie : found[l];
    SortedCells& cells = work.sorted[verdict];
    cells.cell[cells.count++] = b;
  }
  for (int p = 1; p <= acceptance_.highest_order(); ++p)
    while (work.sorted[static_cast<std::size_t>(p)].count >= kernels_.width) m2l_of_target(a, p, work);
  for (int p = 1; softened && p <= acceptance_.highest_taylor_order(); ++p)
    queue_m2l(a, work.sorted[taylor_verdict(p)], series_.taylor,
              work.far_taylor[static_cast<std::size_t>(p)]);
}

template <class T>
void Traversal<T>::keep_close(Index a, Candidates& passed_on, Workspace<T>& work) {
  const Cell& target = targets_.tree().cell(a);
  SortedCells& cells = work.sorted[Verdict::near_or_cut_target];
  for (int l = 0; l < cells.count; ++l) {
    const Index b = cells.cell[l];
    const Cell& source = sources_.tree().cell(b);
    if (!target.is_leaf()) {
      passed_on.add(b, source);
    } else if (mutual_ ? source.begin > target.begin : !(&targets_ == &sources_ && a == b)) {
      const double distance = norm(target.centre - source.centre);
      work.ranges.push_back({source.begin, source.end, b, static_cast<float>(distance + source.radius),
                             static_cast<float>(distance - (target.radius + source.radius))});
    }
  }
  cells.count = 0;
}

template <class T>
void Traversal<T>::visit(Index a, const Candidates& candidates, std::size_t depth, Workspace<T>& work) {
  const std::size_t first_range = work.ranges.size();
  if (work.passed_on.size() <= depth) work.passed_on.resize(depth + 1);
  Candidates& passed_on = work.passed_on[depth];
  passed_on.clear();
  work.cut_sources.clear();
  const auto take = [&](const BallBlock& sources, int count, auto number) {
    classify(a, sources, count, work, number);
    keep_close(a, passed_on, work);
    SortedCells& cut = work.sorted[Verdict::cut_source];
    work.cut_sources.insert(work.cut_sources.end(), cut.cell, cut.cell + cut.count);
    cut.count = 0;
  };
  for (int k = 0; k < candidates.count(); k += ball_lanes) {
    const auto& block = candidates.block(k / ball_lanes);
    take(block.balls, std::min(ball_lanes, candidates.count() - k), [&](int l) { return block.cell[l]; });
  }
  for (std::size_t k = 0; k < work.cut_sources.size(); ++k) {
    const Cell& source = sources_.tree().cell(work.cut_sources[k]);
    const Index first = source.first_child;
    take(sources_.tree().children_of(source), source.child_count, [&](int l) { return first + l; });
  }
  finish_target(a, work);
  if (targets_.tree().cell(a).is_leaf()) work.near.push_back({a, first_range, work.ranges.size()});
}

template <class T>
void Traversal<T>::descend(Index a, const Candidates& candidates, std::size_t depth, Workspace<T>& work) {
  visit(a, candidates, depth, work);
  const Cell& target = targets_.tree().cell(a);
  for (Index k = 0; k < target.child_count; ++k)
    descend(target.first_child + k, work.passed_on[depth], depth + 1, work);
}

template class Traversal<float>;
template class Traversal<double>;

}  // namespace electret::fmm
