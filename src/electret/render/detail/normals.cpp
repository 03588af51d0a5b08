#include <cmath>

#include <electret/render/detail/normals.hpp>

namespace electret::render {
namespace {

/// The faces around each vertex: those of vertex i are `faces[starts[i]]` to `faces[starts[i + 1] - 1]`.
struct Around {
  std::vector<std::size_t> starts, faces;
};

Around faces_around(std::size_t vertices, std::span<const Triangle> faces) {
  Around around;
  around.starts.assign(vertices + 2, 0);
  for (const Triangle& face : faces)
    for (const Index i : face) ++around.starts[static_cast<std::size_t>(i) + 2];
  for (std::size_t i = 2; i < around.starts.size(); ++i) around.starts[i] += around.starts[i - 1];
  around.faces.resize(3 * faces.size());
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (const Index i : faces[f]) around.faces[around.starts[static_cast<std::size_t>(i) + 1]++] = f;
  return around;
}

}  // namespace

std::vector<std::array<Float3, 3>> corner_normals(std::span<const Float3> positions,
                                                  std::span<const Triangle> faces, double crease) {
  std::vector<Float3> area(faces.size()), normal(faces.size());
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const auto corner = [&](int k) {
      return positions[static_cast<std::size_t>(faces[f][static_cast<std::size_t>(k)])];
    };
    area[f] = cross(corner(1) - corner(0), corner(2) - corner(0));
    normal[f] = unit(area[f]);
  }
  const Around around = faces_around(positions.size(), faces);
  const auto smooth = static_cast<float>(std::cos(crease * 3.14159265358979323846 / 180.0));
  std::vector<std::array<Float3, 3>> corners(faces.size());
  for (std::size_t f = 0; f < faces.size(); ++f) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(faces[f][k]);
      Float3 sum = area[f];
      for (std::size_t at = around.starts[i]; at < around.starts[i + 1]; ++at) {
        const std::size_t other = around.faces[at];
        if (other != f && dot(normal[other], normal[f]) > smooth) sum = sum + area[other];
      }
      corners[f][k] = unit(sum);
    }
  }
  return corners;
}

}  // namespace electret::render
