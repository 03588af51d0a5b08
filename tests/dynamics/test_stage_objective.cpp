#include <gtest/gtest.h>

#include <electret/core/same_bits.hpp>
#include <electret/dynamics/stage/stage_objective.hpp>

#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

TEST(StageObjective, KnowsItsGradientAgainForTheSameInputsOnly) {
  NetworkOptions options;
  const auto system = compile(random_network(options), 1);
  const VectorArray start = system->assembly.initial_positions;
  Inputs inputs;
  inputs.activations = {0.7};
  StageObjective objective(*system);
  const StageProblem problem{start, start, 1e-4, &inputs};
  objective.begin(problem);
  const VectorArray gradient(objective.elastic_gradient().begin(), objective.elastic_gradient().end());
  const VectorArray none(start.size());
  ASSERT_FALSE(same_bits(gradient, none));

  system->elastic.clear();  // What is evaluated from here on is 0.
  objective.begin(problem);
  EXPECT_TRUE(same_bits(objective.elastic_gradient(), gradient));
  inputs.charges = {1e-6};  // No elastic energy reads them.
  objective.begin(problem);
  EXPECT_TRUE(same_bits(objective.elastic_gradient(), gradient));
  inputs.activations[0] = 0.8;
  objective.begin(problem);
  EXPECT_TRUE(same_bits(objective.elastic_gradient(), none));
}

TEST(StageObjective, KnowsItsGradientAgainAtTheSamePlaceOnly) {
  NetworkOptions options;
  const auto system = compile(random_network(options), 1);
  VectorArray start = system->assembly.initial_positions;
  StageObjective objective(*system);
  const StageProblem problem{start, start, 1e-4};
  objective.begin(problem);
  system->elastic.clear();
  start.back().z += 1e-12;
  objective.begin(problem);
  EXPECT_TRUE(same_bits(objective.elastic_gradient(), VectorArray(start.size())));
}

}  // namespace
}  // namespace electret::test
