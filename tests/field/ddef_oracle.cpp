#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <field/ddef_oracle.hpp>

namespace electret::test {
namespace {

using ddef::TetrahedronVertices;

/// The volume spanned by four points, signed, times six.
double determinant(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(b - a, cross(c - a, d - a));
}

/// Barycentric coordinates as ratios of volumes.
std::array<double, 4> barycentric(const std::array<Vec3, 4>& p, const Vec3& x) {
  const double whole = determinant(p[0], p[1], p[2], p[3]);
  return {determinant(x, p[1], p[2], p[3]) / whole, determinant(p[0], x, p[2], p[3]) / whole,
          determinant(p[0], p[1], x, p[3]) / whole, determinant(p[0], p[1], p[2], x) / whole};
}

/// K, 1/ρ and K' of a pair.
struct Kernel {
  Vec3 r;
  double rho;
  Kernel(const Vec3& difference, double softening)
      : r(difference), rho(std::sqrt(squared_norm(difference) + softening * softening)) {}
  [[nodiscard]] Vec3 field() const { return (1.0 / (rho * rho * rho)) * r; }
  [[nodiscard]] double potential() const { return 1.0 / rho; }
  [[nodiscard]] Mat3 gradient() const {
    return (1.0 / (rho * rho * rho)) * Mat3::identity() + (-3.0 / std::pow(rho, 5)) * outer(r, r);
  }
};

struct Sums {
  Vec3 field;
  double potential = 0.0;
  Mat3 gradient;
  void add(double charge, const Kernel& k) {
    field += charge * k.field();
    potential += charge * k.potential();
    gradient += charge * k.gradient();
  }
};

struct Oracle {
  Oracle(VectorView positions, ScalarView q, VectorView other_targets, Count grid_points,
         const FieldOptions& settings)
      : sources(positions),
        charges(q),
        targets(other_targets.empty() ? positions : other_targets),
        own(other_targets.empty()),
        options(settings),
        box(ddef::bounding_box(positions, other_targets, 1.0)),
        tessellation(grid_points, ddef::aspect_of(box)),
        sets(tessellation.vertices_of) {
    for (const Vec3& unit : tessellation.grid) grid.push_back(box.point(unit));
    for (const Vec3& x : sources) source_in.push_back(locate(x));
    for (const Vec3& y : targets) target_in.push_back(locate(y));
  }

  [[nodiscard]] std::array<Vec3, 4> corners(std::size_t t) const {
    std::array<Vec3, 4> p;
    for (std::size_t k = 0; k < 4; ++k) p[k] = grid[static_cast<std::size_t>(tessellation.vertices_of[t][k])];
    return p;
  }

  [[nodiscard]] std::size_t locate(const Vec3& x) const {
    std::size_t best = 0;
    double largest = -1e300;
    for (std::size_t t = 0; t < tessellation.vertices_of.size(); ++t) {
      const auto psi = barycentric(corners(t), x);
      const double smallest = *std::min_element(psi.begin(), psi.end());
      if (smallest > largest) largest = smallest, best = t;
    }
    return best;
  }

  [[nodiscard]] Kernel kernel(const Vec3& at, std::size_t source) const {
    return {at - sources[source], options.softening};
  }

  /// F(v) - Σ over s ∈ S(t), v ∉ N(s): first all that is far for v, then what is near for t.
  [[nodiscard]] Sums corrected(std::size_t t, Index v) const {
    Sums far;
    const Vec3 u = grid[static_cast<std::size_t>(v)];
    for (std::size_t k = 0; k < sources.size(); ++k)
      if (!sets.in_near_vertices(source_in[k], v)) far.add(charges[k], kernel(u, k));
    for (std::size_t k = 0; k < sources.size(); ++k)
      if (sets.is_near(source_in[k], t) && !sets.in_near_vertices(source_in[k], v))
        far.add(-charges[k], kernel(u, k));
    return far;
  }

  void add_far(std::size_t t, const Vec3& x, Sums& sums) const {
    const auto p = corners(t);
    const auto psi = barycentric(p, x);
    const bool taylor = options.ddef_half_taylor && tessellation.well_shaped[t];
    for (std::size_t k = 0; k < 4; ++k) {
      const Sums g = corrected(t, tessellation.vertices_of[t][k]);
      sums.field += psi[k] * g.field;
      sums.potential += psi[k] * g.potential;
      if (!taylor) continue;
      sums.field += (0.5 * psi[k]) * (g.gradient * (x - p[k]));
      sums.potential -= 0.5 * psi[k] * dot(g.field, x - p[k]);
    }
  }

  VectorView sources;
  ScalarView charges;
  VectorView targets;
  bool own;
  FieldOptions options;
  ddef::Box box;
  ddef::Tessellation tessellation;
  OracleSets sets;
  VectorArray grid;
  std::vector<std::size_t> source_in, target_in;
};

}  // namespace

OracleSets::OracleSets(const std::vector<TetrahedronVertices>& tetrahedra)
    : tetrahedra_(tetrahedra), neighbours_(tetrahedra.size()) {
  for (std::size_t s = 0; s < tetrahedra.size(); ++s)
    for (std::size_t t = 0; t < s; ++t) {
      const auto shared = std::count_if(tetrahedra[s].begin(), tetrahedra[s].end(),
                                        [&](Index v) { return has_vertex(t, v); });
      if (shared != 3) continue;
      neighbours_[s].push_back(t);
      neighbours_[t].push_back(s);
    }
}

bool OracleSets::has_vertex(std::size_t t, Index v) const {
  return std::find(tetrahedra_[t].begin(), tetrahedra_[t].end(), v) != tetrahedra_[t].end();
}

bool OracleSets::in_near_vertices(std::size_t t, Index v) const {
  return has_vertex(t, v) || std::any_of(neighbours_[t].begin(), neighbours_[t].end(),
                                         [&](std::size_t s) { return has_vertex(s, v); });
}

bool OracleSets::is_near(std::size_t s, std::size_t t) const {
  return std::any_of(tetrahedra_[t].begin(), tetrahedra_[t].end(),
                     [&](Index v) { return in_near_vertices(s, v); });
}

OracleField ddef_oracle(VectorView positions, ScalarView charges, VectorView targets, Count grid_points,
                        const FieldOptions& options) {
  const Oracle oracle(positions, charges, targets, grid_points, options);
  OracleField result;
  for (std::size_t i = 0; i < oracle.targets.size(); ++i) {
    const std::size_t t = oracle.target_in[i];
    Sums sums;
    oracle.add_far(t, oracle.targets[i], sums);
    for (std::size_t k = 0; k < oracle.sources.size(); ++k) {
      if ((oracle.own && k == i) || !oracle.sets.is_near(oracle.source_in[k], t)) continue;
      ++result.near_pairs;
      const Kernel kernel = oracle.kernel(oracle.targets[i], k);
      if (kernel.rho > 0.0) sums.add(charges[k], kernel);
    }
    result.field.push_back(options.constant * sums.field);
    result.potential.push_back(options.constant * sums.potential);
  }
  return result;
}

}  // namespace electret::test
