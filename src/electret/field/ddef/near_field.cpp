#include <cmath>

#include <electret/field/ddef/near_field.hpp>
#include <electret/field/direct/arrays.hpp>

namespace electret::ddef {
namespace {

/// The smallest |r|² (in the local frame) that float32 may sum. There, rounded coordinates change K by at
/// most 7e-4 (direct.cpp), well below the error of the interpolation.
constexpr float closest_allowed = 1e-7F;

std::size_t at(Count i) {
  return static_cast<std::size_t>(i);
}

/// n rounded up to a multiple of the row kernels' width.
Count row_size(Count n) {
  return (n + 15) / 16 * 16;
}

/// Copies the `charges` of `w` to `left`, with 0 for those that are near vertex v. Returns whether any charge
/// is left.
template <class T>
bool leave_out_near(const SumTask& task, Index t, Index v, const NearWorkspace& w,
                    const std::vector<T>& charges, std::vector<T>& left) {
  const auto& sets = task.discretisation.mesh().sets;
  const auto near = sets.near[t], near_of_v = sets.near_of[v];
  const Count size = row_size(w.gather.size());
  if (static_cast<Count>(left.size()) < size) left.resize(at(size + padding));
  std::copy(charges.begin(), charges.begin() + size, left.begin());
  Count removed = 0;
  std::size_t k = 0;
  for (const Index s : near_of_v) {  // both lists ascend, and T(v) is part of S(t)
    while (near[k] != s) ++k;
    const Count count = task.discretisation.sources().count(s), offset = w.gather.offset(k);
    std::fill(left.begin() + offset, left.begin() + offset + count, T{0});
    removed += count;
  }
  return removed < w.gather.size();
}

bool is_finite(const RowSums& sums) {
  double total = sums.vector[0] + sums.vector[1] + sums.vector[2] + sums.scalar;
  for (const double g : sums.gradient) total += g;
  return std::isfinite(total);
}

void subtract(VertexSums& far, const RowSums& sums, double scale) {
  const double square = scale * scale;
  far.vector -= square * Vec3{sums.vector[0], sums.vector[1], sums.vector[2]};
  far.scalar -= scale * sums.scalar;
  for (int k = 0; k < symmetric_size; ++k) far.gradient[k] -= square * scale * sums.gradient[k];
}

/// Subtracts the sources of `w` with `charges` from the sums at vertex u, in float64.
void take_out(const SumTask& task, const Vec3& u, const NearWorkspace& w, const std::vector<double>& charges,
              VertexSums& far) {
  const RowTask<double> row{u.x,
                            u.y,
                            u.z,
                            w.sources.view(),
                            charges.data(),
                            row_size(w.gather.size()),
                            task.discretisation.softening_squared()};
  RowSums sums;
  task.kernels.row64[task.gradients](row, sums);
  if (!is_finite(sums)) task.kernels.row64_masked(row, sums);
  subtract(far, sums, 1.0);
}

/// The frame that holds the sources near t, and the targets in t if they are not the sources.
LocalFrame local_frame(const SumTask& task, Index t) {
  const Discretisation& d = task.discretisation;
  const auto u = d.vertices(t);
  LocalFrame frame{0.25 * (u[0] + u[1] + u[2] + u[3])};
  double radius = d.softening();
  const auto include = [&](const SortedPoints::Bounds& bounds) {
    const Vec3 low = frame.centre - bounds.low, high = bounds.high - frame.centre;
    radius = std::max({radius, low.x, low.y, low.z, high.x, high.y, high.z});
  };
  for (const Index s : d.mesh().sets.near[t])
    if (d.sources().count(s) > 0) include(d.sources().bounds(s));
  if (!d.own()) include(d.targets().bounds(t));
  frame.scale = direct::power_of_two_scale(std::span(&radius, 1));
  return frame;
}

void collect(const SumTask& task, Index t, NearWorkspace& w) {
  const Discretisation& d = task.discretisation;
  w.gather.collect(d.sources(), d.mesh().sets.near[t], d.own() ? t : -1);
  w.has_float64 = false;
  // The buffers are ready for a pair that is too close for float32, wherever it turns up.
  w.sources.resize(w.gather.size());
  if (w.charges.size() < w.sources.x.size()) w.charges.resize(w.sources.x.size());
  if (w.vertex_charges.size() < w.sources.x.size()) w.vertex_charges.resize(w.sources.x.size());
}

void need_float64(const SumTask& task, NearWorkspace& w) {
  if (w.has_float64) return;
  w.gather.copy(task.discretisation.sources().coordinates(), w.sources);
  w.gather.copy(task.charges.float64, w.charges);
  w.has_float64 = true;
}

void fill_float32(const SumTask& task, Index t, const LocalFrame& frame, NearWorkspace& w) {
  const Discretisation& d = task.discretisation;
  const auto& x = d.sources().coordinates();
  w.gather.copy_scaled(x.x, frame.centre.x, frame.scale, float32_padding, w.sources32.x);
  w.gather.copy_scaled(x.y, frame.centre.y, frame.scale, float32_padding, w.sources32.y);
  w.gather.copy_scaled(x.z, frame.centre.z, frame.scale, float32_padding, w.sources32.z);
  w.gather.copy(task.charges.float32, w.charges32);
  if (d.own()) return;
  const Count first = d.targets().begin(t), count = d.targets().count(t);
  w.targets32.resize(count);
  for (Count k = 0; k < count; ++k) w.targets32.set(k, frame(d.targets().coordinates().at(first + k)));
  for (Count k = count; k < count + padding; ++k)
    w.targets32.set(k, {float32_padding, float32_padding, float32_padding});
}

/// Whether all sources are near. The far field is then exactly 0, and not what rounding leaves of a
/// difference.
bool nothing_is_far(const SumTask& task, const NearWorkspace& w) {
  return w.gather.size() == task.discretisation.sources().size();
}

/// corrected_far in float32; sums that are not finite are repeated in float64.
std::array<VertexSums, 4> corrected_far32(const SumTask& task, Index t, const std::vector<VertexSums>& far,
                                          const LocalFrame& frame, NearWorkspace& w) {
  const Discretisation& d = task.discretisation;
  const auto& vertices = d.mesh().tessellation.vertices_of[at(t)];
  const auto softening = static_cast<float>(frame.scale * d.softening());
  std::array<VertexSums, 4> result;
  if (nothing_is_far(task, w)) return result;
  for (std::size_t k = 0; k < 4; ++k) {
    const Index v = vertices[k];
    result[k] = far[at(v)];
    if (!leave_out_near(task, t, v, w, w.charges32, w.vertex_charges32)) continue;
    const Vec3 u = frame(d.grid().at(v));
    const RowTask<float> row{static_cast<float>(u.x), static_cast<float>(u.y),   static_cast<float>(u.z),
                             w.sources32.view(),      w.vertex_charges32.data(), row_size(w.gather.size()),
                             softening * softening};
    RowSums sums;
    task.kernels.row32[task.gradients](row, sums);
    if (is_finite(sums)) {
      subtract(result[k], sums, frame.scale);
    } else {
      need_float64(task, w);
      leave_out_near(task, t, v, w, w.charges, w.vertex_charges);
      take_out(task, d.grid().at(v), w, w.vertex_charges, result[k]);
    }
  }
  return result;
}

/// The field of the near charges at a group of targets, in float64.
direct::GroupSums near_sums64(const SumTask& task, const FieldTask<double>& pairs, Count first, int count) {
  direct::GroupSums sums;
  task.direct_kernels.float64[1](pairs, first, count, sums);
  bool finite = true;
  for (int l = 0; l < count; ++l)
    finite &= std::isfinite(sums.vector[0][l] + sums.vector[1][l] + sums.vector[2][l] + sums.scalar[l]);
  if (!finite) task.direct_kernels.float64_masked(pairs, first, count, sums);
  return sums;
}

FieldTask<double> near_pairs64(const SumTask& task, Index t, const NearWorkspace& w) {
  const Discretisation& d = task.discretisation;
  return {d.own() ? w.sources.view() : d.targets().coordinates().view(d.targets().begin(t)),
          w.sources.view(),
          w.charges.data(),
          w.gather.size(),
          d.softening_squared(),
          d.own()};
}

/// Adds the interpolated far sums and the near sums of a group of targets, and writes them.
Count write_group(const SumTask& task, Index t, const Interpolation& interpolation, Count first, int count,
                  const direct::GroupSums& near, double near_scale, const FieldOutput& output) {
  const SortedPoints& targets = task.discretisation.targets();
  double coincident = 0.0;
  for (int l = 0; l < count; ++l) {
    const Count place = targets.begin(t) + first + l;
    VertexSums sum = interpolation.at(targets.coordinates().at(place));
    sum.vector += (near_scale * near_scale) * Vec3{near.vector[0][l], near.vector[1][l], near.vector[2][l]};
    sum.scalar += near_scale * near.scalar[l];
    const std::size_t i = targets.caller(place);
    output.field[i] = output.field_unit * sum.vector;
    if (!output.potential.empty()) output.potential[i] = output.potential_unit * sum.scalar;
    if (!task.discretisation.own() || task.charges.float64[at(place)] != 0.0)
      coincident += near.coincident[l];
  }
  return static_cast<Count>(coincident);
}

}  // namespace

void collect_near(const SumTask& task, Index t, NearWorkspace& w) {
  collect(task, t, w);
  need_float64(task, w);
}

std::array<VertexSums, 4> corrected_far(const SumTask& task, Index t, const std::vector<VertexSums>& far,
                                        NearWorkspace& w) {
  const auto& vertices = task.discretisation.mesh().tessellation.vertices_of[at(t)];
  std::array<VertexSums, 4> result;
  if (nothing_is_far(task, w)) return result;
  for (std::size_t k = 0; k < 4; ++k) {
    result[k] = far[at(vertices[k])];
    if (leave_out_near(task, t, vertices[k], w, w.charges, w.vertex_charges))
      take_out(task, task.discretisation.grid().at(vertices[k]), w, w.vertex_charges, result[k]);
  }
  return result;
}

template <>
Count evaluate_tetrahedron<double>(const SumTask& task, Index t, const std::vector<VertexSums>& far,
                                   NearWorkspace& w, const FieldOutput& output) {
  collect_near(task, t, w);
  Interpolation interpolation(task.discretisation, t, task.gradients);
  if (!task.near_only) interpolation.far = corrected_far(task, t, far, w);
  const FieldTask<double> pairs = near_pairs64(task, t, w);
  const Count count = task.discretisation.targets().count(t);
  Count coincident = 0;
  for (Count first = 0; first < count; first += group_size) {
    const int lanes = static_cast<int>(std::min<Count>(group_size, count - first));
    coincident += write_group(task, t, interpolation, first, lanes, near_sums64(task, pairs, first, lanes),
                              1.0, output);
  }
  return coincident;
}

template <>
Count evaluate_tetrahedron<float>(const SumTask& task, Index t, const std::vector<VertexSums>& far,
                                  NearWorkspace& w, const FieldOutput& output) {
  const Discretisation& d = task.discretisation;
  collect(task, t, w);
  Interpolation interpolation(d, t, task.gradients);
  const LocalFrame frame = local_frame(task, t);
  fill_float32(task, t, frame, w);
  if (!task.near_only) interpolation.far = corrected_far32(task, t, far, frame, w);
  const auto softening = static_cast<float>(frame.scale * d.softening());
  const FieldTask<float> pairs{d.own() ? w.sources32.view() : w.targets32.view(),
                               w.sources32.view(),
                               w.charges32.data(),
                               w.gather.size(),
                               softening * softening,
                               d.own()};
  const float closest = direct::closest_with_softening(closest_allowed, pairs.softening_squared);
  const Count count = d.targets().count(t);
  Count coincident = 0;
  for (Count first = 0; first < count; first += group_size) {
    const int lanes = static_cast<int>(std::min<Count>(group_size, count - first));
    direct::GroupSums sums;
    double scale = frame.scale;
    if (!(task.direct_kernels.float32[1](pairs, first, lanes, sums) >= closest)) {
      need_float64(task, w);
      sums = near_sums64(task, near_pairs64(task, t, w), first, lanes);
      scale = 1.0;
    }
    coincident += write_group(task, t, interpolation, first, lanes, sums, scale, output);
  }
  return coincident;
}

}  // namespace electret::ddef
