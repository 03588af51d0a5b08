#pragma once
/// \file
/// Tests of the fast multipole method's kernels, on every instruction set that the machine has.

#include <field/solver_conformance.hpp>
#include <gtest/gtest.h>

#include <electret/core/instruction_set.hpp>
#include <electret/field/fmm/kernels.hpp>

namespace electret::fmm {

class KernelTest : public testing::TestWithParam<direct::InstructionSet> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam())) GTEST_SKIP() << "this machine lacks the instruction set";
  }
  template <class T>
  const ExpansionKernels<T>& kernels() const {
    return fmm::kernels(GetParam()).of<T>();
  }
};

/// Instantiates the suite for all of them, absent ones skipped.
#define ELECTRET_FOR_INSTRUCTION_SETS(SUITE)                                                               \
  INSTANTIATE_TEST_SUITE_P(Sets, SUITE,                                                                    \
                           testing::Values(direct::InstructionSet::portable, direct::InstructionSet::avx2, \
                                           direct::InstructionSet::avx512),                                \
                           [](const auto& each) { return name_of(each.param); })

}  // namespace electret::fmm
