#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include <electret/contact/body_contacts.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/core/stopwatch.hpp>
#include <electret/core/text.hpp>
#include <electret/dynamics/capped_steps.hpp>
#include <electret/dynamics/divergence.hpp>
#include <electret/record/body_contact_warnings.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/detail/machine.hpp>
#include <electret/record/energy_plot.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/record/recorder.hpp>
#include <electret/record/run_page.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

TrajectoryHeader header_of(const System& system, const Inputs& inputs, bool charges_driven,
                           const std::vector<std::string>& overrides) {
  TrajectoryHeader header = trajectory_header(system.assembly);
  header.overrides = joined(overrides, "\n");
  header.charges = inputs.charges;
  header.charges_change = charges_driven || charges_change(system);
  header.time_step = system.assembly.scene.time.first_step();
  header.has_contact_pairs = system.body_contacts != nullptr;
  return header;
}

FrameView frame_of(const Simulator& simulator) {
  const State& state = simulator.state();
  const BodyContacts* bodies = simulator.system().body_contacts.get();
  return {
      simulator.system().time(state.step),
      state.positions,
      state.velocities,
      simulator.inputs().charges,
      simulator.pin_reactions(),
      simulator.contacts(),
      bodies != nullptr ? std::span<const PairForce>(bodies->state().forces) : std::span<const PairForce>()};
}

/// For a summary with many warnings, bytes.
constexpr Count summary_room = Count{64} << 10;

}  // namespace

Recorder::Recorder(RunDirectory folder, Simulator& simulator, std::vector<Fingerprint> identity,
                   std::string scene_file, std::optional<double> suggested_step)
    : folder_(std::move(folder)),
      simulator_(simulator),
      identity_(std::move(identity)),
      scene_file_(std::move(scene_file)),
      every_(simulator.system().assembly.scene.output.every),
      overrides_(simulator.system().assembly.scene.overrides),
      energy_watch_(simulator.system(), simulator.integrator(), suggested_step),
      system_number_(simulator.system_number()),
      date_(date_text()),
      processor_(processor_name()) {
  const Assembly& assembly = simulator.system().assembly;
  for (const WaterTrack& water : assembly.waters) waters_.emplace_back(assembly, water);
  if (simulator.system().contacts) sums_.contact.emplace();
  if (const auto& bodies = simulator.system().body_contacts)
    sums_.body_contact = BodyContactSums{.smallest_gap = bodies->thickness()};
}

Recorder::~Recorder() = default;

/// What watches the motion was made from a system, in whose place another one may be.
void Recorder::renew_watches() {
  if (simulator_.system_number() == system_number_) return;
  system_number_ = simulator_.system_number();
  energy_watch_ = EnergyWatch(simulator_.system(), simulator_.integrator());
  const Assembly& assembly = simulator_.system().assembly;
  waters_.clear();
  for (const WaterTrack& water : assembly.waters) waters_.emplace_back(assembly, water);
}

void Recorder::keep_frames(Count every, bool charges_driven) {
  every_ = every;
  charges_driven_ = charges_driven;
}

void Recorder::start() {
  const System& system = simulator_.system();
  obstacle_watch_.begin(system, simulator_.state());
  folder_.remove_unfinished();
  last_summary_.emplace(folder_.summary(), summary_room);
  folder_.clear([this] { summarise(RunStatus::running); }, scene_file_);
  const Energies first = simulator_.energies();
  simulator_.check_energy(first);
  {
    const Stopwatch watch(output_);
    energies_ = std::make_unique<RowFile>(folder_.energies(), energy_header);
    observables_ = std::make_unique<RowFile>(folder_.observables(), observables_header_of(system));
    trajectory_ = std::make_unique<TrajectoryWriter>(
        folder_.trajectory(), header_of(system, simulator_.inputs(), charges_driven_, overrides_),
        system.assembly.scene.output, frame_of(simulator_));
    record(first);
  }
  save();
}

void Recorder::resume(const Checkpoint& checkpoint) {
  renew_watches();
  obstacle_watch_.begin(simulator_.system(), simulator_.state());
  folder_.remove_unfinished();
  last_summary_.emplace(folder_.summary(), summary_room);
  sums_ = before_ = checkpoint.sums;
  warnings_ = checkpoint.warnings;
  saved_ = summarise(RunStatus::running);
  // The summary says "running" before anything is cut off, because a run that is being cut is not complete.
  saved_.status = RunStatus::interrupted;
  std::error_code ignored;
  std::filesystem::remove(folder_.page(), ignored);  // It describes the end of the leg before.
  if (checkpoint.trajectory.is_closed) {             // It is about to be opened, and a kill may come then.
    Checkpoint open = checkpoint;
    open.trajectory = {.frames = checkpoint.trajectory.frames, .chunks = {}};
    write_checkpoint(folder_.checkpoint(), open, simulator_.state());
  }
  const Stopwatch watch(output_);
  energies_ = std::make_unique<RowFile>(folder_.energies(), checkpoint.energy_bytes);
  observables_ = std::make_unique<RowFile>(folder_.observables(), checkpoint.observables_bytes);
  trajectory_ =
      std::make_unique<TrajectoryWriter>(folder_.trajectory(), simulator_.system().assembly.scene.output,
                                         checkpoint.sums.frames, checkpoint.trajectory);
}

void Recorder::add_step(const StepReport& report) {
  renew_watches();
  before_step_ = sums_;
  sums_.elastic_iterations += report.elastic_iterations;
  sums_.max_elastic_iterations = std::max(sums_.max_elastic_iterations, report.elastic_iterations);
  sums_.capped_steps += report.capped ? 1 : 0;
  if (sums_.body_contact) add_body_contact(report);
  if (!sums_.contact) return;
  sums_.contact->unconverged_steps += report.contact.is_unconverged ? 1 : 0;
  sums_.contact->largest_penetration =
      std::max(sums_.contact->largest_penetration, report.contact.penetration);
  sums_.contact->sticking += report.contact.sticking;
  sums_.contact->slipping += report.contact.slipping;
  sums_.contact->yielding += report.counts.of("yielding_contacts");
  const std::optional<UnseenPassage> passage =
      obstacle_watch_.observe(simulator_.system(), simulator_.state());
  sums_.contact->passing_steps += passage ? 1 : 0;
  if (passage && sums_.contact->passing_steps == 1)
    obstacle_notice_ = passage_warning(simulator_.system(), *passage, simulator_.state().step);
}

void Recorder::abandon_step() {
  sums_ = before_step_;
  obstacle_watch_.forget();
}

void Recorder::add_body_contact(const StepReport& report) {
  const BodyContacts& contacts = *simulator_.system().body_contacts;
  const BodyContactState& state = contacts.state();
  BodyContactSums& sums = *sums_.body_contact;
  sums.unconverged_steps += report.contact.is_unconverged ? 1 : 0;
  sums.smallest_gap = std::min(sums.smallest_gap, state.smallest_gap);
  sums.touching_steps += state.mean_gap < contacts.thickness() ? 1 : 0;
  sums.pressed_steps += state.mean_gap < pressed_part * contacts.thickness() ? 1 : 0;
  sums.passing_steps += state.passage ? 1 : 0;
  sums.friction_work += state.work;
  if (state.passage && sums.passing_steps == 1)
    passage_notice_ = passage_warning(simulator_.system(), *state.passage, simulator_.state().step);
}

std::string Recorder::capped_notice() const {
  return capped_steps_notice(sums_.capped_steps, simulator_.state().step, simulator_.system().assembly.scene);
}

void Recorder::add_frame(const Energies& now) {
  simulator_.check_energy(now);
  const Stopwatch watch(output_);
  trajectory_->write(frame_of(simulator_));
  record(now);
}

/// The frame's rows and sums.
void Recorder::record(const Energies& energies) {
  const FrameMeasures measures = meter_.measure(simulator_, energies);
  energies_->append(energy_row(measures.energies));
  observables_->append(observables_row(measures.observables));
  smallest_charge_distance_ = measures.observables.smallest_charge_distance;
  if (sums_.frames == 0)
    EnergyWatch::start(energies, simulator_.work(), sums_.energy_watch);
  else
    energy_jump_ =
        energy_watch_.observe(energies, simulator_.work(), sums_.energy_watch, simulator_.state().step);
  ++sums_.frames;
}

/// What to tell of the first vertex that is too fast for its water and the step; nothing once it was told.
std::optional<std::string> Recorder::water_notice() const {
  const auto is_told = [](const std::vector<std::string>& texts) {
    return std::any_of(texts.begin(), texts.end(), [](const auto& text) { return tells_of_water(text); });
  };
  if (waters_.empty() || is_told(told_before_) || is_told(warnings_)) return std::nullopt;
  for (const WaterLimit& water : waters_) {
    const WaterTurning fastest = water.fastest(simulator_.state().velocities);
    if (fastest.is_resolved()) continue;
    const System& system = simulator_.system();
    const WaterWarning warning = water_warning(system.assembly, fastest);
    return warning.text + " (at t = " + brief_text(system.time(simulator_.state().step)) + " s); " +
           warning.advice;
  }
  return std::nullopt;
}

std::vector<std::string> Recorder::new_warnings() {
  const System& system = simulator_.system();
  std::vector<std::string> told;
  if (!sums_.charge_step_told)
    if (auto notice = simulator_.charge_step_notice(smallest_charge_distance_)) {
      sums_.charge_step_told = true;
      told.push_back(std::move(*notice));
    }
  if (energy_jump_ && sums_.energy_watch.jumps == 1) {
    const double since = system.time(simulator_.state().step - every_);
    told.push_back(energy_jump_warning(simulator_.system(), simulator_.integrator(), simulator_.state(),
                                       simulator_.inputs(), since, *energy_jump_));
  }
  energy_jump_.reset();
  if (auto notice = water_notice()) told.push_back(std::move(*notice));
  for (std::optional<std::string>* notice : {&passage_notice_, &obstacle_notice_})
    if (*notice) told.push_back(*std::exchange(*notice, {}));
  if (sums_.body_contact && is_pressed(*sums_.body_contact) &&
      std::none_of(warnings_.begin(), warnings_.end(), tells_of_pressing))
    told.push_back(pressing_warning(*sums_.body_contact));
  warnings_.insert(warnings_.end(), told.begin(), told.end());
  return told;
}

double Recorder::wall_now() const {
  return before_.wall_total +
         std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

void Recorder::update_timings() {
  const StepTimings& steps = simulator_.system().timings;
  sums_.wall_field = before_.wall_field + steps.field;
  sums_.wall_elastic = before_.wall_elastic + steps.elastic;
  sums_.wall_output = before_.wall_output + output_;
  sums_.wall_total = wall_now();
  sums_.field_evaluations = before_.field_evaluations + simulator_.field_evaluations();
}

void Recorder::save() {
  update_timings();
  const Stopwatch watch(output_);
  write_checkpoint(folder_.checkpoint(),
                   {{},
                    simulator_.work(),
                    sums_,
                    energies_->length(),
                    observables_->length(),
                    energies_->sum(),
                    observables_->sum(),
                    identity_,
                    warnings_,
                    std::as_const(simulator_).integrator().choice(),
                    simulator_.system().field_device.name,
                    name_of(instruction_set()),
                    trajectory_->sums(),
                    simulator_.system().assembly.scene.time.legs},
                   simulator_.state());
  saved_ = result_now(RunStatus::interrupted, {});
}

RunResult Recorder::give_up() {
  saved_.wall_total = wall_now();
  if (last_summary_)
    // Else the file that reserves the space would be left behind.
    last_summary_->write(summary_text(saved_));
  else
    write_summary(folder_.summary(), saved_);
  return saved_;
}

std::vector<std::string> Recorder::choices() const {
  const Integrator& integrator = std::as_const(simulator_).integrator();
  std::vector<std::string> result;
  const auto add = [&](const char* of, const Choice& choice) {
    if (!choice.empty()) result.push_back(of + to_string(choice));
  };
  add("field solver: ", simulator_.system().field_choice);
  add("field device: ", simulator_.system().field_device);
  add("integrator: ", integrator.choice());
  add("elastic solver: auto is ", integrator.elastic_choice());
  return result;
}

RunResult Recorder::result_now(RunStatus status, const std::optional<RunFailure>& failure) const {
  const System& system = simulator_.system();
  RunResult result;
  static_cast<RunningSums&>(result) = sums_;
  result.status = status;
  result.scene_file = scene_file_;
  result.overrides = overrides_;
  result.steps = simulator_.state().step;
  result.time_step = system.assembly.scene.time.first_step();
  result.changes = static_cast<Count>(system.assembly.scene.changes_made);
  result.simulated_time = system.time(result.steps);
  result.vertices = system.vertex_count();
  result.springs = static_cast<Count>(system.assembly.springs.size());
  result.elements = static_cast<Count>(system.assembly.tetrahedra.size() + system.assembly.hexahedra.size());
  result.integrator = std::string(simulator_.integrator().name());
  result.solver = system.field_choice.empty() ? "none" : system.field_choice.name;
  result.field_device = system.field_device.name;
  if (result.steps > 0)
    result.mean_elastic_iterations =
        static_cast<double>(sums_.elastic_iterations) / static_cast<double>(result.steps);
  result.largest_energy_change = sums_.energy_watch.balance.largest_gain;
  result.largest_relative_energy_change =
      energy_watch_.relative_change(sums_.energy_watch.balance, result.steps);
  result.energy_jumps = sums_.energy_watch.jumps;
  result.work = simulator_.work();
  result.choices = choices();
  result.warnings = told_before_;
  result.warnings.insert(result.warnings.end(), warnings_.begin(), warnings_.end());
  result.failure = failure;
  result.date = date_;
  result.processor = processor_;
  result.threads = system.threads->count();
  return result;
}

RunResult Recorder::summarise(RunStatus status, const std::optional<RunFailure>& failure) {
  update_timings();
  RunResult result = result_now(status, failure);
  if (status == RunStatus::running || !last_summary_) {
    write_summary(folder_.summary(), result);
  } else {
    last_summary_->write(summary_text(result));
    last_summary_.reset();
  }
  return result;
}

void Recorder::write_page(const RunResult& result) const {
  const Scene& scene = simulator_.system().assembly.scene;
  RunPage page{.name = scene.name, .result = result, .energy_plot = plot_, .scene = scene.text};
  for (const std::string& each : overrides_) page.overrides += each + "\n";
  page.files = folder_.files();
  write_file_whole(folder_.page(), run_page_text(page));
}

RunResult Recorder::finish(RunStatus status, const std::optional<RunFailure>& failure) {
  if (trajectory_ != nullptr) {  // Null if not even frame 0 was sound.
    {
      const Stopwatch watch(output_);
      trajectory_->close();
    }
    save();  // With the sums of the closed file.
    const Stopwatch watch(output_);
    const std::string& name = simulator_.system().assembly.scene.name;
    const std::string title = name.empty() ? "Energies" : "Energies: " + name;
    plot_ = energy_plot(read_energies(folder_.energies()), title);
    write_file_whole(folder_.plot(), plot_);
  }
  update_timings();
  write_page(result_now(status, failure));
  return summarise(status, failure);
}

}  // namespace electret
