#pragma once
/// \file
/// The table of the kernels of one instruction set. Each kernels_*.cpp includes this header once, and the
/// kernels with it.

#include <electret/field/fmm/expansions/leaf_bodies.hpp>
#include <electret/field/fmm/expansions/taylor_bodies.hpp>
#include <electret/field/fmm/expansions/translation_bodies.hpp>
#include <electret/field/fmm/near/near_bodies.hpp>
#include <electret/field/fmm/passes/acceptance_bodies.hpp>

namespace electret::fmm {
namespace {

template <class A, bool potential, bool compensated, bool estimate, bool products = false>
constexpr auto mutual_sums = near_sums<A, NearVariant{.potential = potential,
                                                      .products = products,
                                                      .compensated = compensated,
                                                      .track_closest = sizeof(typename A::Scalar) == 4,
                                                      .mutual = true,
                                                      .estimate = estimate}>;

template <class A, class A64>
constexpr ExpansionKernels<typename A::Scalar> expansion_kernels() {
  constexpr bool f =
      sizeof(typename A::Scalar) == sizeof(float);  // In float64, plain differences are exact enough.
  return {
      A::width,
      accept<A64, false>,
      accept<A64, true>,
      {p2m<A>, shift<A, true>, m2l<A>, shift<A, false>, l2p<A>},
      {taylor_p2m<A>, taylor_shift<A, true>, taylor_m2l<A>, taylor_shift<A, false>, taylor_l2p<A>},
      collect_lanes<A>,
      centre_points<A>,
      {near_sums<A, NearVariant{false, false, false, f}>, near_sums<A, NearVariant{true, false, false, f}>},
      {near_sums<A, NearVariant{false, false, f, f}>, near_sums<A, NearVariant{true, false, f, f}>,
       near_sums<A, NearVariant{false, true, f, f}>},
      {{mutual_sums<A, false, false, f>, mutual_sums<A, true, false, f>},
       {mutual_sums<A, false, false, false>, mutual_sums<A, true, false, false>},
       {mutual_sums<A, false, f, false>, mutual_sums<A, true, f, false>},
       {mutual_sums<A, false, f, false, true>, mutual_sums<A, true, f, false, true>},
       A::estimate_error,
       add_sums<A, false>,
       add_sums<A, true>}};
}

template <class A32, class A64>
constexpr Kernels kernels_of(const char* instruction_set) {
  return {instruction_set, expansion_kernels<A32, A64>(), expansion_kernels<A64, A64>()};
}

}  // namespace
}  // namespace electret::fmm
