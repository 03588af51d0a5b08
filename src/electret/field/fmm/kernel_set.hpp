#pragma once
/// \file
/// The table of an instruction set's kernels; each kernels_*.cpp includes this, and so the kernels, once.

#include <electret/field/fmm/expansion_bodies.hpp>
#include <electret/field/fmm/near_bodies.hpp>

namespace electret::fmm {
namespace {

template <class A>
constexpr ExpansionKernels<typename A::Scalar> expansion_kernels() {
  return {A::width,
          leaf_moments<A>,
          shift_moments<A>,
          far_pairs<A>,
          shift_locals<A>,
          evaluate<A>,
          {near_sums<A, NearVariant{false, false}>, near_sums<A, NearVariant{true, false}>,
           near_sums<A, NearVariant{false, true}>, near_sums<A, NearVariant{true, true}>}};
}

template <class A32, class A64>
constexpr Kernels kernels_of(const char* instruction_set) {
  return {instruction_set, expansion_kernels<A32>(), expansion_kernels<A64>()};
}

}  // namespace
}  // namespace electret::fmm
