#include <algorithm>

#include <electret/dynamics/stage/free_parts.hpp>

namespace electret {

DisjointSets joined_by_elements(const System& system) {
  DisjointSets parts(system.vertex_count());
  for (const auto& energy : system.elastic) {
    const auto corners = energy->elements().connectivity();
    const auto each = static_cast<std::size_t>(energy->elements().vertices_per_element());
    for (std::size_t k = 0; k < corners.size(); ++k) parts.join(corners[k - k % each], corners[k]);
  }
  return parts;
}

std::vector<JoinedPart> joined_parts(const System& system) {
  DisjointSets joined = joined_by_elements(system);
  std::vector<JoinedPart> parts;
  // The first vertex of a part is numbered before the others look.
  std::vector<std::size_t> number(static_cast<std::size_t>(system.vertex_count()));
  for (std::size_t i = 0; i < number.size(); ++i) {
    const auto root = static_cast<std::size_t>(joined.of(static_cast<Index>(i)));
    if (root == i) {
      number[i] = parts.size();
      parts.emplace_back();
    }
    number[i] = number[root];
    parts[number[i]].vertices.push_back(static_cast<Index>(i));
  }
  for (const Index pin : system.pins) parts[number[static_cast<std::size_t>(pin)]].pins.push_back(pin);
  return parts;
}

Vec3 centre_of_mass(const JoinedPart& part, ScalarView masses, VectorView x) {
  Vec3 sum;
  double mass = 0.0;
  for (const Index v : part.vertices) {
    const auto i = static_cast<std::size_t>(v);
    sum += masses[i] * x[i];
    mass += masses[i];
  }
  return (1.0 / mass) * sum;
}

FreeParts::FreeParts(const System& system) : masses_(system.masses()) {
  part_.assign(masses_.size(), -1);
  for (const JoinedPart& part : joined_parts(system)) {
    if (!part.pins.empty()) continue;
    double mass = 0.0;
    for (const Index v : part.vertices) {
      part_[static_cast<std::size_t>(v)] = static_cast<Index>(mass_.size());
      mass += masses_[static_cast<std::size_t>(v)];
    }
    mass_.push_back(mass);
  }
  shift_.resize(mass_.size());
  is_touched_.resize(mass_.size());
}

void FreeParts::conserve_momentum(VectorView x, VectorView y, VectorSpan direction,
                                  std::span<const VertexConstraint> touched) {
  std::fill(is_touched_.begin(), is_touched_.end(), 0);
  for (const VertexConstraint& c : touched)
    if (const Index part = part_[static_cast<std::size_t>(c.vertex)]; part >= 0)
      is_touched_[static_cast<std::size_t>(part)] = 1;
  std::fill(shift_.begin(), shift_.end(), Vec3{});
  for (std::size_t i = 0; i < part_.size(); ++i)
    if (part_[i] >= 0)
      shift_[static_cast<std::size_t>(part_[i])] += masses_[i] * ((x[i] - y[i]) + direction[i]);
  for (std::size_t k = 0; k < shift_.size(); ++k)
    shift_[k] = is_touched_[k] != 0 ? Vec3{} : (1.0 / mass_[k]) * shift_[k];
  for (std::size_t i = 0; i < part_.size(); ++i)
    if (part_[i] >= 0) direction[i] -= shift_[static_cast<std::size_t>(part_[i])];
}

}  // namespace electret
