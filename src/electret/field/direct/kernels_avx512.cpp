/// The kernels for AVX-512 (F, DQ, VL): 16 float32 or 8 float64 lanes. They are compiled for that instruction
/// set and run only if `is_supported` says so.

#include <electret/field/direct/kernel_set.hpp>
#include <electret/field/simd/avx512.hpp>

namespace electret::direct {
namespace {

constexpr Kernels table = kernels_of<coulomb::Avx512Float32, coulomb::Avx512Float64>("AVX-512");

}  // namespace

const Kernels& avx512_kernels() {
  return table;
}

}  // namespace electret::direct
