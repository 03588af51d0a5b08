/// What is kept of what is seen: frames for movies, ray-traced pictures.

#include <algorithm>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/studio/session/field_arrows.hpp>
#include <electret/studio/session/journal.hpp>
#include <electret/studio/session/loss_gradient.hpp>
#include <electret/studio/session/machine.hpp>
#include <electret/studio/session/ray_tracing.hpp>
#include <electret/studio/session/shown_moment.hpp>

namespace electret::studio {

std::string Machine::why_nothing_shown() const {
  if (phase_ == Phase::loading || at_rest_) return "the scene is still being read";
  return live_ || run_ ? "" : "nothing is open: open a scene or a run first";
}

std::string Machine::obey(int page, const AskFrame& ask) {
  if (auto why = why_nothing_shown(); !why.empty()) return why;
  std::shared_ptr<Frame> frame;
  if (run_) {
    frame = run_->frame_of(std::clamp<Count>(ask.step, 0, run_->frames() - 1));
  } else {
    frame = live_->kept_frame(std::clamp<Count>(ask.step, 0, live_->recorded_last()));
    live_->frames().outdate();
  }
  tell(AskedFrame{ask.number, std::move(frame)}, page);
  return "";
}

/// What is shown: as exactly as it is known.
ShownMoment Machine::shown_moment(const RayTrace& wish) const {
  ShownMoment shown{*scenery(), *newest_};
  shown.scalar = scalar_;
  shown.low = wish.low;
  shown.high = wish.high;
  if (run_) {
    shown.rest_positions = run_->rest_positions();
    shown.positions = run_->positions();
    shown.charges = run_->charges();
    return shown;
  }
  const Simulator& simulator = live_->simulator();
  shown.rest_positions = simulator.system().assembly.rest_positions;
  if (scrubbed_ || newest_->step != live_->step()) return shown;
  const ScalarView charges = live_->charges_now();
  shown.positions = simulator.state().positions;
  shown.charges.assign(charges.begin(), charges.end());
  return shown;
}

std::string Machine::obey(int page, const RayTrace& wish) {
  if (auto why = why_nothing_shown(); !why.empty()) return why;
  if (tracing_.is_going())
    return tracing_.page() == page ? "a picture is being ray-traced: wait for it, or stop it"
                                   : "another page has a picture ray-traced: wait for it";
  if (!newest_ || newest_->generation != scenery()->info.generation) return "there is no picture yet";
  auto moment = std::make_shared<PictureMoment>();
  try {
    *moment = moment_of(shown_moment(wish));
  } catch (const InputError& error) {
    return to_string(error.findings().front());
  }
  tracing_.begin(page, wish.number,
                 [this, page, wish, moment, threads = options_.threads](const Job::HandOver& hand_over) {
                   Control control;
                   control.progress = [&](const Progress& now) {
                     hand_over([this, page, number = wish.number, now] {
                       tell(TracingInfo{number, now.done, now.total}, page);
                     });
                   };
                   auto png = std::make_shared<const std::string>(
                       ray_traced(std::move(*moment), wish, threads, control));
                   return [this, page, number = wish.number, png] { tell(TracedPicture{number, png}, page); };
                 });
  tell(TracingInfo{wish.number, 0, wish.height}, page);
  return "";
}

std::string Machine::obey(int page, const StopTracing&) {
  if (tracing_.is_going() && tracing_.page() == page) tracing_.stop();
  return "";
}

/// What the gradient of a loss begins with; `why` there is none.
std::optional<GradientOrder> Machine::gradient_order(const AskGradient& ask, std::string& why) const {
  why = why_nothing_shown();
  if (why.empty() && run_) why = "a recorded run is looked at as it is: open its scene to differentiate it";
  if (why.empty() && phase_ == Phase::broken) why = why_not_moving();
  if (why.empty()) why = why_other_bodies_now();
  if (!why.empty()) return std::nullopt;
  GradientOrder order;
  Target target = target_;
  target.edited = history_.text();
  target.painted = history_.painted();
  order.source.text = history_.text();
  order.source.file = target_.path;
  order.source.folder = folder_holding(target_.path);
  order.source.read = kept(reader_of(target));
  order.loss = ask.loss;
  order.time = live_->simulator().system().time(scrubbed_.value_or(live_->step()));
  order.threads = options_.threads;
  return order;
}

/// Where the text has other vertices than what is shown, its gradient cannot be shown there.
std::string Machine::why_other_bodies_now() const {
  return document_.waiting.empty() ? "" : "some of the text comes at Reset: reset first";
}

std::string Machine::obey(int page, const AskGradient& ask) {
  if (differentiating_.is_going())
    return differentiating_.page() == page ? "a gradient is being computed: wait for it, or stop it"
                                           : "another page has a gradient computed: wait for it";
  std::string why;
  const auto order = gradient_order(ask, why);
  if (!order) return why;
  differentiating_.begin(page, ask.number, [this, page, ask, order = *order](const Job::HandOver& hand_over) {
    Control control;
    control.progress = [&](const Progress& now) {
      hand_over([this, page, number = ask.number, now] {
        tell(GradientInfo{number, now.done, now.total}, page);
      });
    };
    auto found = std::make_shared<const SceneGradient>(gradient_of(order, control));
    return [this, page, number = ask.number, found] { take_gradient(page, number, *found); };
  });
  tell(GradientInfo{ask.number}, page);
  return "";
}

void Machine::take_gradient(int page, std::uint32_t number, const SceneGradient& found) {
  if (why_nothing_shown().empty() && live_ && found.by_charge.size() == live_->scenery().shown.vertices()) {
    auto places = std::make_shared<std::vector<float>>();
    for (const Vec3& each : found.by_place)
      for (const double value : {each.x, each.y, each.z}) places->push_back(as_float(value));
    tell(VertexGradient{number, live_->scenery().info.generation,
                        live_->scenery().shown.values(found.by_charge), std::move(places)},
         page);
  }
  GradientInfo info{number};
  info.is_done = true;
  info.loss = found.loss;
  info.steps = found.steps;
  info.notice = found.notice;
  info.table = found.table;
  tell(info, page);
}

std::string Machine::obey(int page, const StopGradient&) {
  if (differentiating_.is_going() && differentiating_.page() == page) differentiating_.stop();
  return "";
}

/// A page that is gone wants no more.
std::string Machine::obey(int page, const AskField& ask) {
  if (auto why = why_nothing_shown(); !why.empty()) return why;
  for (auto& [whose, wanted] : wanted_fields_)
    if (whose == page) return wanted = ask, "";
  wanted_fields_.emplace_back(page, ask);
  return "";
}

std::string Machine::obey(int page, const AskSession&) {
  constexpr std::size_t most = 200;
  if (auto why = why_nothing_shown(); !why.empty()) return why;
  SessionInfo info{scenery()->info.folder};
  info.files = files_in(info.folder);
  if (!run_) info.journal = journal_of(*live_);
  info.all = static_cast<Count>(info.journal.size());
  if (info.journal.size() > most)
    info.journal.erase(info.journal.begin(), info.journal.end() - static_cast<std::ptrdiff_t>(most));
  tell(info, page);
  return "";
}

/// That of the picture, as exactly as it is known.
FieldMoment Machine::field_moment() const {
  FieldMoment moment{*scenery(), *newest_};
  moment.threads = options_.threads;
  if (run_) {
    moment.positions = run_->positions();
    moment.charges = run_->charges();
  } else if (!scrubbed_ && newest_->step == live_->step()) {
    moment.positions = live_->simulator().state().positions;
    moment.charges = live_->charges_now();
  }
  return moment;
}

/// A wish waits while nothing is shown.
bool Machine::may_answer_field() const {
  return !wanted_fields_.empty() && why_nothing_shown().empty() && newest_ &&
         newest_->generation == scenery()->info.generation;
}

/// One at a time, and so seldom that it takes a twentieth of the time.
void Machine::attend_field() {
  using Clock = Pacer::Clock;
  const Time begin = Clock::now();
  if (!may_answer_field() || begin < field_due_) return;
  const auto [page, ask] = wanted_fields_.front();
  wanted_fields_.erase(wanted_fields_.begin());
  VectorArray field(static_cast<std::size_t>(ask.rows) * static_cast<std::size_t>(ask.columns));
  try {
    field = field_on(ask, field_moment());
  } catch (const std::exception&) {
    // Where no field can be told, as of a recorded place that is no number, there are no arrows.
  }
  auto floats = std::make_shared<std::vector<float>>();
  for (const Vec3& each : field)
    for (int axis = 0; axis < 3; ++axis) floats->push_back(as_float(each[axis]));
  tell(FieldValues{ask.number, newest_->generation, newest_->step, std::move(floats)}, page);
  const Time end = Clock::now();
  field_due_ = end + 19 * (end - begin);
}

void Machine::forget_page(int page) {
  std::erase_if(wanted_fields_, [page](const auto& each) { return each.first == page; });
  if (tracing_.is_going() && tracing_.page() == page) tracing_.stop();
  if (differentiating_.is_going() && differentiating_.page() == page) differentiating_.stop();
}

void Machine::attend_page_jobs() {
  if (const auto ended = tracing_.attend(); ended && !ended->error.empty())
    tell(TracingInfo{ended->number, 0, 0, ended->error}, ended->page);
  if (const auto ended = differentiating_.attend(); ended && !ended->error.empty())
    tell(GradientInfo{ended->number, 0, 0, ended->error}, ended->page);
  attend_recording({});
}

}  // namespace electret::studio
