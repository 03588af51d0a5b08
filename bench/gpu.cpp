/// The field on a device: time, share of the device's issue slots, true error, and the CPU beside it.
///
///   bench_gpu [--device gpu:NAME] [--json FILE | --benchmark_format=json] [--most CHARGES]
///             [--only direct | ddef | fmm | softened | start]
///
/// `start` measures what the first use in a process takes. Of the others, one row a solver, cloud, number of
/// charges and accuracy. `total` is the median time of prepare and field,
/// copies included; `field` that of field alone, the positions as before; `kernels` the time in which kernels
/// ran, by the device's own clock, and `copies` that of copies. `L2` is the true relative error at 500
/// targets. `cpu` is the median of prepare and field on the CPU with two threads, in the same run. Below each
/// row stand the kernels that took most. The device's times include no wait of its queue for the host.
/// `both` is the time of field and derivative products in one pass, as a backward step needs them, and `cpu`
/// after it the CPU's.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <support/point_clouds.hpp>

#include <electret/core/errors.hpp>
#include <electret/field/field.hpp>
#include <electret/field/gpu/limits.hpp>
#include <electret/field/gpu/self_test.hpp>
#include <electret/field/gpu/solvers.hpp>

#include "gpu_rows.hpp"

namespace {

using namespace electret;
using bench::Row;
using bench::solver_on;
using Clock = std::chrono::steady_clock;

struct Settings {
  std::string device = "gpu", only, json;
  Count most = 1'000'000;
};

struct Figures {
  double total = 0, field = 0, kernels = 0, copies = 0, error = 0, cpu = 0, both = 0, cpu_both = 0;
  double allocated = 0, told = 0;  ///< Bytes of the device, and what limits.hpp tells.
  std::vector<gpu::Timing> timings;
};

double seconds_of(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The median of 3 to 25 runs within half a second; one run if it takes longer.
double median_of(const std::function<void()>& work) {
  std::vector<double> times;
  for (double sum = 0; times.size() < 25 && (sum < 0.5 || (times.size() < 3 && times[0] < 0.5));
       sum += times.back())
    times.push_back(seconds_of(work));
  return bench::median(times);
}

Figures measure(const Row& row, const Settings& settings) {
  Threads threads, two(2);
  const test::Cloud cloud = test::make_cloud(row.cloud, static_cast<int>(row.charges), false);
  const std::size_t n = cloud.positions.size();
  VectorArray field(n), product(n);
  std::vector<double> potential(n), gradient(n);
  const VectorArray z = test::random_vectors(static_cast<int>(n), 3);
  Figures figures;
  const auto evaluate = [&](FieldSolver& solver, bool prepare) {
    if (prepare) solver.prepare(cloud.positions);
    solver.field(cloud.charges, field, potential);
  };
  const auto evaluate_both = [&](FieldSolver& solver) {
    solver.field_and_products(cloud.charges, z, field, potential, product, gradient);
  };
  {
    const auto solver = solver_on(gpu::open_device(settings.device), row, threads);
    evaluate(*solver, true);
    figures.total = median_of([&] { evaluate(*solver, true); });
    figures.field = median_of([&] { evaluate(*solver, false); });
    FieldOptions options;
    options.softening = row.softening;
    figures.error =
        verify_field(cloud.positions, cloud.charges, field, options, row.charges > 1'000'000 ? 50 : 500)
            .relative;
    evaluate_both(*solver);
    figures.both = median_of([&] { evaluate_both(*solver); });
  }
  {
    auto device = gpu::open_device(settings.device, true);
    gpu::Device& timed = *device;
    const auto solver = solver_on(std::move(device), row, threads);
    evaluate(*solver, true);
    evaluate_both(*solver);
    (void)timed.timings();
    evaluate(*solver, true);
    figures.timings = timed.timings();
    figures.allocated = static_cast<double>(timed.allocated());
    figures.told =
        static_cast<double>(gpu::memory_need(row.solver, bench::options_of(row), row.charges).total);
    for (const gpu::Timing& timing : figures.timings)
      (timing.what == "upload" || timing.what == "download" ? figures.copies : figures.kernels) +=
          timing.seconds;
    std::sort(figures.timings.begin(), figures.timings.end(),
              [](const gpu::Timing& a, const gpu::Timing& b) { return a.seconds > b.seconds; });
  }
  const bool cpu_takes_long = row.charges > (row.solver != "direct" ? 1'000'000
                                             : row.softening > 0.0  ? 20'000
                                                                    : 100'000);
  if (!cpu_takes_long) {
    FieldOptions options = bench::options_of(row);
    options.device = "cpu";
    const auto cpu = make_field_solver(options, row.charges, two);
    if (row.charges < 100'000) evaluate(*cpu, true);
    figures.cpu = median_of([&] { evaluate(*cpu, true); });
    figures.cpu_both = median_of([&] { evaluate_both(*cpu); });
  }
  return figures;
}

std::string json_of(const Row& row, const Figures& f) {
  char text[768];
  std::snprintf(
      text, sizeof text,
      R"({"solver":"%s","cloud":"%s","charges":%ld,"accuracy":%g,"softening":%g,"total_s":%.6g,"field_s":%.6g,)"
      R"("kernels_s":%.6g,"copies_s":%.6g,"error":%.3g,"cpu_two_threads_s":%.6g,"both_s":%.6g,"cpu_both_s":%.6g,)"
      R"("allocated_bytes":%.0f,"told_bytes":%.0f,"kernels":{)",
      row.solver.c_str(), row.cloud.c_str(), static_cast<long>(row.charges), row.accuracy, row.softening,
      f.total, f.field, f.kernels, f.copies, f.error, f.cpu, f.both, f.cpu_both, f.allocated, f.told);
  std::string json = text;
  for (const gpu::Timing& timing : f.timings) {
    std::snprintf(text, sizeof text, R"("%s":[%ld,%.6g],)", timing.what.c_str(),
                  static_cast<long>(timing.count), timing.seconds);
    json += text;
  }
  if (json.back() == ',') json.pop_back();
  return json + "}}";
}

/// With JSON on standard output, the table goes to standard error.
void print(std::FILE* table, const Row& row, const Figures& f) {
  std::fprintf(table,
               "%-7s %-8s %9ld %7.0e %5.2g  %10.3f %10.3f %10.3f %9.3f  %8.2e  %9.2f %7.1f %7.1f  %9.3f "
               "%9.2f  %.0f of %.0f "
               "MB",
               row.solver.c_str(), row.cloud.c_str(), static_cast<long>(row.charges), row.accuracy,
               row.softening, 1e3 * f.total, 1e3 * f.field, 1e3 * f.kernels, 1e3 * f.copies, f.error,
               1e3 * f.cpu, f.cpu / f.total, f.cpu / f.kernels, 1e3 * f.both, 1e3 * f.cpu_both,
               1e-6 * f.allocated, 1e-6 * f.told);
  const auto n = static_cast<double>(row.charges);
  if (row.solver == "direct") std::fprintf(table, "  %.0f Gpairs/s", 1e-9 * n * n / f.kernels);
  std::fprintf(table, "\n       ");
  for (std::size_t k = 0; k < std::min<std::size_t>(9, f.timings.size()); ++k)
    std::fprintf(table, " %s %ldx %.3f", f.timings[k].what.c_str(), static_cast<long>(f.timings[k].count),
                 1e3 * f.timings[k].seconds);
  std::fprintf(table, "\n");
  std::fflush(table);
}

std::vector<Row> rows_of(const Settings& settings) {
  std::vector<Row> rows;
  const auto add = [&](const Row& row) {
    const std::string part = row.softening > 0.0 ? "softened" : row.solver;
    if (row.charges <= settings.most && (settings.only.empty() || settings.only == part)) rows.push_back(row);
  };
  for (const Count n : {1'000, 10'000, 50'000, 100'000, 1'000'000})
    for (const double accuracy : {1e-3, 1e-5, 1e-12})
      if (n <= 100'000 || accuracy == 1e-3) add({"direct", "cube", n, accuracy});
  for (const Count n : {20'000, 200'000, 1'000'000}) add({"ddef", "cube", n, 1e-3});
  // What is asked for most comes first, in case that the time ends.
  for (const double accuracy : {1e-3, 1e-6, 1e-2, 1e-4})
    for (const Count n : {1'000'000, 100'000, 1'000, 10'000, 30'000}) add({"fmm", "cube", n, accuracy});
  add({"fmm", "cube", 10'000'000, 1e-3});
  for (const Count n : {10'000, 30'000, 100'000, 1'000'000})
    for (const double softening : {0.003, 0.03}) {
      add({"fmm", "cube", n, 1e-3, softening});
      if (n <= 100'000) add({"direct", "cube", n, 1e-3, softening});
    }
  // What the rows of `auto` for softened charges rest on.
  for (const double softening : {0.003, 0.03, 0.3}) {
    if (softening == 0.3) add({"fmm", "cube", 100'000, 1e-3, softening});
    for (const double accuracy : {1e-4, 1e-6}) add({"fmm", "cube", 100'000, accuracy, softening});
  }
  for (const char* cloud : {"torus", "clusters"}) add({"fmm", cloud, 1'000'000, 1e-3});
  return rows;
}

/// What the first use in a process takes: finding the devices, testing this one (its verdict may be in the
/// kernel cache), and the first field of 10 000 charges, whose kernels may be there, too. `found` is the
/// first.
std::string start(const Settings& settings, std::FILE* table, double found) {
  const bool first_use = gpu::is_first_use(settings.device);
  const double tested = seconds_of([&] { gpu::require_self_test(settings.device); });
  const test::Cloud cloud = test::make_cloud("cube", 10'000, false);
  VectorArray field(cloud.positions.size());
  FieldOptions options;
  options.accuracy = 1e-3;
  Threads threads;
  const double first = seconds_of([&] {
    const auto solver = gpu::make_field_solver("fmm", options, threads, settings.device);
    solver->prepare(cloud.positions);
    solver->field(cloud.charges, field, {});
  });
  std::fprintf(table, "%s: devices found in %.3f s, self-test %.3f s, first field of 10 000 charges %.3f s\n",
               first_use ? "first use" : "later use", found, tested, first);
  char text[256];
  std::snprintf(text, sizeof text,
                R"({"first_use":%s,"found_s":%.6g,"self_test_s":%.6g,"first_field_s":%.6g})",
                first_use ? "true" : "false", found, tested, first);
  return std::string("[\n") + text;
}

/// Measures all rows. After each, the file has what is known until then.
std::string measure_all(const Settings& settings, std::FILE* table) {
  std::fprintf(table,
               "solver  cloud      charges accuracy soft.   total ms   field ms kernels ms copies ms       "
               " L2  cpu(2) ms  "
               " "
               "times without copies  both ms    cpu ms\n");
  std::string json;
  for (const Row& row : rows_of(settings)) {
    try {
      const Figures figures = measure(row, settings);
      print(table, row, figures);
      json += (json.empty() ? "[\n" : ",\n") + json_of(row, figures);
    } catch (const std::exception& error) {
      std::fprintf(table, "%s %s %ld: %s\n", row.solver.c_str(), row.cloud.c_str(),
                   static_cast<long>(row.charges), error.what());
    }
    if (!settings.json.empty() && settings.json != "-") std::ofstream(settings.json) << json << "\n]\n";
  }
  return json;
}

Settings settings_of(int count, char** words) {
  Settings settings;
  for (int k = 1; k < count; ++k) {
    const std::string word = words[k];
    if (word == "--benchmark_format=json") {
      settings.json = "-";
      continue;
    }
    const auto value = [&]() -> std::string {
      if (k + 1 == count) throw std::runtime_error("bench_gpu: " + word + " needs a value");
      return words[++k];
    };
    if (word == "--device")
      settings.device = value();
    else if (word == "--json")
      settings.json = value();
    else if (word == "--only")
      settings.only = value();
    else if (word == "--most")
      settings.most = std::stol(value());
    else
      throw std::runtime_error("bench_gpu: unknown option " + word);
  }
  return settings;
}

}  // namespace

int main(int count, char** words) {
  try {
    const Settings settings = settings_of(count, words);
    std::FILE* table = settings.json == "-" ? stderr : stdout;
    gpu::Facts facts;
    const double found = seconds_of([&] { facts = gpu::device_facts(settings.device); });
    std::fprintf(table, "%s, driver %s, %s, %ld compute units at %ld MHz\n", facts.name.c_str(),
                 facts.driver.c_str(), facts.version.c_str(), static_cast<long>(facts.compute_units),
                 static_cast<long>(facts.clock));
    const std::string json =
        settings.only == "start" ? start(settings, table, found) : measure_all(settings, table);
    if (settings.json == "-")
      std::cout << json << "\n]\n";
    else if (!settings.json.empty())
      std::ofstream(settings.json) << json << "\n]\n";
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
