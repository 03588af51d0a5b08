// Muscles: the conformance of elastic energies, and derivatives by activations.

#include <cmath>
#include <limits>

#include <electret/core/direction.hpp>
#include <electret/core/errors.hpp>
#include <electret/elastic/muscle_energy.hpp>

#include "elastic/solid_boxes.hpp"

namespace electret::test {
namespace {

Solid solid_of(int kind, Index vertices) {
  if (vertices < 100) return solid_box(kind, {1, 1, 1});
  return kind == hexahedron ? solid_box(kind, {16, 16, 16}) : solid_box(kind, {9, 9, 9});
}

std::vector<double> activations_of(const Solid& solid) {
  return random_numbers(solid.mesh.element_count(), 65, 0.9, 1.6);
}

/// Of any length, another for each element.
std::vector<Vec3> fibres_of(const Solid& solid) {
  std::vector<Vec3> fibres;
  for (const Vec3& v : random_vectors(solid.mesh.element_count(), 68))
    fibres.push_back(Vec3{2.0, 0.8, -0.6} + v);
  return fibres;
}

using MakeMuscle = decltype(&make_muscle_energy);

std::unique_ptr<ElasticEnergy> muscle(MakeMuscle make, std::shared_ptr<ElementBlock> block,
                                      const Solid& solid, Threads& threads, std::size_t first = 0) {
  auto shape = std::make_shared<const RestShape>(*block, solid.mesh.vertices);
  return make(std::move(block), std::move(shape), fibres_of(solid), solid.youngs_modulus,
              {first, activations_of(solid)}, threads);
}

ElasticCase muscle_case(int kind, MakeMuscle make) {
  ElasticCase tested;
  const bool is_reference = make == &make_reference_muscle_energy;
  tested.name =
      std::string(kind == hexahedron ? "muscle_hex" : "muscle_tet") + (is_reference ? "_reference" : "");
  tested.elements = [kind](Index n) { return solid_block(kind, solid_of(kind, n).mesh); };
  tested.positions = [kind](Index n) { return deformed(solid_of(kind, n).mesh.vertices); };
  const auto maker = [kind](MakeMuscle factory) {
    return [=](std::shared_ptr<ElementBlock> block, Index vertices, Threads& threads,
               const ParameterChange& change) {
      Solid solid = solid_of(kind, vertices);
      solid.youngs_modulus[change.number] += change.by;
      return muscle(factory, std::move(block), solid, threads);
    };
  };
  tested.make = maker(make);
  if (!is_reference) tested.reference = maker(&make_reference_muscle_energy);
  tested.of_rest_shape = [=](Threads& threads, const VectorArray& moves) {
    Solid solid = solid_of(kind, 9);
    for (std::size_t v = 0; v < moves.size(); ++v) solid.mesh.vertices[v] += moves[v];
    return muscle(make, solid_block(kind, solid.mesh), solid, threads);
  };
  tested.several_chunks = 4096;
  return tested;
}

INSTANTIATE_TEST_SUITE_P(Muscle, ElasticConformance,
                         testing::Values(muscle_case(tetrahedron, &make_muscle_energy),
                                         muscle_case(hexahedron, &make_muscle_energy),
                                         muscle_case(tetrahedron, &make_reference_muscle_energy),
                                         muscle_case(hexahedron, &make_reference_muscle_energy)),
                         case_name);

struct MuscleKind {
  int kind;
  MakeMuscle make;
};

class Muscles : public testing::TestWithParam<MuscleKind> {
 protected:
  [[nodiscard]] std::unique_ptr<ElasticEnergy> energy_of(const Solid& solid, std::size_t first = 0) {
    return muscle(GetParam().make, block_, solid, threads_, first);
  }
  Threads threads_{1};
  Solid solid_ = solid_box(GetParam().kind, {1, 1, 1});
  std::shared_ptr<ElementBlock> block_ = solid_block(GetParam().kind, solid_.mesh);
  VectorArray x_ = deformed(solid_.mesh.vertices);
};

INSTANTIATE_TEST_SUITE_P(Both, Muscles,
                         testing::Values(MuscleKind{tetrahedron, &make_muscle_energy},
                                         MuscleKind{hexahedron, &make_muscle_energy},
                                         MuscleKind{tetrahedron, &make_reference_muscle_energy},
                                         MuscleKind{hexahedron, &make_reference_muscle_energy}));

/// Its own are those from number 2 on of all.
TEST_P(Muscles, DerivativesByActivations) {
  const auto energy = energy_of(solid_, 2);
  std::vector<double> all = random_numbers(solid_.mesh.element_count() + 3, 66, -0.9, 1.3);
  const VectorArray z = random_vectors(x_.size(), 67);
  energy->set_activations(all);
  std::vector<double> of_energy(all.size(), 1.0), of_gradient(all.size(), 1.0);
  energy->add_energy_activation_gradient(x_, of_energy);
  energy->add_gradient_activation_products(x_, z, of_gradient);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto moved = [&](double s) {
      std::vector<double> changed = all;
      changed[k] += s;
      energy->set_activations(changed);
    };
    const auto slope = [&](auto&& value) {
      return derivative([&](double s) { return moved(s), value(); }, 1e-3);
    };
    EXPECT_NEAR(of_energy[k] - 1.0, slope([&] { return energy->energy(x_); }), 1e-8) << k;
    const double expected = slope([&] {
      VectorArray g(x_.size());
      energy->add_gradient(x_, g);
      return dot(z, g);
    });
    EXPECT_NEAR(of_gradient[k] - 1.0, expected, 1e-8) << k;
    EXPECT_EQ(expected != 0.0, k >= 2 && k + 1 < all.size()) << k;
  }
  EXPECT_THROW(energy->set_activations(ScalarView(all).first(all.size() - 2)), InternalError);
  EXPECT_THROW(energy->add_energy_activation_gradient(x_, ScalarSpan(all).first(1)), InternalError);
}

/// Of a uniform stretch F: E = V (k/2)(|F m| - a)².
TEST_P(Muscles, EnergyOfAUniformStretch) {
  Solid solid = solid_;
  std::fill(solid.youngs_modulus.begin(), solid.youngs_modulus.end(), 7.0);
  const auto energy = energy_of(solid);
  energy->set_activations(std::vector<double>(solid.mesh.element_count(), 0.8));
  for (std::size_t v = 0; v < x_.size(); ++v) {
    const Vec3& rest = solid.mesh.vertices[v];
    x_[v] = {1.1 * rest.x + 0.2 * rest.y, rest.z, -0.9 * rest.y};
  }
  const std::vector<Vec3> fibres = fibres_of(solid);
  double expected = 0.0;
  const RestShape shape(*block_, solid.mesh.vertices);
  for (Count e = 0; e < block_->size(); ++e) {
    const Vec3 m = direction_of(fibres[static_cast<std::size_t>(e)]),
               u{1.1 * m.x + 0.2 * m.y, m.z, -0.9 * m.y};
    for (std::size_t q = 0; q < shape.points(); ++q)
      expected += shape.weight(e, q) * 3.5 * std::pow(norm(u) - 0.8, 2);
  }
  EXPECT_NEAR(energy->energy(x_), expected, 1e-12);
}

/// Below 0 the muscle aims at a stretch that cannot be: K's eigenvalues are all positive then, k(1 - a/ℓ)
/// across the fibre.
TEST_P(Muscles, BelowZeroTheyPullAtAnyLength) {
  const auto energy = energy_of(solid_);
  energy->set_activations(std::vector<double>(solid_.mesh.element_count(), -0.335));
  const VectorArray d = random_vectors(x_.size(), 69);
  const auto gradient_at = [&](double s) {
    VectorArray moved = x_, g(x_.size());
    for (std::size_t v = 0; v < moved.size(); ++v) moved[v] += s * d[v];
    energy->add_gradient(moved, g);
    return g;
  };
  const auto energy_at = [&](double s) {
    VectorArray moved = x_;
    for (std::size_t v = 0; v < moved.size(); ++v) moved[v] += s * d[v];
    return energy->energy(moved);
  };
  EXPECT_NEAR(dot(d, gradient_at(0.0)), derivative(energy_at, 1e-3), 1e-8);
  const double expected = derivative([&](double s) { return dot(d, gradient_at(s)); }, 1e-3);
  VectorArray product[2];
  for (const HessianKind kind : {HessianKind::exact, HessianKind::clamped}) {
    VectorArray& out = product[kind == HessianKind::clamped ? 1 : 0];
    out.resize(x_.size());
    energy->linearise(x_, kind, {});
    energy->add_hessian_product(d, out);
    EXPECT_NEAR(dot(d, out), expected, 1e-7 * expected);
  }
  EXPECT_EQ(product[0], product[1]) << "nothing is below 0";
  // Shorter always costs less, down to a point.
  VectorArray smaller = x_;
  double last = energy->energy(x_);
  for (const double factor : {0.5, 0.1, 0.001}) {
    for (std::size_t v = 0; v < x_.size(); ++v) smaller[v] = factor * x_[v];
    const double now = energy->energy(smaller);
    EXPECT_LT(now, last) << factor;
    last = now;
  }
  EXPECT_GT(last, 0.0);
}

/// Vertices of every element at one point: the fibre has no direction, and nothing pulls.
TEST_P(Muscles, OfNoLengthStayFinite) {
  const auto energy = energy_of(solid_);
  const VectorArray flat(x_.size());
  for (const HessianKind kind : {HessianKind::exact, HessianKind::clamped}) {
    VectorArray g(x_.size()), out(x_.size());
    EXPECT_TRUE(std::isfinite(energy->linearise(flat, kind, g)));
    EXPECT_EQ(norm(g), 0.0);
    energy->add_hessian_product(x_, out);
    EXPECT_GT(dot(x_, out), 0.0);
  }
}

TEST_P(Muscles, AreMadeOfFibresWithADirectionAndOfNothingNegative) {
  const auto shape = std::make_shared<const RestShape>(*block_, solid_.mesh.vertices);
  const std::vector<double> right(static_cast<std::size_t>(block_->size()), 1.0);
  std::vector<double> negative = right, none_at_all = right, few = right;
  negative.back() = -1.0, none_at_all.back() = std::numeric_limits<double>::quiet_NaN(), few.pop_back();
  const std::vector<Vec3> fibres = fibres_of(solid_);
  std::vector<Vec3> none = fibres, fewer = fibres;
  none.back() = {}, fewer.pop_back();
  const auto make = [&](const auto& along, const auto& stiffness, const auto& activations) {
    GetParam().make(block_, shape, along, stiffness, {0, activations}, threads_);
  };
  EXPECT_NO_THROW(make(fibres, right, right));
  EXPECT_THROW(make(none, right, right), InternalError);
  EXPECT_THROW(make(fewer, right, right), InternalError);
  EXPECT_THROW(make(fibres, negative, right), InternalError);
  EXPECT_NO_THROW(make(fibres, right, negative));
  EXPECT_THROW(make(fibres, right, none_at_all), InternalError);
  EXPECT_THROW(make(fibres, right, few), InternalError);
  EXPECT_THROW(make(fewer, few, few), InternalError);
}

}  // namespace
}  // namespace electret::test
