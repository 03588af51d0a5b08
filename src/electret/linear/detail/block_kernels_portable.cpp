#include <electret/core/instruction_set.hpp>
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

inline Sum block_product(const float* block, const float* v) {
  Sum product;
  for (int r = 0; r < 3; ++r) product.lane[r] = block[r] * v[0] + block[3 + r] * v[1] + block[6 + r] * v[2];
  return product;
}

void scale(const float* inverses, float gain, std::int64_t begin, std::int64_t end, const float* b,
           float* d) {
  for (std::int64_t row = begin; row < end; ++row) {
    const Sum product = block_product(inverses + 9 * row, b + 4 * row);
    for (int r = 0; r < 3; ++r) d[4 * row + r] = gain * product.lane[r];
    d[4 * row + 3] = 0.0F;
  }
}

void correction(const BlockRows& a, const float* inverses, float gain, std::int64_t begin, std::int64_t end,
                const float* b, const float* x, float* rest, float* d) {
  residual(a, begin, end, b, x, rest);
  scale(inverses, gain, begin, end, rest, d);
}

void smooth(const BlockRows& a, const float* inverses, float keep, float gain, std::int64_t begin,
            std::int64_t end, const float* b, const float* d, float* x) {
  for (std::int64_t row = begin; row < end; ++row) {
    Sum rest = row_product(a, row, d);
    for (int r = 0; r < 3; ++r) rest.lane[r] = b[4 * row + r] - rest.lane[r];
    const Sum product = block_product(inverses + 9 * row, rest.lane);
    for (int r = 0; r < 3; ++r) x[4 * row + r] += keep * d[4 * row + r] + gain * product.lane[r];
    x[4 * row + 3] = 0.0F;
  }
}

}  // namespace

const BlockKernels portable_block_kernels{multiply, residual, scale, correction, smooth};

const BlockKernels& block_kernels() {
#ifdef ELECTRET_HAS_AVX2
  if (instruction_set() >= InstructionSet::avx2) return avx2_block_kernels;
#endif
  return portable_block_kernels;
}

}  // namespace electret::detail
