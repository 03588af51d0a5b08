#include <utility>

#include <electret/dynamics/step_schedule.hpp>

namespace electret {

StepSchedule::StepSchedule(const System& system, std::span<const double> fractions)
    : system_(system), fractions_(fractions) {
  inputs_.stages.resize(fractions.size());
}

double StepSchedule::stage_time(Count step, std::size_t stage) const {
  return (static_cast<double>(step) + fractions_[stage]) * system_.time_step;
}

void StepSchedule::evaluate(Count step) {
  const Schedule& schedule = system_.schedule;
  schedule.evaluate(system_.time(step), inputs_.start);
  schedule.evaluate(system_.time(step + 1), inputs_.end);
  for (std::size_t k = 0; k < fractions_.size(); ++k)
    schedule.evaluate(stage_time(step, k), inputs_.stages[k]);
}

void StepSchedule::advance(Count step) {
  const Schedule& schedule = system_.schedule;
  std::swap(inputs_.start, inputs_.end);
  for (std::size_t k = 0; k < fractions_.size(); ++k) schedule.update(stage_time(step, k), inputs_.stages[k]);
  schedule.update(system_.time(step + 1), inputs_.end);
}

}  // namespace electret
