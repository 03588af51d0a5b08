#include "closed_loop.hpp"

#include <algorithm>
#include <utility>

#include <electret/core/errors.hpp>

namespace electret::experiments {
namespace {

Vec3 mean_of(const VectorArray& rows, const std::vector<Index>& vertices) {
  Vec3 sum;
  for (const Index v : vertices) sum += rows[static_cast<std::size_t>(v)];
  return (1.0 / static_cast<double>(vertices.size())) * sum;
}

void append(std::vector<double>& numbers, const Vec3& vector) {
  numbers.insert(numbers.end(), {vector.x, vector.y, vector.z});
}

}  // namespace

std::vector<double> Senses::observe(const State& state) const {
  std::vector<double> seen;
  seen.reserve(size());
  append(seen, mean_of(state.velocities, middle));
  const Vec3 centre = mean_of(state.positions, middle);
  for (const Index s : sensors) append(seen, state.positions[static_cast<std::size_t>(s)] - centre);
  for (const Index s : sensors) append(seen, state.velocities[static_cast<std::size_t>(s)]);
  return seen;
}

void Senses::pull(ScalarView by_observation, VectorSpan by_positions, VectorSpan by_velocities) const {
  const auto row = [&](std::size_t k) {
    return Vec3{by_observation[3 * k], by_observation[3 * k + 1], by_observation[3 * k + 2]};
  };
  const double share = 1.0 / static_cast<double>(middle.size());
  Vec3 by_centre;
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    const auto vertex = static_cast<std::size_t>(sensors[s]);
    by_positions[vertex] += row(1 + s);
    by_centre -= row(1 + s);
    by_velocities[vertex] += row(1 + sensors.size() + s);
  }
  for (const Index v : middle) {
    by_positions[static_cast<std::size_t>(v)] += share * by_centre;
    by_velocities[static_cast<std::size_t>(v)] += share * row(0);
  }
}

ClosedLoop::ClosedLoop(Senses senses, std::vector<Cord> cords, const Perceptron& network, Loss& loss)
    : senses_(std::move(senses)), lines_(std::move(cords)), network_(network), loss_(loss) {
  require(network_.inputs() == senses_.size(), "a network has an input for every number that it sees");
}

void ClosedLoop::observe(const LossPoint& at) {
  if (loss_.reads(at.state.step, at.last_step)) loss_.observe(at);
}

void ClosedLoop::act(const State& state, ScalarSpan action) {
  frames_.push_back(network_.evaluate(senses_.observe(state)));
  lines_.advance(frames_.back().back(), action);
}

double ClosedLoop::forward(Rollout& rollout, bool keeps_states) {
  frames_.clear();
  lines_.restart();
  rollout.forward(
      *this, [this](Count, const State& state, ScalarSpan action) { act(state, action); }, keeps_states);
  return value();
}

std::vector<double> ClosedLoop::outputs() const {
  std::vector<double> result;
  for (const Perceptron::Values& values : frames_)
    result.insert(result.end(), values.back().begin(), values.back().end());
  return result;
}

/// The action of a frame was chosen from the state at its start. What flows through the choice is added
/// there, by `add_derivatives`, which is called next.
void ClosedLoop::acted(Count frame, const State& state, ScalarView by_action) {
  const Perceptron::Values& values = frames_[static_cast<std::size_t>(frame)];
  std::vector<double> by_outputs(network_.outputs(), 0.0), by_observation(network_.inputs(), 0.0);
  lines_.pull(values.back(), by_action, by_outputs);
  network_.pull(values, by_outputs, by_parameters_, by_observation);
  by_positions_.assign(state.positions.size(), {});
  by_velocities_.assign(state.velocities.size(), {});
  senses_.pull(by_observation, by_positions_, by_velocities_);
}

void ClosedLoop::add_derivatives(const LossPoint& at, double factor, const LossGradients& out) {
  if (loss_.reads(at.state.step, at.last_step)) loss_.add_derivatives(at, factor, out);
  for (std::size_t i = 0; i < by_positions_.size(); ++i) {
    out.positions[i] += by_positions_[i];
    out.velocities[i] += by_velocities_[i];
  }
}

RolloutGradient ClosedLoop::backward(Rollout& rollout) {
  lines_.restart_back();
  by_positions_.clear();
  by_velocities_.clear();
  by_parameters_.assign(network_.parameters().size(), 0.0);
  return rollout.backward(*this, true, [this](Count frame, const State& state, ScalarView by_action) {
    acted(frame, state, by_action);
  });
}

}  // namespace electret::experiments
