#pragma once
/// \file
/// The shapes that rigid surfaces may have. Lengths are in m. All functions throw std::invalid_argument for
/// sizes that are not positive and directions that are not unit vectors.

#include <memory>

#include <electret/geometry/mesh.hpp>
#include <electret/geometry/rigid_shape.hpp>

namespace electret {

/// The half space behind a plane through the origin, against its unit normal.
std::shared_ptr<const RigidShape> make_plane(const Vec3& normal);
/// A ball about the origin. Its view from the origin has no normal.
std::shared_ptr<const RigidShape> make_sphere(double radius);
/// A box about the origin of side lengths `size`, turned by the orthogonal matrix `rotation`.
std::shared_ptr<const RigidShape> make_box(const Vec3& size, const Mat3& rotation);
/// A cylinder about the origin with flat ends; `length` is from end to end.
std::shared_ptr<const RigidShape> make_cylinder(const Vec3& axis, double radius, double length);
/// All points within `radius` of a segment about the origin; `length` is that of the segment, so that the
/// capsule is length + 2 radius long.
std::shared_ptr<const RigidShape> make_capsule(const Vec3& axis, double radius, double length);
/// What is behind a part of a cylinder's wall, which is seen from the axis: a slide, a half-pipe. The axis
/// goes through the origin. The part is `length` long, centred, and extends by half of `angle` (rad, below a
/// full turn) to both sides of the unit vector `towards`, which is across the axis. Beyond its lips and ends
/// there is nothing: the distance there is that to the nearest edge, and what is behind the wall sees the
/// wall alone. Throws for a `towards` that is not across the axis, too.
std::shared_ptr<const RigidShape> make_trough(const Vec3& axis, const Vec3& towards, double radius,
                                              double length, double angle);
/// The inside of a closed surface. Throws InputError without a place, which says what is wrong, if the
/// surface's triangles do not enclose a volume: vertices at the same point count as one, each edge must have
/// two triangles that pass it in opposite directions, and the volume must not be 0. A surface that is turned
/// inside out is turned back. A surface that lies inside another one must be turned the other way: it bounds
/// a hollow.
std::shared_ptr<const RigidShape> make_closed_mesh(const Mesh& mesh);
/// Everything that is not in `shape`: bodies are inside.
std::shared_ptr<const RigidShape> make_inside_out(std::shared_ptr<const RigidShape> shape);

}  // namespace electret
