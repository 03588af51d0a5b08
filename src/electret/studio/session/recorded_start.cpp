#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/stop_scope.hpp>
#include <electret/core/text.hpp>
#include <electret/record/driven_run.hpp>
#include <electret/record/resumable.hpp>
#include <electret/record/scene_identity.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/scene/changes.hpp>
#include <electret/studio/session/recorded_start.hpp>

namespace electret::studio {
namespace {

[[noreturn]] void refuse_run(std::string why, std::string advice = {}) {
  throw InputError(Finding{{}, std::move(why), std::move(advice)});
}

/// Steps between the frames that are remembered, in frames.
Count frame_stride(Count frames, std::size_t bytes, std::size_t limit) {
  const auto most = static_cast<Count>(std::max<std::size_t>(limit / std::max<std::size_t>(bytes, 1), 1));
  Count stride = 1;
  while (frames / stride > most) stride *= 2;
  return stride;
}

}  // namespace

Checkpoint checkpoint_of(const RecordedStart& start) {
  const std::string path = RunDirectory(start.directory).checkpoint();
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    refuse_run("it has no checkpoint.h5, which has the state to go on from",
               "`electret run` writes one while it runs, and at its end");
  try {
    return read_checkpoint(path);
  } catch (const IoError& unreadable) {
    refuse_run(unreadable.what());
  }
}

void require_scene_of_run(const RecordedStart& start, const Checkpoint& checkpoint, const Assembly& now) {
  std::string list;
  for (const std::string& part :
       changed_parts(checkpoint.identity, scene_identity(now, now.scene.time.step))) {
    if (part == driven_part)
      refuse_run("a program drove it, and no scene repeats what that did",
                 "allowed: runs of `electret run` and of the library's run_to_directory");
    list += (list.empty() ? "" : ", ") + part;
  }
  if (!list.empty())
    refuse_run("its scene is another one since: " + list,
               "put back the meshes and tables that were there when " + start.directory + " was computed");
}

Simulator simulator_of_run(const RecordedStart& start, const Checkpoint& checkpoint, Assembly assembly,
                           int threads) {
  const std::size_t made = changes_before(assembly.scene, checkpoint.state.step);
  // Which method is the best depends on the number of steps, which may have become larger since.
  const auto make = [made, chosen = checkpoint.integrator_choice](System& of) {
    const Scene& scene = of.assembly.scene;
    return make_integrator(of, scene.integrator, scene.changes_made == made ? chosen : Choice{});
  };
  Simulator simulator(compile(std::move(assembly), threads), make);
  const System& system = simulator.system();
  if (const std::string fault = fault_of_state(checkpoint, system); !fault.empty())
    refuse_run("the checkpoint is damaged: " + RunDirectory(start.directory).checkpoint() + ": " + fault);
  if (const auto warning = other_device_warning(checkpoint, system))
    refuse_run(warning->message, "allowed: the device of the run; " + warning->advice);
  if (const auto warning = other_instructions_warning(checkpoint))
    refuse_run(warning->message, "allowed: the instruction set of the run; " + warning->advice);
  if (simulator.integrator().choice().name != checkpoint.integrator_choice.name)
    refuse_run("a change of its scene made `auto` another method, and a session has one from its start",
               "integrator.method names one");
  return simulator;
}

std::vector<RememberedStep> remembered_steps(const RecordedStart& start, const Shown& shown, Count step,
                                             Count every, std::size_t limit) {
  std::vector<RememberedStep> steps;
  try {
    const TrajectoryReader reader(RunDirectory(start.directory).trajectory());
    const auto vertices = static_cast<std::size_t>(reader.vertices());
    if (vertices != shown.vertices()) return steps;
    const Count last = std::min(reader.frames() - 1, (step - 1) / every);
    const std::size_t bytes = vertices * (3 * sizeof(float) + sizeof(double));
    const Count stride = frame_stride(last, bytes, limit);
    std::shared_ptr<const std::vector<double>> charges;
    for (Count frame = stride; frame <= last; frame += stride) {
      throw_if_stopped();
      if (!charges || reader.charges_change())
        charges = std::make_shared<const std::vector<double>>(reader.charges(frame));
      steps.push_back({frame * every, shown.positions(reader.positions(frame)), charges});
    }
  } catch (const IoError&) {  // The past is simulated again where somebody wants to see it.
    steps.clear();
  }
  return steps;
}

}  // namespace electret::studio
