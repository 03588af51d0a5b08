#include <cmath>

#include <electret/core/instruction_set.hpp>
#include <electret/elastic/detail/spring_kernels.hpp>

namespace electret::detail {
namespace {

struct Beta {
  double x, y, z;
  [[nodiscard]] double length() const { return std::sqrt(x * x + y * y + z * z); }
};

Beta difference(const double* positions, std::int32_t i, std::int32_t j) {
  const double* xi = positions + 4 * std::int64_t{i};
  const double* xj = positions + 4 * std::int64_t{j};
  return {xi[0] - xj[0], xi[1] - xj[1], xi[2] - xj[2]};
}

/// c of k (β - p) = c β; β becomes (1, 0, 0) for a spring of zero length.
double factor(const SpringRange& s, std::int64_t e, Beta& beta, double length) {
  if (length == 0.0) beta = {1.0, 0.0, 0.0};
  const double divisor = length == 0.0 ? 1.0 : length;
  return s.stiffness[e] * (length - s.rest_length[e]) / divisor;
}

/// Calls visit(e, β, |β|) for every spring and sums their energies, in four lanes.
template <class Visit>
double springs(const SpringRange& s, Visit&& visit) {
  double lanes[4] = {0.0, 0.0, 0.0, 0.0};
  for (std::int64_t e = s.begin; e < s.end; ++e) {
    Beta beta = difference(s.positions, s.ends[2 * e], s.ends[2 * e + 1]);
    const double length = beta.length();
    const double stretch = length - s.rest_length[e];
    lanes[e % 4] += 0.5 * s.stiffness[e] * (stretch * stretch);
    visit(e, beta, length);
  }
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

double energy(const SpringRange& s) {
  return springs(s, [](std::int64_t, Beta&, double) {});
}

double scatter_gradient(const SpringRange& s, double* rows) {
  return springs(s, [&](std::int64_t e, Beta& beta, double length) {
    const double c = factor(s, e, beta, length);
    double* i = rows + 4 * std::int64_t{s.ends[2 * e]};
    double* j = rows + 4 * std::int64_t{s.ends[2 * e + 1]};
    const double vector[3] = {c * beta.x, c * beta.y, c * beta.z};
    for (int k = 0; k < 3; ++k) i[k] += vector[k];
    for (int k = 0; k < 3; ++k) j[k] -= vector[k];
  });
}

double gradient_factors(const SpringRange& s, double* out, bool* zero_length) {
  return springs(s, [&](std::int64_t e, Beta& beta, double length) {
    if (length == 0.0) *zero_length = true;
    out[e] = factor(s, e, beta, length);
  });
}

void gather(const SpringRows& rows, std::int64_t begin, std::int64_t end) {
  for (std::int64_t v = begin; v < end; ++v) {
    Beta sum{0.0, 0.0, 0.0};
    for (std::int64_t k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
      const SpringSide side = rows.sides[k];
      Beta beta = difference(rows.positions, static_cast<std::int32_t>(v), side.other);
      if (rows.zero_lengths && beta.length() == 0.0)
        beta = {rows.ends[2 * std::int64_t{side.spring}] == v ? 1.0 : -1.0, 0.0, 0.0};
      const double c = rows.factors[side.spring];
      sum = {sum.x + c * beta.x, sum.y + c * beta.y, sum.z + c * beta.z};
    }
    rows.out[3 * v] += sum.x;
    rows.out[3 * v + 1] += sum.y;
    rows.out[3 * v + 2] += sum.z;
  }
}

void direction(const SpringRange& s, std::int64_t e, bool clamped, double* at) {
  Beta beta = difference(s.positions, s.ends[2 * e], s.ends[2 * e + 1]);
  const double length = beta.length();
  if (length == 0.0) beta = {1.0, 0.0, 0.0};
  const double inverse = length == 0.0 ? 1.0 : 1.0 / length;
  const double ratio = length == 0.0 ? 0.0 : s.rest_length[e] / length;
  at[0] = inverse * beta.x;
  at[1] = inverse * beta.y;
  at[2] = inverse * beta.z;
  at[3] = clamped && ratio > 1.0 ? 1.0 : ratio;
}

void directions(const SpringRange& s, bool clamped, double* out) {
  for (std::int64_t e = s.begin; e < s.end; ++e) direction(s, e, clamped, out + 4 * e);
}

void factors(const SpringRange& s, bool clamped, const std::int32_t* sides, float* out) {
  for (std::int64_t e = s.begin; e < s.end; ++e) {
    double u[4];
    direction(s, e, clamped, u);
    const double k = s.stiffness[e], r = u[3];
    const float root = std::sqrt(static_cast<float>(k * r));
    for (int end = 0; end < 2; ++end) {
      float* at = out + 4 * std::int64_t{sides[2 * e + end]};
      for (int axis = 0; axis < 3; ++axis) at[axis] = root * static_cast<float>(u[axis]);
      at[3] = static_cast<float>(k * (1.0 - r));
    }
  }
}

}  // namespace

const SpringKernels portable_spring_kernels{energy, scatter_gradient, gradient_factors,
                                            gather, directions,       factors};

const SpringKernels& spring_kernels() {
#ifdef ELECTRET_HAS_AVX2
  if (instruction_set() >= InstructionSet::avx2) return avx2_spring_kernels;
#endif
  return portable_spring_kernels;
}

}  // namespace electret::detail
