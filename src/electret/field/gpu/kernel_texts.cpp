#include <cstdlib>
#include <fstream>
#include <iterator>

#include <electret/core/errors.hpp>
#include <electret/field/gpu/kernel_texts.hpp>

namespace electret::gpu {

std::string kernel_text(std::string_view file) {
  if (const char* folder = std::getenv("ELECTRET_KERNEL_DIR"); folder && *folder)
    if (std::ifstream in(std::string(folder) + "/" + std::string(file), std::ios::binary); in)
      return {std::istreambuf_iterator<char>(in), {}};
  for (const EmbeddedText* text = embedded_texts_begin(); text != embedded_texts_end(); ++text)
    if (text->file == file) return std::string(text->text);
  throw InternalError("no kernel text " + std::string(file));
}

std::string text_of(const ProgramSource& source) {
  std::string text;
  for (const auto& [name, value] : source.defines) text += "#define " + name + " " + value + "\n";
  text += kernel_text("dialect.h");
  for (const std::string& file : source.files) text += kernel_text(file);
  text += source.generated;
  if (const char* folder = std::getenv("ELECTRET_KERNEL_DUMP"); folder && *folder)
    std::ofstream(std::string(folder) + "/" + name_of(source) + ".cl", std::ios::binary) << text;
  return text;
}

std::string name_of(const ProgramSource& source) {
  std::string name = source.files.empty() ? "generated" : "";
  for (const std::string& file : source.files)
    name += (name.empty() ? "" : "_") + file.substr(0, file.find('.'));
  for (const auto& [key, value] : source.defines) name += "_" + key + value;
  return name;
}

}  // namespace electret::gpu
