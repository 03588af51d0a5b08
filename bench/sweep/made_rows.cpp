/// \file
/// Gives every run of a sweep that has begun a made-up result, so that what many runs cost the command can be
/// measured without doing them.
///
///   bench_sweep_rows DIR

#include <algorithm>
#include <cstdio>
#include <exception>

#include <electret/sweep/sweep_folder.hpp>

namespace {

constexpr electret::Count rows_of_a_part = 100'000;

void fill(const electret::SweepFolder& folder, const electret::SweepPlan& plan) {
  const auto columns = plan.columns();
  const electret::Count runs = plan.design.runs();
  for (electret::Count first = 0; first < runs; first += rows_of_a_part) {
    const electret::Count end = std::min(first + rows_of_a_part, runs);
    electret::PartWriter part(folder, plan, first, end - 1);
    for (electret::Count run = first; run < end; ++run) {
      part.begin(run);
      electret::SweepRow row = electret::row_without_result(plan, run, electret::SweepStatus::done, "");
      std::ranges::fill(electret::column_of(row, columns, "quantities"), 1.0 / static_cast<double>(run + 1));
      for (const char* time : {"wall", "cpu"}) electret::column_of(row, columns, time) = {1e-3};
      part.add(row);
    }
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("Usage: bench_sweep_rows DIR\n", stderr);
    return 2;
  }
  try {
    const electret::SweepFolder folder(words[1]);
    fill(folder, folder.plan());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_sweep_rows: %s\n", error.what());
    return 1;
  }
}
