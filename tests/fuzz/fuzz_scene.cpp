#include <cstdint>
#include <string>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/scene/read.hpp>

namespace {

/// Whatever file a scene names holds this: a tetrahedron, or a table of five rows.
std::string read_file(const std::string& path) {
  if (path.ends_with(".csv")) return "value\n1\n2\n3\n4\n5\n";
  return "g left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
}

}  // namespace

/// Reads the scene; where its bodies come from files, whose size is known to be small, joins them too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    electret::parse_scene(text, "fuzz.toml", ".");
    if (text.find("generate") == std::string_view::npos)
      electret::load_scene_text(text, "fuzz.toml", ".", {}, read_file);
  } catch (const electret::InputError&) {  // the answer to input that is wrong
  }
  return 0;
}
