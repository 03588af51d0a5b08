#pragma once
/// \file
/// Key-frames of charges, external charges, pins, loads and activations, evaluated into Inputs, and the
/// transpose.

#include <vector>

#include <electret/scene/assembly.hpp>
#include <electret/scene/assembly_gradient.hpp>
#include <electret/scene/inputs.hpp>

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

  /// The transpose of `evaluate`: adds what derivatives by the inputs at `time` (s) say of the assembly that
  /// this schedule was made of: of charges, tracks' keys, external charges, pins' initial positions and
  /// offsets, loads, activations. `gradient` has the assembly's shape.
  void add_gradient(double time, const InputGradients& by_inputs, AssemblyGradient& gradient) const;

  /// Whether any vertex's charge is key-framed.
  [[nodiscard]] bool charges_change() const { return charges_change_; }

 private:
  /// The vertices of a charge track that no later one overrides.
  struct Charges {
    ChargeTrack track;
    std::size_t number;  ///< Of the assembly's.
  };
  /// The pins of one moving track: slots in Inputs::pin_positions.
  struct MovingPins {
    KeyFrames<Vec3> offsets;  ///< m.
    std::size_t number;       ///< Of the assembly's pin tracks.
    std::vector<std::size_t> slots;
  };
  /// The activations of one muscle: those numbered from `first` in Inputs::activations.
  struct Activation {
    KeyFrames<double> keys;  ///< Of all its elements; empty: each its own, which is constant.
    std::size_t first = 0, count = 0;
  };
  void write_charges(double time, std::vector<double>& charges) const;
  void write_external_charges(double time, std::vector<PlacedCharge>& placed) const;
  void write_moving_pins(double time, VectorArray& places) const;
  void write_changing_loads(double time, VectorArray& loads) const;
  void write_changing_activations(double time, std::vector<double>& activations) const;
  void add_charge_gradient(double time, ScalarView by_charges, AssemblyGradient& gradient) const;
  void add_external_gradient(double time, const std::vector<InputGradients::External>& by_external,
                             AssemblyGradient& gradient) const;
  void add_pin_gradient(double time, VectorView by_places, AssemblyGradient& gradient) const;
  void add_load_gradient(double time, VectorView by_loads, AssemblyGradient& gradient) const;
  void add_activation_gradient(double time, ScalarView by_activations, AssemblyGradient& gradient) const;

  double time_step_ = 0.0;                     ///< s.
  std::vector<double> base_charges_;           ///< n, C: everything that is not key-framed.
  std::vector<Charges> charge_tracks_;         ///< Those that have vertices left.
  std::vector<char> has_track_;                ///< n: 1 where a track gives the charge.
  std::vector<ExternalChargeTrack> external_;  ///< As in the assembly.
  std::vector<Index> pins_;                    ///< Ascending.
  VectorArray pin_places_;                     ///< m, the pins' initial places.
  std::vector<MovingPins> pin_tracks_;
  VectorArray base_loads_;                ///< n×3, N: the sum of the constant loads; empty without loads.
  std::vector<LoadTrack> load_tracks_;    ///< As in the assembly.
  std::vector<double> base_activations_;  ///< One for each muscle element; 0 where key-framed.
  std::vector<Activation> activations_;   ///< One for each muscle.
  bool charges_change_ = false, external_charges_change_ = false;
};

}  // namespace electret
