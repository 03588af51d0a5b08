#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/studio/session/machine.hpp>
#include <electret/studio/session/scene_edits.hpp>

namespace electret::studio {
namespace {

const KeyTable* table_called(const std::vector<KeyTable>& tables, const std::string& key) {
  for (const KeyTable& each : tables)
    if (each.key == key) return &each;
  return nullptr;
}

/// The table that moves the same, wherever it is.
const KeyTable* same_table(const std::vector<KeyTable>& tables, const KeyTable& table) {
  for (const KeyTable& each : tables)
    if (each.identity == table.identity) return &each;
  return nullptr;
}

/// What the text has stays as it is; what is new gets few digits.
class KnownNumbers {
 public:
  explicit KnownNumbers(std::vector<double> numbers) : sorted_(std::move(numbers)) {
    std::sort(sorted_.begin(), sorted_.end());
  }
  [[nodiscard]] bool has(double number) const {
    return std::binary_search(sorted_.begin(), sorted_.end(), number);
  }

 private:
  std::vector<double> sorted_;
};

template <class... Kinds>
bool is_any_of(const Command& command) {
  return (std::holds_alternative<Kinds>(command) || ...);
}

bool are_different(const KeyTable& a, const KeyTable& b) {
  return first_difference(a, b).has_value();
}

}  // namespace

KeysInfo Machine::keys_info() const {
  KeysInfo info;
  if (!live_ || run_ || at_rest_ || phase_ == Phase::broken) return info;
  info.tables = key_tables_of(history_.text());
  info.stale_from = stale_from_;
  return info;
}

/// Says nothing twice.
void Machine::tell_keys(int page) {
  KeysInfo now = keys_info();
  if (page == everyone && told_keys_ == now) return;
  tell(now, page);
  if (page == everyone) told_keys_ = std::move(now);
}

/// The last step whose end is not after `time`, s; or that is before it (`is_strict`).
Count Machine::step_before(double time, bool is_strict) const {
  const System& system = live_->simulator().system();
  Count low = 0, high = std::max(live_->recorded_last(), live_->step());
  const double near = (is_strict ? -1e-6 : 1e-6) * live_->scenery().info.time_step;
  while (low < high) {
    const Count middle = low + (high - low + 1) / 2;
    if (system.time(middle) <= time + near)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/// After keys have become others than in `before`: what was simulated with those is out of date from where
/// they differ.
void Machine::keys_changed(const std::string& before, bool is_by_keys) {
  const std::vector<KeyTable> old = key_tables_of(before), now = key_tables_of(history_.text());
  for (const KeyTable& table : now) {
    const KeyTable* was = same_table(old, table);
    if (was == nullptr || !are_different(*was, table)) continue;
    const auto known = simulated_keys_.find(table.identity);
    const bool are_keys = is_by_keys && !(was->times.empty() && table.times.empty());
    if (known == simulated_keys_.end()) {
      if (are_keys) simulated_keys_[table.identity] = {{0, *was}};
    } else if (!are_keys && !first_stale(known->second, *was, 0)) {
      // What is moved by hand acts from now on; what was there is as it was simulated.
      known->second = {{0, table}};
    }
  }
  find_stale(now);
}

/// Where the steps that were simulated begin to be others than with `table`, from a state on.
std::optional<Count> Machine::first_stale(const std::vector<SimulatedKeys>& parts, const KeyTable& table,
                                          Count since) const {
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Count begin = std::max(parts[k].from, since);
    const Count end = k + 1 < parts.size() ? std::min(parts[k + 1].from, live_->step()) : live_->step();
    if (begin >= end) continue;
    const double from = live_->simulator().system().time(begin);
    const auto time = first_difference(parts[k].table, table, from);
    if (!time) continue;
    // A step's key acts in the step that ends with it.
    const bool is_step = parts[k].table.interpolation == "step" || table.interpolation == "step";
    if (const Count step = std::max(step_before(*time, is_step), begin); step < end) return step;
  }
  return std::nullopt;
}

/// The next steps are simulated with the keys of the scene that runs, which are not those that wait.
void Machine::note_running_keys() {
  const Count last = live_->recorded_last();
  for (auto& [identity, parts] : simulated_keys_)
    while (parts.size() > 1 && parts.back().from > last) parts.pop_back();
  if (live_->step() < last) return;
  const std::vector<KeyTable> running = live_->running_keys();
  for (auto& [identity, parts] : simulated_keys_) {
    const KeyTable* table = same_table(running, parts.front().table);
    if (table == nullptr || !are_different(parts.back().table, *table)) continue;
    if (parts.back().from == last)
      parts.back().table = *table;
    else
      parts.push_back({last, *table});
  }
}

void Machine::find_stale(const std::vector<KeyTable>& now) {
  stale_from_.reset();
  if (simulated_keys_.empty()) return;
  note_running_keys();
  const auto since = live_->tables_since();
  for (auto& [identity, parts] : simulated_keys_) {
    const KeyTable* table = same_table(now, parts.front().table);
    if (table == nullptr) continue;
    // Where the text has the table at another place than the scene that runs, it waits for a reset.
    const auto here = since.find({table->key, identity});
    if (here == since.end()) continue;
    if (const auto step = first_stale(parts, *table, here->second))
      stale_from_ = std::min(stale_from_.value_or(*step), *step);
    else
      parts = {{0, *table}};  // What differs is to come, and comes so.
  }
}

void Machine::forget_stale() {
  simulated_keys_.clear();
  stale_from_.reset();
}

std::string Machine::obey(int page, const SetKeys& keys) {
  if (auto why = ready_to_edit(); !why.empty()) return why;
  if (keys.revision && *keys.revision != revision_)
    return "the text has been changed meanwhile: look at the keys, then change them again";
  std::string fault;
  const auto tree = tree_for_fields(fault);
  if (!tree) return fault;
  const std::vector<KeyTable> tables = key_tables(tree->root());
  const KeyTable* table = table_called(tables, keys.table.key);
  if (table == nullptr) return "the scene has nothing that keys could move at " + in_quotes(keys.table.key);
  KeyTable wanted = keys.table;
  if (auto why = why_no_keys(*table, wanted); !why.empty()) return why;
  const double step = live_->scenery().info.time_step;
  const KnownNumbers times(table->times);
  for (double& time : wanted.times)
    if (!times.has(time)) time = rounded_time(time, step);
  for (std::size_t k = 0; k < wanted.lanes.size(); ++k) {
    const KnownNumbers own(table->lanes[k].values), constant(table->lanes[k].value);
    for (std::vector<double>* values : {&wanted.lanes[k].values, &wanted.lanes[k].value})
      for (double& value : *values)
        if (!own.has(value) && !constant.has(value)) value = seven_digits(value);
  }
  return edit_checked(edits_of_keys(*table, wanted), gesture_of(page, keys.gesture), true);
}

/// The findings of a text as a scene of its own; "" without any.
std::string Machine::why_no_scene(const TextState& state) const {
  try {
    const SceneSource& source = live_->source();
    live_->require_scene(state.text, reading_painted(source.read, source.folder, state.painted));
    return "";
  } catch (const InputError& error) {
    return in_one(error.findings());
  } catch (const IoError& error) {
    return error.what();
  }
}

/// The findings are those of the whole text, also where something has to wait.
std::string Machine::edit_checked(const std::vector<TextEdit>& edits, double step, bool is_by_keys,
                                  Live::Wait wait) {
  if (edits.empty()) return "";
  const std::string before = history_.text();
  std::string why;
  try {
    why = why_no_scene({edited_text(before, document_.name, edits), history_.painted()});
  } catch (const InputError& error) {
    return in_one(error.findings());
  }
  if (why.empty()) why = edit_text(edits, step, wait);
  if (why.empty()) {
    keys_changed(before, is_by_keys);
    tell_keys();
  }
  return why;
}

// Keys that a slider writes: they are gathered while the gesture lasts.

bool Machine::is_writing(int page, double gesture, const std::string& what) const {
  return writing_ && !what.empty() && writing_->page == page && writing_->gesture == gesture &&
         writing_->what == what;
}

/// Whether what is asked is not part of the gesture that writes keys, which then are written before. The
/// commands of the gesture itself are told when they are obeyed.
bool Machine::ends_gesture(const Posted& posted) const {
  if (std::holds_alternative<Leave>(posted.command)) return writing_->page == posted.page;
  if (const auto* typed = std::get_if<TypedText>(&posted.command)) return typed->apply;
  return is_any_of<Reset, Seek, Open, Quit, SetKeys, Tune, Replay, Paint, MakeGroup, Undo, Redo, Save, Reload,
                   TakeUp>(posted.command);
}

void Machine::end_gesture() {
  if (!writing_) return;
  if (const std::string why = end_writing(); !why.empty()) tell(NoticeInfo{why, "warning"});
}

std::string Machine::note_sample(int page, double gesture, double step, const std::string& before,
                                 const Sampled& sampled) {
  const std::vector<KeyTable> tables = key_tables_of(history_.text());
  const KeyTable* table = table_called(tables, sampled.table);
  if (table == nullptr) return "";
  if (!is_writing(page, gesture, sampled.what)) {
    writing_ = Writing{page, gesture, step, sampled.what, sampled.table, sampled.lane, {}, *table};
    // The keys that were there before the gesture, or what it was then.
    const std::vector<KeyTable> old = key_tables_of(before);
    if (const KeyTable* was = same_table(old, *table)) {
      writing_->start = *was;
      writing_->start.key = table->key;
    }
  }
  const double now = rounded_time(live_->time(), live_->scenery().info.time_step);
  std::vector<KeySample>& samples = writing_->samples;
  if (!samples.empty() && samples.back().time >= now) samples.pop_back();
  if (samples.empty() || samples.back().values != sampled.values) samples.push_back({now, sampled.values});
  return gesture > 0.0 ? "" : end_writing();
}

std::string Machine::end_writing() {
  const std::vector<TextEdit> edits = written_edits();
  const Writing writing = *std::exchange(writing_, std::nullopt);
  return edit_checked(edits, writing.step, false);
}

/// What makes keys of what the gesture has set until now.
std::vector<TextEdit> Machine::written_edits() const {
  const std::vector<KeyTable> tables = key_tables_of(history_.text());
  const KeyTable* table = table_called(tables, writing_->table);
  if (table == nullptr) return {};
  return edits_of_keys(*table, with_samples(writing_->start, writing_->lane, writing_->samples,
                                            live_->scenery().info.time_step));
}

/// The text as it would be if the gesture ended now: a kill in the midst of it takes no keys away.
std::string Machine::ended_text() const {
  if (!writing_ || !live_) return history_.text();
  try {
    return edited_text(history_.text(), document_.name, written_edits());
  } catch (const InputError&) {
    return history_.text();
  }
}

std::string Machine::obey(int page, const EndKeys& end) {
  if (!writing_ || writing_->page != page || writing_->gesture != end.gesture) return "";
  if (auto why = ready_to_edit(); !why.empty()) return why;
  return end_writing();
}

// Replays.

std::string Machine::obey(int, const Replay&) {
  if (auto why = why_not_moving(); !why.empty()) return why;
  if (run_) return "a recorded run is looked at as it is";
  if (!settle()) return "the session is going back first: replay when it is there";
  if (!stale_from_ || *stale_from_ >= live_->step()) return "nothing is out of date here";
  if (live_->let_go_all()) hands_changed();
  // A session that ends in the midst of it is the one before it.
  is_later_kept_ = is_worth_keeping() && save_session();
  replay_ = Replaying{*stale_from_, live_->step()};
  begin_rewinding(replay_->from);
  return "";
}

/// The state is that from which on keys are others.
void Machine::begin_replay() {
  std::vector<Finding> findings;
  const Document wanted(history_.text(), document_.name, {}, findings);
  const auto since = live_->tables_since();
  std::vector<std::string> tables;
  std::vector<KeyTable> replayed;
  for (const KeyTable& each : key_tables(wanted.root())) {
    const auto here = since.find({each.key, each.identity});
    if (!simulated_keys_.contains(each.identity) || here == since.end() || here->second > live_->step())
      continue;
    tables.push_back(each.key);
    replayed.push_back(each);
  }
  try {
    live_->replay_keys(with_painted(wanted.root(), live_->source().folder, history_.painted()), tables);
  } catch (const InputError& error) {
    return stand(Phase::paused, in_one(error.findings()), "mend the keys, or reset");
  }
  for (KeyTable& each : replayed) {
    const std::string identity = each.identity;
    simulated_keys_[identity] = {{0, std::move(each)}};
  }
  replay_->is_begun = true;
  rewind_to_ = replay_->to;
}

/// Done, stopped or diverged: what was simulated is what the text says, as far as it goes.
void Machine::end_replay() {
  const Replaying replay = *std::exchange(replay_, std::nullopt);
  if (phase_ != Phase::loading) is_later_kept_ = false;
  if (!replay.is_begun || !live_) return;
  live_->end_replay();
  // What had to wait for it, and edits after the step, whatever has ended it: the text has them.
  const std::string why = go_on_with(
      history_.now(), [] {}, Live::Wait::live, false);
  if (!why.empty()) tell(NoticeInfo{why, "warning"});
  find_stale(key_tables_of(history_.text()));
  tell_keys();
  tell_energies();
}

}  // namespace electret::studio
