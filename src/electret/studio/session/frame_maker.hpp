#pragma once
/// \file
/// Makes frames of a scenery. Blocks that have not changed are shared between frames.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <electret/studio/session/system_info.hpp>

namespace electret::studio {

class FrameMaker {
 public:
  /// `scenery` must outlive this.
  explicit FrameMaker(const Scenery& scenery) : scenery_(scenery) {}

  /// The name of one of the scenery's scalars.
  void select(const std::string& scalar);
  [[nodiscard]] const std::string& selected() const { return selected_; }

  /// The scalar was made for another moment: the next frame gets one of its own.
  void outdate() { scalar_is_stale_ = true; }

  struct At {
    double time = 0.0;  ///< s.
    Count step = 0;
    Floats positions;   ///< Of Shown::positions; null: made of the moment's.
    bool exact = true;  ///< The moment's scalar is wanted whatever it costs.
    Floats external{};  ///< As in Frame; null: the scenery's at this time.
  };
  /// A frame of `moment`; its number in the sequence is the caller's to set.
  [[nodiscard]] std::shared_ptr<Frame> make(const At& at, const Moment& moment);

 private:
  void renew_charges(ScalarView charges);
  void renew_scalar(const At& at, const Moment& moment);

  using Clock = std::chrono::steady_clock;
  const Scenery& scenery_;
  std::vector<double> charges_of_;  ///< What `charges_` was made of.
  std::string selected_ = "charge";
  Floats charges_, scalar_, placements_, external_;
  bool scalar_is_stale_ = true;
  Count obstacles_number_ = 0;  ///< Of the surroundings that `placements_` were made of.
  /// A scalar that takes long to compute is renewed so seldom that it takes a twentieth of the time.
  Clock::time_point next_scalar_{};
};

}  // namespace electret::studio
