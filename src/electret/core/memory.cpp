#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

#include <electret/core/memory.hpp>

namespace electret {
namespace {

/// The number in a one-line file of the system; nothing for "max".
std::optional<double> number_in(const std::string& file) {
  double number = 0.0;
  std::ifstream stream(file);
  if (stream >> number) return number;
  return std::nullopt;
}

/// MemAvailable of /proc/meminfo: the memory that can be allocated without swapping.
std::optional<double> free_memory() {
  std::ifstream stream("/proc/meminfo");
  std::string name, unit;
  for (double kibibytes = 0.0; stream >> name >> kibibytes; std::getline(stream, unit))
    if (name == "MemAvailable:") return 1024.0 * kibibytes;
  return std::nullopt;
}

/// The address space that `ulimit -v` leaves to this process.
std::optional<double> address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  const double pages = number_in("/proc/self/statm").value_or(0.0);
  return static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// The memory that a container's control group leaves (version 2, and version 1).
std::optional<double> control_group_left() {
  const std::string root = "/sys/fs/cgroup/";
  for (const auto& [most, used] :
       {std::pair("memory.max", "memory.current"),
        std::pair("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes")}) {
    const auto limit = number_in(root + most), now = number_in(root + used);
    if (limit && now) return *limit - *now;
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> memory_available() {
  std::optional<double> least;
  for (const auto& each : {free_memory(), address_space_left(), control_group_left()})
    if (each && (!least || *each < *least)) least = std::max(0.0, *each);
  return least;
}

}  // namespace electret
