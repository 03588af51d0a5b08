#include <algorithm>
#include <cmath>

#include <electret/field/ddef/location.hpp>

namespace electret::ddef {
namespace {

/// A point whose barycentric coordinates are all above this lies inside, as far as rounding can tell.
constexpr double inside = -1e-13;
/// The number of tetrahedra that a walk visits before all are searched.
constexpr int most_steps = 400;

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

Locator::Locator(const Tessellation& tessellation) : tessellation_(tessellation) {
  const auto wanted = std::cbrt(0.25 * static_cast<double>(tessellation.size()));
  cells_ = std::clamp(static_cast<int>(wanted), 1, 64);
  start_.reserve(static_cast<std::size_t>(cells_) * cells_ * cells_);
  Index last = 0;
  for (int z = 0; z < cells_; ++z)
    for (int y = 0; y < cells_; ++y)
      for (int x = 0; x < cells_; ++x) {
        const Vec3 centre = (1.0 / cells_) * Vec3{x + 0.5, y + 0.5, z + 0.5};
        last = walk(last, centre);
        start_.push_back(last);
      }
}

Index Locator::find(const Vec3& unit) const {
  const auto cell = [this](double coordinate) {
    const double c = coordinate * cells_;
    // The comparison is false for what is not a number.
    return c >= 1.0 ? static_cast<int>(std::min(c, cells_ - 1.0)) : 0;
  };
  const int index = (cell(unit.z) * cells_ + cell(unit.y)) * cells_ + cell(unit.x);
  return walk(start_[at(index)], unit);
}

Index Locator::walk(Index start, const Vec3& unit) const {
  Index t = start;
  for (int step = 0; step < most_steps; ++step) {
    const auto psi = tessellation_.barycentric[at(t)](unit);
    double lowest = inside;
    Index next = t;
    bool outside = false;
    for (std::size_t k = 0; k < 4; ++k) {
      if (psi[k] >= inside) continue;
      outside = true;
      const Index neighbour = tessellation_.neighbours[at(t)][k];
      if (neighbour >= 0 && psi[k] < lowest) {
        lowest = psi[k];
        next = neighbour;
      }
    }
    if (!outside) return t;
    if (next == t) break;  // behind the hull
    t = next;
  }
  return search(unit);
}

Index Locator::search(const Vec3& unit) const {
  Index best = 0;
  double largest = -std::numeric_limits<double>::infinity();
  for (Index t = 0; t < tessellation_.size(); ++t) {
    const auto psi = tessellation_.barycentric[at(t)](unit);
    const double smallest = std::min({psi[0], psi[1], psi[2], psi[3]});
    if (smallest > largest) {
      largest = smallest;
      best = t;
    }
  }
  return best;
}

}  // namespace electret::ddef
