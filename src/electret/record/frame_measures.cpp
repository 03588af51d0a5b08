#include <electret/dynamics/body_energy.hpp>
#include <electret/record/frame_measures.hpp>

namespace electret {
namespace {

/// The names of the obstacles that push exactly.
std::vector<std::string> exact_obstacles(const Assembly& assembly) {
  std::vector<std::string> names;
  for (const ObstacleTrack& track : assembly.obstacles)
    if (track.is_exact) names.push_back(track.name.substr(track.name.find('.') + 1));
  return names;
}

/// What each of them exerts.
VectorArray obstacle_forces(const Simulator& simulator) {
  VectorArray forces;
  if (!simulator.system().contacts) return forces;
  for (const ContactObstacle& obstacle : simulator.system().contacts->obstacles()) {
    Vec3& force = forces.emplace_back();
    for (const ContactForce& c : simulator.contacts())
      if (static_cast<std::size_t>(c.obstacle) == obstacle.number)
        force += c.normal * c.direction + c.tangential;
  }
  return forces;
}

/// The header's names after the first, which is the time.
void add_names(const std::string& header, std::vector<std::string>& names) {
  for (std::size_t at = header.find(','); at != std::string::npos;) {
    const std::size_t next = header.find(',', at + 1);
    names.push_back(header.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    at = next;
  }
}

}  // namespace

FrameMeasures FrameMeter::measure(const Simulator& simulator, const Energies& now) {
  System& system = simulator.system();
  const State& state = simulator.state();
  const double time = system.time(state.step);
  FrameMeasures result{{time, now, simulator.work().work(), simulator.work().dissipation}, {}};
  result.observables =
      observer_.observe(time, system.masses(), simulator.inputs().charges, state.positions, state.velocities);
  result.observables.obstacle_forces = obstacle_forces(simulator);
  if (system.body_contacts) result.observables.contact_energy = body_contact_energy(system, state.positions);
  return result;
}

std::string observables_header_of(const System& system) {
  return observables_header_with(exact_obstacles(system.assembly), system.body_contacts != nullptr);
}

std::vector<std::string> measured_columns(const System& system) {
  std::vector<std::string> names{"time"};
  add_names(energy_header, names);
  add_names(observables_header_of(system), names);
  return names;
}

std::vector<double> measured_numbers(const FrameMeasures& measures) {
  std::vector<double> numbers = energy_numbers(measures.energies);
  const std::vector<double> observed = observables_numbers(measures.observables);
  numbers.insert(numbers.end(), observed.begin() + 1, observed.end());
  return numbers;
}

}  // namespace electret
