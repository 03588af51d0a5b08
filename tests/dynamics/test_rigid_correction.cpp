// The coarse space of bodies that touch each other, against its definition.

#include <random>

#include <gtest/gtest.h>

#include <electret/dynamics/stage/rigid_correction.hpp>
#include <electret/scene/read.hpp>

namespace electret::test {
namespace {

/// `factor` r.
class Scaling final : public Preconditioner {
 public:
  explicit Scaling(float factor) : factor_(factor) {}
  [[nodiscard]] std::string_view name() const override { return "scaling"; }
  [[nodiscard]] bool refresh(const BlockMatrix&, std::span<const char>) override { return true; }
  void apply(PaddedView32 r, PaddedSpan32 z) override { apply_rows(r, z, 0, static_cast<Count>(r.size())); }
  [[nodiscard]] std::array<float, 9> own_inverse(Index) const override { return {}; }
  [[nodiscard]] bool is_block_diagonal() const override { return true; }
  void apply_rows(PaddedView32 r, PaddedSpan32 z, Count begin, Count end) const override {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      for (int k = 0; k < 4; ++k) z[i].lane[k] = factor_ * r[i].lane[k];
  }

 private:
  float factor_;
};

/// Three cubes of 27 vertices; the first has a pin if `is_held`.
std::unique_ptr<System> cubes(int threads, bool is_held) {
  std::string text =
      "[time]\nstep = 0.01\nsteps = 10\n[contact]\nagainst = [\"bodies\"]\nthickness = 0.001\n";
  for (int k = 0; k < 3; ++k)
    text +=
        "[[body]]\nname = \"cube" + std::to_string(k) +
        "\"\ngenerate = { shape = \"box\", cells = [2, 2, 2], cell_size = 0.05 }\ntranslate = [0.01, 0.02, " +
        std::to_string(0.11 * k) + "]\ndensity = 1000.0\n" +
        (is_held && k == 0 ? "  [[body.group]]\n  name = \"a\"\n  indices = [0]\n  [[body.pin]]\n  group = "
                             "\"a\"\n"
                           : "") +
        "  [[body.material]]\n  model = \"stable_neo_hookean\"\n  youngs_modulus = 1e4\n  "
        "poissons_ratio = 0.3\n";
  return compile(assemble(parse_scene(text, "scene.toml", ".")), threads);
}

/// Stencils w wᵀ ⊗ (n nᵀ) of neighbouring cubes.
void assemble_pairs(System& system, StencilMatrix& pairs) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0.1, 1.0);
  std::vector<StencilVertices> stencils;
  std::vector<StencilBlocks> blocks;
  for (int k = 0; k < 20; ++k) {
    const Index cube = static_cast<Index>(27 * (k % 2)), other = cube + 27;
    const auto any = [&](Index first) { return first + static_cast<Index>(random() % 9); };
    const Index a = any(other), b = any(other + 9);
    stencils.push_back({any(cube), any(cube + 9), a, b});
    const std::array<double, 4> w{0.4, 0.6, -0.3, -0.7};
    const Vec3 n{uniform(random), uniform(random), uniform(random)};
    StencilBlocks own{};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i; j < 4; ++j)
        for (std::size_t row = 0; row < 3; ++row)
          own.at(i, j).rows[row] = (2.0 * w[i] * w[j] * n[static_cast<int>(row)]) * n;
    blocks.push_back(own);
  }
  pairs.assemble(*system.threads, system.masses().size(), stencils, blocks);
}

std::vector<Padded32> random_rows(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<Padded32> rows(count);
  for (Padded32& row : rows) row = padded32({uniform(random), uniform(random), uniform(random)});
  return rows;
}

double product(const std::vector<Padded32>& a, const std::vector<Padded32>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(unpadded(a[i]), unpadded(b[i]));
  return sum;
}

/// B H Z = Z where J⁻¹ is 0, and H has masses and pairs alone.
TEST(RigidCorrection, SolvesForTheMotionsOfWholeBodies) {
  const auto system = cubes(2, false);
  StencilMatrix pairs;
  assemble_pairs(*system, pairs);
  Scaling nothing(0.0F);
  RigidCorrection correction(*system, nothing);
  const VectorArray& x = system->assembly.initial_positions;
  correction.refresh(x, &pairs);
  ASSERT_FALSE(correction.is_block_diagonal());
  VectorArray motion(x.size()), push(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double cube = static_cast<double>(i / 27);
    motion[i] = Vec3{0.3, -0.1 * cube, 0.2} + cross(Vec3{cube, 2.0, -1.0}, x[i]);
    push[i] = system->masses()[i] * motion[i];
  }
  pairs.add_product(*system->threads, motion, push);
  std::vector<Padded32> rhs(x.size()), found(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) rhs[i] = padded32(push[i]);
  correction.apply(rhs, found);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LE(norm(unpadded(found[i]) - motion[i]), 1e-5) << i;
}

TEST(RigidCorrection, IsSymmetricPositiveDefiniteAndTheSameForAnyThreads) {
  std::vector<Padded32> first;
  for (const int threads : {1, 2, 3}) {
    const auto system = cubes(threads, false);
    StencilMatrix pairs;
    assemble_pairs(*system, pairs);
    Scaling single(2.0F);
    RigidCorrection correction(*system, single);
    correction.refresh(system->assembly.initial_positions, &pairs);
    const std::size_t n = system->masses().size();
    const auto a = random_rows(n, 1), b = random_rows(n, 2);
    std::vector<Padded32> of_a(n), of_b(n);
    correction.apply(a, of_a);
    correction.apply(b, of_b);
    EXPECT_NEAR(product(a, of_b), product(of_a, b), 1e-5 * std::sqrt(product(a, of_a) * product(b, of_b)));
    EXPECT_GT(product(a, of_a), 2.0 * product(a, a));
    if (first.empty()) first = of_a;
    for (std::size_t i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k) EXPECT_EQ(of_a[i].lane[k], first[i].lane[k]) << threads << " threads";
  }
}

TEST(RigidCorrection, LeavesOutBodiesWithPinsAndSystemsWithoutPairs) {
  const auto system = cubes(1, true);
  StencilMatrix pairs;
  assemble_pairs(*system, pairs);
  Scaling single(2.0F);
  RigidCorrection correction(*system, single);
  correction.refresh(system->assembly.initial_positions, &pairs);
  const std::size_t n = system->masses().size();
  const auto rhs = random_rows(n, 3);
  std::vector<Padded32> found(n);
  correction.apply(rhs, found);
  double others = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double change = norm(unpadded(found[i]) - 2.0 * unpadded(rhs[i]));
    if (i < 27)
      EXPECT_EQ(change, 0.0) << i;
    else
      others += change;
  }
  EXPECT_GT(others, 0.0);
  correction.refresh(system->assembly.initial_positions, nullptr);
  EXPECT_TRUE(correction.is_block_diagonal());
  StencilMatrix none;
  none.clear();
  correction.refresh(system->assembly.initial_positions, &none);
  EXPECT_TRUE(correction.is_block_diagonal());
}

}  // namespace
}  // namespace electret::test
