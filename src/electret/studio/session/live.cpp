#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/studio/session/live.hpp>

namespace electret::studio {
namespace {

/// Rows of energies that are kept; beyond, every other one is dropped.
constexpr std::size_t most_rows = 20000;

std::size_t bytes_of(const State& state) {
  std::size_t bytes = sizeof(State) + (state.positions.size() + state.velocities.size()) * sizeof(Vec3);
  for (const auto& array : state.memory.arrays) bytes += array.values.size() * sizeof(double);
  return bytes;
}

}  // namespace

Live::Live(Simulator simulator, Scenery scenery, SceneSource source, const PastLimits& limits)
    : simulator_(std::move(simulator)),
      source_(std::move(source)),
      scenery_(std::move(scenery)),
      maker_(scenery_),
      frames_(limits.frames),
      states_(limits.states),
      ball_places_(ball_place_count(simulator_.system().assembly.scene)),
      first_ball_(simulator_.inputs().external_charges.size() - ball_places_),
      own_external_(simulator_.system().assembly.external_charges.size() - ball_places_),
      own_changes_(simulator_.system().assembly.scene.changes) {
  scenery_.info.method = std::string(simulator_.integrator().name());
  auto_method_ = simulator_.integrator().choice().name;
  shown_system_ = simulator_.system_number();
  // What the scene's own changes make of it has places for balls, too.
  if (!own_changes_.empty()) renew_changed();
  keep();
}

/// A state that `stays` is not thinned out: what leads there takes long.
void Live::keep(bool stays) {
  const State& state = simulator_.state();
  shown_now_ = scenery_.shown.positions(state.positions);
  recorded_last_ = std::max(recorded_last_, state.step);
  const std::vector<double>& charges = simulator_.inputs().charges;
  std::size_t bytes = 0;
  if (!kept_charges_ || *kept_charges_ != charges) {
    kept_charges_ = std::make_shared<std::vector<double>>(charges);
    bytes = charges.size() * sizeof(double);
  }
  renew_external();
  if (frames_.wants(state.step))
    frames_.keep(state.step, {shown_now_, kept_charges_, kept_external_},
                 shown_now_->size() * sizeof(float) + bytes);
  if (states_.wants(state.step))
    states_.keep(state.step, {state, simulator_.work(), kept_charges_, kept_external_}, bytes_of(state),
                 stays);
}

/// The external charges as they are shown now; the same object if they are the same.
void Live::renew_external() {
  Floats external = scenery_.surroundings.external_of(external_now());
  if (!external || !kept_external_ || *kept_external_ != *external) kept_external_ = std::move(external);
}

/// Frames before the checkpoint are the run's; states are not, so that going back there takes the steps
/// again.
void Live::go_on_from(const RecordedPast& past, std::vector<Row> rows) {
  try {
    simulator_.restore(past.state, past.work);
  } catch (const std::invalid_argument& other) {
    throw InputError(Finding{{}, std::string("the checkpoint is damaged: ") + other.what(), ""});
  }
  for (const RememberedStep& each : past.steps)
    if (frames_.wants(each.step))
      frames_.keep(each.step,
                   {each.positions, each.charges,
                    scenery_.surroundings.external_at(simulator_.system().time(each.step))},
                   each.positions->size() * sizeof(float));
  rows_ = std::move(rows);
  std::erase_if(rows_, [this](const Row& row) { return row[0] >= time(); });
  thin_rows();
  keep(true);
}

void Live::advance() {
  if (pulls_.empty() && hands_.all().empty() && balls_.empty() && held_balls_.empty())
    step_alone();
  else
    step_with_pulls();
  keep();
}

void Live::step_alone() {
  if (simulator_.is_change_due()) make_due_changes();
  simulator_.step();
}

/// They belong to the next step, as those that the step itself makes.
void Live::make_due_changes(const Simulator::InputsOf& inputs) {
  const double before = simulator_.work().keyframe_work;
  const bool is_shown = shows_ahead_ ? ahead_->step == step()
                                     : shown_system_ == simulator_.system_number() && are_inputs_at(step());
  simulator_.make_changes(inputs);
  gains_[step()] = simulator_.work().keyframe_work - before;
  ++gains_revision_;
  if (!is_shown) return;
  shows_ahead_ = false;
  shown_system_ = simulator_.system_number();
}

void Live::restart() {
  hands_ = {};
  pulls_.clear();
  balls_.clear();
  held_balls_.clear();
  ahead_.reset();
  edits_.clear();
  refused_.clear();
  gains_.clear();
  simulator_.restart();
  frames_.clear();
  states_.clear();
  last_.reset();
  rows_.clear();
  last_row_ = -1;
  ++rows_restarted_;
  recorded_last_ = taken_up_ = 0;
  keep();
}

void Live::restore_before(Count step) {
  const auto found = states_.at_or_before(step);
  if (simulator_.state().step <= step && simulator_.state().step >= found.step) return;
  if (this->step() == recorded_last_)
    last_ = Past{simulator_.state(), simulator_.work(), kept_charges_, kept_external_};
  simulator_.restore(found.value.state, found.value.work);
  put_hands_back();
  shown_now_ = scenery_.shown.positions(simulator_.state().positions);
}

bool Live::return_to_last() {
  if (step() == recorded_last_) return false;
  require(last_ && last_->state.step == recorded_last_, "the last state is kept when it is left");
  simulator_.restore(last_->state, last_->work);
  put_hands_back();
  shown_now_ = scenery_.shown.positions(simulator_.state().positions);
  return true;
}

/// Nobody has looked at the energies since the last row: those steps are taken again, and looked at one by
/// one until they are refused.
void Live::abandon_step() {
  const Count refused = step();
  let_go_all();
  if (last_row_ >= 0 && last_row_ + 1 < refused) restore_before(last_row_);
  try {
    while (step() < refused) {
      advance();
      if (step() < refused) measure();
    }
  } catch (const std::exception&) {  // Whatever it is, it goes on from before.
  }
  const Count failed = step();
  if (!simulator_.abandon_step()) return;
  frames_.forget(failed);
  states_.forget(failed);
  recorded_last_ = std::min(recorded_last_, step());
  pulls_.forget_after(step(), next_time());
  balls_.forget_after(step(), next_time());
  put_hands_back();
  shown_now_ = scenery_.shown.positions(simulator_.state().positions);
}

std::shared_ptr<Frame> Live::frame(bool exact) {
  const State& state = simulator_.state();
  renew_external();
  auto frame = maker_.make({time(), state.step, shown_now_, exact, kept_external_},
                           {state.positions, VectorView(state.velocities), charges_now()});
  add_hands(state.step, state.positions, *frame);
  return frame;
}

/// Velocities are kept with states only, of which there are fewer: colours are true rather than near.
std::shared_ptr<Frame> Live::kept_state_frame(Count step) {
  const auto found = states_.nearest(step);
  const State& state = found.value.state;
  auto frame = maker_.make({simulator_.system().time(found.step), found.step,
                            scenery_.shown.positions(state.positions), true, found.value.external},
                           {state.positions, VectorView(state.velocities), *found.value.charges});
  add_hands(found.step, state.positions, *frame);
  return frame;
}

std::shared_ptr<Frame> Live::kept_frame(Count step) {
  if (Scalars::needs_velocities(maker_.selected())) return kept_state_frame(step);
  const auto found = frames_.nearest(step);
  const VectorArray x = scenery_.shown.vertices_of(found.value.positions);
  auto frame = maker_.make(
      {simulator_.system().time(found.step), found.step, found.value.positions, true, found.value.external},
      {x, std::nullopt, *found.value.charges});
  add_hands(found.step, x, *frame);
  return frame;
}

void Live::measure() {
  if (step() <= last_row_) return;
  const Energies now = simulator_.energies();
  simulator_.check_energy(now);
  const auto numbers = energy_numbers({time(), now, simulator_.work().work(), simulator_.work().dissipation});
  Row row{};
  std::copy(numbers.begin(), numbers.end(), row.begin());
  rows_.push_back(row);
  last_row_ = step();
  thin_rows();
}

void Live::thin_rows() {
  while (rows_.size() > most_rows) {
    for (std::size_t k = 0; 2 * k < rows_.size(); ++k) rows_[k] = rows_[2 * k];
    rows_.resize((rows_.size() + 1) / 2);
    ++rows_restarted_;
  }
}

}  // namespace electret::studio
