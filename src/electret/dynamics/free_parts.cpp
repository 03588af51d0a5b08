#include <algorithm>
#include <numeric>

#include <electret/dynamics/free_parts.hpp>

namespace electret {
namespace {

/// The first vertex of `vertex`'s set; halves the path on the way.
Index root_of(std::vector<Index>& parent, Index vertex) {
  while (parent[static_cast<std::size_t>(vertex)] != vertex) {
    Index& up = parent[static_cast<std::size_t>(vertex)];
    up = parent[static_cast<std::size_t>(up)];
    vertex = up;
  }
  return vertex;
}

std::vector<Index> joined_by_elements(const System& system) {
  std::vector<Index> parent(static_cast<std::size_t>(system.vertex_count()));
  std::iota(parent.begin(), parent.end(), 0);
  for (const auto& energy : system.elastic) {
    const auto corners = energy->elements().connectivity();
    const auto each = static_cast<std::size_t>(energy->elements().vertices_per_element());
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Index a = root_of(parent, corners[k - k % each]), b = root_of(parent, corners[k]);
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  return parent;
}

}  // namespace

FreeParts::FreeParts(const System& system) : masses_(system.masses()) {
  std::vector<Index> parent = joined_by_elements(system);
  std::vector<char> held(parent.size(), 0);
  for (const Index pin : system.pins) held[static_cast<std::size_t>(root_of(parent, pin))] = 1;
  part_.assign(parent.size(), -1);
  // Roots are the first vertices of their sets, so that they are numbered before the others look.
  for (std::size_t i = 0; i < parent.size(); ++i) {
    const auto root = static_cast<std::size_t>(root_of(parent, static_cast<Index>(i)));
    if (held[root] != 0) continue;
    if (root == i) {
      part_[i] = static_cast<Index>(mass_.size());
      mass_.push_back(0.0);
    } else {
      part_[i] = part_[root];
    }
    mass_[static_cast<std::size_t>(part_[i])] += masses_[i];
  }
  shift_.resize(mass_.size());
}

void FreeParts::conserve_momentum(VectorView x, VectorView y, VectorSpan direction) {
  std::fill(shift_.begin(), shift_.end(), Vec3{});
  for (std::size_t i = 0; i < part_.size(); ++i)
    if (part_[i] >= 0)
      shift_[static_cast<std::size_t>(part_[i])] += masses_[i] * ((x[i] - y[i]) + direction[i]);
  for (std::size_t k = 0; k < shift_.size(); ++k) shift_[k] *= 1.0 / mass_[k];
  for (std::size_t i = 0; i < part_.size(); ++i)
    if (part_[i] >= 0) direction[i] -= shift_[static_cast<std::size_t>(part_[i])];
}

}  // namespace electret
