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

  /// Whether any charge (any external charge or its place) is key-framed.
  [[nodiscard]] bool charges_change() const { return charges_change_; }
  [[nodiscard]] bool external_charges_change() const { return external_charges_change_; }
  [[nodiscard]] bool pins_move() const { return pins_move_; }

 private:
  struct PinPlace {
    Vec3 initial;
    int track = -1;  ///< -1: unmoved.
  };
  double time_step_ = 0.0;
  std::vector<double> base_charges_;
  std::vector<ChargeTrack> charge_tracks_;
  std::vector<ExternalChargeTrack> external_;
  std::vector<PinTrack> pin_tracks_;
  std::vector<PinPlace> pin_places_;
  bool charges_change_ = false, external_charges_change_ = false, pins_move_ = false;
};

}  // namespace electret
