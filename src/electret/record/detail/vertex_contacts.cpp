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
    // What one obstacle holds does not slide on another.
    if (result.states[v] != static_cast<std::uint8_t>(ContactState::stick))
      result.states[v] = static_cast<std::uint8_t>(c.state);
  }
  return result;
}

}  // namespace electret
