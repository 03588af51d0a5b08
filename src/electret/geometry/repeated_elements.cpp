#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <electret/geometry/repeated_elements.hpp>

namespace electret {
namespace {

template <class Element>
Element sorted(Element corners) {
  std::sort(corners.begin(), corners.end());
  return corners;
}

/// The same for the same vertices in any order; different ones rarely share it.
template <class Element>
std::uint64_t mixed(const Element& element) {
  std::uint64_t sum = 0;
  for (const Index corner : element) {
    // The finaliser of MurmurHash3, which spreads every bit over all.
    auto bits = static_cast<std::uint64_t>(corner) + 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 33U)) * 0xff51afd7ed558ccdU;
    bits = (bits ^ (bits >> 33U)) * 0xc4ceb9fe1a85ec53U;
    sum += bits ^ (bits >> 33U);
  }
  return sum;
}

template <class Element>
std::vector<RepeatedElement> repeated(std::span<const Element> elements) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  order.reserve(elements.size());
  for (std::size_t e = 0; e < elements.size(); ++e) order.emplace_back(mixed(elements[e]), e);
  std::sort(order.begin(), order.end());
  std::vector<RepeatedElement> found;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && order[end].first == order[begin].first) ++end;
    if (end - begin < 2) continue;
    std::vector<std::pair<Element, std::size_t>> alike;
    for (std::size_t k = begin; k < end; ++k)
      alike.emplace_back(sorted(elements[order[k].second]), order[k].second);
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
  return repeated(elements);
}

std::vector<RepeatedElement> repeated_elements(std::span<const Hexahedron> elements) {
  return repeated(elements);
}

}  // namespace electret
