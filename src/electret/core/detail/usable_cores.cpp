#include <algorithm>
#include <thread>

#include <electret/core/detail/usable_cores.hpp>

#ifdef __linux__
#include <sched.h>
#endif

namespace electret {
namespace {

#ifdef __linux__
/// 0 where the system does not say.
int cores_of_affinity() {
  // A set too small for the machine's cores is refused: try larger ones.
  for (int most = 1024; most <= (1 << 20); most *= 4) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(most));
    if (set == nullptr) return 0;
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
    const int cores = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (cores > 0) return cores;
  }
  return 0;
}
#else
int cores_of_affinity() {
  return 0;
}
#endif

}  // namespace

int usable_cores() {
  const int cores = cores_of_affinity();
  return cores > 0 ? cores : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace electret
