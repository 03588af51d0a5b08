#include <cmath>

#include <electret/field/ddef/derivatives.hpp>
#include <electret/field/direct/arrays.hpp>

namespace electret::ddef {
namespace {

constexpr Count tetrahedra_per_task = 4;
constexpr Count vertices_per_task = 256;

std::size_t at(Count i) {
  return static_cast<std::size_t>(i);
}

void sum_derivatives(const SumTask& task, const direct::DerivativeTask<double>& derivatives, Count first,
                     int lanes, direct::GroupSums& sums) {
  task.direct_kernels.derivative64[0](derivatives, first, lanes, sums);
  if (!direct::all_finite(sums, lanes))
    task.direct_kernels.derivative64_masked[0](derivatives, first, lanes, sums);
}

int lanes_of(Count count, Count first) {
  return static_cast<int>(std::min<Count>(group_size, count - first));
}

Vec3 lane(const direct::GroupSums& sums, int l) {
  return {sums.vector[0][l], sums.vector[1][l], sums.vector[2][l]};
}

void add(VertexWeights& to, const VertexWeights& weights, double factor) {
  to.weight += factor * weights.weight;
  for (int k = 0; k < symmetric_size; ++k) to.moment[k] += factor * weights.moment[k];
}

}  // namespace

void Products::own(const SumTask& task, const std::vector<VertexSums>& far, VectorView z, double constant,
                   VectorSpan product, ScalarSpan charge_gradient, Threads& threads) {
  const SortedPoints& points = task.discretisation.sources();
  const double scale = task.discretisation.scale();
  factors_.assign(task.charges.float64.begin(), task.charges.float64.end());
  joint_ = true;
  set_weights(task, z);
  sum(task, far, threads);
  const double unit = constant / task.charges.scale * scale * scale;
  for (Count k = 0; k < points.size(); ++k) {
    const std::size_t i = points.caller(k);
    const double charge = task.charges.float64[at(k)] / task.charges.scale;
    if (!product.empty()) product[i] = (unit * scale * charge) * source_sums_.at(k);
    if (!charge_gradient.empty()) charge_gradient[i] = unit * source_scalars_[at(k)];
  }
}

void Products::adjoint(const SumTask& task, const std::vector<VertexSums>& far, VectorView w, double constant,
                       VectorSpan target_gradient, VectorSpan source_gradient, ScalarSpan charge_gradient,
                       Threads& threads) {
  const Discretisation& d = task.discretisation;
  factors_.assign(at(d.targets().size() + padding), 1.0);
  joint_ = false;
  set_weights(task, w);
  sum(task, far, threads);
  const double unit = constant * d.scale() * d.scale();
  for (Count k = 0; k < d.targets().size(); ++k)
    target_gradient[d.targets().caller(k)] = (unit * d.scale() / task.charges.scale) * target_sums_.at(k);
  for (Count k = 0; k < d.sources().size(); ++k) {
    const std::size_t j = d.sources().caller(k);
    const double charge = task.charges.float64[at(k)] / task.charges.scale;
    source_gradient[j] = (unit * d.scale() * charge) * source_sums_.at(k);
    charge_gradient[j] = unit * source_scalars_[at(k)];
  }
}

void Products::set_weights(const SumTask& task, VectorView weights) {
  const SortedPoints& targets = task.discretisation.targets();
  weights_.resize(targets.size());
  for (Count k = 0; k < targets.size(); ++k) weights_.set(k, weights[targets.caller(k)]);
}

void Products::clear_sums(const SumTask& task) {
  const Discretisation& d = task.discretisation;
  const Count n = d.sources().size();
  source_sums_.resize(n);
  source_scalars_.assign(at(n), 0.0);
  for (Count k = 0; k < n; ++k) source_sums_.set(k, {});
  if (!joint_) target_sums_.resize(d.targets().size());
  spread_.assign(at(4 * d.mesh().tessellation.size()), {});
  total_.resize(at(d.grid_size()));
}

void Products::sum(const SumTask& task, const std::vector<VertexSums>& far, Threads& threads) {
  const Discretisation& d = task.discretisation;
  clear_sums(task);
  const auto& occupied = d.targets().occupied();
  threads.for_chunks(static_cast<Count>(occupied.size()), tetrahedra_per_task, [&](Count begin, Count end) {
    Workspaces<Workspace>::Lease w(workspaces_);
    for (Count k = begin; k < end; ++k) gather_at_targets(task, occupied[at(k)], far, *w);
  });
  total_weights(task, threads);
  threads.for_chunks(static_cast<Count>(d.chunks().size()), 1, [&](Count c, Count) {
    Workspaces<Workspace>::Lease w(workspaces_);
    gather_at_sources(task, d.chunks()[at(c)], *w);
  });
}

/// Sums at the targets in t: the derivative of the interpolated field, and the near charges. Joint sums take
/// a pair that is near both ways once for both its roles: q K'(z_i - z_j).
void Products::gather_at_targets(const SumTask& task, Index t, const std::vector<VertexSums>& far,
                                 Workspace& w) {
  const Discretisation& d = task.discretisation;
  const SortedPoints& targets = d.targets();
  collect_near(task, t, w.near);
  Interpolation interpolation(d, t, task.gradients);
  interpolation.far = corrected_far(task, t, far, w.near);
  spread(task, t, interpolation);
  const Count begin = targets.begin(t), count = targets.count(t), n = w.near.gather.size();
  if (joint_) {
    w.near.gather.copy(weights_, w.vectors);
    mask_one_sided(task, t, w);
  } else {
    w.vectors.resize(n);
    for (Count k = 0; k < n; ++k) w.vectors.set(k, {});
  }
  const direct::DerivativeTask<double> derivatives{
      {d.own() ? w.near.sources.view() : targets.coordinates().view(begin), w.near.sources.view(),
       w.near.charges.data(), n, d.softening_squared(), d.own()},
      joint_ ? w.vectors.view() : weights_.view(begin),
      w.vectors.view()};
  for (Count first = 0; first < count; first += group_size) {
    direct::GroupSums sums;
    const int lanes = lanes_of(count, first);
    sum_derivatives(task, derivatives, first, lanes, sums);
    for (int l = 0; l < lanes; ++l) {
      const Count place = begin + first + l;
      const Vec3 x = targets.coordinates().at(place), weight = weights_.at(place);
      const Vec3 gradient = lane(sums, l) + interpolation.gradient(x, weight);
      if (joint_) {
        source_sums_.set(place, gradient);
        source_scalars_[at(place)] = sums.scalar[l] + dot(weight, interpolation.at(x).vector);
      } else {
        target_sums_.set(place, gradient);
      }
    }
  }
}

/// Sets the vectors of some charges to 0: those that are near for t although t's charges are not near for
/// them.
void Products::mask_one_sided(const SumTask& task, Index t, Workspace& w) const {
  const NearSets& sets = task.discretisation.mesh().sets;
  const auto near = sets.near[t], seen_by = sets.near_targets[t];
  std::size_t other = 0;
  for (std::size_t k = 0; k < near.size(); ++k) {
    while (other < seen_by.size() && seen_by[other] < near[k]) ++other;
    if (other < seen_by.size() && seen_by[other] == near[k]) continue;
    const Count offset = w.near.gather.offset(k), count = task.discretisation.sources().count(near[k]);
    for (Count j = offset; j < offset + count; ++j) w.vectors.set(j, {});
  }
}

void Products::spread(const SumTask& task, Index t, const Interpolation& interpolation) {
  const SortedPoints& targets = task.discretisation.targets();
  VertexWeights* spread = spread_.data() + 4 * static_cast<Count>(t);
  for (Count k = targets.begin(t); k < targets.end(t); ++k) {
    const Vec3 x = targets.coordinates().at(k), weight = factors_[at(k)] * weights_.at(k);
    const auto psi = interpolation.weights(x);
    for (std::size_t v = 0; v < 4; ++v) {
      spread[v].weight += psi[v] * weight;
      if (interpolation.taylor == 0.0) continue;
      const Vec3 a = (psi[v] * interpolation.taylor) * weight, b = x - interpolation.vertices[v];
      const double moment[symmetric_size] = {a.x * b.x,
                                             a.y * b.y,
                                             a.z * b.z,
                                             0.5 * (a.x * b.y + a.y * b.x),
                                             0.5 * (a.x * b.z + a.z * b.x),
                                             0.5 * (a.y * b.z + a.z * b.y)};
      for (int c = 0; c < symmetric_size; ++c) spread[v].moment[c] += moment[c];
    }
  }
}

void Products::total_weights(const SumTask& task, Threads& threads) {
  const Mesh& mesh = task.discretisation.mesh();
  threads.for_chunks(task.discretisation.grid_size(), vertices_per_task, [&](Count begin, Count end) {
    for (Count v = begin; v < end; ++v) {
      total_[at(v)] = {};
      for (const Index t : mesh.sets.around[static_cast<Index>(v)])
        for (Count k = 0; k < 4; ++k)
          if (mesh.tessellation.vertices_of[at(t)][at(k)] == v)
            add(total_[at(v)], spread_[at(4 * static_cast<Count>(t) + k)], 1.0);
    }
  });
}

/// Sums the grid at a chunk's charges. Vertices of tetrahedra for which some of the chunk's charges are near
/// are summed for each of the chunk's tetrahedra separately, all other vertices for the chunk as a whole.
void Products::gather_at_sources(const SumTask& task, const Chunk& chunk, Workspace& w) {
  const Discretisation& d = task.discretisation;
  const Mesh& mesh = d.mesh();
  const auto& occupied = d.sources().occupied();
  const Count grid = d.grid_size();
  if (static_cast<Count>(w.local.size()) != grid) {
    w.local.resize(at(grid));
    w.stamp_of.assign(at(grid), 0);
    w.near_stamp_of.assign(at(grid), 0);
    w.stamp = 0;
  }
  const Count chunk_stamp = ++w.stamp;
  w.touched.clear();
  for (Count k = chunk.begin; k < chunk.end; ++k)
    for (const Index t : mesh.sets.near_targets[occupied[at(k)]])
      for (const Index v : mesh.tessellation.vertices_of[at(t)])
        if (w.stamp_of[at(v)] != chunk_stamp) {
          w.stamp_of[at(v)] = chunk_stamp;
          w.touched.push_back(v);
        }
  w.vertices.clear();
  for (Index v = 0; v < grid; ++v)
    if (w.stamp_of[at(v)] != chunk_stamp) w.vertices.push_back(v);
  add_grid(task, d.sources().begin(occupied[at(chunk.begin)]), d.sources().end(occupied[at(chunk.end - 1)]),
           total_, w);
  for (Count k = chunk.begin; k < chunk.end; ++k) {
    const Index s = occupied[at(k)];
    local_weights(task, s, w);
    add_grid(task, d.sources().begin(s), d.sources().end(s), w.local, w);
    add_one_sided(task, s, w);
  }
}

/// W and M of the touched vertices for the charges in s, and the list of those that are not near s.
void Products::local_weights(const SumTask& task, Index s, Workspace& w) const {
  const Mesh& mesh = task.discretisation.mesh();
  const Count stamp = ++w.stamp;
  for (const Index v : mesh.sets.near_vertices[s]) w.near_stamp_of[at(v)] = stamp;
  w.vertices.clear();
  for (const Index v : w.touched) {
    if (w.near_stamp_of[at(v)] == stamp) continue;
    w.vertices.push_back(v);
    w.local[at(v)] = total_[at(v)];
  }
  for (const Index t : mesh.sets.near_targets[s]) {
    if (task.discretisation.targets().count(t) == 0) continue;
    for (Count k = 0; k < 4; ++k)
      add(w.local[at(mesh.tessellation.vertices_of[at(t)][at(k)])],
          spread_[at(4 * static_cast<Count>(t) + k)], -1.0);
  }
}

/// Adds the grid's `w.vertices` with `weights` (by vertex) to the sums of sources [begin, end).
void Products::add_grid(const SumTask& task, Count begin, Count end,
                        const std::vector<VertexWeights>& weights, Workspace& w) {
  const Discretisation& d = task.discretisation;
  const auto count = static_cast<Count>(w.vertices.size());
  w.grid.resize(count);
  w.weights.resize(count);
  w.ones.assign(w.grid.x.size(), 1.0);
  for (Count k = 0; k < count; ++k) {
    const Index v = w.vertices[at(k)];
    w.grid.set(k, d.grid().at(v));
    w.weights.set(k, weights[at(v)].weight);
  }
  MomentTask moments{d.sources().coordinates().view(begin),
                     w.grid.view(),
                     w.weights.view(),
                     {},
                     count,
                     d.softening_squared()};
  if (task.gradients)
    for (int c = 0; c < symmetric_size; ++c) {
      w.moments[c].resize(w.grid.x.size());
      for (Count k = 0; k < count; ++k) w.moments[c][at(k)] = weights[at(w.vertices[at(k)])].moment[c];
      moments.moments[c] = w.moments[c].data();
    }
  // Zero vectors of the targets against W of the grid with unit charges: -Σ K' W and -Σ K·W.
  w.vectors.resize(end - begin);
  for (Count k = 0; k < end - begin + padding; ++k) w.vectors.set(k, {});
  const direct::DerivativeTask<double> derivatives{
      {moments.targets, moments.sources, w.ones.data(), count, d.softening_squared(), false},
      w.vectors.view(),
      w.weights.view()};
  for (Count first = 0; first < end - begin; first += group_size) {
    direct::GroupSums sums;
    const int lanes = lanes_of(end - begin, first);
    if (task.gradients) {
      task.kernels.moment(moments, first, lanes, sums);
      if (!direct::all_finite(sums, lanes)) task.kernels.moment_masked(moments, first, lanes, sums);
    } else {
      sum_derivatives(task, derivatives, first, lanes, sums);
    }
    add_group(sums, begin + first, lanes);
  }
}

/// Adds the targets for which the charges in s are near. Joint sums have those that are near both ways
/// already. If the targets are the sources, those in s come first, so that each charge leaves out itself.
void Products::add_one_sided(const SumTask& task, Index s, Workspace& w) {
  const Discretisation& d = task.discretisation;
  const NearSets& sets = d.mesh().sets;
  const auto seen_by = sets.near_targets[s];
  w.tetrahedra.clear();
  if (joint_) {
    const auto near = sets.near[s];
    std::set_difference(seen_by.begin(), seen_by.end(), near.begin(), near.end(),
                        std::back_inserter(w.tetrahedra));
  } else {
    w.tetrahedra.assign(seen_by.begin(), seen_by.end());
  }
  const bool with_self = d.own() && !joint_;
  w.gather.collect(d.targets(), w.tetrahedra, with_self ? s : -1);
  if (w.gather.size() == 0) return;
  w.gather.copy(d.targets().coordinates(), w.points);
  w.gather.copy(weights_, w.point_vectors);
  w.gather.copy(factors_, w.factors);
  const Count begin = d.sources().begin(s), count = d.sources().count(s);
  w.vectors.resize(count);
  for (Count k = 0; k < count + padding; ++k) w.vectors.set(k, {});
  const direct::DerivativeTask<double> derivatives{
      {d.sources().coordinates().view(begin), w.points.view(), w.factors.data(), w.gather.size(),
       d.softening_squared(), with_self},
      w.vectors.view(),
      w.point_vectors.view()};
  for (Count first = 0; first < count; first += group_size) {
    direct::GroupSums sums;
    const int lanes = lanes_of(count, first);
    sum_derivatives(task, derivatives, first, lanes, sums);
    add_group(sums, begin + first, lanes);
  }
}

void Products::add_group(const direct::GroupSums& sums, Count place, int lanes) {
  for (int l = 0; l < lanes; ++l) {
    source_sums_.set(place + l, source_sums_.at(place + l) + lane(sums, l));
    source_scalars_[at(place + l)] += sums.scalar[l];
  }
}

}  // namespace electret::ddef
