#pragma once
/// \file
/// Key-frames of charges, external charges and pins, evaluated into Inputs.

#include <vector>

#include <electret/force/inputs.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {

class Schedule {
 public:
  Schedule() = default;
  /// `pins`: the pinned vertices, ascending; their places are `assembly.initial_positions` + offsets.
  Schedule(const Assembly& assembly, const std::vector<Index>& pins);

  /// Fills `inputs` with the values at `time` (s). Allocates only when `inputs` is not of the right size yet.
  void evaluate(double time, Inputs& inputs) const;
  /// The same for `inputs` that this schedule filled before: writes only what changes with time.
  void update(double time, Inputs& inputs) const;

  /// Whether any charge is key-framed.
  [[nodiscard]] bool charges_change() const { return !charge_tracks_.empty(); }

 private:
  /// The pins of one moving track: slots in Inputs::pin_positions.
  struct MovingPins {
    KeyFrames<Vec3> offsets;  ///< m.
    std::vector<std::size_t> slots;
  };
  void write_charges(double time, std::vector<double>& charges) const;
  void write_external_charges(double time, std::vector<PlacedCharge>& placed) const;
  void write_moving_pins(double time, VectorArray& places) const;

  double time_step_ = 0.0;                     ///< s.
  std::vector<double> base_charges_;           ///< n, C: everything that is not key-framed.
  std::vector<ChargeTrack> charge_tracks_;     ///< Key-framed ones; vertices that no later track overrides.
  std::vector<ExternalChargeTrack> external_;  ///< As in the assembly.
  VectorArray pin_places_;                     ///< m, the pins' initial places.
  std::vector<MovingPins> pin_tracks_;
  bool external_charges_change_ = false;
};

}  // namespace electret
