#include <stdexcept>

#include <electret/field/direct/kernels.hpp>

namespace electret::direct {

bool is_supported(InstructionSet set) {
  switch (set) {
    case InstructionSet::portable:
      return true;
#ifdef ELECTRET_X86_KERNELS
    case InstructionSet::avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case InstructionSet::avx512:
      return is_supported(InstructionSet::avx2) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    default:
      return false;
#endif
  }
  return false;
}

InstructionSet best_instruction_set() {
  for (const auto set : {InstructionSet::avx512, InstructionSet::avx2})
    if (is_supported(set)) return set;
  return InstructionSet::portable;
}

const Kernels& kernels(InstructionSet set) {
  if (!is_supported(set)) throw std::invalid_argument("this processor lacks the instruction set");
#ifdef ELECTRET_X86_KERNELS
  if (set == InstructionSet::avx2) return avx2_kernels();
  if (set == InstructionSet::avx512) return avx512_kernels();
#endif
  return portable_kernels();
}

}  // namespace electret::direct
