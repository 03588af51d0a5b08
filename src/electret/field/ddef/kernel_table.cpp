#include <stdexcept>

#include <electret/field/ddef/kernels.hpp>

namespace electret::ddef {

const Kernels& kernels(direct::InstructionSet set) {
  if (!is_supported(set)) throw std::invalid_argument("this processor lacks the instruction set");
#ifdef ELECTRET_X86_KERNELS
  if (set == direct::InstructionSet::avx2) return avx2_kernels();
  if (set == direct::InstructionSet::avx512) return avx512_kernels();
#endif
  return portable_kernels();
}

}  // namespace electret::ddef
