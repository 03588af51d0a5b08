#include <electret/core/errors.hpp>
#include <electret/force/load.hpp>

#include "force/force_conformance.hpp"

namespace electret::test {
namespace {

ForceCase load_case() {
  ForceCase c;
  c.name = "load";
  c.make = [](Index n, Threads& threads, const Change&) { return make_load_force(n, threads); };
  return c;
}
INSTANTIATE_TEST_SUITE_P(Load, ForceConformance, testing::Values(load_case()), force_case_name);

TEST(Load, IsWhatTheInputsSay) {
  Threads threads(1);
  const auto force = make_load_force(7, threads);
  Place place = random_place(7, 0);
  VectorArray f(7);
  force->add_force(place.point(), f);
  EXPECT_EQ(f, place.inputs.loads);
  EXPECT_TRUE(force->acts(place.inputs));
  EXPECT_TRUE(force->does_field_work());

  place.inputs.loads.clear();
  f.assign(7, Vec3{1, 2, 3});
  force->add_force(place.point(), f);
  EXPECT_EQ(f, VectorArray(7, Vec3{1, 2, 3}));
  EXPECT_FALSE(force->acts(place.inputs));

  place.inputs.loads.resize(6);
  EXPECT_THROW(force->add_force(place.point(), f), InternalError);
}

}  // namespace
}  // namespace electret::test
