/// \file
/// `electret devices`: says on what the field can be computed here, and how to choose it.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/field/gpu/crossover.hpp>
#include <electret/field/gpu/devices.hpp>
#include <electret/field/gpu/placement.hpp>
#include <electret/field/gpu/self_test.hpp>

#include "command.hpp"
#include "commands.hpp"
#include "print.hpp"

namespace electret::app {
namespace {

constexpr const char* devices_footer = R"(A scene chooses by coulomb.device, electret field by --device:
  cpu        the CPU
  gpu        the first GPU: the first of this list that is one
  gpu:NAME   the device whose name or platform contains NAME, whatever the case of its letters; gpu:NAME#2 is the
             second such
  auto       the CPU, except where measurements say that a discrete GPU is faster

With --check the status is 1 if a device fails the test.

Examples:
  electret devices --check
  electret run scene.toml --set coulomb.device=gpu)";

void print_of_device(const std::string& label, const std::string& text) {
  print_fact("  " + label, text, 17);
}

std::string kind_text(gpu::Kind kind) {
  switch (kind) {
    case gpu::Kind::discrete:
      return "discrete GPU";
    case gpu::Kind::integrated:
      return "integrated GPU, which auto never takes";
    case gpu::Kind::processor:
      return "CPU behind OpenCL, which only its name chooses";
  }
  return "";
}

std::string bytes(Count count) {
  return bytes_text(static_cast<double>(count));
}

void print_device(const std::vector<gpu::Listed>& all, std::size_t k) {
  const gpu::Facts& facts = all[k].facts;
  say("{}\n", facts.name);
  if (!all[k].unusable.empty()) print_of_device("not usable", all[k].unusable);
  print_of_device("choose it by", "device = " + in_quotes(gpu::choice_of(all, k)) +
                                      (gpu::is_first_gpu(all, k) ? " or \"gpu\"" : ""));
  print_of_device("kind", kind_text(facts.kind));
  print_of_device("platform", facts.platform + ", " + facts.version);
  print_of_device("driver", facts.driver);
  print_of_device("memory",
                  fmt::format("{}, buffers up to {}", bytes(facts.memory), bytes(facts.largest_buffer)));
  print_of_device("compute units", fmt::format("{} at {} MHz", facts.compute_units, facts.clock));
  print_of_device("float64", facts.float64 ? "yes" : "no");
}

void print_auto() {
  if (gpu::auto_rows().empty()) {
    say("device = \"auto\" computes on the CPU: no measurements yet say that a GPU is faster\n");
    return;
  }
  say("device = \"auto\" takes a discrete GPU from so many charges on:\n");
  for (const gpu::AutoRow& row : gpu::auto_rows())
    say("  {} charges{} for an accuracy of {:g} or more\n", row.charges, row.softened ? ", softened," : "",
        row.accuracy);
}

/// Tests a device and measures it. Returns whether it passed.
bool check_device(const std::string& device) {
  const std::vector<gpu::SelfTestRow> rows = gpu::self_test(device);
  const auto failed =
      std::find_if(rows.begin(), rows.end(), [](const gpu::SelfTestRow& row) { return !row.passed(); });
  if (failed != rows.end()) {
    print_of_device("self-test", fmt::format("FAILED: {} has an error of {:.2g}, allowed {:.2g}",
                                             failed->what, failed->error, failed->allowed));
    return false;
  }
  print_of_device("self-test", fmt::format("passed: {} comparisons with sums in float64", rows.size()));
  print_of_device("direct sums", fmt::format("{:.3g} pairs a second", gpu::pair_rate(device)));
  return true;
}

/// The same, saying what failed otherwise. A device that fails does not keep others from being tested.
bool checked(const std::string& device) {
  try {
    return check_device(device);
  } catch (const InputError& error) {
    for (const Finding& finding : error.findings())
      print_of_device("self-test", "FAILED: " + to_string(finding));
  } catch (const gpu::DeviceError& error) {
    print_of_device("self-test", std::string("FAILED: ") + error.what());
  }
  return false;
}

int run_devices(bool check) {
  const std::vector<gpu::Listed> all = gpu::devices();
  if (all.empty()) {
    say("{}\n", gpu::why_none());
    return Status::done;
  }
  bool passed = true;
  for (std::size_t k = 0; k < all.size(); ++k) {
    print_device(all, k);
    if (check && all[k].unusable.empty()) passed = checked(gpu::choice_of(all, k)) && passed;
  }
  print_auto();
  return passed ? Status::done : Status::failed;
}

}  // namespace

void add_devices(CommandLine& line) {
  auto check = std::make_shared<bool>(false);
  Command command = line.add("devices", "List the devices that can compute the field");
  command.flag("--check", *check,
               "Test each: fields and products of 2000 charges against float64, and the rate of pairs");
  command.footer(devices_footer);
  command.does([check] { return run_devices(*check); });
}

}  // namespace electret::app
