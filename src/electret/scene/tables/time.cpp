#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <electret/core/same_bits.hpp>
#include <electret/scene/document.hpp>
#include <electret/scene/run_duration.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {
namespace {

/// The table as written.
struct TimeTable {
  double step = 0.0;
  std::optional<Count> steps;
  std::optional<double> duration;
};

/// The shortest decimal whose relative difference from `value` is at most `error`.
std::string short_number(double value, double error) {
  for (int digits = 1; digits < 17; ++digits) {
    std::array<char, 32> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits).ptr;
    double read = 0.0;
    std::from_chars(text.data(), end, read);
    if (std::abs(read - value) <= error * std::abs(value)) return {text.data(), end};
  }
  return number_text(value);
}

constexpr double most_steps = 9e15;

/// Whether a change sets the time step.
bool does_step_change(const Node& root) {
  const Node::Member* changes = root.member("change");
  if (changes == nullptr) return false;
  const auto sets_step = [](const Node& text) {
    return text.kind == Node::Kind::text && key_of_override(text.text) == "time.step";
  };
  return std::any_of(changes->node.items.begin(), changes->node.items.end(), [&](const Node& change) {
    const Node::Member* set = change.member("set");
    return set != nullptr && std::any_of(set->node.items.begin(), set->node.items.end(), sets_step);
  });
}

void read_time(const SceneTable& table, SceneReading& reading, const std::string& key, const Node& node,
               void*) {
  TimeTable time;
  reading.tables.one(key, node, table.schema.name, time);
  const ReadContext& context = reading.context;
  reading.scene.time.step = time.step;
  if (reading.known_time != nullptr) {  // The scene after a change, whose run is as long as before.
    reading.scene.time.steps = reading.known_time->steps;
    reading.scene.time.legs = reading.known_time->legs;
    return;
  }
  if (time.steps) reading.scene.time.steps = *time.steps;
  if (!time.duration || context.report.is_bad("time")) return;
  const double steps = *time.duration / time.step;
  // The rest after a change of the step is what has to be whole (changes_check.hpp).
  if (steps < most_steps && does_step_change(context.document.root()))
    reading.scene.time.steps = static_cast<Count>(std::ceil(steps - 1e-6));
  else if (check_duration(context.source, *time.duration, time.step, context.report))
    reading.scene.time.steps = static_cast<Count>(std::round(steps));
}

void check_time(const SceneTable& table, SceneChecking& checking, const std::string&, void*) {
  TimeTable time{checking.scene.time.step, checking.scene.time.steps, std::nullopt};
  if (!checking.report.is_bad_itself("time")) checking.rows(table.schema, "time", &time);
}

void check_step(const Assembly& a) {
  require_argument(a.scene.time.step > 0.0 && std::isfinite(a.scene.time.step),
                   "assembly: the time step is not positive and finite");
}

}  // namespace

bool check_duration(const SourceMap& source, double duration, double step, Report& report) {
  const double steps = duration / step, whole = std::round(steps);
  if (steps < most_steps && std::abs(steps - whole) <= 1e-6) return true;
  // The overridden one of the two is at fault.
  const bool blame_step =
      place_of(source, "time.step").line == 0 && place_of(source, "time.duration").line > 0;
  const double count = std::max(whole, 1.0);
  const std::string such_as = blame_step ? "\"step\" = " + short_number(duration / count, 1e-7 / count)
                                         : "\"duration\" = " + short_number(count * step, 1e-7 / count);
  report.add(source, blame_step ? "time.step" : "time.duration",
             "\"duration\" = " + number_text(duration) + " is " + number_text(steps) +
                 " steps of \"step\" = " + number_text(step),
             steps < most_steps ? "allowed: a whole number of steps, such as with " + such_as
                                : "allowed: at most " + number_text(most_steps) + " steps");
  return false;
}

TimeLeg TimeOptions::leg_at(Count n) const {
  const auto later = std::upper_bound(legs.begin(), legs.end(), n,
                                      [](Count at, const TimeLeg& leg) { return at < leg.step; });
  return later == legs.begin() ? TimeLeg{0, 0.0, step} : *(later - 1);
}

double TimeOptions::at(Count n, double fraction) const {
  const TimeLeg leg = leg_at(n);
  return leg.time + (static_cast<double>(n - leg.step) + fraction) * leg.time_step;
}

void TimeOptions::change_step(Count n, double time_step) {
  const double time = at(n), before = leg_at(std::max<Count>(n - 1, 0)).time_step;
  std::erase_if(legs, [&](const TimeLeg& leg) { return leg.step >= n; });
  step = time_step;
  if (n > 0 && same_bits(before, time_step)) return;
  if (n > 0 && legs.empty()) legs.push_back({0, 0.0, before});
  legs.push_back({n, time, time_step});
}

SceneTable time_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {.name = "time",
                  .is_required = true,
                  .description = "The time step and the length of the run.",
                  .rows = {row<&TimeTable::step>("step").unit("s").above(0).required().says("Time step h."),
                           row<&TimeTable::duration>("duration")
                               .unit("s")
                               .at_least(0)
                               .says("Length of the run: a whole number of steps (to 1e-6 of a step)."),
                           row<&TimeTable::steps>("steps").at_least(0).says("Number of steps.")},
                  .alternatives = {{.keys = {"steps", "duration"}, .one_is_required = true}}};
  table.read = read_time;
  table.check = check_time;
  table.check_assembly = check_step;
  return table;
}

}  // namespace electret
