// Compiled with -mavx2 -mfma: includes nothing whose inline functions another file could take over.
#include <electret/linear/detail/vector_kernels.hpp>

namespace electret::detail {
namespace {

#include <electret/linear/detail/vector_kernels.inl>

}  // namespace

const VectorKernels avx2_vector_kernels{dot, add_scaled, scale_and_add, step};

}  // namespace electret::detail
