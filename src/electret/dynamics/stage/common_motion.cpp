#include <algorithm>

#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/common_motion.hpp>

namespace electret {

CommonMotion::CommonMotion(const System& system, const PartNorms& parts)
    : system_(system),
      parts_(parts),
      sizes_(parts.count(), 0.0),
      masses_(parts.count(), 0.0),
      sums_(parts.count()) {
  for_pins(system, [&](const PinRow& at) {
    const Index part = parts.part_of(at.vertex);
    if (at.held != nullptr || part < 0) return;
    pins_.push_back({at.pin, static_cast<std::size_t>(part)});
    sizes_[static_cast<std::size_t>(part)] += 1.0;
  });
}

void CommonMotion::clear() {
  std::fill(sums_.begin(), sums_.end(), Vec3{});
}

void CommonMotion::add_carried(VectorView carried) {
  // Masses may be changed between steps.
  std::fill(masses_.begin(), masses_.end(), 0.0);
  for (std::size_t i = 0; i < carried.size(); ++i) {
    const Index part = parts_.part_of(i);
    if (part < 0 || sizes_[static_cast<std::size_t>(part)] > 0.0) continue;
    masses_[static_cast<std::size_t>(part)] += system_.masses()[i];
    sums_[static_cast<std::size_t>(part)] += system_.masses()[i] * carried[i];
  }
  for (std::size_t p = 0; p < sums_.size(); ++p) {
    const double size = sizes_[p] > 0.0 ? sizes_[p] : masses_[p];
    if (size > 0.0) sums_[p] = (1.0 / size) * sums_[p];
  }
}

void CommonMotion::take_from(VectorView x, VectorSpan out) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Index part = parts_.part_of(i);
    out[i] = part < 0 ? x[i] : x[i] - sums_[static_cast<std::size_t>(part)];
  }
}

}  // namespace electret
