#include <electret/core/instruction_set.hpp>
#include <electret/linear/detail/vector_kernels.hpp>

namespace electret::detail {
namespace {

#include <electret/linear/detail/vector_kernels.inl>

}  // namespace

const VectorKernels portable_vector_kernels{dot, add_scaled, scale_and_add, step};

const VectorKernels& vector_kernels() {
#ifdef ELECTRET_HAS_AVX2
  if (instruction_set() >= InstructionSet::avx2) return avx2_vector_kernels;
#endif
  return portable_vector_kernels;
}

}  // namespace electret::detail
