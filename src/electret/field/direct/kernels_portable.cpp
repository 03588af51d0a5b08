/// The kernels for any processor: GNU vector types of 16 bytes, which the compiler maps to the available
/// instructions.

#include <electret/field/direct/kernel_set.hpp>
#include <electret/field/simd/portable.hpp>

namespace electret::direct {
namespace {

constexpr Kernels table = kernels_of<coulomb::Portable<float>, coulomb::Portable<double>>("portable");

}  // namespace

const Kernels& portable_kernels() {
  return table;
}

}  // namespace electret::direct
