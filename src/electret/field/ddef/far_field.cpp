#include <cmath>
#include <type_traits>

#include <electret/field/ddef/far_field.hpp>

namespace electret::ddef {
namespace {

/// The smallest ρ² (scaled) that float32 may sum, as in the direct solver.
constexpr double closest_allowed = 1e-6;
constexpr double target_padding = 4.0;
constexpr Count vertices_per_task = 256;

std::size_t at(Count i) {
  return static_cast<std::size_t>(i);
}

template <class T>
struct Streams;

template <>
struct Streams<double> {
  static const Arrays<double>& sources(const SumTask& t) { return t.discretisation.sources().coordinates(); }
  static const Arrays<double>& grid(const SumTask& t) { return t.discretisation.grid(); }
  static const double* charges(const SumTask& t) { return t.charges.float64.data(); }
  static double field(const SumTask& t, const FieldTask<double>& f, Count first, int count,
                      direct::GroupSums& sums) {
    return t.direct_kernels.float64[1](f, first, count, sums);
  }
  static double gradient(const SumTask& t, const FieldTask<double>& f, Count first, int count,
                         GradientSums& sums) {
    return t.kernels.gradient64(f, first, count, sums);
  }
};

template <>
struct Streams<float> {
  static const Arrays<float>& sources(const SumTask& t) { return t.discretisation.sources().coordinates32(); }
  static const Arrays<float>& grid(const SumTask& t) { return t.discretisation.grid32(); }
  static const float* charges(const SumTask& t) { return t.charges.float32.data(); }
  static float field(const SumTask& t, const FieldTask<float>& f, Count first, int count,
                     direct::GroupSums& sums) {
    return t.direct_kernels.float32[1](f, first, count, sums);
  }
  static float gradient(const SumTask& t, const FieldTask<float>& f, Count first, int count,
                        GradientSums& sums) {
    return t.kernels.gradient32(f, first, count, sums);
  }
};

VertexSums lane(const direct::GroupSums& sums, int l) {
  VertexSums result;
  result.vector = {sums.vector[0][l], sums.vector[1][l], sums.vector[2][l]};
  result.scalar = sums.scalar[l];
  return result;
}

VertexSums lane(const GradientSums& sums, int l) {
  VertexSums result;
  result.vector = {sums.vector[0][l], sums.vector[1][l], sums.vector[2][l]};
  result.scalar = sums.scalar[l];
  for (int k = 0; k < symmetric_size; ++k) result.gradient[k] = sums.gradient[k][l];
  return result;
}

template <class Sums>
bool all_finite(const Sums& sums, int count) {
  bool finite = true;
  for (int l = 0; l < count; ++l)
    finite &= std::isfinite(sums.vector[0][l] + sums.vector[1][l] + sums.vector[2][l] + sums.scalar[l]);
  if constexpr (std::is_same_v<Sums, GradientSums>)
    for (int l = 0; l < count; ++l)
      for (int k = 0; k < symmetric_size; ++k) finite &= std::isfinite(sums.gradient[k][l]);
  return finite;
}

/// The same sums in float64, with pairs at distance 0 masked, for a group that has pairs too close for the
/// fast kernel.
void sum_masked(const SumTask& task, Count begin, Count end, const Index* vertices, int count,
                VertexSums* sums) {
  const Discretisation& d = task.discretisation;
  double x[group_size] = {}, y[group_size] = {}, z[group_size] = {};
  for (int l = 0; l < count; ++l) {
    const Vec3 u = d.grid().at(vertices[l]);
    x[l] = u.x, y[l] = u.y, z[l] = u.z;
  }
  const FieldTask<double> exact{{x, y, z},
                                d.sources().coordinates().view(begin),
                                task.charges.float64.data() + begin,
                                end - begin,
                                d.softening_squared(),
                                false};
  const auto add = [&](const auto& group) {
    for (int l = 0; l < count; ++l) sums[vertices[l]] += lane(group, l);
  };
  if (task.gradients) {
    GradientSums group;
    task.kernels.gradient64_masked(exact, 0, count, group);
    add(group);
  } else {
    direct::GroupSums group;
    task.direct_kernels.float64_masked(exact, 0, count, group);
    add(group);
  }
}

}  // namespace

template <class T>
const std::vector<VertexSums>& FarField<T>::evaluate(const SumTask& task, Threads& threads) {
  const Discretisation& d = task.discretisation;
  const Count grid = d.grid_size(), parts = static_cast<Count>(d.parts().size()) - 1;
  part_sums_.resize(std::max(part_sums_.size(), at(parts * grid)));
  sums_.resize(at(grid));
  threads.for_chunks(parts, 1, [&](Count p, Count) {
    typename Workspaces<Workspace>::Lease w(workspaces_);
    VertexSums* sums = part_sums_.data() + p * grid;
    std::fill(sums, sums + grid, VertexSums{});
    for (Count c = d.parts()[at(p)]; c < d.parts()[at(p) + 1]; ++c)
      add_chunk(task, d.chunks()[at(c)], *w, sums);
  });
  threads.for_chunks(grid, vertices_per_task, [&](Count begin, Count end) {
    for (Count v = begin; v < end; ++v) {
      VertexSums total;
      for (Count p = 0; p < parts; ++p) total += part_sums_[at(p * grid + v)];
      sums_[at(v)] = total;
    }
  });
  return sums_;
}

template <class T>
void FarField<T>::add_chunk(const SumTask& task, const Chunk& chunk, Workspace& w, VertexSums* sums) const {
  const Discretisation& d = task.discretisation;
  const auto& near_vertices = d.mesh().sets.near_vertices;
  const auto& occupied = d.sources().occupied();
  const Count grid = d.grid_size();
  if (static_cast<Count>(w.touched_at.size()) != grid) {
    w.touched_at.assign(at(grid), 0);
    w.near_at.assign(at(grid), 0);
    w.stamp = 0;
  }
  const Count chunk_stamp = ++w.stamp;
  w.touched.clear();
  for (Count k = chunk.begin; k < chunk.end; ++k)
    for (const Index v : near_vertices[occupied[at(k)]])
      if (w.touched_at[at(v)] != chunk_stamp) {
        w.touched_at[at(v)] = chunk_stamp;
        w.touched.push_back(v);
      }
  w.others.clear();
  for (Index v = 0; v < grid; ++v)
    if (w.touched_at[at(v)] != chunk_stamp) w.others.push_back(v);
  add_sources(task, d.sources().begin(occupied[at(chunk.begin)]),
              d.sources().end(occupied[at(chunk.end - 1)]), w.others, w, sums);
  if (chunk.end - chunk.begin == 1) return;
  for (Count k = chunk.begin; k < chunk.end; ++k) {
    const Index s = occupied[at(k)];
    const Count stamp = ++w.stamp;
    for (const Index v : near_vertices[s]) w.near_at[at(v)] = stamp;
    w.others.clear();
    for (const Index v : w.touched)
      if (w.near_at[at(v)] != stamp) w.others.push_back(v);
    add_sources(task, d.sources().begin(s), d.sources().end(s), w.others, w, sums);
  }
}

/// Adds sources [begin, end) to the sums at the vertices.
template <class T>
void FarField<T>::add_sources(const SumTask& task, Count begin, Count end, const std::vector<Index>& vertices,
                              Workspace& w, VertexSums* sums) const {
  using S = Streams<T>;
  const auto count = static_cast<Count>(vertices.size());
  const auto& grid = S::grid(task);
  w.targets.resize(count);
  for (Count k = 0; k < count; ++k) {
    const std::size_t v = at(vertices[at(k)]);
    w.targets.x[at(k)] = grid.x[v], w.targets.y[at(k)] = grid.y[v], w.targets.z[at(k)] = grid.z[v];
  }
  for (Count k = count; k < count + padding; ++k)
    w.targets.set(k, {target_padding, target_padding, target_padding});
  const FieldTask<T> fast{w.targets.view(),
                          S::sources(task).view(begin),
                          S::charges(task) + begin,
                          end - begin,
                          static_cast<T>(task.discretisation.softening_squared()),
                          false};
  const auto add_group = [&](auto& group, Count first, int lanes, T closest) {
    if ((std::is_same_v<T, float> && !(closest >= static_cast<T>(closest_allowed))) ||
        !all_finite(group, lanes)) {
      sum_masked(task, begin, end, vertices.data() + first, lanes, sums);
      return;
    }
    for (int l = 0; l < lanes; ++l) sums[vertices[at(first + l)]] += lane(group, l);
  };
  for (Count first = 0; first < count; first += group_size) {
    const int lanes = static_cast<int>(std::min<Count>(group_size, count - first));
    if (task.gradients) {
      GradientSums group;
      const T closest = S::gradient(task, fast, first, lanes, group);
      add_group(group, first, lanes, closest);
    } else {
      direct::GroupSums group;
      const T closest = S::field(task, fast, first, lanes, group);
      add_group(group, first, lanes, closest);
    }
  }
}

template class FarField<float>;
template class FarField<double>;

}  // namespace electret::ddef
