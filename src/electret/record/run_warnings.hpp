#pragma once
/// \file
/// The warnings that a run gives before it starts. The command, the library and the Python package give the
/// same ones.

#include <memory>
#include <string>
#include <vector>

#include <electret/core/warning.hpp>
#include <electret/dynamics/step_choice.hpp>
#include <electret/record/run.hpp>

namespace electret {

/// Every warning of a run of `system` into `directory`: about settings without an effect, a step more than
/// 100 times the suggested one, and a need of more memory or disk space than there is. Without a directory
/// the disk does not count. A loss of the run uses the groups `used_groups` ("BODY.GROUP").
[[nodiscard]] std::vector<Warning> run_warnings(const System& system, const Integrator& integrator,
                                                const StepChoice& step, const std::string& directory = {},
                                                const std::vector<std::string>& used_groups = {});

/// The warnings of a gradient of the system's motion: those of a run except that of too little disk space,
/// and that of charges in the whole run. `rest_positions` is as GradientOptions::rest_positions. The loss
/// uses the groups `used_groups`.
[[nodiscard]] std::vector<Warning> gradient_warnings(System& system, const Integrator& integrator,
                                                     bool rest_positions = false,
                                                     const std::vector<std::string>& used_groups = {});

/// What to tell before a gradient whose steps are solved less exactly than a gradient needs; empty if they
/// are solved to 1e-10 or in closed form.
[[nodiscard]] std::string gradient_tolerance_notice(const System& system, const Integrator& integrator);

/// The warnings to give before `run_to_directory(system, directory, options)`. Notes in `options` that they
/// were given, and what was computed to find them. If `options.stop_on_warning` is set, there is one for
/// charges that are too close in the first frame, too, of which other runs warn at that frame. Throws
/// InputError if this version lacks the scene's method.
[[nodiscard]] std::vector<Warning> prepare_run(System& system, const std::string& directory,
                                               RunOptions& options);

}  // namespace electret
