#include "starfish_material.hpp"

#include <cmath>

#include "fitting.hpp"
#include "numpy_random.hpp"

namespace electret::experiments {

std::vector<FitParameter> starfish_parameters(const Assembly& assembly) {
  return {parameter_of(assembly, "body.starfish.youngs_modulus", lowest_modulus, highest_modulus),
          parameter_of(assembly, "body.starfish.poissons_ratio", lowest_ratio, highest_ratio)};
}

std::vector<std::vector<double>> starfish_draws() {
  NumpyRandom random(material_draw_seed);
  std::vector<std::vector<double>> draws;
  for (int k = 0; k < 4; ++k) {
    const double modulus = std::exp(random.uniform(std::log(lowest_modulus), std::log(highest_modulus)));
    const double ratio = std::exp(random.uniform(std::log(lowest_ratio), std::log(highest_ratio)));
    draws.push_back({modulus, ratio});
  }
  return draws;
}

}  // namespace electret::experiments
