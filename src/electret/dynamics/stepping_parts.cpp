#include <utility>

#include <electret/contact/body_contacts.hpp>
#include <electret/core/arguments.hpp>
#include <electret/dynamics/stepping_parts.hpp>

namespace electret {
namespace {

/// The system, which is not null.
std::unique_ptr<System> given(std::unique_ptr<System> system) {
  require_argument(system != nullptr, "a simulator needs a system");
  return system;
}
std::unique_ptr<Integrator> made(std::unique_ptr<Integrator> integrator) {
  require_argument(integrator != nullptr, "a simulator needs an integrator");
  return integrator;
}

}  // namespace

SteppingParts::SteppingParts(std::unique_ptr<System> system, MakeIntegrator make)
    : system_(given(std::move(system))), make_(std::move(make)), integrator_(made(make_(*system_))) {
  make_rest();
}

void SteppingParts::make_rest() {
  layout_ = integrator_->memory_layout();
  ++replacements_;
  meter_.emplace(*system_);
  scheduled_.emplace(*system_, integrator_->stage_fractions());
}

SteppingParts::Replaced SteppingParts::replace(std::unique_ptr<System> system) {
  const Count evaluations = evaluations_now();
  std::swap(*system_, *system);
  std::unique_ptr<Integrator> next;
  try {
    next = made(make_(*system_));
  } catch (...) {
    std::swap(*system_, *system);
    throw;
  }
  system_->timings = system->timings;
  evaluations_elsewhere_ += evaluations;
  std::swap(integrator_, next);
  make_rest();
  return {std::move(system), std::move(next)};
}

void SteppingParts::put_back(Replaced before) {
  evaluations_elsewhere_ += evaluations_now();
  before.system->timings = system_->timings;
  std::swap(*system_, *before.system);
  evaluations_elsewhere_ -= evaluations_now();
  std::swap(integrator_, before.integrator);
  make_rest();
}

Count SteppingParts::evaluations_now() const {
  Count count = 0;
  for (const auto& force : system_->forces) count += force->field_evaluations();
  return count;
}

Count SteppingParts::field_evaluations() const {
  return evaluations_elsewhere_ + evaluations_now();
}

}  // namespace electret
