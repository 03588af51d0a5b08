// Options name what differs from the defaults, without a warning for what they leave out.
#include <electret/electret.hpp>

electret::ExportOptions every_tenth() {
  return {.every = 10};
}
electret::RunOptions resumed() {
  return {.resume = true};
}
electret::GradientOptions of_ten_steps() {
  return {.steps = 10};
}
electret::RolloutPlan of_two_steps() {
  return {.steps = 2};
}
electret::FitOptions of_three_threads() {
  return {.threads = 3};
}
