#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/scene/edit.hpp>
#include <electret/scene/read.hpp>

namespace {

/// Whatever file a scene names: a table, a mesh with numbers of its own, a quad and a triangle, or nothing at
/// all.
std::string read_file(const std::string& path) {
  if (path.ends_with("five.csv")) return "value\n1\n2\n3\n4\n5\n";
  if (path.ends_with(".csv") && path.find('3') != std::string::npos)
    return "x,y,z\n0,0,0\n1,0,0\n0,1,0\n0,0,1\n";
  if (path.ends_with("bad.csv")) return "value\n1\n-1\nx\n";
  if (path.ends_with(".csv")) return "value\n1\n-2\n3\n4\n";
  if (path.ends_with("empty.ply"))
    return "ply\nformat ascii 1.0\nelement vertex 0\nproperty double x\nproperty double y\nproperty double "
           "z\n"
           "end_header\n";
  if (path.ends_with("odd.ply"))
    return "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nproperty double y\nproperty double "
           "z\n"
           "property double mass\nproperty double zero\nproperty double vx\nend_header\n0 0 0 0 0 1\n";
  if (path.ends_with(".ply"))
    return "ply\nformat ascii 1.0\nelement vertex 2\nproperty double x\nproperty double y\nproperty double "
           "z\n"
           "property double mass\nproperty double charge\nproperty double vx\nproperty double vy\n"
           "property double vz\nend_header\n0 0 0 1 1 1 1 1\n1 0 0 1 1 0 0 0\n";
  if (path.find("bad") != std::string::npos) return "v 0 0\nf 1 2 3\n";
  if (path.find("none") != std::string::npos)
    throw electret::InputError(electret::Finding{{path, 0, 0}, "there is no such file", ""});
  return "g left\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
}

/// Whether every shape is of a size that is quick to make.
bool is_small(const electret::Scene& scene) {
  for (const auto& body : scene.bodies) {
    if (!body.generate) continue;
    if (body.generate->shape != "grid" && body.generate->shape != "chain") return false;
    for (const auto& [name, value] : body.generate->parameters)
      if (const auto* number = std::get_if<double>(&value); number != nullptr && !(*number < 50))
        return false;
  }
  return true;
}

/// A shape may hide in a scene that has findings, or in an override: then its size is not known before it is
/// made.
bool may_generate(std::string_view text) {
  return text.find("generate") != std::string_view::npos || text.find('\\') != std::string_view::npos;
}

void read(std::string_view text, const std::vector<std::string>& overrides) {
  bool joins = !may_generate(text);
  for (const auto& override_text : overrides) joins = joins && !may_generate(override_text);
  try {
    const auto scene = electret::parse_scene(text, "fuzz.toml", ".", overrides);
    joins = joins || is_small(scene);
  } catch (const electret::InputError& error) {
    if (error.findings().empty()) std::abort();
  }
  if (!joins) return;
  try {
    electret::load_scene_text(text, "fuzz.toml", ".", overrides, read_file);
  } catch (const electret::InputError& error) {
    for (const auto& finding : error.findings())
      if (finding.message.empty() || finding.allowed.find('\n') != std::string::npos ||
          finding.message.find('\n') != std::string::npos)
        std::abort();
  }
}

/// An edit may find something wrong, but must not find itself wrong, which it tells by InternalError.
void edit(std::string_view text, const electret::TextEdit& change) {
  try {
    static_cast<void>(electret::edited_text(text, "fuzz.toml", {change}));
  } catch (const electret::InputError& error) {
    if (error.findings().empty()) std::abort();
  }
}

void edit(std::string_view text, const std::vector<std::string>& overrides) {
  using electret::TextEdit;
  for (const TextEdit& change :
       {TextEdit::set("time", "{ step = [1, 2], steps.a = 3 }"), TextEdit::set("body.0.mass", "text"),
        TextEdit::set("body.0.springs.0.stiffness", "1"), TextEdit::set("scene.name", "a"),
        TextEdit::remove("body.0"), TextEdit::remove("time.step"), TextEdit::rename("body", "b"),
        TextEdit::append("body", {"a = 1"})})
    edit(text, change);
  for (const std::string& override_text : overrides) {
    try {
      edit(text, electret::edit_of_override(override_text));
    } catch (const electret::InputError&) {  // It is no override.
    }
  }
}

}  // namespace

/// Edits the scene's text, reads it and joins its bodies, whether it has findings or not. Lines that start
/// with "#--set " are overrides.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  std::vector<std::string> overrides;
  constexpr std::string_view mark = "#--set ";
  for (auto at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1))
    overrides.emplace_back(text.substr(at + mark.size(), text.find('\n', at) - at - mark.size()));
  edit(text, overrides);
  read(text, overrides);
  return 0;
}
