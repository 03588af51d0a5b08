// Compiled with -mavx2 -mfma: includes nothing whose inline functions another file could take over.
#include <electret/core/simd/independent.hpp>
#include <electret/linear/detail/lattice_kernels.hpp>

namespace electret::detail {
namespace {

constexpr std::int64_t lanes = 8;
typedef float Floats __attribute__((vector_size(32)));

#include <electret/linear/detail/lattice_kernels.inl>

}  // namespace

const LatticeKernels avx2_lattice_kernels{multiply, residual,         scale, correction, smooth,
                                          combine,  take_every_second};

}  // namespace electret::detail
