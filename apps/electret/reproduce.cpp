/// \file
/// `electret reproduce [NAME...]`: runs the papers' experiments, which are a separate program.

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <electret/core/errors.hpp>

#include "commands.hpp"
#include "programs.hpp"
#include "reproduce_options.hpp"

namespace electret::app {
namespace {

constexpr const char* experiments = "electret-experiments";

/// The program beside this one. Throws IoError if there is none.
std::string program() {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  if (!error && std::filesystem::exists(here / experiments, error)) return (here / experiments).string();
  std::string elsewhere = error ? find_program(experiments) : "";
  if (!elsewhere.empty()) return elsewhere;
  throw IoError("the papers' experiments are a program of their own, " + std::string(experiments) +
                ", which is not in \"" + here.string() +
                "\"; in Electret's repository ./dev build builds it");
}

}  // namespace

void add_reproduce(CommandLine& line) {
  add_reproduce(line, [](const ReproduceOptions& options) -> int {
    std::vector<std::string> words = words_of(options);
    words.insert(words.begin(), program());
    become_program(std::move(words));
  });
}

}  // namespace electret::app
