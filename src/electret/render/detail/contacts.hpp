#pragma once
/// \file
/// What obstacles push bodies with, in a picture.

#include <span>

#include <electret/contact/contact_set.hpp>
#include <electret/render/picture.hpp>

namespace electret::render {

/// The size of the largest force, N; 0 if there is none.
double largest_force(std::span<const ContactForce> forces);

/// Marks with a ball of `radius` (m) each vertex of `forces`, green if it sticks and orange if it slips, and
/// with an arrow of its friction. Bodies and obstacles would hide most of them. A friction as large as
/// `strongest` (N) has an arrow of `length` (m). `positions` are those of all vertices.
void add_contacts(std::span<const ContactForce> forces, VectorView positions, double strongest, double length,
                  double radius, Picture& picture);

}  // namespace electret::render
