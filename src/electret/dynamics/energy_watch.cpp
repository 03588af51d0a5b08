#include <algorithm>
#include <cmath>

#include <electret/dynamics/energy_watch.hpp>
#include <electret/dynamics/stability.hpp>

namespace electret {
namespace {

double size_of_change(const WorkAccounts& before, const WorkAccounts& after) {
  return std::abs(after.field_work - before.field_work) +
         std::abs(after.keyframe_work - before.keyframe_work) + std::abs(after.pin_work - before.pin_work) +
         std::abs(after.dissipation - before.dissipation);
}

void remember(const Energies& now, const WorkAccounts& work, EnergyWatchMemory& memory) {
  memory.energy = now.total();
  memory.gain = memory.balance.gain(now, work);
  memory.work = work;
}

}  // namespace

EnergyWatch::EnergyWatch(System& system, const Integrator& integrator, std::optional<double> suggested)
    : watches_(integrator.conserves_energy()), rounding_(energy_rounding(system)) {
  if (!watches_) return;
  if (!suggested) suggested = suggested_step(system);
  const double resolution = 0.2 * system.time_step / *suggested;  // h ω
  explained_ = std::clamp(0.25 * resolution * resolution, 1e-3, 0.1);
}

void EnergyWatch::start(const Energies& now, const WorkAccounts& work, EnergyWatchMemory& memory) {
  memory = {};
  memory.balance.begin(now, work);
  remember(now, work, memory);
}

std::optional<EnergyJump> EnergyWatch::observe(const Energies& now, const WorkAccounts& work,
                                               EnergyWatchMemory& memory, Count steps) const {
  memory.balance.add_frame(now, work);
  if (!watches_) return std::nullopt;
  EnergyJump seen{memory.energy, now.total(), 0.0, 0.0};
  seen.change = memory.balance.gain(now, work) - memory.gain;
  const double scale = 0.5 * memory.balance.largest_size;
  seen.allowed = std::max(explained_ * scale, 8.0 * memory.usual_change) + size_of_change(memory.work, work) +
                 rounding(memory.balance, steps);
  remember(now, work, memory);
  const double size = std::abs(seen.change);
  if (size <= seen.allowed) {
    memory.usual_change = std::max(memory.usual_change, size);
    return std::nullopt;
  }
  memory.largest_jump = std::max(memory.largest_jump, size);
  ++memory.jumps;
  return seen;
}

double EnergyWatch::relative_change(const EnergyBalance& balance, Count steps) const {
  return balance.relative(rounding(balance, steps));
}

double EnergyWatch::rounding(const EnergyBalance& balance, Count steps) const {
  return rounding_.explained(balance.largest_size, balance.start_gravity, steps);
}

}  // namespace electret
