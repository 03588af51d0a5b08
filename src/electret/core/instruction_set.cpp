#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/core/text.hpp>

namespace electret {
namespace {

constexpr const char* variable = "ELECTRET_INSTRUCTIONS";

/// The set in force; -1 until it is settled.
std::atomic<int> in_force{-1};

InstructionSet best() {
  InstructionSet result = InstructionSet::portable;
  for (const InstructionSet set : instruction_sets)
    if (is_supported(set)) result = set;
  return result;
}

std::vector<std::string> supported_names() {
  std::vector<std::string> names;
  for (const InstructionSet set : instruction_sets)
    if (is_supported(set)) names.emplace_back(name_of(set));
  return names;
}

/// The set of this name. Throws InputError if it is not supported.
InstructionSet supported_set(std::string_view name, const char* asked) {
  const char* fault = " is no instruction set";
  for (const InstructionSet set : instruction_sets) {
    if (name != name_of(set)) continue;
    if (is_supported(set)) return set;
    fault = " is an instruction set that this processor or this build lacks";
  }
  throw InputError({{},
                    std::string(asked) + ": " + in_quotes(name) + fault,
                    std::string("allowed here: ") + supported_instruction_sets()});
}

InstructionSet by_environment() {
  const char* name = std::getenv(variable);
  return name == nullptr || *name == '\0' ? best() : supported_set(name, variable);
}

/// Settles the set unless one is settled already. Returns the set in force.
InstructionSet settled(InstructionSet wanted) {
  int now = -1;
  if (in_force.compare_exchange_strong(now, static_cast<int>(wanted))) return wanted;
  return static_cast<InstructionSet>(now);
}

}  // namespace

const char* name_of(InstructionSet set) {
  return set == InstructionSet::avx512 ? "avx512" : set == InstructionSet::avx2 ? "avx2" : "portable";
}

bool is_supported(InstructionSet set) {
  if (set == InstructionSet::portable) return true;
#ifdef ELECTRET_X86_KERNELS
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (set == InstructionSet::avx2) return avx2;
  return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

const char* supported_instruction_sets() {
  static const std::string names = joined(supported_names());
  return names.c_str();
}

InstructionSet instruction_set() {
  const int now = in_force.load(std::memory_order_relaxed);
  return now >= 0 ? static_cast<InstructionSet>(now) : settled(by_environment());
}

void choose_instruction_set(const char* name, const char* asked) {
  const InstructionSet wanted = supported_set(name, asked), now = settled(wanted);
  if (now != wanted)
    throw std::invalid_argument(std::string(asked) + ": the instruction set " + name_of(now) +
                                " is in force already; choose before anything is computed");
}

}  // namespace electret
