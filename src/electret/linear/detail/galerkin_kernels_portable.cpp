#include <electret/core/instruction_set.hpp>
#include <electret/linear/detail/galerkin_kernels.hpp>

namespace electret::detail {
namespace {

struct Block {
  const float* entries;
};

inline Block load(const float* p) {
  return {p};
}
inline void add_scaled(float* p, float w, const Block& block) {
  for (int k = 0; k < 9; ++k) p[k] += w * block.entries[k];
}

#include <electret/linear/detail/galerkin_kernels.inl>

}  // namespace

const GalerkinKernels portable_galerkin_kernels{half, coarse};

const GalerkinKernels& galerkin_kernels() {
#ifdef ELECTRET_HAS_AVX2
  if (instruction_set() >= InstructionSet::avx2) return avx2_galerkin_kernels;
#endif
  return portable_galerkin_kernels;
}

}  // namespace electret::detail
