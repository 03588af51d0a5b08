#pragma once
/// \file
/// Schedule: evaluates key-frames of charges, external charges, pins, loads, activations, obstacles and grabs
/// into Inputs, and its transpose.

#include <vector>

#include <electret/scene/assembly.hpp>
#include <electret/scene/inputs.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

class Schedule {
 public:
  Schedule() = default;
  /// `pins` are the pinned vertices, ascending. A pin's place is its row of `assembly.initial_positions` +
  /// its offset.
  Schedule(const Assembly& assembly, const std::vector<Index>& pins);

  /// Fills `inputs` with the values at `time` (s). Allocates only if `inputs` does not have the right sizes
  /// yet.
  void evaluate(double time, Inputs& inputs) const;
  /// The same for `inputs` that this schedule has filled before: writes only what changes with time.
  void update(double time, Inputs& inputs) const;

  /// The transpose of `evaluate`. Takes derivatives with respect to the inputs at `time` (s). Adds to
  /// `gradient` the resulting derivatives with respect to the assembly's charges, key-frames, external
  /// charges, pins' initial positions and offsets, loads, activations, offsets and rotations of obstacles,
  /// and grabs. Grabs after the scene's own are a caller's and have no part in it.
  /// `gradient` has the shape of the assembly that this schedule was made from.
  void add_gradient(double time, const InputGradients& by_inputs, AssemblyGradient& gradient) const;

  /// Whether any vertex's charge is key-framed.
  [[nodiscard]] bool charges_change() const { return charges_change_; }

 private:
  /// A charge track with those of its vertices that no later track overrides.
  struct Charges {
    ChargeTrack track;
    std::size_t number;  ///< Its index among the assembly's charge tracks.
  };
  /// One moving pin track; its pins are row numbers of Inputs::pin_positions.
  struct MovingPins {
    KeyFrames<Vec3> offsets;  ///< m.
    PinHold hold;
    std::size_t number;  ///< Its index among the assembly's pin tracks.
    std::vector<std::size_t> slots;
  };
  /// The activations of one muscle: `count` consecutive ones of Inputs::activations, from index `first` on.
  struct Activation {
    /// Shared by all elements of the muscle. If both are empty, each element has its own, constant
    /// activation.
    KeyFrames<double> keys;
    ActivationFormula formula;
    std::size_t first = 0, count = 0;

    [[nodiscard]] bool changes() const { return !keys.empty() || !formula.empty(); }
    [[nodiscard]] double at(double time, double step) const {
      return keys.empty() ? formula.value(time, step) : electret::evaluate(keys, time, step);
    }
  };
  void write_charges(double time, std::vector<double>& charges) const;
  void write_external_charges(double time, std::vector<PlacedCharge>& placed) const;
  void write_moving_pins(double time, VectorArray& places) const;
  void write_changing_loads(double time, VectorArray& loads) const;
  void write_changing_activations(double time, std::vector<double>& activations) const;
  void write_moving_obstacles(double time, std::vector<Placement>& placements) const;
  void write_grabs(double time, std::vector<PlacedGrab>& placed) const;
  void add_charge_gradient(double time, ScalarView by_charges, AssemblyGradient& gradient) const;
  void add_external_gradient(double time, const std::vector<InputGradients::External>& by_external,
                             AssemblyGradient& gradient) const;
  void add_pin_gradient(double time, VectorView by_places, AssemblyGradient& gradient) const;
  void add_load_gradient(double time, VectorView by_loads, AssemblyGradient& gradient) const;
  void add_activation_gradient(double time, ScalarView by_activations, AssemblyGradient& gradient) const;
  void add_placement_gradient(double time, const std::vector<Placement>& by_placements,
                              AssemblyGradient& gradient) const;
  void add_grab_gradient(double time, const std::vector<InputGradients::Grab>& by_grabs,
                         AssemblyGradient& gradient) const;

  double time_step_ = 0.0;                     ///< s.
  std::vector<double> base_charges_;           ///< n, C; the charges that are not key-framed.
  std::vector<Charges> charge_tracks_;         ///< The tracks that have vertices left.
  std::vector<char> has_track_;                ///< n; 1 if a track gives the vertex's charge.
  std::vector<ExternalChargeTrack> external_;  ///< As in the assembly.
  std::vector<Index> pins_;                    ///< Ascending.
  VectorArray pin_places_;                     ///< m, the pins' initial places.
  std::vector<MovingPins> pin_tracks_;
  VectorArray base_loads_;                ///< n×3, N: the sum of the constant loads. Empty without loads.
  std::vector<LoadTrack> load_tracks_;    ///< As in the assembly.
  std::vector<double> base_activations_;  ///< One per muscle element; 0 if it changes.
  std::vector<Activation> activations_;   ///< One per muscle.
  std::vector<ObstacleTrack> obstacles_;  ///< As in the assembly.
  std::vector<GrabTrack> grabs_;          ///< As in the assembly.
  bool charges_change_ = false, external_charges_change_ = false;
};

}  // namespace electret
