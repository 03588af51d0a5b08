#pragma once
/// \file
/// Bodies that touch each other and themselves, as the scene has it.

#include <electret/contact/body_pairs.hpp>
#include <electret/contact/contact_surface.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {

/// Whether `[contact] against` names bodies or the bodies themselves.
bool touches_bodies(const Scene& scene);

/// Which bodies shall touch each other, and which themselves: those that `[contact] against` means, less the
/// pairs that are ignored.
BodyPairs wanted_body_pairs(const Assembly& assembly);
/// Those of them that may: a pair of a vertex and a triangle, or of two edges, can join them. Nothing joins
/// the lone vertices of clouds with each other, or with wires.
BodyPairs body_pairs(const Assembly& assembly);

/// The surfaces by which they touch: faces; of bodies without faces the lines and all vertices. Vertices that
/// a pin holds in all directions are not free.
ContactSurface body_surface(const Assembly& assembly);

}  // namespace electret
