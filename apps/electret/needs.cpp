#include "needs.hpp"

#include <filesystem>
#include <system_error>

#include <electret/record/run_directory.hpp>

namespace electret::app {
std::optional<double> disk_available(const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path place = fs::absolute(directory, error);
  while (!fs::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  const fs::space_info space = fs::space(place, error);
  if (error) return std::nullopt;
  auto bytes = static_cast<double>(space.available);
  for (const std::string& file : RunDirectory(directory).files()) {
    const auto size = fs::file_size(directory + "/" + file, error);
    if (!error) bytes += static_cast<double>(size);
  }
  return bytes;
}

}  // namespace electret::app
