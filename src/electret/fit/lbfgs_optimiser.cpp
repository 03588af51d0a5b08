/// \file
/// `lbfgs` without bounds: liblbfgs with backtracking, so that a step to a point without a value is only
/// shortened.

#include <algorithm>
#include <memory>
#include <new>

#include <lbfgs.h>

#include <electret/fit/optimiser_monitor.hpp>

namespace electret::detail {
namespace {

/// liblbfgs's first step has length 1. It is therefore given variables that are longer by 1/reach.
struct Scaled {
  OptimiserMonitor& monitor;
  std::vector<double> variables;
};

double evaluate(void* instance, const double* w, double* gradient, int count, double) {
  auto& [monitor, u] = *static_cast<Scaled*>(instance);
  for (std::size_t k = 0; k < u.size(); ++k) u[k] = reach * w[k];
  const double value = monitor.evaluate(u.data(), gradient);
  for (int k = 0; k < count; ++k) gradient[k] *= reach;
  return value;
}

}  // namespace

void run_lbfgs(OptimiserMonitor& monitor, std::vector<double> start) {
  lbfgs_parameter_t settings;
  lbfgs_parameter_init(&settings);
  settings.linesearch = LBFGS_LINESEARCH_BACKTRACKING_STRONG_WOLFE;
  settings.epsilon = 1e-300;  // The monitor ends it.
  settings.max_linesearch = 30;
  settings.min_step = 1e-40;
  const auto progress = [](void* instance, const double*, const double*, double, double, double, double, int,
                           int, int) { return static_cast<Scaled*>(instance)->monitor.has_ended() ? 1 : 0; };
  // The library's own allocation: aligned, and as long as its vector instructions need.
  const std::unique_ptr<double, void (*)(double*)> w(lbfgs_malloc(static_cast<int>(start.size())),
                                                     &lbfgs_free);
  if (!w) throw std::bad_alloc();
  std::transform(start.begin(), start.end(), w.get(), [](double each) { return each / reach; });
  Scaled scaled{monitor, start};
  lbfgs(static_cast<int>(start.size()), w.get(), nullptr, evaluate, progress, &scaled, &settings);
}

}  // namespace electret::detail
