#include <electret/contact/pair_potential.hpp>
#include <electret/record/detail/vertex_contacts.hpp>

namespace electret {

VertexContacts vertex_contacts(const TrajectoryReader& run, Count frame) {
  VertexContacts result;
  if (!run.has_contacts()) return result;
  result.forces.assign(static_cast<std::size_t>(run.vertices()), Vec3{});
  result.states.assign(result.forces.size(), static_cast<std::uint8_t>(ContactState::free));
  for (const ContactForce& c : run.contacts(frame)) {
    const auto v = static_cast<std::size_t>(c.vertex);
    result.forces[v] += c.normal * c.direction + c.tangential;
    // What slides on one obstacle is not at rest, whatever else pushes it.
    if (result.states[v] != static_cast<std::uint8_t>(ContactState::slip))
      result.states[v] = static_cast<std::uint8_t>(c.state);
  }
  return result;
}

VectorArray vertex_pair_forces(const TrajectoryReader& run, Count frame) {
  VectorArray forces;
  if (!run.has_contact_pairs()) return forces;
  const VectorArray positions = run.positions(frame);
  forces.assign(positions.size(), Vec3{});
  for (const PairForce& force : run.contact_pairs(frame)) {
    const Vec3 push = force.normal * force.direction + force.friction;
    const PairDistance at = pair_distance(force.pair.kind, places_of(force.pair, positions));
    for (std::size_t i = 0; i < 4; ++i)
      forces[static_cast<std::size_t>(force.pair.vertices[i])] += at.weights[i] * push;
  }
  return forces;
}

}  // namespace electret
