# Run by the build: writes the C++ source OUTPUT with the text of every scene in FOLDER, so that the program finds them
# wherever it is installed.
cmake_policy(VERSION 3.24)
file(GLOB scenes "${FOLDER}/*.toml")
list(SORT scenes)
list(LENGTH scenes count)
set(source "#include <array>\n\n#include <experiments/scene_texts.hpp>\n\nnamespace electret::experiments {\n
std::span<const SceneText> scene_texts() {\n  static constexpr std::array<SceneText, ${count}> texts{{\n")
foreach(scene IN LISTS scenes)
  get_filename_component(name "${scene}" NAME)
  file(READ "${scene}" text)
  string(APPEND source "      {\"${name}\", R\"scene(${text})scene\"},\n")
endforeach()
string(APPEND source "  }};\n  return texts;\n}\n\n}  // namespace electret::experiments\n")
file(WRITE "${OUTPUT}" "${source}")
