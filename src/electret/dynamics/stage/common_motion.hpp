#pragma once
/// \file
/// What each joined part of a system does as a whole in a step. It is no measure of how exactly the part's
/// own motion has to be solved for: a body vibrates alike on a train and in the station.

#include <cstddef>
#include <vector>

#include <electret/dynamics/stage/part_norms.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

class CommonMotion {
 public:
  CommonMotion(const System& system, const PartNorms& parts);

  /// Finds the motion of each part: the mean of pin_rows(k) over the pins k that hold it in all directions,
  /// or else the mean of `carried` by mass, which is 0 if `carried` has no rows. Allocates nothing.
  template <class PinRows>
  void find(VectorView carried, PinRows&& pin_rows) {
    clear();
    for (const auto& [pin, part] : pins_) sums_[part] += pin_rows(pin);
    add_carried(carried);
  }

  /// out_i ← x_i - the motion of vertex i's part.
  void take_from(VectorView x, VectorSpan out) const;

 private:
  void clear();
  void add_carried(VectorView carried);

  struct HeldPart {
    std::size_t pin, part;
  };

  const System& system_;
  const PartNorms& parts_;
  std::vector<HeldPart> pins_;  ///< In the order of the pins.
  std::vector<double> sizes_;   ///< Per part: the number of its pins; 0 if none.
  std::vector<double> masses_;  ///< Per part, kg.
  VectorArray sums_;            ///< Per part; the means after `find`.
};

}  // namespace electret
