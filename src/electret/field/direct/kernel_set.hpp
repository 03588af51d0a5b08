#pragma once
/// \file
/// The table of an instruction set's kernels. Each kernels_*.cpp includes this once, and with it the kernels.

#include <electret/field/direct/derivative_bodies.hpp>
#include <electret/field/direct/kernel_bodies.hpp>
#include <electret/field/direct/pair_bodies.hpp>

namespace electret::direct {
namespace {

/// The table of an instruction set, made from its float32 and float64 arch.
template <class A32, class A64>
constexpr Kernels kernels_of(const char* instruction_set) {
  constexpr Variant plain32{false, false, true, false}, plain32_potential{true, false, true, false};
  constexpr Variant compensated{false, true, true, false}, compensated_potential{true, true, true, false};
  constexpr Variant plain{false, false, false, false}, potential{true, false, false, false};
  return {instruction_set,
          {field_kernel<A32, plain32>, field_kernel<A32, plain32_potential>},
          {field_kernel<A32, compensated>, field_kernel<A32, compensated_potential>},
          {field_kernel<A64, plain>, field_kernel<A64, potential>},
          field_kernel<A64, Variant{true, false, false, true}>,
          {pair_kernel<A32, plain32>, pair_kernel<A32, plain32_potential>},
          {pair_kernel<A32, compensated>, pair_kernel<A32, compensated_potential>},
          {pair_kernel<A64, plain>, pair_kernel<A64, potential>},
          {derivative_kernel<A32, plain32>, derivative_kernel<A32, plain32_potential>},
          {derivative_kernel<A32, compensated>, derivative_kernel<A32, compensated_potential>},
          {derivative_kernel<A64, plain>, derivative_kernel<A64, potential>},
          {derivative_kernel<A64, Variant{false, false, false, true}>,
           derivative_kernel<A64, Variant{true, false, false, true}>}};
}

}  // namespace
}  // namespace electret::direct
