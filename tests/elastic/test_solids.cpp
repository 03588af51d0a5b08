// Solids against continuum mechanics: affine deformations, and the bending of a slender beam.

#include <cmath>

#include <gtest/gtest.h>

#include "elastic/solid_boxes.hpp"

namespace electret::test {
namespace {

/// A cube of 3 m and 3³ cells whose inner vertices alone are jittered: its volume stays 27 m³.
struct Patch {
  Mesh mesh;
  std::vector<std::size_t> inner;
};

Patch patch_of(int kind) {
  const auto element = kind == hexahedron ? BoxElement::hexahedron : BoxElement::tetrahedron;
  Patch patch{box({.cells = {3, 3, 3}, .cell_size = 1.0, .element = element}), {}};
  const VectorArray jitter = random_vectors(patch.mesh.vertices.size(), 71, 0.15);
  for (std::size_t v = 0; v < jitter.size(); ++v) {
    Vec3& x = patch.mesh.vertices[v];
    if (std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) > 1.4) continue;
    x += jitter[v];
    patch.inner.push_back(v);
  }
  return patch;
}

std::unique_ptr<ElasticEnergy> uniform_energy(int kind, const VectorArray& rest, std::vector<Index> corners,
                                              MaterialModel model, double modulus, double ratio,
                                              Threads& threads) {
  const auto block =
      std::make_shared<ElementBlock>(kind, static_cast<Index>(rest.size()), std::move(corners));
  const auto count = static_cast<std::size_t>(block->size());
  return make_volume_energy(block, std::make_shared<const RestShape>(*block, rest), model,
                            std::vector<double>(count, modulus), std::vector<double>(count, ratio), threads);
}

/// Largest |a_ij - b_ij|.
double difference(const Mat3& a, const Mat3& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) largest = std::max(largest, std::abs(a.rows[i][j] - b.rows[i][j]));
  return largest;
}

/// Σ g_a X_aᵀ / V: the mean of P over the elements whose gradient `g` is.
Mat3 mean_stress(const VectorArray& g, const VectorArray& rest, double volume) {
  Mat3 sum;
  for (std::size_t v = 0; v < g.size(); ++v) sum += outer((1.0 / volume) * g[v], rest[v]);
  return sum;
}

std::vector<MaterialModel> every_model() {
  std::vector<MaterialModel> models;
  for (std::size_t m = 0; m < material_models.size(); ++m) models.push_back(static_cast<MaterialModel>(m));
  return models;
}

class PatchTest : public testing::TestWithParam<std::tuple<int, MaterialModel>> {};

INSTANTIATE_TEST_SUITE_P(All, PatchTest,
                         testing::Combine(testing::Values(tetrahedron, hexahedron),
                                          testing::ValuesIn(every_model())),
                         [](const auto& tested) {
                           return std::string(
                                      material_models[static_cast<std::size_t>(std::get<1>(tested.param))]) +
                                  (std::get<0>(tested.param) == hexahedron ? "_hex" : "_tet");
                         });

/// x = F X + c: the energy is V Ψ(F), the stress of every element P(F), and no inner vertex feels a force.
TEST_P(PatchTest, AnAffineDeformationHasOneStressAndNoForceInside) {
  const auto [kind, model] = GetParam();
  constexpr double modulus = 13.0, ratio = 0.31;
  const Mat3 f{{Vec3{1.2, 0.15, -0.1}, Vec3{-0.2, 0.85, 0.05}, Vec3{0.1, 0.3, 1.1}}};
  const Patch patch = patch_of(kind);
  const VectorArray& rest = patch.mesh.vertices;
  VectorArray x(rest.size());
  for (std::size_t v = 0; v < x.size(); ++v) x[v] = f * rest[v] + Vec3{0.4, -0.3, 0.2};
  Mat3 stress;
  const double density = point_stress(model, lame(modulus, ratio), f, stress);
  ASSERT_GT(density, 0.1);

  Threads threads(1);
  const auto all = solid_block(kind, patch.mesh);
  const std::vector<Index> corners(all->connectivity().begin(), all->connectivity().end());
  VectorArray g(x.size());
  EXPECT_NEAR(uniform_energy(kind, rest, corners, model, modulus, ratio, threads)->add_gradient(x, g) / 27.0,
              density, 1e-13 * density);
  EXPECT_LT(difference(mean_stress(g, rest, 27.0), stress), 1e-12);
  ASSERT_EQ(patch.inner.size(), 8U);
  for (const std::size_t v : patch.inner) EXPECT_LT(norm(g[v]), 1e-12) << v;

  const RestShape shape(*all, rest);
  const std::size_t width = corners.size() / static_cast<std::size_t>(all->size());
  for (Count e = 0; e < all->size(); ++e) {
    const auto first = corners.begin() + static_cast<std::ptrdiff_t>(e * static_cast<Count>(width));
    const auto one = uniform_energy(kind, rest, {first, first + static_cast<std::ptrdiff_t>(width)}, model,
                                    modulus, ratio, threads);
    std::fill(g.begin(), g.end(), Vec3{});
    one->add_gradient(x, g);
    double volume = 0.0;
    for (std::size_t q = 0; q < shape.points(); ++q) volume += shape.weight(e, q);
    EXPECT_LT(difference(mean_stress(g, rest, volume), stress), 1e-12) << e;
  }
}

enum class Load { tip, gravity };

/// A clamped beam of 8 m × 1 m × 1 m and ν = 0, `cells` hexahedra high and 8 `cells` long.
class Beam {
 public:
  static constexpr double length = 8.0, modulus = 1e4;

  Beam(int cells, MaterialModel model) : mesh_(mesh_of(cells)), clamped_(mesh_.vertices.size()) {
    for (std::size_t v = 0; v < clamped_.size(); ++v) clamped_[v] = mesh_.vertices[v].x < 1e-9 - 0.5 * length;
    const auto block = solid_block(hexahedron, mesh_);
    energy_ = uniform_energy(hexahedron, mesh_.vertices,
                             {block->connectivity().begin(), block->connectivity().end()}, model, modulus,
                             0.0, threads_);
  }

  /// Of `force` N in all, spread evenly over the free end or over the volume: m, by Newton's method.
  double tip_deflection(Load load, double force) {
    const VectorArray pull = nodal_loads(load, force);
    VectorArray x = mesh_.vertices, rest_of(x.size());
    for (int iteration = 0; iteration < 6; ++iteration) {
      std::fill(rest_of.begin(), rest_of.end(), Vec3{});
      energy_->linearise(x, HessianKind::exact, rest_of);
      double unbalanced = 0.0;
      for (std::size_t v = 0; v < x.size(); ++v) {
        rest_of[v] = clamped_[v] ? Vec3{} : pull[v] - rest_of[v];
        unbalanced += squared_norm(rest_of[v]);
      }
      if (std::sqrt(unbalanced) < 1e-7 * force) break;
      EXPECT_LT(iteration, 5) << "no equilibrium";
      const VectorArray change = solve(rest_of);
      for (std::size_t v = 0; v < x.size(); ++v) x[v] += change[v];
    }
    double sum = 0.0, count = 0.0;
    for (std::size_t v = 0; v < x.size(); ++v)
      if (at_tip(v)) sum += mesh_.vertices[v].z - x[v].z, count += 1.0;
    return sum / count;
  }

 private:
  static Mesh mesh_of(int cells) {
    Mesh mesh = box({.cells = {8 * cells, 1, cells}, .cell_size = 1.0 / cells});
    for (Vec3& x : mesh.vertices) x.y *= cells;  // one cell of 1 m across: nothing varies there
    return mesh;
  }

  [[nodiscard]] bool at_tip(std::size_t v) const { return mesh_.vertices[v].x > 0.5 * length - 1e-9; }

  /// The work-equivalent forces of an even load on cells of one size.
  [[nodiscard]] VectorArray nodal_loads(Load load, double force) const {
    std::vector<double> share(mesh_.vertices.size());
    double total = 0.0;
    for (std::size_t e = 0; e < mesh_.element_count(); ++e)
      for (const Index corner : mesh_.element(e)) {
        const auto v = static_cast<std::size_t>(corner);
        if (load == Load::tip && !at_tip(v)) continue;
        share[v] += 1.0, total += 1.0;
      }
    VectorArray pull(share.size());
    for (std::size_t v = 0; v < share.size(); ++v) pull[v].z = -force * share[v] / total;
    return pull;
  }

  static double product(const VectorArray& a, const VectorArray& b) {
    double sum = 0.0;
    for (std::size_t v = 0; v < a.size(); ++v) sum += dot(a[v], b[v]);
    return sum;
  }

  /// H z = r on the free vertices, by conjugate gradients.
  VectorArray solve(VectorArray r) {
    VectorArray z(r.size()), d = r, h(r.size());
    double rr = product(r, r);
    const double target = 1e-18 * rr;
    for (int k = 0; k < 20000 && rr > target; ++k) {
      std::fill(h.begin(), h.end(), Vec3{});
      energy_->add_hessian_product(d, h);
      for (std::size_t v = 0; v < h.size(); ++v)
        if (clamped_[v]) h[v] = Vec3{};
      const double step = rr / product(d, h);
      for (std::size_t v = 0; v < z.size(); ++v) z[v] += step * d[v], r[v] -= step * h[v];
      const double next = product(r, r);
      for (std::size_t v = 0; v < d.size(); ++v) d[v] = r[v] + (next / rr) * d[v];
      rr = next;
    }
    EXPECT_LE(rr, target);
    return z;
  }

  Threads threads_{1};
  Mesh mesh_;
  std::vector<bool> clamped_;
  std::unique_ptr<ElasticEnergy> energy_;
};

/// Timoshenko's beam: P L³/(3EI) + P L/(k G A) of a force at the tip, W L³/(8EI) + W L/(2 k G A) of a weight
/// W; E = 2G, I = 1/12 m⁴, A = 1 m², k = 5/6. The hexahedra's parasitic shear makes them stiffer by about
/// 1/(2 cells²) of it.
TEST(BeamBending, TendsToTheAnalyticDeflectionUnderRefinement) {
  constexpr double length = Beam::length, bending = Beam::modulus / 12.0,
                   shear = 5.0 / 6.0 * Beam::modulus / 2.0, force = 1e-2;
  for (const MaterialModel model : {MaterialModel::linear, MaterialModel::corotated})
    for (const Load load : {Load::tip, Load::gravity}) {
      const double exact = load == Load::tip
                               ? force * (std::pow(length, 3) / (3.0 * bending) + length / shear)
                               : force * (std::pow(length, 3) / (8.0 * bending) + 0.5 * length / shear);
      double before = 0.0;
      for (const int cells : {1, 2, 4, 8}) {
        const double error = std::abs(Beam(cells, model).tip_deflection(load, force) / exact - 1.0);
        if (cells > 1) {
          EXPECT_LT(error, before / 2.5) << cells;
        }
        before = error;
      }
      EXPECT_LT(before, 0.01);
    }
}

}  // namespace
}  // namespace electret::test
