/// The kernels for any processor.

#include <electret/field/ddef/kernel_bodies.hpp>
#include <electret/field/simd/portable.hpp>

namespace electret::ddef {
namespace {

constexpr Kernels table = kernels_of<coulomb::Portable<float>, coulomb::Portable<double>>();

}  // namespace

const Kernels& portable_kernels() {
  return table;
}

}  // namespace electret::ddef
