#pragma once
/// \file
/// What tests of fits share: targets made by a run itself, parameters by name, options of one thread.

#include <memory>
#include <string>
#include <vector>

#include <electret/dynamics/simulator.hpp>
#include <electret/fit/fit.hpp>
#include <electret/fit/losses.hpp>

namespace electret::test {

/// The loss that is 0 for `assembly` itself: its positions after every `every` steps.
inline std::unique_ptr<Loss> trajectory_of(const Assembly& assembly, Count every = 1) {
  Simulator run(compile(assembly, 1));
  std::vector<TargetFrame> frames;
  while (run.state().step < assembly.scene.time.steps) {
    run.step();
    if (run.state().step % every == 0) frames.push_back({run.state().step, run.state().positions});
  }
  return trajectory_loss(std::move(frames));
}

inline FitParameter fitted(const Assembly& assembly, const std::string& name) {
  FitParameter result;
  result.parameter = find_parameter(assembly, name);
  return result;
}

inline std::vector<FitParameter> named(const Assembly& assembly, const std::vector<std::string>& names) {
  std::vector<FitParameter> result;
  for (const std::string& name : names) result.push_back(fitted(assembly, name));
  return result;
}

inline FitOptions one_thread(double gradient_tolerance = OptimiserOptions{}.gradient_tolerance) {
  FitOptions options;
  options.threads = 1;
  options.optimiser.gradient_tolerance = gradient_tolerance;
  return options;
}

}  // namespace electret::test
