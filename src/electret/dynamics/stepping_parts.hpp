#pragma once
/// \file
/// What a simulator steps with: the system, and everything that is made from it. A change of the scene
/// replaces it all.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/step_schedule.hpp>
#include <electret/dynamics/work.hpp>

namespace electret {

class SteppingParts {
 public:
  using MakeIntegrator = std::function<std::unique_ptr<Integrator>(System&)>;
  /// What was replaced, for `put_back`.
  struct Replaced {
    std::unique_ptr<System> system;
    std::unique_ptr<Integrator> integrator;
  };

  /// Throws std::invalid_argument without a system, and if `make` makes no integrator.
  SteppingParts(std::unique_ptr<System> system, MakeIntegrator make);

  /// Always at one place: `replace` changes what is in it.
  [[nodiscard]] System& system() const { return *system_; }
  [[nodiscard]] Integrator& integrator() const { return *integrator_; }
  /// Of the method's memory.
  [[nodiscard]] const std::vector<MemoryArray>& layout() const { return layout_; }
  [[nodiscard]] WorkMeter& meter() { return *meter_; }
  /// The scene's inputs.
  [[nodiscard]] StepSchedule& scheduled() { return *scheduled_; }
  [[nodiscard]] const StepSchedule& scheduled() const { return *scheduled_; }

  /// Goes on with another system, whose integrator is made. If that throws, everything stays. Times and
  /// counts of evaluations go on.
  Replaced replace(std::unique_ptr<System> system);
  /// Goes back to what `replace` returned.
  void put_back(Replaced before);

  /// Of all systems so far.
  [[nodiscard]] Count field_evaluations() const;
  /// How often another system has taken the place of the one before.
  [[nodiscard]] Count replacements() const { return replacements_; }

 private:
  [[nodiscard]] Count evaluations_now() const;
  void make_rest();

  std::unique_ptr<System> system_;
  MakeIntegrator make_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<MemoryArray> layout_;
  std::optional<WorkMeter> meter_;
  std::optional<StepSchedule> scheduled_;
  Count replacements_ = 0;
  Count evaluations_elsewhere_ = 0;  ///< Of systems that were replaced, less those of one that came back.
};

}  // namespace electret
