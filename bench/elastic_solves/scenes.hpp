#pragma once
/// \file
/// The scenes of bench_elastic_solves: sheets, solids and blobs, soft and stiff.

#include <functional>
#include <string>
#include <vector>

#include <electret/scene/assembly.hpp>

namespace electret::bench {

/// How long a scene's rows take: `quick` ones seconds, `large` ones minutes.
enum class Cost { quick, usual, large };

struct SolveScene {
  std::string name;
  Cost cost = Cost::usual;
  Count steps = 5;  ///< Measured, after one that is not.
  std::function<Assembly()> make;
};

const std::vector<SolveScene>& solve_scenes();

}  // namespace electret::bench
