#pragma once
/// \file
/// Changes of a fitting job from outside: what `electret fit --set` and sweeps of fits do.

#include <string>
#include <string_view>
#include <vector>

#include <electret/fit/job.hpp>

namespace electret {

/// What the key of an override begins with that sets the start of a parameter: "start.body.knot.stiffness".
inline constexpr std::string_view start_key = "start.";

/// Changes the job. "start.PARAMETER=NUMBER" sets `start` of the `[[parameter]]` of that name; any other
/// override is added to those of the job's scene (scene/read.hpp), after its own. Findings are located as
/// "--set KEY", and so are later ones about such a start.
void override_job(FitJob& job, const std::vector<std::string>& overrides, Report& report);

}  // namespace electret
