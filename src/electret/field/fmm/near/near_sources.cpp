#include <algorithm>

#include <electret/field/fmm/near/near_sources.hpp>

namespace electret::fmm {
namespace {

/// Coordinates of padding. They are far from all points, so no pair with them looks close.
constexpr float nowhere = 4.0F;

template <class T>
void append(const T* from, Index count, std::size_t at, PaddedArray<T>& to) {
  std::copy_n(from, count, to.data() + at);
}

}  // namespace

/// Copies one part of the sources.
template <class T>
struct NearSources<T>::Copy {
  const NearSources& near;
  CentringTask<T> all;  ///< All points of the sources' tree, relative to the leaf's centre.
  GatheredSources<T>& to;
  bool plain, low;  ///< `low`: also copies what rounding lost of the coordinates.
  std::size_t at = 0;

  void make_room(std::size_t total) {
    const std::size_t room = total + static_cast<std::size_t>(near.kernels_.width);
    for (int axis = 0; axis < 3; ++axis) {
      to.high[axis].resize(room);
      if (low) to.low[axis].resize(room);
      if (near.sources_.vectors) to.vectors[axis].resize(room);
    }
    to.charges.resize(room);
  }

  void add(Index begin, Index end) {
    const Index count = end - begin;
    if (plain) {
      near.kernels_.centre(
          all, begin, end,
          {to.high[0].data() + at, to.high[1].data() + at, to.high[2].data() + at, to.charges.data() + at});
    } else {
      append(all.points.x + begin, count, at, to.high[0]);
      append(all.points.y + begin, count, at, to.high[1]);
      append(all.points.z + begin, count, at, to.high[2]);
      append(all.charges + begin, count, at, to.charges);
    }
    if (low) {
      append(all.points.x_low + begin, count, at, to.low[0]);
      append(all.points.y_low + begin, count, at, to.low[1]);
      append(all.points.z_low + begin, count, at, to.low[2]);
    }
    if (near.sources_.vectors)
      for (int axis = 0; axis < 3; ++axis)
        append((*near.sources_.vectors)[axis].data() + begin, count, at, to.vectors[axis]);
    at += static_cast<std::size_t>(count);
  }

  void fill_gap(std::size_t end) {
    for (; at < end; ++at) {
      for (int axis = 0; axis < 3; ++axis) {
        to.high[axis][at] = static_cast<T>(nowhere);
        if (low) to.low[axis][at] = T{0};
        if (near.sources_.vectors) to.vectors[axis][at] = T{0};
      }
      to.charges[at] = T{0};
    }
  }
};

template <class T>
void NearSources<T>::gather(Index cell, const NearPart& part, Workspace<T>& work, NearTask<T>& task) const {
  const Cell& leaf = targets_.points->tree().cell(cell);
  const CellFrame<T>& frame = targets_.points->frame(cell);
  const auto w = static_cast<std::size_t>(kernels_.width);
  const auto whole = [w](std::size_t n) { return (n + w - 1) / w * w; };
  const std::size_t own = part.own ? whole(static_cast<std::size_t>(leaf.count())) : 0;
  std::size_t total = own;
  for (std::size_t r = part.first; r < part.last; ++r)
    total += static_cast<std::size_t>(work.ranges[r].end - work.ranges[r].begin);
  GatheredSources<T>& to = work.gathered;
  CentringTask<T> all{sources_.points->points(0), sources_.charges->data(), {}, {}};
  std::copy_n(frame.centre, 3, all.centre), std::copy_n(frame.centre_low, 3, all.centre_low);
  Copy copy{*this, all, to, part.plain, sizeof(T) == sizeof(float) && !part.plain};
  copy.make_room(total);
  if (part.own) copy.add(leaf.begin, leaf.end), copy.fill_gap(own);
  for (std::size_t r = part.first; r < part.last;) {
    // Siblings are mostly neighbours in memory, and then need only one copy.
    const Index begin = work.ranges[r].begin;
    Index end = work.ranges[r].end;
    while (++r < part.last && work.ranges[r].begin == end) end = work.ranges[r].end;
    copy.add(begin, end);
  }
  copy.fill_gap(whole(total));
  task.own = static_cast<int>(own);
  task.source_count = static_cast<int>(whole(total));
  task.sources = {to.high[0].data(), to.high[1].data(), to.high[2].data()};
  if (copy.low)
    task.sources.x_low = to.low[0].data(), task.sources.y_low = to.low[1].data(),
    task.sources.z_low = to.low[2].data();
  task.charges = to.charges.data();
  if (sources_.vectors) task.u = view(to.vectors);
  task.targets = targets_.points->points(leaf.begin);
  if (!part.plain) return;
  for (auto& axis : to.targets) axis.resize(static_cast<std::size_t>(leaf.count()));
  all.points = task.targets, all.charges = nullptr;
  kernels_.centre(all, 0, leaf.count(),
                  {to.targets[0].data(), to.targets[1].data(), to.targets[2].data(), nullptr});
  task.targets = {to.targets[0].data(), to.targets[1].data(), to.targets[2].data()};
}

template class NearSources<float>;
template class NearSources<double>;

}  // namespace electret::fmm
