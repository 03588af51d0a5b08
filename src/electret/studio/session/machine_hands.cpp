#include <electret/studio/session/machine.hpp>

namespace electret::studio {

std::string Machine::why_no_hands() const {
  if (auto why = why_not_moving(); !why.empty()) return why;
  return run_ ? "a recorded run is looked at as it is: open its scene to pull at it" : "";
}

/// While it runs, the next step shows what a hand does.
void Machine::hands_changed() {
  if (phase_ != Phase::running) show_now(false);
  tell_hands();
}

std::string Machine::obey(int page, const HandBegin& hand) {
  if (auto why = why_no_hands(); !why.empty()) return why;
  if (!settle()) return "the session is going back first: press again when it is there";
  auto why = live_->press(page, hand.hand,
                          {static_cast<std::size_t>(hand.point), hand.brush, hand.at, hand.strength});
  if (why.empty()) hands_changed();
  return why;
}

std::string Machine::obey(int page, const HandMove& hand) {
  if (!live_ || run_) return "this hand holds nothing";
  auto why = live_->move(page, hand.hand, hand.to);
  if (why.empty() && phase_ != Phase::running) show_now(false);
  return why;
}

std::string Machine::obey(int page, const HandEnd& hand) {
  if (!live_ || run_) return "this hand holds nothing";
  auto why = live_->let_go(page, hand.hand, hand.stays);
  if (why.empty()) hands_changed();
  return why;
}

std::string Machine::obey(int page, const BallBegin& ball) {
  if (auto why = why_no_hands(); !why.empty()) return why;
  if (!settle()) return "the session is going back first: press again when it is there";
  auto why = live_->take_ball({page, ball.hand, ball.charge, ball.width, ball.at});
  if (why.empty()) hands_changed();
  return why;
}

std::string Machine::obey(int page, const BallMove& ball) {
  if (!live_ || run_) return "this hand holds no charge";
  auto why = live_->move_ball(page, ball.hand, ball.to);
  if (why.empty() && phase_ != Phase::running) show_now(false);
  return why;
}

std::string Machine::obey(int page, const BallEnd& ball) {
  if (!live_ || run_) return "this hand holds no charge";
  auto why = live_->drop_ball(page, ball.hand);
  if (why.empty()) hands_changed();
  return why;
}

std::string Machine::obey(int, const RemoveTack& tack) {
  if (auto why = why_no_hands(); !why.empty()) return why;
  if (!settle()) return "the session is going back first: remove it when it is there";
  auto why = live_->remove_tack(tack.number);
  if (why.empty()) hands_changed();
  return why;
}

std::string Machine::obey(int page, const Leave&) {
  forget_page(page);
  if (live_ && !run_ && live_->let_go_all(page)) hands_changed();
  return "";
}

}  // namespace electret::studio
