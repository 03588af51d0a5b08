#pragma once
/// \file
/// The experiments of bodies that walk or roll by their muscles.

#include "experiment.hpp"

namespace electret::experiments {

void torus_roll(const Context& context, Report& report);
void quadruped(const Context& context, Report& report);
void cow(const Context& context, Report& report);

}  // namespace electret::experiments
