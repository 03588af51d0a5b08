#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <electret/geometry/repeated_elements.hpp>

namespace electret {
namespace {

using Corners = std::span<const Index>;

std::vector<Index> sorted(Corners corners) {
  std::vector<Index> result(corners.begin(), corners.end());
  std::sort(result.begin(), result.end());
  return result;
}

/// From the lowest corner on towards the lower one of those beside it.
std::vector<Index> turned(Corners corners) {
  std::vector<Index> result(corners.begin(), corners.end());
  std::rotate(result.begin(), std::min_element(result.begin(), result.end()), result.end());
  if (result.size() > 2 && result.back() < result[1]) std::reverse(result.begin() + 1, result.end());
  return result;
}

/// The same for the same vertices in any order; different ones rarely share it.
std::uint64_t mixed(Corners corners) {
  std::uint64_t sum = 0;
  for (const Index corner : corners) {
    // The finaliser of MurmurHash3, which spreads every bit over all.
    auto bits = static_cast<std::uint64_t>(corner) + 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 33U)) * 0xff51afd7ed558ccdU;
    bits = (bits ^ (bits >> 33U)) * 0xc4ceb9fe1a85ec53U;
    sum += bits ^ (bits >> 33U);
  }
  return sum;
}

/// `corners_of(e)` are the corners of element e of `count`; equal ones have the same `key` of them.
template <class CornersOf>
std::vector<RepeatedElement> repeated(std::size_t count, CornersOf&& corners_of,
                                      std::vector<Index> (*key)(Corners)) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  order.reserve(count);
  for (std::size_t e = 0; e < count; ++e) order.emplace_back(mixed(corners_of(e)), e);
  std::sort(order.begin(), order.end());
  std::vector<RepeatedElement> found;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && order[end].first == order[begin].first) ++end;
    if (end - begin < 2) continue;
    std::vector<std::pair<std::vector<Index>, std::size_t>> alike;
    for (std::size_t k = begin; k < end; ++k)
      alike.emplace_back(key(corners_of(order[k].second)), order[k].second);
    std::sort(alike.begin(), alike.end());
    for (std::size_t k = 1, first = 0; k < alike.size(); ++k)
      if (alike[k].first == alike[first].first)
        found.push_back({alike[k].second, alike[first].second});
      else
        first = k;
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.element < b.element; });
  return found;
}

}  // namespace

std::vector<RepeatedElement> repeated_elements(std::span<const Tetrahedron> elements) {
  return repeated(
      elements.size(), [&](std::size_t e) { return Corners(elements[e]); }, sorted);
}

std::vector<RepeatedElement> repeated_elements(std::span<const Hexahedron> elements) {
  return repeated(
      elements.size(), [&](std::size_t e) { return Corners(elements[e]); }, sorted);
}

std::vector<RepeatedElement> repeated_elements(const Polygons& polygons) {
  return repeated(
      polygons.size(), [&](std::size_t p) { return polygons[p]; }, turned);
}

void report_repeated_polygons(const Polygons& polygons, std::span<const PolygonPlace> places,
                              input::Findings& findings) {
  for (const auto& [polygon, first] : repeated_elements(polygons)) {
    const PolygonPlace &place = places[polygon], &before = places[first];
    const std::string what =
        place.line > 0 ? "a face with the vertices of the one in line " + std::to_string(before.line)
                       : "face " + std::to_string(polygon) + " (counted from 0) has the vertices of face " +
                             std::to_string(first);
    findings.add(place.line, place.column, what, "allowed: each face once, whichever way it turns");
  }
}

}  // namespace electret
