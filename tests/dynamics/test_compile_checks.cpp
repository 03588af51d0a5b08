#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "dynamics/networks.hpp"
#include "dynamics/solids.hpp"

namespace electret::test {
namespace {

using Change = std::function<void(Assembly&)>;

void expect_refused(const Assembly& assembly, const std::vector<Change>& changes) {
  EXPECT_NO_THROW(compile(assembly, 1));
  for (std::size_t k = 0; k < changes.size(); ++k) {
    Assembly changed = assembly;
    changes[k](changed);
    EXPECT_THROW(compile(changed, 1), std::invalid_argument) << "change " << k;
  }
}

TEST(CompileChecks, RefuseNetworksWhoseArraysDoNotFit) {
  expect_refused(
      random_network({.pins = true, .moved_pins = true}),
      {[](Assembly& a) { a.charges.pop_back(); }, [](Assembly& a) { a.rest_positions.clear(); },
       [](Assembly& a) { a.initial_positions.pop_back(); },
       [](Assembly& a) { a.initial_velocities.push_back({}); }, [](Assembly& a) { a.masses.push_back(1.0); },
       [](Assembly& a) { a.scene.time.step = 0.0; }, [](Assembly& a) { a.springs[2].j = 1000; },
       [](Assembly& a) { a.springs[2].i = -1; }, [](Assembly& a) { a.springs[2].i = a.springs[2].j; },
       [](Assembly& a) { a.springs[2].stiffness = -1.0; },
       [](Assembly& a) { a.springs[2].rest_length = -1.0; },
       [](Assembly& a) { a.pin_tracks[0].vertices[0] = 1000; },
       [](Assembly& a) { a.pin_tracks.push_back(a.pin_tracks[0]); },
       [](Assembly& a) { a.pin_tracks[1].offsets.values.pop_back(); },
       [](Assembly& a) {
         a.charge_tracks.push_back({{1000}, KeyFrames<double>::constant(1.0), false, "q"});
       },
       [](Assembly& a) {
         a.charge_tracks.push_back({{0}, {}, false, "q"});
       },
       [](Assembly& a) {
         a.load_tracks.push_back({{0, 1, 2}, VectorArray(2), {}, "load"});
       },
       [](Assembly& a) {
         a.external_charges.push_back({VectorArray(1), {}, {}, 0.0});
       }});
}

TEST(CompileChecks, RefuseNumbersThatNoSceneHas) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   inf = std::numeric_limits<double>::infinity();
  std::vector<Change> changes;
  for (const double mass : {0.0, -1.0, nan, inf})
    changes.emplace_back([mass](Assembly& a) { a.masses[3] = mass; });
  for (const double bad : {nan, inf, -inf}) {
    changes.emplace_back([bad](Assembly& a) { a.rest_positions[1].x = bad; });
    changes.emplace_back([bad](Assembly& a) { a.initial_positions[1].y = bad; });
    changes.emplace_back([bad](Assembly& a) { a.initial_velocities[1].z = bad; });
    changes.emplace_back([bad](Assembly& a) { a.charges[0] = bad; });
  }
  changes.emplace_back([](Assembly& a) { a.scene.time.step = inf; });
  changes.emplace_back([](Assembly& a) { a.scene.time.step = nan; });
  expect_refused(random_network({}), changes);
}

TEST(CompileChecks, RefuseSolidsWhoseArraysDoNotFit) {
  expect_refused(muscular({}), {[](Assembly& a) { a.hexahedra[0][3] = 1000; },
                                [](Assembly& a) { a.materials[0].elements.hexahedra[0] = 1000; },
                                [](Assembly& a) { a.materials[0].model = "jelly"; },
                                [](Assembly& a) { a.materials[0].youngs_modulus.pop_back(); },
                                [](Assembly& a) { a.materials[0].youngs_modulus[0] = -1.0; },
                                [](Assembly& a) { a.materials[0].poissons_ratio[0] = 0.5; },
                                [](Assembly& a) { a.muscles[0].fibres.back() = {}; },
                                [](Assembly& a) { a.muscles[0].stiffness[0] = -1.0; },
                                [](Assembly& a) { a.muscles[0].activations.pop_back(); }});
}

}  // namespace
}  // namespace electret::test
