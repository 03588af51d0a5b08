#include <utility>

#include <electret/studio/session/fields.hpp>
#include <electret/studio/session/machine.hpp>

namespace electret::studio {

const Scenery* Machine::scenery() const {
  if (at_rest_) return at_rest_.get();
  if (run_) return &run_->scenery();
  return live_ ? &live_->scenery() : nullptr;
}

StateInfo Machine::state_info() const {
  StateInfo info;
  info.phase = phase_;
  info.as_fast_as_possible = !rate_;
  info.wanted = rate_.value_or(1.0);
  info.reason = reason_;
  info.advice = advice_;
  if (reason_.empty() && !save_trouble_.empty()) {
    info.reason = save_trouble_;
    info.advice = "the session is kept in memory, and written when that can be done again";
  }
  info.vertex = vertex_;
  info.beyond = beyond_;
  if (scenery() != nullptr) info.scalar = scalar_;
  if (run_) {
    info.step = run_->at();
    info.time = run_->frames() > 0 ? run_->time_of(run_->at()) : 0.0;
    info.last_step = info.recorded_last = run_->frames() - 1;
  } else if (live_) {
    info.step = scrubbed_.value_or(live_->step());
    info.time = live_->simulator().system().time(info.step);
    info.last_step = live_->scenery().info.last_step;
    info.recorded_last = live_->recorded_last();
    info.step_ms = meter_.step_ms;
    info.field_ms = meter_.field_ms;
    info.elastic_ms = meter_.elastic_ms;
    if (phase_ == Phase::running) info.reached = pacer_.reached();
  }
  return info;
}

/// Says nothing twice.
void Machine::tell_state(int page) {
  StateInfo now = state_info();
  if (page == everyone && told_state_ == now) return;
  tell(now, page);
  if (page == everyone) told_state_ = std::move(now);
}

void Machine::tell_document(int page) {
  if (document_.text != told_text_) {
    told_text_ = document_.text;
    ++revision_;
  }
  document_.revision = revision_;
  tell(document_, page);
}

void Machine::tell_system(int page) {
  if (const Scenery* shown = scenery()) tell(shown->info, page);
}

void Machine::tell_topology(int page) {
  if (const Scenery* shown = scenery())
    tell(std::make_shared<const Topology>(shown->shown.topology(shown->info.generation)), page);
}

/// Says nothing twice. What is no scene that runs has no fields.
void Machine::tell_fields(int page) {
  const bool has_fields = live_ && !run_ && !at_rest_ && phase_ != Phase::broken;
  const std::string& text = has_fields ? history_.text() : std::string();
  if (text != told_fields_of_) {
    std::string fault;
    const auto tree = tree_of(text, fault);
    told_fields_of_ = text;
    FieldsInfo now = tree ? fields_of(tree->root()) : FieldsInfo();
    const bool is_other = now != told_fields_;
    told_fields_ = std::move(now);
    if (is_other && page == everyone) return tell(told_fields_);
  }
  if (page != everyone) tell(told_fields_, page);
}

/// Says nothing twice.
void Machine::tell_changes(int page) {
  constexpr std::size_t most = 20;
  const bool has_changes = live_ && !run_ && !at_rest_;
  const std::uint64_t number = has_changes ? live_->changes_number() : 0;
  if (page == everyone && number == told_changes_number_) return;
  ChangesInfo now;
  if (has_changes) now = live_->changes(most);
  told_changes_number_ = number;
  if (page == everyone && now == told_changes_) return;
  tell(now, page);
  if (page == everyone) told_changes_ = std::move(now);
}

/// Pages that come later are told, too.
void Machine::tell_progress(ProgressInfo now) {
  tell(now);
  progress_ = std::move(now);
}

void Machine::tell_energies_anew() {
  energies_told_ = 0;
  tell(EnergyRows{0, {}, true});
  tell_energies();
}

void Machine::tell_energies() {
  if (live_ && rows_restarted_ != live_->rows_restarted()) {
    rows_restarted_ = live_->rows_restarted();
    energies_told_ = 0;
    tell(EnergyRows{0, {}, true});
  }
  const std::vector<Live::Row> none;
  const auto& rows = run_ ? run_->rows() : live_ ? live_->rows() : none;
  energies_told_at_ = Pacer::Clock::now();
  if (rows.size() <= energies_told_) return;
  tell(EnergyRows{
      energies_told_, {rows.begin() + static_cast<std::ptrdiff_t>(energies_told_), rows.end()}, false});
  energies_told_ = rows.size();
}

void Machine::tell_all_energies(int page) {
  const std::vector<Live::Row> none;
  const auto& rows = at_rest_ ? none : run_ ? run_->rows() : live_ ? live_->rows() : none;
  const std::size_t told = std::min(energies_told_, rows.size());  // The others come to every page.
  tell(EnergyRows{0, {rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(told)}, true}, page);
}

/// Says nothing twice.
void Machine::tell_hands(int page) {
  HandsInfo now = live_ && !at_rest_ ? live_->hands_info(scrubbed_.value_or(live_->step())) : HandsInfo{};
  if (page == everyone && told_hands_ == now) return;
  tell(now, page);
  if (page == everyone) told_hands_ = std::move(now);
}

void Machine::show(std::shared_ptr<Frame> frame) {
  frame->sequence = ++sequence_;
  newest_ = std::move(frame);
  listener_.show(newest_);
}

void Machine::show_now(bool exact) {
  if (run_)
    show(run_->frame());
  else if (live_ && !at_rest_)
    show(live_->frame(exact));
  tell_hands();
}

}  // namespace electret::studio
