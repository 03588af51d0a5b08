#include <stdexcept>

#include <electret/field/direct/kernels.hpp>

namespace electret::direct {

const Kernels& kernels(InstructionSet set) {
  if (!is_supported(set)) throw std::invalid_argument("this processor lacks the instruction set");
#ifdef ELECTRET_X86_KERNELS
  if (set == InstructionSet::avx2) return avx2_kernels();
  if (set == InstructionSet::avx512) return avx512_kernels();
#endif
  return portable_kernels();
}

}  // namespace electret::direct
