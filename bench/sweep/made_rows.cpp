/// \file
/// Gives every run of a sweep that has begun a made-up result, so that what many runs cost the command can be
/// measured without doing them.
///
///   bench_sweep_rows DIR [ROWS_OF_A_PART]

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include <electret/core/instruction_set.hpp>
#include <electret/core/version.hpp>
#include <electret/record/result_table.hpp>
#include <electret/sweep/sweep_folder.hpp>
#include <electret/sweep/sweep_run.hpp>

namespace {

/// A part as PartWriter makes it, but its rows written at once: a flush for each would take minutes.
void fill(const electret::SweepFolder& folder, const electret::SweepPlan& plan, electret::Count first,
          electret::Count end) {
  const auto columns = plan.columns();
  std::vector<electret::Count> runs;
  std::vector<std::vector<double>> values(columns.size());
  for (electret::Count run = first; run < end; ++run) {
    electret::SweepRow row = electret::row_without_result(plan, run, electret::SweepStatus::done, "");
    std::ranges::fill(electret::column_of(row, columns, "quantities"), 1.0 / static_cast<double>(run + 1));
    for (const char* time : {"wall", "cpu"}) electret::column_of(row, columns, time) = {1e-3};
    runs.push_back(run);
    for (std::size_t k = 0; k < columns.size(); ++k)
      values[k].insert(values[k].end(), row.values[k].begin(), row.values[k].end());
  }
  electret::ResultTableWriter table(folder.new_part(first, end - 1), columns,
                                    {{"version", electret::version},
                                     {"instructions", name_of(electret::instruction_set())},
                                     {"host", "bench"},
                                     {"identity", plan.common_hash()}});
  table.add_rows(runs, values);
  table.close();
}

}  // namespace

int main(int count, char** words) {
  const electret::Count rows_of_a_part = count > 2 ? std::atoll(words[2]) : 100'000;
  if (count < 2 || count > 3 || rows_of_a_part < 1) {
    std::fputs("Usage: bench_sweep_rows DIR [ROWS_OF_A_PART]\n", stderr);
    return 2;
  }
  try {
    const electret::SweepFolder folder(words[1]);
    const electret::SweepPlan plan = folder.plan();
    const electret::Count all = plan.design.runs();
    for (electret::Count first = 0; first < all; first += rows_of_a_part)
      fill(folder, plan, first, std::min(first + rows_of_a_part, all));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_sweep_rows: %s\n", error.what());
    return 1;
  }
}
