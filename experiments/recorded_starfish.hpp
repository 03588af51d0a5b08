#pragma once
/// \file
/// soft-starfish with recordings of the robot, which users may have and Electret may not give.

#include "experiment.hpp"

namespace electret::experiments {

/// Finds Young's modulus and Poisson's ratio from each recording in the user's folder,
/// `data_horizontal_cyclic1.csv` to `3`, with the body in `starfish_half.obj` there. False, and an untouched
/// report, if there is no recording. Throws InputError for recordings without the body, and for files that
/// are not such.
[[nodiscard]] bool fit_to_recordings(const Context& context, Report& report);

}  // namespace electret::experiments
