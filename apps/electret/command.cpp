#include "command.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>
#include <system_error>

#include <sys/resource.h>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/core/version.hpp>
#include <electret/field/gpu/devices.hpp>
#include <electret/record/run.hpp>
#include <electret/record/unreadable_error.hpp>

#include "print.hpp"

namespace electret::app {
namespace {

/// Whether it is like "body.0.charge=8e-6": a dotted key, an equals sign, anything.
bool is_assignment(std::string_view text) {
  const auto key = text.substr(0, text.find('='));
  const std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
  return key.size() < text.size() && !key.empty() && key.front() != '-' && key.front() != '.' &&
         key.find_first_not_of(allowed) == std::string_view::npos;
}

/// There may not even be memory for a new text.
int out_of_memory() {
  put(stderr,
      "electret: error: out of memory; take fewer vertices or springs, or a machine with more memory\n");
  return Status::failed;
}

int internal_error(const std::exception& error) {
  tell("electret: internal error: {}; this is a defect in Electret, please report it\n", error.what());
  return Status::failed;
}

/// If memory is limited, OpenBLAS's threads may still be waiting for theirs, which they do for ever. The
/// usual end of the process would wait for them.
void leave(int status) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  std::fflush(nullptr);
  std::_Exit(status);
}

int guarded_status(const Action& action) {
  try {
    const int status = action();
    if (!std::cout.flush() || std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw IoError("the output could not be written: is the disk full?");
    return status;
  } catch (const InputError& error) {
    for (const auto& finding : error.findings())
      tell("{}{}\n", finding.where.file.empty() ? "electret: " : "", to_string(finding));
    return Status::bad_input;
  } catch (const DivergenceError& error) {
    tell("electret: error: {}\n", error.what());
    return Status::failed;
  } catch (const gpu::DeviceError& error) {
    tell("electret: error: {}; --set coulomb.device=cpu (electret field: --device cpu) does without it\n",
         error.what());
    return Status::failed;
  } catch (const WarningError& error) {
    tell("electret: error: {}\n", error.what());
    return Status::failed;
  } catch (const UnreadableError& error) {
    tell("electret: error: {}\n", error.what());
    return Status::bad_input;
  } catch (const IoError& error) {
    tell("electret: error: {}\n", error.what());
    return Status::failed;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::system_error& error) {
    // Thrown if a thread has no room for its stack.
    if (error.code() == std::errc::resource_unavailable_try_again) return out_of_memory();
    return internal_error(error);
  } catch (const std::exception& error) {
    // The same from oneTBB, whose exception carries no code.
    if (std::string_view(error.what()).starts_with("pthread_create has failed")) return out_of_memory();
    return internal_error(error);
  }
}

}  // namespace

int guarded(const Action& action) {
  const int status = guarded_status(action);
  leave(status);
  return status;
}

std::string version_text() {
  return std::string("electret ") + version + "\ninstruction set " + name_of(instruction_set()) +
         " (supported here: " + supported_instruction_sets() + ")";
}

std::vector<std::string> with_repeated_set(const std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  bool in_set = false;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const auto& argument = arguments[k];
    const bool after_set = k > 0 && arguments[k - 1] == "--set";
    if (in_set && !after_set && is_assignment(argument)) {
      result.emplace_back("--set");
    } else if (!after_set) {
      in_set = argument == "--set";
    }
    result.push_back(argument);
  }
  return result;
}

}  // namespace electret::app
