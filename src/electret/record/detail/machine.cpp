#include <array>
#include <ctime>
#include <fstream>
#include <string_view>

#include <sys/utsname.h>

#include <electret/record/detail/machine.hpp>

namespace electret {

std::string date_text() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  std::array<char, 32> text{};
  if (gmtime_r(&now, &utc) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

std::string processor_name() {
  constexpr std::string_view key = "model name";
  std::ifstream cores("/proc/cpuinfo");
  for (std::string line; std::getline(cores, line);) {
    const auto name = line.find(": ");
    if (line.starts_with(key) && name != std::string::npos) return line.substr(name + 2);
  }
  utsname system{};
  return uname(&system) == 0 ? system.machine : "";
}

}  // namespace electret
