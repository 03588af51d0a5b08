/// \file
/// `lbfgs` without bounds: liblbfgs, backtracking, so that a step without a value is only shortened.

#include <algorithm>
#include <memory>
#include <new>

#include <lbfgs.h>

#include <electret/fit/optimiser_monitor.hpp>

namespace electret::detail {

void run_lbfgs(OptimiserMonitor& monitor, std::vector<double> start) {
  lbfgs_parameter_t settings;
  lbfgs_parameter_init(&settings);
  settings.linesearch = LBFGS_LINESEARCH_BACKTRACKING_STRONG_WOLFE;
  settings.epsilon = 1e-300;  // The monitor ends it.
  settings.max_linesearch = 30;
  settings.min_step = 1e-40;
  const auto evaluate = [](void* instance, const double* u, double* g, int, double) {
    return static_cast<OptimiserMonitor*>(instance)->evaluate(u, g);
  };
  const auto progress = [](void* instance, const double*, const double*, double, double, double, double, int,
                           int,
                           int) { return static_cast<OptimiserMonitor*>(instance)->has_ended() ? 1 : 0; };
  // The library's own allocation: aligned, and as long as its vector instructions need.
  const std::unique_ptr<double, void (*)(double*)> u(lbfgs_malloc(static_cast<int>(start.size())),
                                                     &lbfgs_free);
  if (!u) throw std::bad_alloc();
  std::copy(start.begin(), start.end(), u.get());
  // Where the line search gives up, the directions remembered may be at fault: once more without them.
  for (int attempt = 0; attempt < 2 && !monitor.has_ended() && (attempt == 0 || monitor.is_far()); ++attempt)
    lbfgs(static_cast<int>(start.size()), u.get(), nullptr, evaluate, progress, &monitor, &settings);
}

}  // namespace electret::detail
