#include <algorithm>
#include <random>
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

}  // namespace
}  // namespace electret
