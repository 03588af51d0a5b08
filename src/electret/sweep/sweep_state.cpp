#include <algorithm>
#include <cmath>
#include <map>

#include <electret/sweep/sweep_rows.hpp>
#include <electret/sweep/sweep_state.hpp>

namespace electret {
namespace {

constexpr std::size_t most_told = 100;

/// Of a run whose process died they are unknown.
void add_times(SweepState& state, double wall, double cpu) {
  if (!std::isfinite(wall) || !std::isfinite(cpu)) return;
  state.wall += wall;
  state.cpu += cpu;
  ++state.timed;
}

}  // namespace

SweepState sweep_state(const SweepFolder& folder, const SweepPlan& plan) {
  SweepState state;
  state.runs = plan.design.runs();
  state.statuses.assign(static_cast<std::size_t>(state.runs), SweepState::none);
  state.begun.assign(state.statuses.size(), 0);
  std::map<Count, std::string> notes;
  const PartReader reader(plan);
  for (const std::string& path : folder.part_files()) {
    const PartRows part = reader.read(path, 0);
    state.faults.insert(state.faults.end(), part.faults.begin(), part.faults.end());
    add_begun(part, state.begun);
    for (std::size_t k = 0; k < part.runs.size(); ++k) {
      add_times(state, part.number("wall", part.places[k].row), part.number("cpu", part.places[k].row));
      signed char& known = state.statuses[static_cast<std::size_t>(part.runs[k])];
      const SweepStatus now = part.places[k].status;
      if (known != SweepState::none && !is_better(now, static_cast<SweepStatus>(known))) continue;
      known = static_cast<signed char>(now);
      if (!is_result(now) && (notes.size() < most_told || notes.contains(part.runs[k])))
        notes[part.runs[k]] = part.note(part.runs[k]);
    }
  }
  for (Count run = 0; run < state.runs; ++run) {
    const auto at = static_cast<std::size_t>(run);
    if (state.statuses[at] == SweepState::none) {
      state.missing.push_back(run);
      continue;
    }
    const auto status = static_cast<SweepStatus>(state.statuses[at]);
    state.counts.add(status);
    if (!is_result(status) && state.without_result.size() < most_told)
      state.without_result.push_back({run, status, {}, notes[run]});
  }
  return state;
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
  const PartReader reader(plan);
  const auto columns = plan.columns();
  for (const std::string& path : folder.part_files()) {
    const PartRows part = reader.read(path, 0);
    for (std::size_t k = 0; k < part.runs.size(); ++k) {
      if (part.runs[k] != run || (found && !is_better(part.places[k].status, found->status))) continue;
      found = SweepRow{run, part.places[k].status, {}, part.note(run)};
      for (const ResultColumn& column : columns) {
        const std::size_t width = column.width();
        auto& values = found->values.emplace_back();
        if (width > PartRows::narrow) continue;
        const auto from =
            part.values.at(column.name).begin() + static_cast<std::ptrdiff_t>(part.places[k].row * width);
        values.assign(from, from + static_cast<std::ptrdiff_t>(width));
      }
    }
  }
  return found;
}

}  // namespace electret
