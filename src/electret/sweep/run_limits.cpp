#include <algorithm>
#include <thread>

#include <electret/core/control.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/memory.hpp>
#include <electret/geometry/read.hpp>
#include <electret/sweep/run_limits.hpp>

namespace electret {

void RunLimits::check() const {
  if (each_step_) each_step_();
  if (stop_.stop_requested()) throw Cancelled();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
  if (wall_ && taken.count() > *wall_)
    throw TimeoutError("the run took longer than " + plan_.job.limits.wall);
}

double gradient_memory_of_a_worker() {
  const auto cores = std::max(1U, std::thread::hardware_concurrency());
  const auto free = memory_available();
  return free ? 0.5 * *free / cores : 0.0;
}

void check_loss_file(const SweepPlan& plan, const std::string& loss, const std::string& folder) {
  const auto known = plan.files.find(loss_key(loss));
  if (known == plan.files.end()) return;
  const std::string file = loss_file(loss, folder);
  if (file.empty() || read_whole_file(file) != known->second)
    throw InputError(Finding{{file.empty() ? loss : file, 0, 0},
                             "the loss's file has changed since the sweep began",
                             "all runs have the same target"});
}

}  // namespace electret
