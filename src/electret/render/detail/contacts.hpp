#pragma once
/// \file
/// What obstacles and bodies push bodies with, in a picture.

#include <span>
#include <vector>

#include <electret/contact/body_contacts.hpp>
#include <electret/contact/contact_set.hpp>
#include <electret/render/picture.hpp>

namespace electret::render {

/// A place at which something pushes a body.
struct ContactMark {
  Vec3 place;  ///< m.
  /// Where an arrow of the friction begins, by the radius of the mark's ball: what is behind the place would
  /// hide half of it.
  Vec3 aside;
  Vec3 push, friction;  ///< On the body, N.
  bool sticks = false;
};

/// At each vertex of `forces`, what an obstacle pushes it with. `positions` are those of all vertices.
std::vector<ContactMark> marks_of(std::span<const ContactForce> forces, VectorView positions);
/// In the middle between the closest points of parts of bodies that push each other, what pushes the part
/// whose first vertex is the lower one. Pairs with the same closest points count together: a corner that lies
/// on a corner belongs to many pairs. It sticks if none of them slips. Ascending by vertices.
std::vector<ContactMark> marks_of(std::span<const PairForce> forces, VectorView positions);

/// The size of the largest force, N; 0 if there is none.
double largest_force(std::span<const ContactMark> marks);

/// Draws a ball of `radius` (m) at each mark, green if it sticks and orange if it slips, and an arrow of its
/// friction. Bodies and obstacles would hide most of them. A friction as large as `strongest` (N) has an
/// arrow of `length` (m).
void add_contacts(std::span<const ContactMark> marks, double strongest, double length, double radius,
                  Picture& picture);

}  // namespace electret::render
