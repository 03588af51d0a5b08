#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <electret/contact/pair_potential.hpp>
#include <electret/render/detail/contacts.hpp>

namespace electret::render {
namespace {

constexpr Colour sticking_colour{0.13, 0.52, 0.30}, slipping_colour{0.90, 0.45, 0.10};
/// Shorter arrows are left out, as parts of the longest.
constexpr double shortest_arrow = 0.02;
/// How far beside an obstacle an arrow is, by the mark's radius.
constexpr double beside = 0.5;

/// The vertices between which the closest points of two parts are, each part's ascending and then none.
using ClosestVertices = std::array<std::array<Index, 3>, 2>;

ClosestVertices closest_vertices(const SurfacePair& pair, const PairDistance& at) {
  ClosestVertices parts;
  for (std::size_t side = 0; side < 2; ++side) {
    parts[side].fill(no_vertex);
    const std::size_t begin = side == 0 ? 0 : second_side(pair.kind),
                      end = side == 0 ? second_side(pair.kind) : 4;
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i)
      if (at.weights[i] != 0.0) parts[side][count++] = pair.vertices[i];
    std::sort(parts[side].begin(), parts[side].begin() + static_cast<std::ptrdiff_t>(count));
  }
  return parts;
}

/// The middle between the closest points.
Vec3 middle(const PairDistance& at, const PairPlaces& places) {
  Vec3 sum;
  for (std::size_t i = 0; i < 4; ++i) sum += (0.5 * std::abs(at.weights[i])) * places[i];
  return sum;
}

}  // namespace

std::vector<ContactMark> marks_of(std::span<const ContactForce> forces, VectorView positions) {
  std::vector<ContactMark> marks;
  for (const ContactForce& c : forces)
    marks.push_back({positions[static_cast<std::size_t>(c.vertex)], beside * c.direction,
                     c.normal * c.direction, c.tangential, c.state == ContactState::stick});
  return marks;
}

std::vector<ContactMark> marks_of(std::span<const PairForce> forces, VectorView positions) {
  std::map<ClosestVertices, ContactMark> marks;
  for (const PairForce& force : forces) {
    if (!(force.normal > 0.0)) continue;
    const PairPlaces places = places_of(force.pair, positions);
    const PairDistance at = pair_distance(force.pair.kind, places);
    ClosestVertices key = closest_vertices(force.pair, at);
    const bool is_swapped = key[1] < key[0];
    if (is_swapped) std::swap(key[0], key[1]);
    const double sign = is_swapped ? -1.0 : 1.0;
    auto [found, is_new] = marks.try_emplace(key);
    ContactMark& mark = found->second;
    if (is_new) mark.place = middle(at, places), mark.sticks = true;
    mark.push += (sign * force.normal) * force.direction;
    mark.friction += sign * force.friction;
    mark.sticks = mark.sticks && !force.slips;
  }
  std::vector<ContactMark> list;
  for (const auto& [key, mark] : marks) list.push_back(mark);
  return list;
}

double largest_force(std::span<const ContactMark> marks) {
  double largest = 0.0;
  for (const ContactMark& mark : marks) largest = std::max(largest, norm(mark.push + mark.friction));
  return largest;
}

void add_contacts(std::span<const ContactMark> marks, double strongest, double length, double radius,
                  Picture& picture) {
  for (const ContactMark& mark : marks) {
    const Colour colour = mark.sticks ? sticking_colour : slipping_colour;
    picture.marks.balls.push_back({mark.place, radius, colour});
    if (!(strongest > 0.0) || norm(mark.friction) < shortest_arrow * strongest) continue;
    const Vec3 way = (length / strongest) * mark.friction;
    const Vec3 tail = mark.place + radius * mark.aside, tip = tail + way;
    const double width = 0.3 * radius, head = std::min(2.0 * radius, 0.6 * norm(way));
    const Vec3 neck = tip - (head / norm(way)) * way;
    picture.marks.rods.push_back({tail, neck, width, width, colour});
    picture.marks.rods.push_back({neck, tip, 3.0 * width, 0.1 * width, colour});
  }
}

}  // namespace electret::render
