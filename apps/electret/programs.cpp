#include "programs.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include <unistd.h>

namespace electret::app {

namespace fs = std::filesystem;

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  std::error_code error;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / name;
    if (fs::is_regular_file(program, error) && access(program.c_str(), X_OK) == 0) return program.string();
  }
  return {};
}

}  // namespace electret::app
