#include <electret/linear/detail/block_kernels.hpp>

namespace electret::detail {
namespace {

struct Sum {
  float lane[3];
};

inline Sum row_product(const BlockRows& a, std::int64_t row, const float* x) {
  Sum sum{{0.0F, 0.0F, 0.0F}};
  for (std::int64_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
    const float* block = a.values + 9 * k;
    const float* d = x + 4 * std::int64_t{a.columns[k]};
    for (int r = 0; r < 3; ++r) sum.lane[r] += block[r] * d[0] + block[3 + r] * d[1] + block[6 + r] * d[2];
  }
  return sum;
}

void multiply(const BlockRows& a, std::int64_t begin, std::int64_t end, const float* x, float* y) {
  for (std::int64_t row = begin; row < end; ++row) {
    const Sum sum = row_product(a, row, x);
    for (int r = 0; r < 3; ++r) y[4 * row + r] = sum.lane[r];
    y[4 * row + 3] = 0.0F;
  }
}

void residual(const BlockRows& a, std::int64_t begin, std::int64_t end, const float* b, const float* x,
              float* y) {
  for (std::int64_t row = begin; row < end; ++row) {
    const Sum sum = row_product(a, row, x);
    for (int r = 0; r < 3; ++r) y[4 * row + r] = b[4 * row + r] - sum.lane[r];
    y[4 * row + 3] = 0.0F;
  }
}

}  // namespace

const BlockKernels portable_block_kernels{multiply, residual};

const BlockKernels& block_kernels() {
#ifdef ELECTRET_HAS_AVX2
  static const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2) return avx2_block_kernels;
#endif
  return portable_block_kernels;
}

}  // namespace electret::detail
