/// The kernels for any processor.

#include <electret/field/ddef/kernel_bodies.hpp>
#include <electret/field/simd/portable.hpp>

namespace electret::ddef {
namespace {

constexpr Kernels table = kernels_of<simd::Portable<float>, simd::Portable<double>>();

}  // namespace

const Kernels& portable_kernels() {
  return table;
}

}  // namespace electret::ddef
