#pragma once
/// Scenes and files in memory for the tests.

#include <map>
#include <string>
#include <vector>

#include <electret/scene/read.hpp>

namespace electret::test {

using Files = std::map<std::string, std::string>;

/// Reads only what `files` holds.
inline FileReader reader_of(Files files) {
  return [files = std::move(files)](const std::string& path) {
    const auto found = files.find(path);
    if (found == files.end()) throw InputError(Finding{{path, 0, 0}, "there is no such file", ""});
    return found->second;
  };
}

/// Two triangles: vertices 0 … 3, edges 01 02 12 13 23.
inline constexpr const char* square_obj =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\ng lower\nf 1 2 3\ng upper\nf 2 4 3\n";

/// `square_obj` as a quad.
inline constexpr const char* quad_obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";

inline constexpr const char* charged_ply =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n"
    "property double charge\nproperty double mass\nproperty double vx\nproperty double vy\nproperty double "
    "vz\n"
    "property double fixed\nend_header\n"
    "0 0 0 1e-6 2 1 0 0 0\n1 0 0 -1e-6 3 0 1 0 1\n0 1 0 0 4 0 0 1 1\n";

/// Two tetrahedra on one face, of physical groups "near" and "far".
inline constexpr const char* two_msh =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n3 1 \"near\"\n3 2 \"far\"\n$EndPhysicalNames\n"
    "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
    "$Elements\n2\n1 4 1 1 1 2 3 4\n2 4 1 2 2 3 4 5\n$EndElements\n";

/// A cube with sides of 2 m around the origin.
constexpr const char* block_obj =
    "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

inline Files usual_files() {
  return {{"two.msh", two_msh},
          {"square.obj", square_obj},
          {"quad.obj", quad_obj},
          {"charged.ply", charged_ply},
          {"block.obj", block_obj}};
}

/// Time and one body on square.obj; `body` goes on within the body's table.
inline std::string scene_with(const std::string& body, const std::string& top = "") {
  return top + "[time]\nstep = 0.5\nsteps = 4\n[[body]]\nname = \"a\"\nmesh = \"square.obj\"\nmass = 2.0\n" +
         body + "\n";
}

/// Time and one body, two cubes of hexahedra of 1 m (or twelve tetrahedra), lowest corner at the origin;
/// `masses` says what it weighs, `body` goes on within the body's table.
inline std::string solid_with(const std::string& body, const std::string& masses = "density = 6.0",
                              const std::string& element = "hex") {
  return "[time]\nstep = 0.5\nsteps = 4\n[[body]]\nname = \"a\"\ntranslate = [1, 0.5, 0.5]\n"
         "generate = { shape = \"box\", cells = [2, 1, 1], cell_size = 1.0, element = \"" +
         element + "\" }\n" + masses + "\n" + body + "\n";
}

/// `solid_with` and a material of `keys`.
inline std::string with_material(const std::string& keys, const std::string& more = "") {
  return solid_with(more +
                    "[[body.material]]\nmodel = \"corotated\"\nyoungs_modulus = 1e5\n"
                    "poissons_ratio = 0.3\n" +
                    keys);
}

inline Assembly load(const std::string& text, const std::vector<std::string>& overrides = {},
                     const Files& files = usual_files()) {
  return load_scene_text(text, "scene.toml", ".", overrides, reader_of(files));
}

/// All findings, one per line; "" if there are none.
inline std::string findings_of(const std::string& text, const std::vector<std::string>& overrides = {},
                               const Files& files = usual_files()) {
  try {
    load(text, overrides, files);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// `scene_with` a tilted floor below the body; the text goes on within its table.
inline std::string with_obstacle(const std::string& text = "") {
  return scene_with(
      "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, -1]\nnormal = [0, 3, 4]\n"
      "law = \"penalty\"\nstiffness = 100\n" +
      text);
}

/// `scene_with` springs, a group, its charge, its pin; the text goes on within the table.
inline std::string with_springs(const std::string& text) {
  return scene_with("[[body.springs]]\n" + text);
}
inline std::string with_group(const std::string& text) {
  return scene_with("[[body.group]]\nname = \"g\"\nindices = [1, 2]\n" + text);
}
inline std::string with_group_charge(const std::string& text) {
  return with_group("[[body.group_charge]]\ngroup = \"g\"\n" + text);
}
inline std::string with_load(const std::string& text) {
  return with_group("[[body.load]]\n" + text);
}
inline std::string with_pin(const std::string& text) {
  return with_group("[[body.pin]]\ngroup = \"g\"\n" + text);
}

}  // namespace electret::test
