// The Coulomb field of four charges: the field library alone.
#include <cstdio>

#include <electret/field/field.hpp>

int main() {
  const electret::VectorArray positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  // m
  const std::vector<double> charges{1e-6, -1e-6, 2e-6, 1e-6};                         // C
  const auto result = electret::coulomb_field(positions, charges);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::printf("E = (%g, %g, %g) N/C, phi = %g V\n", result.field[i].x, result.field[i].y, result.field[i].z,
                result.potential[i]);
  }
}
