#include <algorithm>
#include <cmath>
#include <limits>

#include <nanoflann.hpp>

#include <electret/core/stop_scope.hpp>
#include <electret/geometry/embedding.hpp>
#include <electret/geometry/point_cloud.hpp>
#include <electret/geometry/volume.hpp>

namespace electret {
namespace {

using Means = PointCloud<VectorView>;
using MeansTree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Means>, Means, 3, Count>;

/// The elements whose mean vertices are nearest to a point are tried, up to this many.
constexpr std::size_t most_candidates = 48;

/// The solution c of c_x a + c_y b + c_z d = right, by Cramer's rule; none if a, b and d lie in a plane.
bool solve(const Vec3& a, const Vec3& b, const Vec3& d, const Vec3& right, Vec3& solution) {
  const double determinant = dot(a, cross(b, d));
  if (determinant == 0.0) return false;
  solution =
      (1.0 / determinant) * Vec3{dot(right, cross(b, d)), dot(a, cross(right, d)), dot(a, cross(b, right))};
  return is_finite(solution);
}

class Elements {
 public:
  explicit Elements(const Mesh& mesh) : mesh_(mesh) {}

  /// The weights of `point` in element e; false if the element is too distorted to have any.
  bool weights(std::size_t e, const Vec3& point, std::array<double, 8>& result) const {
    result = {};
    const auto element = mesh_.element(e);
    return element.size() == 4 ? tetrahedron(element, point, result) : hexahedron(element, point, result);
  }

 private:
  [[nodiscard]] const Vec3& at(Index v) const { return mesh_.vertices[static_cast<std::size_t>(v)]; }

  bool tetrahedron(std::span<const Index> t, const Vec3& point, std::array<double, 8>& result) const {
    const Vec3 origin = at(t[0]);
    Vec3 c;
    if (!solve(at(t[1]) - origin, at(t[2]) - origin, at(t[3]) - origin, point - origin, c)) return false;
    result = {1.0 - c.x - c.y - c.z, c.x, c.y, c.z};
    return true;
  }

  /// Solves Σ N_a(ξ) x_a = point by Newton's method. Places count from a corner, because those of an element
  /// far from the origin are too rough for the iteration to end.
  bool hexahedron(std::span<const Index> h, const Vec3& point, std::array<double, 8>& result) const {
    const Vec3 origin = at(h[0]);
    std::array<Vec3, 8> corners;
    for (std::size_t a = 0; a < 8; ++a) corners[a] = at(h[a]) - origin;
    Vec3 xi;
    constexpr int most_steps = 30;
    for (int step = 0; step < most_steps; ++step) {
      result = hexahedron_shapes(xi);
      const std::array<Vec3, 8> slopes = hexahedron_slopes(xi);
      Vec3 off = point - origin, along[3];
      for (std::size_t a = 0; a < 8; ++a) {
        off -= result[a] * corners[a];
        for (int axis = 0; axis < 3; ++axis) along[axis] += slopes[a][axis] * corners[a];
      }
      Vec3 change;
      if (!solve(along[0], along[1], along[2], off, change)) return false;
      xi += change;
      if (squared_norm(xi) > 1e4) return false;
      if (squared_norm(change) < 1e-28) {
        result = hexahedron_shapes(xi);
        return true;
      }
    }
    return false;
  }

  const Mesh& mesh_;
};

double least(const std::array<double, 8>& weights, std::size_t count) {
  return *std::min_element(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(count));
}

VectorArray mean_vertices(const Mesh& mesh) {
  VectorArray means(mesh.element_count());
  for (std::size_t e = 0; e < means.size(); ++e) {
    for (const Index v : mesh.element(e)) means[e] += mesh.vertices[static_cast<std::size_t>(v)];
    means[e] *= 1.0 / static_cast<double>(mesh.element(e).size());
  }
  return means;
}

}  // namespace

Embedding embed(const Mesh& mesh, VectorView points) {
  const VectorArray means = mean_vertices(mesh);
  const Means cloud{means};
  const MeansTree tree(3, cloud);
  const Elements elements(mesh);
  const std::size_t candidates = std::min(most_candidates, means.size());
  std::vector<Count> nearest(candidates);
  std::vector<double> distances(candidates);
  Embedding embedding;
  for (const Vec3& point : points) {
    throw_if_stopped();
    const std::size_t found = tree.knnSearch(&point.x, candidates, nearest.data(), distances.data());
    std::sort(nearest.begin(), nearest.begin() + static_cast<std::ptrdiff_t>(found));
    double best = -std::numeric_limits<double>::infinity();
    Index element = 0;
    std::array<double, 8> weights{1.0};
    for (std::size_t k = 0; k < found; ++k) {
      std::array<double, 8> tried{};
      const auto e = static_cast<std::size_t>(nearest[k]);
      if (!elements.weights(e, point, tried)) continue;
      const double inside = least(tried, mesh.element(e).size());
      if (inside <= best) continue;
      best = inside, element = static_cast<Index>(e), weights = tried;
    }
    embedding.elements.push_back(element);
    embedding.weights.push_back(weights);
  }
  return embedding;
}

}  // namespace electret
