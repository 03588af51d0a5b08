/// \file
/// shark: a network learns to swim with a shark's tail ([DiffPD] §7.4).

#include <utility>

#include "experiment.hpp"
#include "swimming.hpp"

namespace electret::experiments {

void shark(const Context& context, Report& report) {
  const bool quick = context.quick();
  Swim swim{.name = "shark",
            .body = own_shark(quick ? 24 : 48),
            .description =
                "of ours, because the paper's is not released: 2 m long, with a dorsal and a caudal fin; its "
                "rear half is a muscle of 1e5 Pa, left against right; sensors along its spine",
            .plan = {.networks = 4, .first_epochs = 5, .kept = 1, .epochs = 60, .rate = 2e-3},
            .published = {{0, 0.3366}, {10, 0.0021}, {20, 12.938}, {50, 16.181}, {100, 16.732}},
            .goal = 10.0,
            .start_factor = 3.0,
            .view = {.azimuth = 15.0, .elevation = 40.0}};
  // As coarse as the paper's runs.
  swim.body.scene = swim.body.scene.changed({"integrator.tolerance=1e-3"});
  if (quick) swim.plan = {.networks = 2, .first_epochs = 0, .kept = 1, .epochs = 1, .frames = 8};
  swim_experiment(context, report, std::move(swim), 0.0);
}

}  // namespace electret::experiments
