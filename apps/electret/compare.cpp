/// \file
/// `electret compare`: says where and how much two runs, or two tables of fields, differ.

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/field/field.hpp>
#include <electret/record/compare.hpp>
#include <electret/record/run_directory.hpp>

#include "command.hpp"
#include "commands.hpp"
#include "field_files.hpp"
#include "print.hpp"

namespace electret::app {
namespace {

constexpr const char* compare_footer =
    R"(FIRST and SECOND are the directories of two runs, or two tables that electret field wrote, as CSV or .npy.
Frames are compared by number, up to the end of the shorter run. The exit status is 0 whether the runs differ or not. The
relative errors of a field are those of the first table, measured by the second.

Examples:
  electret compare runs/torus runs/torus_small_step
  electret compare fmm.csv direct.csv)";

struct CompareCommand {
  std::string first, second;
};

std::string at(const DifferencePlace& place) {
  return fmt::format("frame {}, vertex {}, t = {:.6g} s", place.frame, place.vertex, place.time);
}

void print_array(const char* name, const char* unit, const ArrayDifference& difference) {
  if (difference.identical) {
    say("{:<12}identical\n", name);
    return;
  }
  say("{:<12}largest {:.6g} {} at {}\n", name, difference.largest, unit, at(difference.where));
  say("{:<12}mean {:.6g} {}, root mean square {:.6g} {}\n", "", difference.mean, unit,
      difference.root_mean_square, unit);
  if (difference.first) say("{:<12}first beyond rounding at {}\n", "", at(*difference.first));
}

void print_contacts(const ContactDifference& difference) {
  print_array("contacts", "N", difference.forces);
  if (!difference.first_state) return;
  say("{:<12}other obstacles or states of {} vertices, all frames together, first at {}\n", "",
      difference.other_states, at(*difference.first_state));
}

void print_pairs(const PairDifference& difference) {
  print_array("bodies", "N", difference.forces);
  if (!difference.first_pair) return;
  say("{:<12}{} pairs touch or slip in one run alone, all frames together, first at {}\n", "",
      difference.other_pairs, at(*difference.first_pair));
}

void print_difference(const RunDifference& difference, const CompareCommand& options) {
  say("{:<12}{} compared ({} in {}, {} in {})\n", "frames", difference.frames, difference.first_frames,
      options.first, difference.second_frames, options.second);
  for (const auto& mismatch : difference.mismatches) {
    say("{:<12}{}: {} | {}\n", "differs", mismatch.what, mismatch.first, mismatch.second);
  }
  if (difference.positions) print_array("positions", "m", *difference.positions);
  if (difference.velocities) print_array("velocities", "m/s", *difference.velocities);
  if (difference.pin_reactions) print_array("reactions", "N", *difference.pin_reactions);
  if (difference.contacts) print_contacts(*difference.contacts);
  if (difference.pairs) print_pairs(*difference.pairs);
  for (const auto& energy : difference.energies) {
    if (energy.largest == 0.0) continue;
    say("{:<12}{}: largest {:.6g} J ({:.3g} of the total) at t = {:.6g} s\n", "energy", energy.column,
        energy.largest, energy.relative, energy.time);
  }
  if (difference.identical()) say("the runs are identical, bit for bit\n");
}

void print_field_difference(const FieldTable& first, const FieldTable& second) {
  const FieldError error = field_difference(first.field, first.potential, second.field, second.potential);
  say("{:<12}{} compared\n", "rows", error.samples);
  if (first.field == second.field && first.potential == second.potential) {
    say("the fields are equal, number for number\n");
    return;
  }
  say("{:<12}relative error {:.3g} (median of the rows {:.3g}, worst {:.3g})\n", "field", error.relative,
      error.median, error.worst);
  if (error.potential) say("{:<12}relative error {:.3g}\n", "potential", *error.potential);
}

int run_on_fields(const CompareCommand& options) {
  std::vector<Finding> findings;
  const auto table = [&](const std::string& path) {
    try {
      return read_field(path);
    } catch (const InputError& error) {
      findings.insert(findings.end(), error.findings().begin(), error.findings().end());
      return FieldTable{};
    }
  };
  const FieldTable first = table(options.first), second = table(options.second);
  if (findings.empty() && first.field.size() != second.field.size())
    findings.push_back({{options.second, 0, 0},
                        "holds " + counted(second.field.size(), "row", "rows"),
                        fmt::format("expected {}, as {} has", first.field.size(), options.first)});
  if (!findings.empty()) throw InputError(std::move(findings));
  print_field_difference(first, second);
  return Status::done;
}

bool is_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

int run_compare(const CompareCommand& options) {
  if (is_file(options.first) && is_file(options.second)) return run_on_fields(options);
  std::vector<Finding> findings;
  for (const auto& directory : {options.first, options.second})
    if (auto finding = RunDirectory(directory).missing_run()) findings.push_back(std::move(*finding));
  if (!findings.empty()) throw InputError(std::move(findings));
  print_difference(compare(options.first, options.second), options);
  return Status::done;
}

}  // namespace

void add_compare(CommandLine& line) {
  auto options = std::make_shared<CompareCommand>();
  Command command = line.add("compare", "Print where and how much two runs, or two fields, differ");
  command.option("FIRST", options->first, "Directory of a run, or a table of a field")
      .required()
      .type_name("");
  command.option("SECOND", options->second, "Directory of the other run, or the other table")
      .required()
      .type_name("");
  command.footer(compare_footer);
  command.does([options] { return run_compare(*options); });
}

}  // namespace electret::app
