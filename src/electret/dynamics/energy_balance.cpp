#include <algorithm>
#include <cmath>

#include <electret/dynamics/energy_balance.hpp>

namespace electret {

void EnergyBalance::begin(const Energies& now, const WorkAccounts& work) {
  *this = {};
  start = now.total() - work.work() + work.dissipation;
  start_gravity = now.gravity;
  add_frame(now, work);
}

void EnergyBalance::add_frame(const Energies& now, const WorkAccounts& work) {
  const double gained = gain(now, work);
  if (std::abs(gained) > std::abs(largest_gain)) largest_gain = gained;
  largest_size = std::max(largest_size, size(now));
}

double EnergyBalance::gain(const Energies& now, const WorkAccounts& work) const {
  return now.total() - work.work() + work.dissipation - start;
}

double EnergyBalance::size(const Energies& now) const {
  Energies moved = now;
  moved.gravity -= start_gravity;
  return moved.magnitude();
}

double EnergyBalance::relative(double rounding) const {
  return std::abs(largest_gain) <= rounding ? 0.0 : std::abs(largest_gain) / largest_size;
}

}  // namespace electret
