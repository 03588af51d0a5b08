// Compiled with -mavx2. It includes nothing whose inline functions another file could take over. It does four
// springs at a time. Their differences are transposed for the lengths and used as they are for the results,
// so that neither reading nor writing needs gathers.
#include <immintrin.h>

#include <electret/elastic/detail/spring_kernels.hpp>

namespace electret::detail {
namespace {

enum class Result { nothing, gradient };
enum class Output { scattered, factors };

inline __m256d row(const double* rows, std::int32_t vertex) {
  return _mm256_load_pd(rows + 4 * std::int64_t{vertex});
}

/// The β of four springs, one per register: (x, y, z, 0).
struct Four {
  __m256d beta[4];
};

inline __m256d squared_lengths(const Four& f) {
  const __m256d xz01 = _mm256_unpacklo_pd(f.beta[0], f.beta[1]);
  const __m256d yw01 = _mm256_unpackhi_pd(f.beta[0], f.beta[1]);
  const __m256d xz23 = _mm256_unpacklo_pd(f.beta[2], f.beta[3]);
  const __m256d yw23 = _mm256_unpackhi_pd(f.beta[2], f.beta[3]);
  const __m256d x = _mm256_permute2f128_pd(xz01, xz23, 0x20);
  const __m256d z = _mm256_permute2f128_pd(xz01, xz23, 0x31);
  const __m256d y = _mm256_permute2f128_pd(yw01, yw23, 0x20);
  return _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(x, x), _mm256_mul_pd(y, y)), _mm256_mul_pd(z, z));
}

/// Springs of zero length (a set bit in `zero`) have no direction: β becomes (1, 0, 0), the divisor 1.
__attribute__((noinline)) void give_direction(Four& f, __m256d& divisor, int zero) {
  alignas(32) double divisors[4];
  _mm256_store_pd(divisors, divisor);
  for (int k = 0; k < 4; ++k) {
    if ((zero >> k & 1) == 0) continue;
    f.beta[k] = _mm256_setr_pd(1.0, 0.0, 0.0, 0.0);
    divisors[k] = 1.0;
  }
  divisor = _mm256_load_pd(divisors);
}

/// Adds the energies of four springs with k and l to `energies`. Returns the factors c of k (β - p) = c β.
/// Bits of `zero` mark springs of zero length.
template <Result result>
inline __m256d four_factors(Four& f, __m256d k, __m256d l, __m256d& energies, int& zero) {
  const __m256d length = _mm256_sqrt_pd(squared_lengths(f));
  const __m256d stretch = _mm256_sub_pd(length, l);
  const __m256d half = _mm256_mul_pd(_mm256_set1_pd(0.5), k);
  energies = _mm256_add_pd(energies, _mm256_mul_pd(half, _mm256_mul_pd(stretch, stretch)));
  if constexpr (result == Result::nothing) return energies;
  __m256d divisor = length;
  zero = _mm256_movemask_pd(_mm256_cmp_pd(length, _mm256_setzero_pd(), _CMP_EQ_OQ));
  if (__builtin_expect(zero, 0)) give_direction(f, divisor, zero);
  return _mm256_div_pd(_mm256_mul_pd(k, stretch), divisor);
}

/// Adds to row i and subtracts from row j. Holds row i in a register while springs share it.
class Scatter {
 public:
  explicit Scatter(double* rows) : rows_(rows) {}
  inline void add(std::int32_t i, std::int32_t j, __m256d vector) {
    if (i != held_) {
      flush();
      held_ = i;
      sum_ = row(rows_, i);
    }
    sum_ = _mm256_add_pd(sum_, vector);
    _mm256_store_pd(rows_ + 4 * std::int64_t{j}, _mm256_sub_pd(row(rows_, j), vector));
  }
  inline void flush() {
    if (held_ >= 0) _mm256_store_pd(rows_ + 4 * std::int64_t{held_}, sum_);
  }

 private:
  double* rows_;
  std::int32_t held_ = -1;
  __m256d sum_ = _mm256_setzero_pd();
};

/// Puts the results of springs e … e+count-1: c β into rows, or c alone.
template <Output output>
inline void put(Scatter& rows, double* out, const std::int32_t* ends, int count, const Four& f, __m256d c) {
  if constexpr (output == Output::factors) {
    alignas(32) double factors[4];
    if (count == 4) return _mm256_storeu_pd(out, c);
    _mm256_store_pd(factors, c);
    for (int k = 0; k < count; ++k) out[k] = factors[k];
  } else {
    const __m256d vectors[4] = {_mm256_mul_pd(_mm256_permute4x64_pd(c, 0x00), f.beta[0]),
                                _mm256_mul_pd(_mm256_permute4x64_pd(c, 0x55), f.beta[1]),
                                _mm256_mul_pd(_mm256_permute4x64_pd(c, 0xaa), f.beta[2]),
                                _mm256_mul_pd(_mm256_permute4x64_pd(c, 0xff), f.beta[3])};
    for (int k = 0; k < count; ++k) rows.add(ends[2 * k], ends[2 * k + 1], vectors[k]);
  }
}

/// The last springs from e on, fewer than four. The idle lanes repeat the last spring with k = l = 0, which
/// adds an energy of 0.
struct Last {
  Last(const SpringRange& s, std::int64_t e) : count(static_cast<int>(s.end - e)) {
    for (int lane = 0; lane < 4; ++lane) {
      const std::int64_t from = e + (lane < count ? lane : count - 1);
      ends[2 * lane] = s.ends[2 * from];
      ends[2 * lane + 1] = s.ends[2 * from + 1];
      if (lane < count) k[lane] = s.stiffness[from], l[lane] = s.rest_length[from];
    }
  }
  int count;
  std::int32_t ends[8];
  alignas(32) double k[4] = {}, l[4] = {};
};

inline Four differences(const double* positions, const std::int32_t* ends) {
  Four f;
  for (int lane = 0; lane < 4; ++lane)
    f.beta[lane] = _mm256_sub_pd(row(positions, ends[2 * lane]), row(positions, ends[2 * lane + 1]));
  return f;
}

template <Result result, Output output>
double springs(const SpringRange& s, double* out, bool* zero_length) {
  __m256d energies = _mm256_setzero_pd();
  Scatter rows(out);
  int zero = 0;
  const auto four = [&](std::int64_t e, const std::int32_t* ends, int count, __m256d k, __m256d l) {
    Four f = differences(s.positions, ends);
    const __m256d c = four_factors<result>(f, k, l, energies, zero);
    if constexpr (output == Output::factors)
      if (__builtin_expect(zero, 0)) *zero_length = true;
    if constexpr (result != Result::nothing) put<output>(rows, out + e, ends, count, f, c);
  };
  std::int64_t e = s.begin;
  for (; e + 4 <= s.end; e += 4)
    four(output == Output::factors ? e : 0, s.ends + 2 * e, 4, _mm256_loadu_pd(s.stiffness + e),
         _mm256_loadu_pd(s.rest_length + e));
  if (e < s.end) {
    const Last last(s, e);
    four(output == Output::factors ? e : 0, last.ends, last.count, _mm256_load_pd(last.k),
         _mm256_load_pd(last.l));
  }
  if constexpr (output == Output::scattered && result != Result::nothing) rows.flush();
  alignas(32) double lanes[4];
  _mm256_store_pd(lanes, energies);
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

double energy(const SpringRange& s) {
  return springs<Result::nothing, Output::scattered>(s, nullptr, nullptr);
}

double scatter_gradient(const SpringRange& s, double* rows) {
  return springs<Result::gradient, Output::scattered>(s, rows, nullptr);
}

/// x² + y² + z² = 0, summed as everywhere here.
inline bool has_no_length(__m256d beta) {
  alignas(32) double b[4];
  _mm256_store_pd(b, beta);
  return b[0] * b[0] + b[1] * b[1] + b[2] * b[2] == 0.0;
}

void gather(const SpringRows& rows, std::int64_t begin, std::int64_t end) {
  for (std::int64_t v = begin; v < end; ++v) {
    const __m256d x = _mm256_load_pd(rows.positions + 4 * v);
    __m256d sum = _mm256_setzero_pd();
    for (std::int64_t k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
      const SpringSide side = rows.sides[k];
      __m256d beta = _mm256_sub_pd(x, row(rows.positions, side.other));
      if (__builtin_expect(rows.zero_lengths, 0) && has_no_length(beta))
        beta = _mm256_setr_pd(rows.ends[2 * std::int64_t{side.spring}] == v ? 1.0 : -1.0, 0.0, 0.0, 0.0);
      sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_set1_pd(rows.factors[side.spring]), beta));
    }
    alignas(32) double total[4];
    _mm256_store_pd(total, sum);
    for (int axis = 0; axis < 3; ++axis) rows.out[3 * v + axis] += total[axis];
  }
}

/// β̂ and l/|β| of four springs, in four lanes each.
struct Directions {
  __m256d of[4];
};
inline Directions directions_of(Four& f, __m256d l, bool clamped, __m256d& ratio) {
  const __m256d length = _mm256_sqrt_pd(squared_lengths(f)), one = _mm256_set1_pd(1.0);
  const __m256d no_length = _mm256_cmp_pd(length, _mm256_setzero_pd(), _CMP_EQ_OQ);
  __m256d divisor = length;
  const int zero = _mm256_movemask_pd(no_length);
  if (__builtin_expect(zero, 0)) give_direction(f, divisor, zero);
  const __m256d inverse = _mm256_div_pd(one, divisor);
  ratio = _mm256_andnot_pd(no_length, _mm256_div_pd(l, divisor));
  if (clamped) ratio = _mm256_min_pd(one, ratio);
  return {{_mm256_mul_pd(_mm256_permute4x64_pd(inverse, 0x00), f.beta[0]),
           _mm256_mul_pd(_mm256_permute4x64_pd(inverse, 0x55), f.beta[1]),
           _mm256_mul_pd(_mm256_permute4x64_pd(inverse, 0xaa), f.beta[2]),
           _mm256_mul_pd(_mm256_permute4x64_pd(inverse, 0xff), f.beta[3])}};
}

/// Writes the directions of the first `count` of four springs to `out`.
inline void put_directions(Four& f, __m256d l, bool clamped, int count, double* out) {
  __m256d ratio;
  const Directions u = directions_of(f, l, clamped, ratio);
  const __m256d ratios[4] = {_mm256_permute4x64_pd(ratio, 0x00), _mm256_permute4x64_pd(ratio, 0x55),
                             _mm256_permute4x64_pd(ratio, 0xaa), _mm256_permute4x64_pd(ratio, 0xff)};
  for (int k = 0; k < count; ++k) _mm256_storeu_pd(out + 4 * k, _mm256_blend_pd(u.of[k], ratios[k], 0x8));
}

void directions(const SpringRange& s, bool clamped, double* out) {
  std::int64_t e = s.begin;
  for (; e + 4 <= s.end; e += 4) {
    Four f = differences(s.positions, s.ends + 2 * e);
    put_directions(f, _mm256_loadu_pd(s.rest_length + e), clamped, 4, out + 4 * e);
  }
  if (e < s.end) {
    const Last last(s, e);
    Four f = differences(s.positions, last.ends);
    put_directions(f, _mm256_load_pd(last.l), clamped, last.count, out + 4 * e);
  }
}

/// Writes w and a of the first `count` of four springs, each to the places of its two sides.
inline void put_factors(Four& f, __m256d k, __m256d l, bool clamped, int count, const std::int32_t* sides,
                        float* out) {
  __m256d ratio;
  const Directions u = directions_of(f, l, clamped, ratio);
  const __m128 root = _mm_sqrt_ps(_mm256_cvtpd_ps(_mm256_mul_pd(k, ratio)));
  const __m128 across = _mm256_cvtpd_ps(_mm256_mul_pd(k, _mm256_sub_pd(_mm256_set1_pd(1.0), ratio)));
  const __m128 roots[4] = {_mm_permute_ps(root, 0x00), _mm_permute_ps(root, 0x55), _mm_permute_ps(root, 0xaa),
                           _mm_permute_ps(root, 0xff)};
  const __m128 acrosses[4] = {_mm_permute_ps(across, 0x00), _mm_permute_ps(across, 0x55),
                              _mm_permute_ps(across, 0xaa), _mm_permute_ps(across, 0xff)};
  for (int q = 0; q < count; ++q) {
    const __m128 w = _mm_mul_ps(roots[q], _mm256_cvtpd_ps(u.of[q]));
    const __m128 both = _mm_blend_ps(w, acrosses[q], 0x8);
    _mm_store_ps(out + 4 * std::int64_t{sides[2 * q]}, both);
    _mm_store_ps(out + 4 * std::int64_t{sides[2 * q + 1]}, both);
  }
}

void factors(const SpringRange& s, bool clamped, const std::int32_t* sides, float* out) {
  std::int64_t e = s.begin;
  for (; e + 4 <= s.end; e += 4) {
    Four f = differences(s.positions, s.ends + 2 * e);
    put_factors(f, _mm256_loadu_pd(s.stiffness + e), _mm256_loadu_pd(s.rest_length + e), clamped, 4,
                sides + 2 * e, out);
  }
  if (e < s.end) {
    const Last last(s, e);
    Four f = differences(s.positions, last.ends);
    put_factors(f, _mm256_load_pd(last.k), _mm256_load_pd(last.l), clamped, last.count, sides + 2 * e, out);
  }
}

}  // namespace

const SpringKernels avx2_spring_kernels{energy, scatter_gradient, springs<Result::gradient, Output::factors>,
                                        gather, directions,       factors};

}  // namespace electret::detail
