#include <algorithm>

#include <electret/render/detail/contacts.hpp>

namespace electret::render {
namespace {

constexpr Colour sticking_colour{0.13, 0.52, 0.30}, slipping_colour{0.90, 0.45, 0.10};
/// Shorter arrows are left out, as parts of the longest.
constexpr double shortest_arrow = 0.02;

Vec3 whole(const ContactForce& c) {
  return c.normal * c.direction + c.tangential;
}

}  // namespace

double largest_force(std::span<const ContactForce> forces) {
  double largest = 0.0;
  for (const ContactForce& c : forces) largest = std::max(largest, norm(whole(c)));
  return largest;
}

void add_contacts(std::span<const ContactForce> forces, VectorView positions, double strongest, double length,
                  double radius, Picture& picture) {
  for (const ContactForce& c : forces) {
    const Vec3& x = positions[static_cast<std::size_t>(c.vertex)];
    const Colour colour = c.state == ContactState::stick ? sticking_colour : slipping_colour;
    picture.marks.balls.push_back({x, radius, colour});
    if (!(strongest > 0.0) || norm(c.tangential) < shortest_arrow * strongest) continue;
    const Vec3 way = (length / strongest) * c.tangential;
    // Above the surface of the obstacle, which would hide half of it.
    const Vec3 tail = x + (0.5 * radius) * c.direction, tip = tail + way;
    const double width = 0.3 * radius, head = std::min(2.0 * radius, 0.6 * norm(way));
    const Vec3 neck = tip - (head / norm(way)) * way;
    picture.marks.rods.push_back({tail, neck, width, width, colour});
    picture.marks.rods.push_back({neck, tip, 3.0 * width, 0.1 * width, colour});
  }
}

}  // namespace electret::render
