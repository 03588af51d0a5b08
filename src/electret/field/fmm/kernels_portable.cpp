/// The kernels for any processor.

#include <electret/field/fmm/kernel_set.hpp>
#include <electret/field/simd/portable.hpp>

namespace electret::fmm {
namespace {

constexpr Kernels table = kernels_of<coulomb::Portable<float>, coulomb::Portable<double>>("portable");

}  // namespace

const Kernels& portable_kernels() {
  return table;
}

}  // namespace electret::fmm
