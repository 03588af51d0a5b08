#include "loss.hpp"

#include <algorithm>

#include <pybind11/stl.h>

#include <electret/fit/loss_forms.hpp>
#include <electret/fit/losses.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "guard.hpp"
#include "scene.hpp"

namespace py = pybind11;

namespace electret::python {

FrameLoss::FrameLoss(std::vector<Count> steps, std::shared_ptr<Loss> over)
    : steps_(std::move(steps)), over_(std::move(over)), energy_(final_energy_loss()) {}

std::ptrdiff_t FrameLoss::frame_of(Count step) const {
  const auto place = std::lower_bound(steps_.begin(), steps_.end(), step);
  return place != steps_.end() && *place == step ? place - steps_.begin() : -1;
}

bool FrameLoss::reads(Count step, Count last_step) const {
  return frame_of(step) >= 0 || step == last_step || step == extra_step_ ||
         (over_ && over_->reads(step, last_step));
}

void FrameLoss::start() {
  positions_.clear();
  velocities_.clear();
  if (over_) over_->start();
}

void FrameLoss::observe(const LossPoint& at) {
  if (frame_of(at.state.step) >= 0) {
    positions_.push_back(at.state.positions);
    velocities_.push_back(at.state.velocities);
  }
  if (over_ && over_->reads(at.state.step, at.last_step)) over_->observe(at);
}

void FrameLoss::add_derivatives(const LossPoint& at, double factor, const LossGradients& out) {
  const auto add = [factor](VectorView by, VectorSpan to) {
    for (std::size_t i = 0; i < by.size(); ++i) to[i] += factor * by[i];
  };
  if (const auto frame = frame_of(at.state.step); frame >= 0) {
    if (!by_positions_.empty()) add(by_positions_[static_cast<std::size_t>(frame)], out.positions);
    if (!by_velocities_.empty()) add(by_velocities_[static_cast<std::size_t>(frame)], out.velocities);
  }
  if (at.state.step == extra_step_) {
    add(extra_positions_, out.positions);
    add(extra_velocities_, out.velocities);
    extra_step_ = -1;
  }
  if (by_energy_ != 0.0 && at.state.step == at.last_step)
    energy_->add_derivatives(at, factor * by_energy_, out);
  if (counts_over_ && over_ && over_->reads(at.state.step, at.last_step))
    over_->add_derivatives(at, factor, out);
}

void FrameLoss::set_cotangents(std::vector<VectorArray> positions, std::vector<VectorArray> velocities,
                               double energy, bool counts_over) {
  by_positions_ = std::move(positions);
  by_velocities_ = std::move(velocities);
  by_energy_ = energy;
  counts_over_ = counts_over;
  extra_step_ = -1;
}

void FrameLoss::add_cotangent(Count step, VectorView positions, VectorView velocities) {
  extra_step_ = step;
  extra_positions_.assign(positions.begin(), positions.end());
  extra_velocities_.assign(velocities.begin(), velocities.end());
}

namespace {

VectorArray owned(const Array& array) {
  const VectorView view = vectors(array);
  return {view.begin(), view.end()};
}

/// A loss used by several sums at once.
class Shared final : public Loss {
 public:
  explicit Shared(std::shared_ptr<Loss> loss) : loss_(std::move(loss)) {}
  [[nodiscard]] bool reads(Count step, Count last_step) const override {
    return loss_->reads(step, last_step);
  }
  void start() override { loss_->start(); }
  void observe(const LossPoint& at) override { loss_->observe(at); }
  [[nodiscard]] double value() const override { return loss_->value(); }
  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    loss_->add_derivatives(at, factor, out);
  }

 private:
  std::shared_ptr<Loss> loss_;
};

HeldLoss trajectory(const std::vector<Count>& steps, const std::vector<Array>& frames) {
  std::vector<TargetFrame> target;
  for (std::size_t f = 0; f < steps.size(); ++f) target.push_back({steps[f], owned(frames[f])});
  return {trajectory_loss(std::move(target))};
}

HeldLoss sum(const std::vector<std::pair<double, HeldLoss>>& terms) {
  std::vector<WeightedLoss> weighted;
  for (const auto& [weight, held] : terms) weighted.push_back({weight, std::make_unique<Shared>(held.loss)});
  return {sum_of_losses(std::move(weighted))};
}

/// Of the body of that name; of all bodies where it is empty.
HeldLoss centre_of_mass(const std::array<double, 3>& x, const Assembly& assembly, const std::string& body) {
  const Vec3 target{x[0], x[1], x[2]};
  if (body.empty()) return {centre_of_mass_loss(target)};
  std::string names;
  for (std::size_t b = 0; b < assembly.scene.bodies.size(); ++b) {
    if (assembly.scene.bodies[b].name == body)
      return {centre_of_mass_loss(target, assembly.body_offsets[b], assembly.body_offsets[b + 1])};
    names += (b > 0 ? ", " : "") + assembly.scene.bodies[b].name;
  }
  throw InputError(Finding{{"loss", 0, 0}, "there is no body \"" + body + "\"", "allowed: " + names});
}

HeldLoss of_text(const std::string& text, const Assembly& assembly) {
  const DefaultFloats floats;
  return {parse_loss(text, assembly, {"loss", 0, 0})};
}

}  // namespace

void bind_losses(py::module_& module) {
  py::class_<HeldLoss>(module, "Loss");
  module.def("final_position_loss",
             [](const Array& target) { return HeldLoss{final_position_loss(owned(target))}; });
  module.def("trajectory_loss", trajectory);
  module.def("centre_of_mass_loss", centre_of_mass);
  module.def("energy_loss", [] { return HeldLoss{final_energy_loss()}; });
  module.def("sum_of_losses", sum);
  module.def("text_loss", of_text);
}

}  // namespace electret::python
