#include <cmath>

#include <electret/core/instruction_set.hpp>
#include <electret/elastic/detail/spring_products.hpp>

namespace electret::detail {
namespace {

void product(const LinearisedSprings& s, const double* d, std::int64_t begin, std::int64_t end, double* out) {
  for (std::int64_t v = begin; v < end; ++v) {
    double sum[3] = {0.0, 0.0, 0.0};
    for (std::int64_t side = s.offsets[v]; side < s.offsets[v + 1]; ++side) {
      const double* other = d + 3 * std::int64_t{s.sides[side].other};
      const double* u = s.directions + 4 * std::int64_t{s.sides[side].spring};
      const double k = s.stiffness[s.sides[side].spring], r = u[3];
      const double delta[3] = {d[3 * v] - other[0], d[3 * v + 1] - other[1], d[3 * v + 2] - other[2]};
      const double along = u[0] * delta[0] + u[1] * delta[1] + u[2] * delta[2];
      for (int axis = 0; axis < 3; ++axis)
        sum[axis] += k * (delta[axis] - r * (delta[axis] - along * u[axis]));
    }
    for (int axis = 0; axis < 3; ++axis) out[3 * v + axis] += sum[axis];
  }
}

typedef float Four __attribute__((vector_size(16)));

inline Four load(const float* p) {
  Four a;
  __builtin_memcpy(&a, p, sizeof a);
  return a;
}

/// a δ + w (w·δ) for one side; lane 3 has no meaning.
inline Four term(Four factors, Four delta) {
  const Four products = factors * delta;
  const float along = (products[0] + products[1]) + (products[2] + products[3]);
  return factors[3] * delta + factors * along;
}

void product32(const LinearisedSprings& s, float factor, const float* d, std::int64_t begin, std::int64_t end,
               float* out) {
  for (std::int64_t v = begin; v < end; ++v) {
    const Four here = load(d + 4 * v);
    Four even{}, odd{};
    std::int64_t side = s.offsets[v];
    const auto delta = [&](std::int64_t at) { return here - load(d + 4 * std::int64_t{s.sides[at].other}); };
    for (; side + 2 <= s.offsets[v + 1]; side += 2) {
      even += term(load(s.factors + 4 * side), delta(side));
      odd += term(load(s.factors + 4 * side + 4), delta(side + 1));
    }
    if (side < s.offsets[v + 1]) even += term(load(s.factors + 4 * side), delta(side));
    const Four sum = factor * (even + odd);
    for (int axis = 0; axis < 3; ++axis) out[4 * v + axis] += sum[axis];
  }
}

}  // namespace

const SpringProducts portable_spring_products{product, product32};

const SpringProducts& spring_products() {
#ifdef ELECTRET_HAS_AVX2
  if (instruction_set() >= InstructionSet::avx2) return avx2_spring_products;
#endif
  return portable_spring_products;
}

}  // namespace electret::detail
