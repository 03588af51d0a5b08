#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <electret/geometry/repeated_elements.hpp>

namespace electret {
namespace {

/// Each element against all before it.
template <class Element>
std::vector<std::pair<std::size_t, std::size_t>> by_comparing(const std::vector<Element>& elements) {
  const auto sorted = [](Element corners) {
    std::sort(corners.begin(), corners.end());
    return corners;
  };
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (std::size_t first = 0; first < e; ++first)
      if (sorted(elements[first]) == sorted(elements[e])) {
        found.emplace_back(e, first);
        break;
      }
  return found;
}

template <class Element>
void expect_all_found(Index vertices) {
  std::mt19937 engine(static_cast<unsigned>(vertices));
  std::uniform_int_distribution<Index> corner(0, vertices - 1);
  std::vector<Element> elements(300);
  for (Element& element : elements)
    for (Index& vertex : element) vertex = corner(engine);
  // Some of any mesh, turned.
  for (std::size_t k = 0; k < 20; ++k) {
    Element copy = elements[13 * k];
    std::rotate(copy.begin(), copy.begin() + 1, copy.end());
    elements[(29 * k + 7) % 300] = copy;
  }
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (const auto& [element, first] : repeated_elements(std::span<const Element>(elements)))
    found.emplace_back(element, first);
  EXPECT_EQ(found, by_comparing(elements));
  EXPECT_FALSE(found.empty());
}

TEST(RepeatedElements, AreThoseOfTheSameVertices) {
  for (const Index vertices : {5, 9, 1000}) {
    expect_all_found<Tetrahedron>(vertices);
    expect_all_found<Hexahedron>(vertices);
  }
  EXPECT_TRUE(repeated_elements(std::span<const Tetrahedron>()).empty());
}

/// All ways to write a polygon.
std::set<std::vector<Index>> all_ways(std::vector<Index> corners) {
  std::set<std::vector<Index>> ways;
  for (int side = 0; side < 2; ++side) {
    for (std::size_t k = 0; k < corners.size(); ++k) {
      ways.insert(corners);
      std::rotate(corners.begin(), corners.begin() + 1, corners.end());
    }
    std::reverse(corners.begin(), corners.end());
  }
  return ways;
}

/// Polygons of 3 to 6 corners against all ways to write each one before them.
TEST(RepeatedElements, OfPolygonsAreThoseWithTheSameSides) {
  for (const Index vertices : {6, 8, 500}) {
    std::mt19937 engine(static_cast<unsigned>(vertices));
    std::vector<Index> numbers(static_cast<std::size_t>(vertices));
    std::iota(numbers.begin(), numbers.end(), Index{0});
    std::vector<std::vector<Index>> all;
    for (int k = 0; k < 200; ++k) {
      std::shuffle(numbers.begin(), numbers.end(), engine);
      all.emplace_back(numbers.begin(), numbers.begin() + 3 + static_cast<std::ptrdiff_t>(engine() % 4));
      if (k % 10 != 9) continue;
      const auto ways = all_ways(all[engine() % all.size()]);
      all.push_back(*std::next(ways.begin(), static_cast<std::ptrdiff_t>(engine() % ways.size())));
    }
    Polygons polygons;
    for (const auto& corners : all) polygons.add(corners);
    std::vector<std::pair<std::size_t, std::size_t>> found, expected;
    for (const auto& [element, first] : repeated_elements(polygons)) found.emplace_back(element, first);
    for (std::size_t p = 0; p < all.size(); ++p) {
      const auto ways = all_ways(all[p]);
      const auto first = std::find_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(p),
                                      [&](const auto& other) { return ways.contains(other); });
      const auto at = static_cast<std::size_t>(first - all.begin());
      if (at < p) expected.emplace_back(p, at);
    }
    EXPECT_EQ(found, expected) << vertices;
    EXPECT_GE(found.size(), 20U);
  }
}

}  // namespace
}  // namespace electret
