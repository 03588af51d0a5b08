/// \file
/// `electret info DIR`: says what a run holds.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/record/describe.hpp>
#include <electret/record/energy_change.hpp>
#include <electret/record/run_directory.hpp>

#include "body_text.hpp"
#include "change_text.hpp"
#include "command.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "terminal.hpp"

namespace electret::app {
namespace {

constexpr const char* info_footer = R"(The run may be finished, still growing, or killed.

Examples:
  electret info runs/charged_torus)";

/// Warnings name their place and say what they are: "scene.toml:2:1: warning: …".
void print_warnings(const RunResult& summary) {
  for (std::string text : summary.warnings) {
    const std::string_view mark = "warning: ", placeless = "electret: warning: ";
    const auto at = text.find(mark);
    if (text.starts_with(placeless))
      text.erase(0, placeless.size());
    else if (at != std::string::npos)
      text.erase(at, mark.size());
    print_fact("warning", text);
  }
}

/// The summary is that of the start. The other files show what came after.
void print_unended(const RunDescription& run) {
  print_fact("status", "running, or killed, or its disk was full: this run has not ended");
  print_fact("integrator", run.summary->integrator);
  print_fact("field solver", run.summary->solver);
  if (!run.summary->field_device.empty()) print_fact("field device", run.summary->field_device);
  if (run.frames == 0) return;
  // After changes of the step, time does not tell the number of steps.
  const Count of_last_frame =
      run.changes.empty() ? std::llround(run.last_time / run.time_step) : run.frames - 1;
  print_fact("steps", fmt::format("at least {}", std::max(of_last_frame, run.checkpoint_step.value_or(0))));
  print_warnings(*run.summary);
}

std::string body_contact_text(const BodyContactSums& sums) {
  std::string text = sums.touching_steps > 0
                         ? fmt::format("after {}, smallest gap {:.3g} m",
                                       counted(sums.touching_steps, "step", "steps"), sums.smallest_gap)
                         : "none";
  if (sums.touching_steps > 0) text += fmt::format(", friction took {:.3g} J", sums.friction_work);
  text += fmt::format(", {} unconverged", counted(sums.unconverged_steps, "step", "steps"));
  if (sums.pressed_steps > 0)
    text += fmt::format(", {} pressed to less than half of the thickness", sums.pressed_steps);
  if (sums.passing_steps > 0)
    text += fmt::format(", {} in which a body went through another one", sums.passing_steps);
  return text;
}

void print_summary(const RunDescription& run) {
  const RunResult& summary = *run.summary;
  if (summary.status == RunStatus::running) return print_unended(run);
  print_fact("status", to_string(summary.status));
  if (summary.failure) {
    const auto& [step, vertex, cause, advice] = *summary.failure;
    print_fact("failure", cause + (advice.empty() ? "" : "; " + advice));
  }
  print_fact("integrator", summary.integrator);
  print_fact("field solver", summary.solver);
  if (!summary.field_device.empty()) print_fact("field device", summary.field_device);
  print_fact("steps", fmt::format("{}", summary.steps));
  print_fact("wall time", duration_text(summary.wall_total));
  print_fact("energy change", energy_change_text(summary));
  if (!summary.date.empty())
    print_fact("made", fmt::format("{}, on {}, {}", summary.date,
                                   counted(summary.threads, "thread", "threads"), summary.processor));
  if (summary.capped_steps > 0)
    print_fact("capped steps",
               fmt::format("{}: they ended before integrator.tolerance was met", summary.capped_steps));
  if (summary.contact)
    print_fact(
        "contact",
        fmt::format("{} vertex-steps stuck and {} slipped{}, largest penetration {:.3g} m, {} unconverged{}",
                    summary.contact->sticking, summary.contact->slipping,
                    summary.contact->yielding > 0
                        ? fmt::format(", {} let slide that ought to stick", summary.contact->yielding)
                        : "",
                    summary.contact->largest_penetration,
                    counted(summary.contact->unconverged_steps, "step", "steps"),
                    summary.contact->passing_steps > 0
                        ? fmt::format(", {} in which a vertex went through an obstacle",
                                      summary.contact->passing_steps)
                        : ""));
  if (summary.body_contact) print_fact("contact of bodies", body_contact_text(*summary.body_contact));
  print_warnings(summary);
}

/// What an obstacle that pushes exactly exerts at the last frame.
std::string force_text(const RunDescription& run, const std::string& obstacle) {
  for (const auto& [name, touching, force] : run.contacts)
    if (name == obstacle)
      return fmt::format(", pushes {} with ({:.6g}, {:.6g}, {:.6g}) N at the last frame",
                         counted(touching, "vertex", "vertices"), force.x, force.y, force.z);
  return "";
}

std::string pairs_text(const BodyForce& of) {
  if (of.first == of.second)
    return fmt::format("{} touches itself in {} at the last frame", of.first,
                       counted(of.pairs, "pair", "pairs"));
  return fmt::format("{} is pushed by {} in {} with ({:.6g}, {:.6g}, {:.6g}) N at the last frame", of.first,
                     of.second, counted(of.pairs, "pair", "pairs"), of.force.x, of.force.y, of.force.z);
}

std::string pins_text(const RunDescription& run) {
  std::string text = fmt::format("{}", run.pins);
  if (!run.total_reaction) return text;
  const Vec3& sum = *run.total_reaction;
  return text +
         fmt::format(", reactions in sum ({:.6g}, {:.6g}, {:.6g}) N at the last frame", sum.x, sum.y, sum.z);
}

/// Prints what only the trajectory holds.
void print_contents(const RunDescription& run) {
  // A change may give others.
  const char* when = run.changes.empty() ? "" : " at the start";
  print_fact("frames", fmt::format("{} (t = {:.6g} … {:.6g} s, step {:.6g} s{})", run.frames, run.first_time,
                                   run.last_time, run.time_step, when));
  print_fact("bodies", fmt::format("{}", run.bodies));
  for (std::size_t b = 0; b < run.body_sizes.size(); ++b)
    print_fact("size of " + run.body_names[b], body_size_text(run.body_sizes[b]));
  for (const std::string& name : run.obstacles) print_fact("obstacle", name + force_text(run, name));
  if (run.grabs > 0) print_fact("grabs", fmt::format("{}", run.grabs));
  for (const Change& change : run.changes) print_fact("change", change_text(change));
  for (const BodyForce& of : run.body_contacts) print_fact("touch", pairs_text(of));
  print_fact("vertices", fmt::format("{}", run.vertices));
  print_fact("springs, faces", fmt::format("{}, {}", run.springs, run.faces));
  if (run.tetrahedra + run.hexahedra > 0)
    print_fact("elements", element_counts(run.tetrahedra, run.hexahedra));
  if (run.pins > 0) print_fact("pins", pins_text(run));
  print_fact("total mass", fmt::format("{:.6g} kg{}", run.total_mass, when));
  print_fact("total charge", fmt::format("{:.6g} C{}", run.total_charge,
                                         run.charges_change ? " at frame 0 (key-framed)" : ""));
  print_fact("stored", fmt::format("positions{}{}, {} precision", run.has_velocities ? ", velocities" : "",
                                   run.total_reaction ? ", reactions" : "",
                                   run.single_precision ? "single" : "double"));
}

void print_description(const RunDescription& run) {
  print_fact("run", run.directory);
  if (!run.version.empty()) print_fact("written by", "electret " + run.version);
  for (const auto& each : run.overrides) {
    const std::string_view removed = "--unset ";
    if (each.starts_with(removed))
      print_fact("--unset", each.substr(removed.size()));
    else
      print_fact("--set", each);
  }
  if (run.summary) {
    print_summary(run);
  } else if (!run.summary_fault.empty()) {
    print_fact("status", "unknown: " + run.summary_fault);
  } else {
    print_fact("status", "unknown: no summary.json");
  }
  if (run.trajectory_fault.empty())
    print_contents(run);
  else
    print_fact("trajectory", run.trajectory_fault);
  if (run.first_energies && run.last_energies) {
    const bool has_ended = run.summary && run.summary->status != RunStatus::running;
    print_fact("total energy",
               fmt::format("{:.9g} J at the start, {:.9g} J at {}", run.first_energies->energies.total(),
                           run.last_energies->energies.total(), has_ended ? "the end" : "the last frame"));
  }
  print_fact("resumable",
             run.checkpoint_step ? fmt::format("from step {}", *run.checkpoint_step) : "no checkpoint");
  print_fact("files", fmt::format("{} ({})", fmt::join(run.files, ", "), bytes_text(run.bytes)));
}

int run_info(const std::string& directory) {
  if (auto finding = RunDirectory(directory).missing_run()) throw InputError(std::move(*finding));
  print_description(describe(directory));
  return Status::done;
}

}  // namespace

void add_info(CommandLine& line) {
  auto directory = std::make_shared<std::string>();
  Command command = line.add("info", "Print what a run holds");
  command.option("DIR", *directory, "Directory of a run").required().type_name("");
  command.footer(info_footer);
  command.does([directory] { return run_info(*directory); });
}

}  // namespace electret::app
