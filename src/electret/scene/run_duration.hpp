#pragma once
/// \file
/// How many steps the `duration` of a scene is.

#include <electret/scene/report.hpp>

namespace electret {

/// Whether `duration` (s) is a whole number of steps of `step` (s), to 1e-6 of a step; else a finding at
/// [time] is added.
bool check_duration(const SourceMap& source, double duration, double step, Report& report);

}  // namespace electret
