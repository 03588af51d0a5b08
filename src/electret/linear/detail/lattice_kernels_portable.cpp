#include <electret/core/instruction_set.hpp>
#include <electret/core/simd/independent.hpp>
#include <electret/linear/detail/lattice_kernels.hpp>

namespace electret::detail {
namespace {

constexpr std::int64_t lanes = 4;
typedef float Floats __attribute__((vector_size(16)));

#include <electret/linear/detail/lattice_kernels.inl>

}  // namespace

const LatticeKernels portable_lattice_kernels{multiply, residual,         scale, correction, smooth,
                                              combine,  take_every_second};

const LatticeKernels& lattice_kernels() {
#ifdef ELECTRET_HAS_AVX2
  if (instruction_set() >= InstructionSet::avx2) return avx2_lattice_kernels;
#endif
  return portable_lattice_kernels;
}

}  // namespace electret::detail
