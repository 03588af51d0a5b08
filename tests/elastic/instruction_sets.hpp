#pragma once
/// \file
/// The sets of volume kernels that this machine can run.

#include <string_view>
#include <vector>

#include <electret/core/instruction_set.hpp>
#include <electret/elastic/detail/volume_kernels.hpp>

namespace electret::test {

struct InstructionSet {
  std::string_view name;
  const detail::VolumeKernels* kernels;
};

inline std::vector<InstructionSet> all_volume_sets() {
  std::vector<InstructionSet> sets{{"portable", &detail::portable_volume_kernels}};
#ifdef ELECTRET_HAS_AVX2
  if (is_supported(electret::InstructionSet::avx2)) sets.push_back({"avx2", &detail::avx2_volume_kernels});
  if (is_supported(electret::InstructionSet::avx512))
    sets.push_back({"avx512", &detail::avx512_volume_kernels});
#endif
  return sets;
}

}  // namespace electret::test
