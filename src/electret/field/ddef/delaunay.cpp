#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

extern "C" {
#include <libqhull_r/libqhull_r.h>
}

#include <electret/core/errors.hpp>
#include <electret/field/ddef/delaunay.hpp>

namespace electret::ddef {
namespace {

/// A tetrahedron below this part of the box's volume is flat: interpolation in it would be rounding noise.
constexpr double flat_volume = 1e-13;

/// Qhull's messages, for the exception. Qhull writes them only to a FILE.
class Messages {
 public:
  Messages() : file_(open_memstream(&text_, &size_)) {
    if (!file_) throw std::bad_alloc();
  }
  ~Messages() {
    std::fclose(file_);
    std::free(text_);
  }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  [[nodiscard]] std::FILE* file() const { return file_; }
  [[nodiscard]] std::string text() const {
    std::fflush(file_);
    return text_ ? text_ : "";
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
};

/// Qhull's state. The destructor frees all memory that it holds.
struct Hull {
  qhT state{};
  explicit Hull(const Messages& messages) { qh_zero(&state, messages.file()); }
  ~Hull() {
    qh_freeqhull(&state, qh_ALL);
    int bytes = 0, pieces = 0;
    qh_memfreeshort(&state, &bytes, &pieces);
  }
  Hull(const Hull&) = delete;
  Hull& operator=(const Hull&) = delete;
};

std::vector<TetrahedronVertices> simplices(qhT* qh) {
  std::vector<TetrahedronVertices> tetrahedra;
  for (const facetT* facet = qh->facet_list; facet && facet->next; facet = facet->next) {
    if (facet->upperdelaunay) continue;
    if (qh_setsize(qh, facet->vertices) != 4) throw InternalError("Qhull left a cell that is no tetrahedron");
    TetrahedronVertices t;
    for (int k = 0; k < 4; ++k)
      t[static_cast<std::size_t>(k)] =
          static_cast<Index>(qh_pointid(qh, static_cast<vertexT*>(facet->vertices->e[k].p)->point));
    tetrahedra.push_back(t);
  }
  return tetrahedra;
}

std::vector<TetrahedronVertices> qhull(VectorView points, const char* command) {
  std::vector<double> coordinates;
  for (const Vec3& p : points) coordinates.insert(coordinates.end(), {p.x, p.y, p.z});
  std::string arguments = command;
  const Messages messages;
  Hull hull(messages);
  const int status = qh_new_qhull(&hull.state, 3, static_cast<int>(points.size()), coordinates.data(), False,
                                  arguments.data(), nullptr, messages.file());
  if (status == qh_ERRmem) throw std::bad_alloc();
  if (status != 0) throw InternalError("Qhull: " + messages.text());
  return simplices(&hull.state);
}

/// Orients all tetrahedra to a positive volume and drops flat ones. Returns whether the rest fills the box
/// exactly once.
bool make_valid(VectorView points, std::vector<TetrahedronVertices>& tetrahedra) {
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  const Vec3 size = high - low;
  const double box = 6.0 * size.x * size.y * size.z;
  double filled = 0.0;
  std::size_t kept = 0;
  for (auto t : tetrahedra) {
    double volume = six_volumes(points, t);
    if (std::abs(volume) < flat_volume * box) continue;
    if (volume < 0.0) std::swap(t[2], t[3]), volume = -volume;
    filled += volume;
    tetrahedra[kept++] = t;
  }
  tetrahedra.resize(kept);
  if (std::abs(filled - box) > 1e-9 * box) return false;
  // Their faces pair up, except for the two triangles of each side of the box.
  Count open = 0;
  for (const auto& neighbours : face_neighbours(tetrahedra))
    open += std::count(neighbours.begin(), neighbours.end(), -1);
  return open == 12;
}

}  // namespace

std::vector<std::array<Index, 4>> face_neighbours(const std::vector<TetrahedronVertices>& tetrahedra) {
  struct Face {
    std::array<Index, 3> vertices;
    Index tetrahedron;
    int opposite;
  };
  std::vector<Face> faces;
  for (std::size_t t = 0; t < tetrahedra.size(); ++t)
    for (int k = 0; k < 4; ++k) {
      Face face{{}, static_cast<Index>(t), k};
      for (int j = 0, i = 0; j < 4; ++j)
        if (j != k) face.vertices[static_cast<std::size_t>(i++)] = tetrahedra[t][static_cast<std::size_t>(j)];
      std::sort(face.vertices.begin(), face.vertices.end());
      faces.push_back(face);
    }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return a.vertices != b.vertices ? a.vertices < b.vertices : a.tetrahedron < b.tetrahedron;
  });
  std::vector<std::array<Index, 4>> neighbours(tetrahedra.size(), {-1, -1, -1, -1});
  for (std::size_t f = 0; f + 1 < faces.size(); ++f) {
    const Face &a = faces[f], &b = faces[f + 1];
    if (a.vertices != b.vertices) continue;
    auto& of_a = neighbours[static_cast<std::size_t>(a.tetrahedron)][static_cast<std::size_t>(a.opposite)];
    require(of_a < 0, "a face of three tetrahedra");
    of_a = b.tetrahedron;
    neighbours[static_cast<std::size_t>(b.tetrahedron)][static_cast<std::size_t>(b.opposite)] = a.tetrahedron;
  }
  return neighbours;
}

std::vector<TetrahedronVertices> delaunay_tetrahedra(VectorView points) {
  // Qt cuts cells with more than four cospherical vertices (the corners of a side and the points next to
  // them) into tetrahedra. If the pieces do not fit together, QJ moves the points by rounding noise instead.
  for (const char* command : {"qhull d Qbb Qt", "qhull d Qbb QJ"}) {
    auto tetrahedra = qhull(points, command);
    if (make_valid(points, tetrahedra)) return tetrahedra;
  }
  throw InternalError("Qhull's tetrahedra do not fill the box");
}

}  // namespace electret::ddef
