// Compiled with -mavx2: includes nothing whose inline functions another file could take over.
// Four springs at a time; their differences are transposed for the lengths and used as they are for the
// results, so that neither reading nor writing needs gathers.
#include <immintrin.h>

#include <electret/elastic/detail/spring_kernels.hpp>

namespace electret::detail {
namespace {

enum class Result { nothing, gradient, projection };

inline __m256d row(const double* rows, std::int32_t vertex) {
  return _mm256_load_pd(rows + 4 * std::int64_t{vertex});
}

/// Four springs' β, one a register: (x, y, z, 0).
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

/// Springs e … e+3 (k and l given; ends of lanes beyond the last repeat): the results' four vectors, and the
/// energies added to `energies`.
template <Result result>
inline void four_springs(const double* x, const std::int32_t* ends, __m256d k, __m256d l, __m256d& energies,
                         __m256d* vectors) {
  Four f;
  for (int s = 0; s < 4; ++s) f.beta[s] = _mm256_sub_pd(row(x, ends[2 * s]), row(x, ends[2 * s + 1]));
  const __m256d length = _mm256_sqrt_pd(squared_lengths(f));
  const __m256d stretch = _mm256_sub_pd(length, l);
  if constexpr (result != Result::projection) {
    const __m256d half = _mm256_mul_pd(_mm256_set1_pd(0.5), k);
    energies = _mm256_add_pd(energies, _mm256_mul_pd(half, _mm256_mul_pd(stretch, stretch)));
  }
  if constexpr (result != Result::nothing) {
    __m256d divisor = length;
    const int zero = _mm256_movemask_pd(_mm256_cmp_pd(length, _mm256_setzero_pd(), _CMP_EQ_OQ));
    if (__builtin_expect(zero, 0)) give_direction(f, divisor, zero);
    const __m256d strength = _mm256_mul_pd(k, result == Result::gradient ? stretch : l);
    const __m256d factor = _mm256_div_pd(strength, divisor);
    vectors[0] = _mm256_mul_pd(_mm256_permute4x64_pd(factor, 0x00), f.beta[0]);
    vectors[1] = _mm256_mul_pd(_mm256_permute4x64_pd(factor, 0x55), f.beta[1]);
    vectors[2] = _mm256_mul_pd(_mm256_permute4x64_pd(factor, 0xaa), f.beta[2]);
    vectors[3] = _mm256_mul_pd(_mm256_permute4x64_pd(factor, 0xff), f.beta[3]);
  }
}

/// Adds to row i and takes from row j, holding row i in a register while springs share it.
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

template <Result result, bool scatter>
double springs(const SpringRange& s, double* out) {
  __m256d energies = _mm256_setzero_pd();
  __m256d vectors[4];
  Scatter rows(out);
  const auto put = [&](std::int64_t e, const std::int32_t* ends, int count) {
    if constexpr (result == Result::nothing) return;
    for (int k = 0; k < count; ++k) {
      if constexpr (scatter)
        rows.add(ends[2 * k], ends[2 * k + 1], vectors[k]);
      else
        _mm256_store_pd(out + 4 * (e + k), vectors[k]);
    }
  };
  std::int64_t e = s.begin;
  for (; e + 4 <= s.end; e += 4) {
    const std::int32_t* ends = s.ends + 2 * e;
    four_springs<result>(s.positions, ends, _mm256_loadu_pd(s.stiffness + e),
                         _mm256_loadu_pd(s.rest_length + e), energies, vectors);
    put(e, ends, 4);
  }
  if (e < s.end) {  // The idle lanes repeat the last spring with k = l = 0 and add an energy of 0.
    const int left = static_cast<int>(s.end - e);
    std::int32_t ends[8];
    alignas(32) double k[4] = {}, l[4] = {};
    for (int lane = 0; lane < 4; ++lane) {
      const std::int64_t from = e + (lane < left ? lane : left - 1);
      ends[2 * lane] = s.ends[2 * from];
      ends[2 * lane + 1] = s.ends[2 * from + 1];
      if (lane < left) k[lane] = s.stiffness[from], l[lane] = s.rest_length[from];
    }
    four_springs<result>(s.positions, ends, _mm256_load_pd(k), _mm256_load_pd(l), energies, vectors);
    put(e, ends, left);
  }
  if constexpr (scatter) rows.flush();
  alignas(32) double lanes[4];
  _mm256_store_pd(lanes, energies);
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

double energy(const SpringRange& s) {
  return springs<Result::nothing, false>(s, nullptr);
}

}  // namespace

const SpringKernels avx2_spring_kernels{energy, springs<Result::gradient, true>,
                                        springs<Result::gradient, false>, springs<Result::projection, true>,
                                        springs<Result::projection, false>};

}  // namespace electret::detail
