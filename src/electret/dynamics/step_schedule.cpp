#include <utility>

#include <electret/dynamics/step_schedule.hpp>

namespace electret {

StepSchedule::StepSchedule(const System& system, std::span<const double> fractions)
    : system_(system), fractions_(fractions) {
  inputs_.stages.resize(fractions.size());
}

void evaluate_step(const System& system, std::span<const double> fractions, Count step, StepInputs& inputs) {
  const Schedule& schedule = system.schedule;
  inputs.stages.resize(fractions.size());
  schedule.evaluate(system.time(step), inputs.start);
  schedule.evaluate(system.time(step + 1), inputs.end);
  for (std::size_t k = 0; k < fractions.size(); ++k)
    schedule.evaluate(system.time(step, fractions[k]), inputs.stages[k]);
}

void StepSchedule::evaluate(Count step) {
  evaluate_step(system_, fractions_, step, inputs_);
}

void StepSchedule::advance(Count step) {
  const Schedule& schedule = system_.schedule;
  std::swap(inputs_.start, inputs_.end);
  for (std::size_t k = 0; k < fractions_.size(); ++k)
    schedule.update(system_.time(step, fractions_[k]), inputs_.stages[k]);
  schedule.update(system_.time(step + 1), inputs_.end);
}

}  // namespace electret
