#include <cmath>

#include <electret/field/ddef/near_field.hpp>
#include <electret/field/direct/arrays.hpp>

namespace electret::ddef {
namespace {

/// As the direct solver's: the closest a pair may be (in the local frame) for float32.
constexpr float closest_allowed = 1e-6F;
/// Coordinates of padding in float32: away from all charges, which lie within 1.
constexpr float float32_padding = 4.0F;

std::size_t at(Count i) {
  return static_cast<std::size_t>(i);
}

/// The multiple of the rows' kernels' width that holds n.
Count row_size(Count n) {
  return (n + 15) / 16 * 16;
}

/// `charges` of `w` with those set to 0 that are near vertex v; whether any other than 0 is left.
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

/// Takes the sources of `w` with `charges` out of the sums at vertex u; float64.
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

/// The frame that holds the sources of `w`, and the targets in t where they are others.
LocalFrame local_frame(const SumTask& task, Index t, const NearWorkspace& w) {
  const Discretisation& d = task.discretisation;
  const auto u = d.vertices(t);
  LocalFrame frame{0.25 * (u[0] + u[1] + u[2] + u[3])};
  double radius = d.softening();
  const auto include = [&](const Vec3& x) {
    const Vec3 r = x - frame.centre;
    radius = std::max({radius, std::abs(r.x), std::abs(r.y), std::abs(r.z)});
  };
  for (Count k = 0; k < w.gather.size(); ++k) include(w.sources.at(k));
  if (!d.own())
    for (Count k = d.targets().begin(t); k < d.targets().end(t); ++k)
      include(d.targets().coordinates().at(k));
  frame.scale = direct::power_of_two_scale(std::span(&radius, 1));
  return frame;
}

void fill_float32(const SumTask& task, Index t, const LocalFrame& frame, NearWorkspace& w) {
  const Discretisation& d = task.discretisation;
  const Vec3 away{float32_padding, float32_padding, float32_padding};
  const Count n = w.gather.size();
  w.sources32.resize(n);
  for (Count k = 0; k < n; ++k) w.sources32.set(k, frame(w.sources.at(k)));
  for (Count k = n; k < n + padding; ++k) w.sources32.set(k, away);
  w.gather.copy(task.charges.float32, w.charges32);
  if (d.own()) return;
  const Count first = d.targets().begin(t), count = d.targets().count(t);
  w.targets32.resize(count);
  for (Count k = 0; k < count; ++k) w.targets32.set(k, frame(d.targets().coordinates().at(first + k)));
  for (Count k = count; k < count + padding; ++k) w.targets32.set(k, away);
}

/// Then the far field is 0, and not what rounding leaves of a difference.
bool nothing_is_far(const SumTask& task, const NearWorkspace& w) {
  return w.gather.size() == task.discretisation.sources().size();
}

/// As corrected_far in float32; groups it is not fit for in float64.
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
      leave_out_near(task, t, v, w, w.charges, w.vertex_charges);
      take_out(task, d.grid().at(v), w, w.vertex_charges, result[k]);
    }
  }
  return result;
}

/// The near charges' field for a group of targets, in float64.
direct::GroupSums near_sums64(const SumTask& task, const FieldTask<double>& pairs, Count first, int count) {
  direct::GroupSums sums;
  task.direct_kernels.float64[1](pairs, first, count, sums);
  bool finite = true;
  for (int l = 0; l < count; ++l)
    finite &= std::isfinite(sums.vector[0][l] + sums.vector[1][l] + sums.vector[2][l] + sums.scalar[l]);
  if (!finite) task.direct_kernels.float64_masked(pairs, first, count, sums);
  return sums;
}

/// Adds interpolated far and near sums for the group of targets and writes them.
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
  const Discretisation& d = task.discretisation;
  w.gather.collect(d.sources(), d.mesh().sets.near[t], d.own() ? t : -1);
  w.gather.copy(d.sources().coordinates(), w.sources);
  w.gather.copy(task.charges.float64, w.charges);
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

template <class T>
Count evaluate_tetrahedron(const SumTask& task, Index t, const std::vector<VertexSums>& far, NearWorkspace& w,
                           const FieldOutput& output) {
  constexpr bool fast = std::is_same_v<T, float>;
  const Discretisation& d = task.discretisation;
  collect_near(task, t, w);
  Interpolation interpolation(d, t, task.gradients);
  const Count count = d.targets().count(t), n = w.gather.size();
  const FieldTask<double> pairs{
      d.own() ? w.sources.view() : d.targets().coordinates().view(d.targets().begin(t)),
      w.sources.view(),
      w.charges.data(),
      n,
      d.softening_squared(),
      d.own()};
  FieldTask<float> pairs32;
  LocalFrame frame;
  if constexpr (fast) {
    frame = local_frame(task, t, w);
    fill_float32(task, t, frame, w);
    if (!task.near_only) interpolation.far = corrected_far32(task, t, far, frame, w);
    const auto softening = static_cast<float>(frame.scale * d.softening());
    pairs32 = {d.own() ? w.sources32.view() : w.targets32.view(),
               w.sources32.view(),
               w.charges32.data(),
               n,
               softening * softening,
               d.own()};
  } else if (!task.near_only) {
    interpolation.far = corrected_far(task, t, far, w);
  }
  Count coincident = 0;
  for (Count first = 0; first < count; first += group_size) {
    const int lanes = static_cast<int>(std::min<Count>(group_size, count - first));
    direct::GroupSums sums;
    if (fast && task.direct_kernels.float32[1](pairs32, first, lanes, sums) >= closest_allowed)
      coincident += write_group(task, t, interpolation, first, lanes, sums, frame.scale, output);
    else
      coincident += write_group(task, t, interpolation, first, lanes, near_sums64(task, pairs, first, lanes),
                                1.0, output);
  }
  return coincident;
}

template Count evaluate_tetrahedron<float>(const SumTask&, Index, const std::vector<VertexSums>&,
                                           NearWorkspace&, const FieldOutput&);
template Count evaluate_tetrahedron<double>(const SumTask&, Index, const std::vector<VertexSums>&,
                                            NearWorkspace&, const FieldOutput&);

}  // namespace electret::ddef
