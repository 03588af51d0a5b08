#pragma once
/// \file
/// The texts of the kernels, which the build embeds from kernels/.

#include <string>
#include <string_view>

#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

/// A file of kernels/ by its name: "direct.cl". If the environment's ELECTRET_KERNEL_DIR names a folder that
/// holds the file, it is read from there, so that an edited text needs no build. Throws InternalError for a
/// name that does not exist.
std::string kernel_text(std::string_view file);

/// The whole text of a program: its defines, the dialect, its files, its generated text. If the environment's
/// ELECTRET_KERNEL_DUMP names a folder, the text is written there, too, as NAME.cl.
std::string text_of(const ProgramSource& source);
/// A program's name: its files and defines, "direct_COMPENSATED1_PRODUCTS0".
std::string name_of(const ProgramSource& source);

/// A kernel's text in the binary.
struct EmbeddedText {
  std::string_view file, text;
};
/// All of them; the build writes this function.
const EmbeddedText* embedded_texts_begin();
const EmbeddedText* embedded_texts_end();

}  // namespace electret::gpu
