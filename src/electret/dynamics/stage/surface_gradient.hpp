#pragma once
/// \file
/// What the adjoints of both laws of contact do with derivatives by an obstacle's surface.

#include <electret/contact/contact_set.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>

namespace electret {

/// Adds what an obstacle at the start and the end of a step has gathered to the derivatives by its placements
/// and by its origin, the first of its parameters. `index` counts the obstacles of `contacts`.
inline void add_surface_gradient(const ContactSet& contacts, std::size_t index,
                                 const SurfaceCotangent& at_start, const SurfaceCotangent& at_end,
                                 const StepGradients& out) {
  const PlacedSurface &before = contacts.at_start(index), &after = contacts.at_end(index);
  const auto add = [&](std::span<Placement> placements, const Placement& by) {
    Placement& to = placements[contacts.obstacles()[index].number];
    to.offset += by.offset;
    to.rotation += by.rotation;
  };
  add(out.inputs.start.placements, before.by_placement(at_start));
  add(out.inputs.end.placements, after.by_placement(at_end));
  const Vec3 by_origin = after.by_origin(at_end) + before.by_origin(at_start);
  auto& origin = out.parameters.contacts[index][0];
  for (int axis = 0; axis < 3; ++axis) origin[static_cast<std::size_t>(axis)] += by_origin[axis];
}

}  // namespace electret
