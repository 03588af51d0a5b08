/// \file
/// falcON, measured as Electret is: falcon_driver … THETA (see driver.hpp), in float32 and by one thread, as
/// it is.
///
/// THETA < 0 is a constant opening angle -THETA, THETA > 0 the least of angles that grow for light cells.
/// falcON sums gravity, of masses that attract, and positive ones only.

#include "driver.hpp"

extern "C" {
void falcON_initialize(const int* flags, const float* masses, const float* positions, const float* softenings,
                       float* accelerations, float* potentials, float* densities, int n, int gas,
                       float softening, float theta, int kernel, float constant);
int falcON_default_Ncrit();
void falcON_grow(int leaf);
void falcON_approx_grav();
void falcON_clearup();
}

int main(int argc, char** argv) {
  return peers::run(argc, argv, [](const peers::Arguments& arguments, const peers::Charges& charges) {
    constexpr int newton = 9;  // 1/r
    const std::size_t n = charges.q.size();
    const std::vector<int> active(n, 1);
    const std::vector<float> masses(charges.q.begin(), charges.q.end());
    std::vector<float> positions(3 * n), accelerations(3 * n), potentials(n);
    falcON_initialize(active.data(), masses.data(), positions.data(), nullptr, accelerations.data(),
                      potentials.data(), nullptr, static_cast<int>(n), 0, 0.0F,
                      static_cast<float>(arguments.number(0)), newton, 1.0F);
    peers::measure(arguments, charges, [&](const peers::Charges& now, peers::Result& result) {
      positions.assign(now.x.begin(), now.x.end());
      falcON_grow(falcON_default_Ncrit());
      falcON_approx_grav();
      for (std::size_t i = 0; i < 3 * n; ++i) result.field[i] = -accelerations[i];
      for (std::size_t i = 0; i < n; ++i) result.potential[i] = -potentials[i];
    });
    falcON_clearup();
  });
}
