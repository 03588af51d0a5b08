#include <algorithm>
#include <utility>

#include <electret/studio/session/frame_maker.hpp>

namespace electret::studio {

void FrameMaker::select(const std::string& scalar) {
  if (selected_ == scalar) return;
  selected_ = scalar;
  scalar_.reset();
  scalar_is_stale_ = true;
  next_scalar_ = {};
}

void FrameMaker::renew_scalar(const At& at, const Moment& moment) {
  if (selected_ == "charge") return scalar_.reset();
  const auto begin = Clock::now();
  if (!at.exact && !scalar_is_stale_ && begin < next_scalar_) return;
  if (const auto values = scenery_.scalars.values(selected_, moment)) {
    scalar_ = scenery_.shown.values(*values);
    scalar_is_stale_ = false;
  }
  const auto end = Clock::now();
  next_scalar_ = end + 20 * (end - begin);
}

void FrameMaker::renew_charges(ScalarView charges) {
  if (charges_ && std::equal(charges.begin(), charges.end(), charges_of_.begin(), charges_of_.end())) return;
  charges_of_.assign(charges.begin(), charges.end());
  charges_ = scenery_.shown.values(charges);
}

std::shared_ptr<Frame> FrameMaker::make(const At& at, const Moment& moment) {
  auto frame = std::make_shared<Frame>();
  frame->generation = scenery_.info.generation;
  frame->time = at.time;
  frame->step = at.step;
  frame->origin = scenery_.shown.centre();
  frame->points = static_cast<std::uint32_t>(scenery_.shown.points());
  frame->positions = at.positions ? at.positions : scenery_.shown.positions(moment.positions);
  renew_charges(moment.charges);
  renew_scalar(at, moment);
  const Surroundings& around = scenery_.surroundings;
  const bool are_others =
      std::exchange(obstacles_number_, around.obstacles_number()) != around.obstacles_number();
  if (!placements_ || are_others || around.placements_change()) placements_ = around.placements_at(at.time);
  if (!external_ || around.external_change()) external_ = around.external_at(at.time);
  frame->charges = charges_;
  frame->scalar = scalar_;
  frame->placements = placements_;
  frame->external = at.external ? at.external : external_;
  return frame;
}

}  // namespace electret::studio
