#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include <electret/core/stop_scope.hpp>
#include <electret/geometry/generators/stuffing.hpp>

namespace electret::stuffing {
namespace {

/// A cut that is nearer to a vertex than this part of its edge moves the vertex. The values are the pair in
/// table 1 of [Labelle and Shewchuk 2007] that makes the smallest angle largest.
constexpr double long_warp = 0.24999, short_warp = 0.41189;

/// A place of the lattice, in half cells. Corners of cells are even in all three coordinates, centres are
/// odd.
using Place = std::array<Count, 3>;

std::array<Count, 3> cells_of(const BoundingBox& box, double cell_size) {
  std::array<Count, 3> cells{};
  for (int axis = 0; axis < 3; ++axis)
    cells[static_cast<std::size_t>(axis)] =
        static_cast<Count>(std::ceil((box.high[axis] - box.low[axis]) / cell_size)) + 1;
  return cells;
}

/// The signs of the lattice's vertices, the places where the surface cuts its edges, and the moved vertices.
class Lattice {
 public:
  Lattice(const SurfaceTree& surface, double cell_size)
      : surface_(surface), size_(cell_size), cells_(cells_of(surface.box(), cell_size)) {
    for (int axis = 0; axis < 3; ++axis)
      low_[axis] = 0.5 * (surface.box().low[axis] + surface.box().high[axis] -
                          cell_size * static_cast<double>(cells_[static_cast<std::size_t>(axis)]));
    for (std::size_t axis = 0; axis < 3; ++axis) span_[axis] = 2 * cells_[axis] + 1;
    signs_.resize(static_cast<std::size_t>(span_[0] * span_[1] * span_[2]), -1);
    find_signs();
    warp();
  }

  [[nodiscard]] const std::array<Count, 3>& cells() const { return cells_; }
  [[nodiscard]] Count number(const Place& p) const { return (p[2] * span_[1] + p[1]) * span_[0] + p[0]; }
  [[nodiscard]] int sign(Count number) const { return signs_[static_cast<std::size_t>(number)]; }

  [[nodiscard]] Vec3 position(Count number) const {
    const auto found = warped_.find(number);
    return found != warped_.end() ? found->second : place_of(number);
  }

  /// The cut of the edge between two vertices of opposite signs.
  [[nodiscard]] Vec3 cut(Count a, Count b) {
    const Vec3 from = place_of(std::min(a, b)), to = place_of(std::max(a, b));
    return from + fraction(std::min(a, b), std::max(a, b)) * (to - from);
  }

  [[nodiscard]] static bool is_long(const Place& a, const Place& b) { return (a[0] & 1) == (b[0] & 1); }
  [[nodiscard]] Place place(Count number) const {
    return {number % span_[0], number / span_[0] % span_[1], number / (span_[0] * span_[1])};
  }

 private:
  [[nodiscard]] Vec3 place_of(Count number) const {
    const Place p = place(number);
    return low_ + (0.5 * size_) *
                      Vec3{static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
  }

  /// Sets the signs along each row of x. No sign changes within the distance to a closed surface.
  void find_signs() {
    for (Count k = 0; k < span_[2]; ++k)
      for (Count j = k & 1; j < span_[1]; j += 2)
        for (Count i = k & 1; i < span_[0];) {
          throw_if_stopped();
          const Count own = number({i, j, k});
          const signed char sign = surface_.is_inside(place_of(own)) ? 1 : -1;
          Count same = 1;
          if (surface_.is_closed()) {
            const double free =
                surface_.distance(place_of(own)) / size_ - 1e-9;  // In steps; may be no number.
            if (free > 0.0) same += static_cast<Count>(std::min(free, static_cast<double>(span_[0])));
          }
          for (; same > 0 && i < span_[0]; --same, i += 2)
            signs_[static_cast<std::size_t>(number({i, j, k}))] = sign;
        }
  }

  /// Where the edge is cut, from its lower vertex (0) to the other (1). It is where the edge crosses the
  /// surface, or, near holes where it does not, where the winding number crosses ½.
  double fraction(Count low, Count high) {
    const auto [found, is_new] =
        cuts_.try_emplace(static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high));
    if (!is_new) return found->second;
    const bool is_low_inside = sign(low) > 0;
    const Vec3 inside = place_of(is_low_inside ? low : high), outside = place_of(is_low_inside ? high : low);
    double t = 0.5;
    if (const auto crossing = surface_.crossing(inside, outside)) {
      t = *crossing;
    } else {
      double first = 0.0, last = 1.0;
      constexpr int halvings = 40;
      for (int k = 0; k < halvings; ++k) {
        t = 0.5 * (first + last);
        (surface_.is_inside(inside + t * (outside - inside)) ? first : last) = t;
      }
    }
    return found->second = is_low_inside ? t : 1.0 - t;
  }

  /// Visits the neighbours of a vertex in the lattice: 6 at the length of a cell, 8 at √3/2 of it.
  template <class Visit>
  void for_neighbours(const Place& p, Visit&& visit) const {
    const auto one = [&](const Place& q) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (q[axis] < 0 || q[axis] >= span_[axis]) return;
      visit(q);
    };
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const Count step : {-2, 2}) {
        Place q = p;
        q[axis] += step;
        one(q);
      }
    for (int corner = 0; corner < 8; ++corner)
      one({p[0] + ((corner & 1) != 0 ? 1 : -1), p[1] + ((corner & 2) != 0 ? 1 : -1),
           p[2] + ((corner & 4) != 0 ? 1 : -1)});
  }

  void warp() {
    for (Count k = 0; k < span_[2]; ++k)
      for (Count j = k & 1; j < span_[1]; j += 2)
        for (Count i = k & 1; i < span_[0]; i += 2) warp({i, j, k});
  }

  /// Moves a vertex to the nearest of the cuts that are too near. Its edges are then no longer cut.
  void warp(const Place& own) {
    throw_if_stopped();
    const Count v = number(own);
    double nearest = 0.0;
    std::optional<Vec3> goal;
    for_neighbours(own, [&](const Place& other) {
      const Count w = number(other);
      if (sign(v) * sign(w) >= 0) return;
      const double along = fraction(std::min(v, w), std::max(v, w)), part = v < w ? along : 1.0 - along;
      const bool is_long_edge = is_long(own, other);
      if (part >= (is_long_edge ? long_warp : short_warp)) return;
      const double distance = part * (is_long_edge ? 1.0 : std::sqrt(0.75));
      if (goal && distance >= nearest) return;
      nearest = distance, goal = cut(v, w);
    });
    if (!goal) return;
    warped_[v] = *goal;
    signs_[static_cast<std::size_t>(v)] = 0;
  }

  const SurfaceTree& surface_;
  double size_;
  std::array<Count, 3> cells_, span_{};
  Vec3 low_;
  std::vector<signed char>
      signs_;  ///< 1 inside, -1 outside, 0 on the surface; places of mixed parity unused.
  std::unordered_map<std::uint64_t, double> cuts_;
  std::unordered_map<Count, Vec3> warped_;
};

/// Cuts the lattice's tetrahedra, and numbers the vertices that are left.
class Stuffing {
 public:
  explicit Stuffing(Lattice lattice) : lattice_(std::move(lattice)) {}

  /// Makes four tetrahedra around each face between two cells; each has an edge of the face and both centres.
  Mesh stuff() {
    const auto& cells = lattice_.cells();
    for (Count k = 0; k < cells[2]; ++k)
      for (Count j = 0; j < cells[1]; ++j) {
        throw_if_stopped();
        for (Count i = 0; i < cells[0]; ++i)
          for (std::size_t axis = 0; axis < 3; ++axis) {
            const Place cell = {i, j, k};
            if (cell[axis] + 1 < cells[axis]) around_face(cell, axis);
          }
      }
    return std::move(mesh_);
  }

 private:
  using Four = std::array<Count, 4>;

  void around_face(const Place& cell, std::size_t axis) {
    const Place centre = {2 * cell[0] + 1, 2 * cell[1] + 1, 2 * cell[2] + 1};
    Place next = centre;
    next[axis] += 2;
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::array<Place, 4> ring;
    for (std::size_t c = 0; c < 4; ++c) {
      ring[c] = centre;
      ring[c][axis] += 1;
      ring[c][u] += c == 1 || c == 2 ? 1 : -1;
      ring[c][v] += c >= 2 ? 1 : -1;
    }
    for (std::size_t c = 0; c < 4; ++c)
      cut({lattice_.number(ring[c]), lattice_.number(ring[(c + 1) % 4]), lattice_.number(centre),
           lattice_.number(next)});
  }

  /// Adds the part of a tetrahedron that is inside.
  void cut(const Four& vertices) {
    std::vector<Count> in, out, on;
    for (const Count v : vertices) (lattice_.sign(v) > 0 ? in : lattice_.sign(v) < 0 ? out : on).push_back(v);
    if (in.empty()) return;
    if (out.empty()) {
      add({at(vertices[0]), at(vertices[1]), at(vertices[2]), at(vertices[3])});
    } else if (in.size() == 1) {
      std::array<Index, 4> corners = {at(in[0]), 0, 0, 0};
      std::size_t count = 1;
      for (const Count v : on) corners[count++] = at(v);
      for (const Count v : out) corners[count++] = cut_at(in[0], v);
      add(corners);
    } else if (in.size() == 3) {
      const Count o = out[0];
      prism({at(in[0]), at(in[1]), at(in[2])}, {cut_at(in[0], o), cut_at(in[1], o), cut_at(in[2], o)},
            {from_first(in[0], in[1], o), from_first(in[1], in[2], o), from_first(in[2], in[0], o)});
    } else if (out.size() == 2) {
      cut_two_and_two(in, out);
    } else {
      const Index a = at(in[0]), b = at(in[1]), z = at(on[0]);
      const Index c = cut_at(in[0], out[0]), d = cut_at(in[1], out[0]);
      const bool first = from_first(in[0], in[1], out[0]);
      add({z, a, b, first ? d : c});
      add({z, first ? a : b, c, d});
    }
  }

  /// No other tetrahedron shares the cut face, so its diagonal is one that a prism can have.
  void cut_two_and_two(const std::vector<Count>& in, const std::vector<Count>& out) {
    const std::array<Index, 3> a = {at(in[0]), cut_at(in[0], out[0]), cut_at(in[0], out[1])};
    const std::array<Index, 3> b = {at(in[1]), cut_at(in[1], out[0]), cut_at(in[1], out[1])};
    const bool first = from_first(in[0], in[1], out[0]), last = !from_first(in[0], in[1], out[1]);
    prism(a, b, {first, !(first && last), last});
  }

  /// The diagonal of the trapezoid on the face (a, b, o), where o is outside: true if it goes from a to the
  /// cut of (b, o), false if it goes from b to the cut of (a, o). If the edge (a, o) or (b, o) is long, the
  /// diagonal starts at its cut; otherwise the parity of o decides. Both tetrahedra of the face then agree,
  /// and the two faces of one tetrahedron differ.
  [[nodiscard]] bool from_first(Count a, Count b, Count o) const {
    const Place place = lattice_.place(o);
    if (Lattice::is_long(lattice_.place(a), place)) return false;
    if (Lattice::is_long(lattice_.place(b), place)) return true;
    const bool is_even = ((place[0] + place[1] + place[2]) / 2 & 1) == 0;
    return (a < b) == is_even;
  }

  /// Adds three tetrahedra of a prism with the triangles a and b. Diagonal q joins a[q] with b[q + 1] if
  /// `up[q]`, else b[q] with a[q + 1]. At least one corner must have two diagonals.
  void prism(const std::array<Index, 3>& a, const std::array<Index, 3>& b, const std::array<bool, 3>& up) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t next = (c + 1) % 3, last = (c + 2) % 3;
      // Diagonal c starts at corner c of one triangle; diagonal `last` ends there.
      const bool is_a = up[c] && !up[last], is_b = !up[c] && up[last];
      if (!is_a && !is_b) continue;
      const Index apex = is_a ? a[c] : b[c];
      const auto& far = is_a ? b : a;
      add({apex, far[0], far[1], far[2]});
      const Index from = up[next] ? a[next] : a[last], to = up[next] ? b[last] : b[next];
      add({apex, from, to, up[next] ? b[next] : a[next]});
      add({apex, from, to, up[next] ? a[last] : b[last]});
      return;
    }
  }

  void add(std::array<Index, 4> t) {
    const auto& x = mesh_.vertices;
    const Vec3 origin = x[static_cast<std::size_t>(t[0])];
    const auto edge = [&](std::size_t k) { return x[static_cast<std::size_t>(t[k])] - origin; };
    if (dot(edge(1), cross(edge(2), edge(3))) < 0.0) std::swap(t[2], t[3]);
    mesh_.tetrahedra.push_back(t);
  }

  Index numbered(std::uint64_t key, const Vec3& position) {
    const auto [found, is_new] = numbers_.try_emplace(key, static_cast<Index>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(position);
    return found->second;
  }
  Index at(Count v) { return numbered(static_cast<std::uint64_t>(v) << 32, lattice_.position(v)); }
  Index cut_at(Count a, Count b) {
    return numbered(
        static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint64_t>(std::max(a, b)),
        lattice_.cut(a, b));
  }

  Lattice lattice_;
  Mesh mesh_;
  std::unordered_map<std::uint64_t, Index> numbers_;
};

}  // namespace

double lattice_vertices(const BoundingBox& box, double cell_size) {
  double count = 8.0;
  for (int axis = 0; axis < 3; ++axis) count *= std::ceil((box.high[axis] - box.low[axis]) / cell_size) + 1.5;
  return count;
}

Mesh stuffed(const SurfaceTree& surface, double cell_size) {
  return Stuffing(Lattice(surface, cell_size)).stuff();
}

}  // namespace electret::stuffing
