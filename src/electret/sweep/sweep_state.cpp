#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <electret/record/unreadable_error.hpp>
#include <electret/sweep/sweep_rows.hpp>
#include <electret/sweep/sweep_state.hpp>

namespace electret {
namespace {

/// Of a run whose process died they are unknown.
void add_times(SweepState& state, double wall, double cpu) {
  if (!std::isfinite(wall) || !std::isfinite(cpu)) return;
  state.wall += wall;
  state.cpu += cpu;
  ++state.timed;
}

/// Reads parts, one after the other, and lets each go.
class StateReader {
 public:
  StateReader(const SweepFolder& folder, const SweepPlan& plan)
      : parts_(folder.part_files()), reader_(plan, PartReader::Keep::times) {
    state_.runs = plan.design.runs();
    state_.statuses.assign(static_cast<std::size_t>(state_.runs), SweepState::none);
    state_.begun.assign(state_.statuses.size(), 0);
    counted_.resize(state_.statuses.size());
  }

  SweepState read() {
    for (std::size_t k = 0; k < parts_.size(); ++k) take(k);
    for (Count run = 0; run < state_.runs; ++run) count(run);
    add_notes();
    return std::move(state_);
  }

 private:
  /// The row of a run that counts.
  struct Counted {
    std::int32_t part = 0;
    std::uint32_t row = 0;
  };

  void take(std::size_t number) {
    const PartRows part = reader_.read(parts_[number]);
    orders_.push_back(part.order);
    state_.faults.insert(state_.faults.end(), part.faults.begin(), part.faults.end());
    add_begun(part, state_.begun);
    for (std::size_t k = 0; k < part.runs.size(); ++k) {
      const auto at = static_cast<std::size_t>(part.runs[k]);
      const RowPlace& place = part.places[k];
      add_times(state_, part.number("wall", place.row), part.number("cpu", place.row));
      signed char& known = state_.statuses[at];
      const RowRank now{place.status, part.order};
      if (known != SweepState::none &&
          !is_better(now,
                     {static_cast<SweepStatus>(known), orders_[static_cast<std::size_t>(counted_[at].part)]}))
        continue;
      known = static_cast<signed char>(place.status);
      counted_[at] = {static_cast<std::int32_t>(number), place.row};
    }
  }

  void count(Count run) {
    const signed char known = state_.statuses[static_cast<std::size_t>(run)];
    if (known == SweepState::none) return state_.missing.push_back(run);
    const auto status = static_cast<SweepStatus>(known);
    state_.counts.add(status);
    constexpr std::size_t most_told = 100;
    if (!is_result(status) && state_.without_result.size() < most_told)
      state_.without_result.push_back({run, status, {}, {}});
  }

  /// The causes of the runs that are told. Each part that has some is opened once more.
  void add_notes() {
    std::map<std::int32_t, std::vector<SweepRow*>> by_part;
    for (SweepRow& row : state_.without_result)
      by_part[counted_[static_cast<std::size_t>(row.run)].part].push_back(&row);
    for (const auto& [part, rows] : by_part) {
      try {
        const ResultTableReader table(parts_[static_cast<std::size_t>(part)]);
        for (SweepRow* row : rows) row->note = table.note(counted_[static_cast<std::size_t>(row->run)].row);
      } catch (const UnreadableError&) {  // It was removed meanwhile.
      }
    }
  }

  std::vector<std::string> parts_;
  PartReader reader_;
  SweepState state_;
  std::vector<Count> orders_;     ///< Of the parts.
  std::vector<Counted> counted_;  ///< Of each run that has a row.
};

}  // namespace

SweepState sweep_state(const SweepFolder& folder, const SweepPlan& plan) {
  return StateReader(folder, plan).read();
}

void SweepState::ask_again(const std::vector<SweepStatus>& ended_as) {
  counts = {};
  missing.clear();
  for (Count run = 0; run < runs; ++run) {
    signed char& status = statuses[static_cast<std::size_t>(run)];
    const auto known = static_cast<SweepStatus>(status);
    if (status != none && std::find(ended_as.begin(), ended_as.end(), known) != ended_as.end()) {
      status = none;
      begun[static_cast<std::size_t>(run)] = 0;
    }
    if (status == none)
      missing.push_back(run);
    else
      counts.add(known);
  }
  std::erase_if(without_result,
                [this](const SweepRow& row) { return statuses[static_cast<std::size_t>(row.run)] == none; });
}

std::optional<SweepRow> find_row(const SweepFolder& folder, const SweepPlan& plan, Count run) {
  std::optional<SweepRow> found;
  Count order = 0;
  const PartReader reader(plan);
  const auto columns = plan.columns();
  for (const std::string& path : folder.part_files()) {
    const PartRows part = reader.read(path, 0);
    for (std::size_t k = 0; k < part.runs.size(); ++k) {
      if (part.runs[k] != run) continue;
      if (found && !is_better({part.places[k].status, part.order}, {found->status, order})) continue;
      order = part.order;
      found = SweepRow{run, part.places[k].status, {}, part.note(run)};
      for (const ResultColumn& column : columns) {
        const std::size_t width = column.width();
        auto& values = found->values.emplace_back();
        if (width > PartRows::narrow || column.name == "values") continue;
        const auto from =
            part.values.at(column.name).begin() + static_cast<std::ptrdiff_t>(part.places[k].row * width);
        values.assign(from, from + static_cast<std::ptrdiff_t>(width));
      }
    }
  }
  return found;
}

}  // namespace electret
