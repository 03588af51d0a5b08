#pragma once
/// \file
/// The instruction set whose kernels compute. No other place chooses it.
///
/// All rooms take their kernels from one set. It is the best one that the processor and the build have,
/// unless the environment variable ELECTRET_INSTRUCTIONS or `choose_instruction_set` names another. Results
/// of two sets differ in the last digits. At one set they have the same bits for any number of threads.
///
/// Translation units that are compiled for wider instruction sets than the rest of the library include this
/// header. It must therefore hold no function that the linker could share between them.

namespace electret {

/// In ascending order of preference: the last is the best.
enum class InstructionSet { portable, avx2, avx512 };

/// All of them, in this order.
inline constexpr InstructionSet instruction_sets[] = {InstructionSet::portable, InstructionSet::avx2,
                                                      InstructionSet::avx512};

/// "portable", "avx2" or "avx512".
[[nodiscard]] const char* name_of(InstructionSet set);

/// Whether this processor and this build can run the instruction set.
[[nodiscard]] bool is_supported(InstructionSet set);

/// The names of those that are supported, such as "portable, avx2".
[[nodiscard]] const char* supported_instruction_sets();

/// The set in force. The first call settles it for the rest of the process. ELECTRET_INSTRUCTIONS counts if
/// it is neither absent nor empty. Throws InputError if it names no set that is supported here; nothing is
/// settled then.
[[nodiscard]] InstructionSet instruction_set();

/// Settles the set in force, whatever ELECTRET_INSTRUCTIONS says. Call it before anything is computed.
/// `asked` is what asked for it, for the error message. Throws InputError if `name` is not the name of a set
/// that is supported here, and std::invalid_argument if another set is in force already.
void choose_instruction_set(const char* name, const char* asked = "choose_instruction_set");

}  // namespace electret
