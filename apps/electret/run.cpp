/// \file
/// `electret run SCENE`: simulates a scene and records the run in a directory.

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/field/gpu/devices.hpp>
#include <electret/record/energy_change.hpp>
#include <electret/record/run.hpp>
#include <electret/record/run_warnings.hpp>

#include "command.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "scene_input.hpp"
#include "scene_options.hpp"
#include "sign_of_life.hpp"
#include "signals.hpp"
#include "terminal.hpp"
#include "warnings.hpp"

namespace electret::app {
namespace {

constexpr const char* run_footer = R"(Files written to DIR (default runs/SCENE-STEM):
  trajectory.h5      positions, velocities, charges, springs, faces (HDF5); readable while it grows
  energy.csv         kinetic, elastic, Coulomb, external, gravity and total energy, work and dissipation, one row per
                     frame
  observables.csv    centre of mass, radius of gyration, momenta, smallest distance between charges
  energy.svg         the plot of the energies, and of the change that work and dissipation do not explain
  index.html         all of this to look at, in a browser
  summary.json       status, counts, times, largest energy change, choices made
  checkpoint.h5      what --resume continues from, bit for bit

A finished run of the same scene file in DIR is replaced. --resume continues an unfinished run. --overwrite replaces
an unfinished run, or one of another scene file. Any other non-empty folder is refused.
Warnings are given for settings without effect, for a step that is far too large, and for too little memory or disk
space. summary.json keeps them.
With --stop-on-warning, a warning before the run exits with 2 and writes nothing; a warning during the run ends it
with 1.
Ctrl-C (or SIGTERM, SIGHUP) finishes the step, writes a checkpoint and prints how to continue. A second Ctrl-C, at
least half a second later, stops at the last checkpoint without finishing the step.

Examples:
  electret run examples/charged_torus.toml
  electret run scene.toml -o runs/soft --set time.step=0.01 body.0.springs.0.stiffness=2
  electret run scene.toml --resume)";

/// The text as a shell takes it. Unprintable characters become \xNN within $'…'.
std::string quoted(const std::string& word) {
  if (printable(word) != word) {
    std::string text;
    for (const char c : word) text += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
    return "$'" + printable(text) + "'";
  }
  if (word.find_first_of(" \t\"'$&|;<>()[]{}*?!#~`\\") == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string resume_command(const SceneOptions& options) {
  std::string command = "electret run " + quoted(options.scene) + " -o " + quoted(options.directory);
  for (const auto& key : options.removals) command += " --unset " + quoted(key);
  for (const auto& assignment : options.sets) command += " --set " + quoted(assignment);
  return command + " --resume" + (is_standard_input(options.scene) ? " < SCENE" : "");
}

void print_summary(const RunResult& result, const std::string& directory) {
  say("\n");
  say("  vertices, springs        {}, {}\n", result.vertices, result.springs);
  say("  steps, frames            {}, {}\n", result.steps, result.frames);
  say("  integrator, field        {}, {}\n", result.integrator, result.solver);
  say("  time                     {} (field {}, elastic {}, output {})\n", duration_text(result.wall_total),
      duration_text(result.wall_field), duration_text(result.wall_elastic),
      duration_text(result.wall_output));
  say("  largest energy change    {}\n", energy_change_text(result));
  if (result.energy_jumps > 0)
    say("  energy jumps             {}, which {} does not explain: do not trust the result\n",
        result.energy_jumps, result.integrator);
  say("\nresults in {}: trajectory.h5, energy.csv, observables.csv, energy.svg, index.html, summary.json\n",
      directory);
}

/// Says that a resumed run was done, and which of its files are written again.
void report_finished(const RunResult& result, const std::string& directory) {
  std::string left = "nothing was left to do";
  if (!result.written_again.empty())
    left = fmt::format("{} {} gone and {} written again", fmt::join(result.written_again, " and "),
                       result.written_again.size() == 1 ? "was" : "were",
                       result.written_again.size() == 1 ? "is" : "are");
  tell("electret: the run in {} has finished already; {}\n", directory, left);
}

/// Names the steps that are simulated but not written to a frame.
void report_last_steps(const OutputOptions& output, Count steps) {
  const Count beyond = steps % output.every;
  if (beyond == 0) return;
  tell(
      "electret: output.every = {} does not divide the {} steps: the last frame is that of step {}, the "
      "last state is in checkpoint.h5\n",
      output.every, steps, steps - beyond);
}

/// Says after a failed write from what the run can go on.
void report_failed_write(const SceneOptions& options) {
  std::error_code error;
  if (!std::filesystem::exists(options.directory + "/checkpoint.h5", error)) return;
  tell("electret: everything up to the last complete frame is in {}\n", options.directory);
  tell("electret: when the cause is removed, go on with: {}\n", resume_command(options));
}

/// Says after a device has failed how the CPU can go on.
void report_failed_device(SceneOptions options) {
  tell("electret: everything up to the last good step is in {}\n", options.directory);
  std::erase_if(options.sets, [](const std::string& set) { return set.starts_with("coulomb.device="); });
  options.sets.emplace_back("coulomb.device=cpu");
  tell("electret: go on on the CPU with: {}\n", resume_command(options));
}

/// Clears the line of a bar that another thread may have drawn.
void clear_line() {
  if (isatty(STDERR_FILENO) != 0) tell("\r\x1b[K");
}

/// Called at once, on the thread that received the signal. Before anything is written, there is nothing to
/// finish.
void answer_signal(int signal, bool writes) {
  clear_line();
  if (writes) {
    tell("electret: finishing this step; a second signal stops without finishing it\n");
    return;
  }
  tell("electret: interrupted; nothing is written\n");
  std::_Exit(ended_by(signal));
}

int report_interruption(const SceneOptions& options, int signal, Count step, Count steps) {
  tell("electret: interrupted after step {} of {}; everything so far is in {}\n", step, steps,
       options.directory);
  tell("electret: go on with: {}\n", resume_command(options));
  return ended_by(signal);
}

int run_scene(SceneOptions options) {
  options.directory = options.output();
  std::atomic<bool> writes = false;
  const SignalStop signals([&](int signal) { answer_signal(signal, writes); }, true);
  std::optional<SignOfLife> sign(std::in_place, preparing);
  auto system = compiled_scene(options);
  const Count steps = system->assembly.scene.time.steps;
  const Scene scene = system->assembly.scene;
  const OutputOptions output = system->assembly.scene.output;
  ProgressDisplay display("electret");
  RunOptions run_options;
  run_options.resume = options.resume;
  run_options.overwrite = options.overwrite;
  run_options.stop_on_warning = options.stop_on_warning;
  tell(prepare_run(*system, options.directory, run_options), options.stop_on_warning);
  sign.reset();
  run_options.control.stop = signals.token();
  run_options.give_up = signals.give_up();
  run_options.given_up = [&](const RunResult& given_up) {
    clear_line();
    tell_capped_steps(given_up.capped_steps, given_up.steps, scene);
    std::_Exit(report_interruption(options, signals.received(), given_up.steps, steps));
  };
  run_options.control.notice = [&](std::string_view text) {
    display.clear();
    tell("electret: {}\n", text);
  };
  RunResult result;
  bool running = false;
  run_options.control.progress = [&](const Progress& progress) {
    running = true;
    display.update(progress);
  };
  writes = true;
  try {
    result = run_to_directory(std::move(system), options.directory, run_options);
  } catch (const DivergenceError&) {
    display.clear();
    tell("electret: everything up to the last good frame is in {}\n", options.directory);
    throw;
  } catch (const gpu::DeviceError&) {
    display.clear();
    if (running) report_failed_device(options);
    throw;
  } catch (const WarningError&) {
    display.clear();
    tell("electret: everything up to the warning is in {}\n", options.directory);
    throw;
  } catch (const IoError&) {
    display.clear();
    if (running) report_failed_write(options);
    throw;
  }
  display.clear();
  tell_capped_steps(result.capped_steps, result.steps, scene);
  if (result.status == RunStatus::interrupted) {
    return report_interruption(options, signals.received(), result.steps, steps);
  }
  if (result.already_finished) report_finished(result, options.directory);
  report_last_steps(output, steps);
  print_summary(result, options.directory);
  return Status::done;
}

}  // namespace

void add_run(CommandLine& line) {
  auto options = std::make_shared<SceneOptions>();
  Command command = line.add("run", "Simulate a scene");
  add_scene_options(command, *options);
  command.footer(run_footer);
  command.does([options] { return run_scene(*options); });
}

}  // namespace electret::app
