#pragma once
/// \file
/// A simulated scene without what may touch its bodies. What a force does there to a grip bounds what it does
/// in the scene, whatever touches the body now or lets go of it later.

#include <memory>

#include <electret/dynamics/simulator.hpp>

namespace electret::studio {

/// Whether obstacles or bodies may touch the bodies.
[[nodiscard]] bool may_touch(const System& system);

class Untouched {
 public:
  /// `scene` is compiled again, for its threads. Throws as `recompile`.
  explicit Untouched(const Simulator& scene);

  /// Whether it is that of the scene's present system.
  [[nodiscard]] bool is_of(const Simulator& scene) const { return number_ == scene.system_number(); }
  /// The state after a step from the scene's with these inputs, of which the obstacles' are dropped. The
  /// method starts anew from there. Throws as Simulator::step.
  [[nodiscard]] const State& stepped(const Simulator& scene, StepInputs inputs);

 private:
  Count number_;
  Simulator simulator_;
};

}  // namespace electret::studio
