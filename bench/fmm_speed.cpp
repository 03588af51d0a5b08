/// The fast multipole method's time and true error by cloud, size and accuracy.
///
///   bench_fmm_speed [--benchmark_filter=…]
///
/// Each row is the median of evaluations (prepare and field, all included) on all threads, the positions
/// moved by 1e-4 of the cloud's size before each. `L2` is the true relative error at 1000 targets, `pairs`
/// the time in equivalents of ordered pairs of the direct float32 sum measured in the same run on one core,
/// `ns_a_charge` the time over n, `products` the time of field and derivative products in one pass over that
/// of the field. Rows `products` have a backward step's products alone over the field alone, in processor
/// time on one thread.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <string>

#include <benchmark/benchmark.h>
#include <support/point_clouds.hpp>

#include <electret/core/instruction_set.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/field.hpp>
#include <electret/field/solver.hpp>

namespace {

using namespace electret;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Ordered pairs a second of the direct float32 kernel at other targets (one-sided), one thread.
double direct_rate() {
  static const double rate = [] {
    Threads threads(1);
    const auto cloud = test::make_cloud("cube", 8000, false);
    auto targets = test::make_cloud("cube", 2048, false, 9);
    for (auto& x : targets.positions) x += Vec3{3, 0, 0};  // no close pairs: no second sum
    const auto direct =
        direct::make_direct_field_solver({}, threads, instruction_set(), direct::Arithmetic::float32);
    VectorArray field(2048);
    double best = 1e30;
    for (int k = 0; k < 7; ++k) {
      const auto start = Clock::now();
      direct->prepare(cloud.positions, targets.positions);
      direct->field(cloud.charges, field, {});
      best = std::min(best, seconds_since(start));
    }
    return 8000.0 * 2048.0 / best;
  }();
  return rate;
}

const test::Cloud& cloud_of(const std::string& kind, int n) {
  static std::map<std::pair<std::string, int>, test::Cloud> clouds;
  const auto [at, is_new] = clouds.try_emplace({kind, n});
  if (is_new) at->second = test::make_cloud(kind, n, false);
  return at->second;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

void evaluate(benchmark::State& state, const std::string& kind, int n, const std::string& solver_name,
              double accuracy, double softening = 0.0) {
  const test::Cloud& cloud = cloud_of(kind, n);
  const auto count = static_cast<std::size_t>(n);
  FieldOptions options;
  options.solver = solver_name;
  options.accuracy = accuracy;
  options.softening = softening;
  Threads threads;
  const auto solver = make_field_solver(options, n, threads);
  VectorArray positions = cloud.positions, field(count), product(count);
  const VectorArray moves = test::random_vectors(n, 3);
  std::vector<double> gradient(count), times, product_times;
  double step = 1e-4;
  for (auto _ : state) {
    for (std::size_t i = 0; i < count; ++i) positions[i] += step * moves[i];
    step = -step;
    const auto start = Clock::now();
    solver->prepare(positions);
    solver->field(cloud.charges, field, {});
    times.push_back(seconds_since(start));
    state.SetIterationTime(times.back());
    const auto again = Clock::now();
    solver->prepare(positions);
    solver->field_and_products(cloud.charges, moves, field, {}, product, gradient);
    product_times.push_back(seconds_since(again));
  }
  solver->field(cloud.charges, field, {});
  const double time = median(times);
  state.counters["median_ms"] = 1e3 * time;
  state.counters["L2"] = verify_field(positions, cloud.charges, field, options, 1000).relative;
  state.counters["pairs"] = time * direct_rate();
  state.counters["ns_a_charge"] = 1e9 * time / n;
  state.counters["products"] = median(product_times) / time;
}

/// Seconds of processor time of all threads: another program on the machine adds little to it.
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// A backward step's products (Jᵀz and the charges' gradient in one pass) beside the field alone, in turn.
void evaluate_products(benchmark::State& state, int n, const std::string& solver_name) {
  const test::Cloud& cloud = cloud_of("cube", n);
  const auto count = static_cast<std::size_t>(n);
  FieldOptions options;
  options.solver = solver_name;
  Threads threads(1);
  const auto solver = make_field_solver(options, n, threads);
  VectorArray field(count), product(count);
  const VectorArray z = test::random_vectors(n, 3);
  std::vector<double> gradient(count), of_field, of_products;
  for (auto _ : state) {
    const double start = processor_seconds();
    solver->prepare(cloud.positions);
    solver->field(cloud.charges, field, {});
    const double between = processor_seconds();
    solver->prepare(cloud.positions);
    solver->products(cloud.charges, z, product, gradient);
    of_field.push_back(between - start);
    of_products.push_back(processor_seconds() - between);
  }
  state.counters["field_ms"] = 1e3 * median(of_field);
  state.counters["products_ms"] = 1e3 * median(of_products);
  state.counters["ratio"] = median(of_products) / median(of_field);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const int n : {1000, 100000})
    benchmark::RegisterBenchmark(
        ("products/cube/" + std::to_string(n)).c_str(),
        [=](benchmark::State& state) { evaluate_products(state, n, n < 5000 ? "direct" : "fmm"); })
        ->Iterations(n < 5000 ? 101 : 7);
  for (const std::string kind : {"cube", "torus", "clusters"})
    for (const int n : {10000, 100000, 1000000})
      for (const double accuracy : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
        benchmark::RegisterBenchmark(
            ("fmm/" + kind + "/" + std::to_string(n) + "/" +
             std::to_string(static_cast<int>(-std::log10(accuracy) + 0.5)) + "_digits")
                .c_str(),
            [=](benchmark::State& state) { evaluate(state, kind, n, "fmm", accuracy); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond)
            ->Iterations(n >= 1000000 ? 5 : 11);
  // Softened by a two-hundredth of the cube's side and by its side over the cube root of n.
  for (const int n : {10000, 100000, 1000000})
    for (const double softening : {0.01, 2.0 / std::cbrt(n)})
      for (const std::string solver : {"fmm", "direct"})
        for (const double accuracy : {1e-2, 1e-3, 1e-4}) {
          if (solver == "direct" && n > 100000) continue;
          benchmark::RegisterBenchmark(
              ("softened/cube/" + std::to_string(n) + "/" + std::to_string(softening) + "/" +
               std::to_string(static_cast<int>(-std::log10(accuracy) + 0.5)) + "_digits/" + solver)
                  .c_str(),
              [=](benchmark::State& state) { evaluate(state, "cube", n, solver, accuracy, softening); })
              ->UseManualTime()
              ->Unit(benchmark::kMillisecond)
              ->Iterations(n >= 1000000 || solver == "direct" ? 3 : 7);
        }
  for (const std::string kind : {"cube", "torus"})
    for (const int n : {1000, 2000, 4000, 8000, 16000, 32000, 64000})
      for (const std::string solver : {"direct", "fmm"})
        for (const double accuracy : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8})
          benchmark::RegisterBenchmark(("softened_crossover/" + kind + "/" +
                                        std::to_string(static_cast<int>(-std::log10(accuracy) + 0.5)) +
                                        "_digits/" + std::to_string(n) + "/" + solver)
                                           .c_str(),
                                       [=](benchmark::State& state) {
                                         evaluate(state, kind, n, solver, accuracy, 2.0 / std::cbrt(n));
                                       })
              ->UseManualTime()
              ->Unit(benchmark::kMillisecond)
              ->Iterations(5);
  for (const std::string kind : {"cube", "torus"})
    for (const int n : {1000, 2000, 3000, 4000, 6000, 8000, 12000})
      for (const std::string solver : {"direct", "fmm"})
        for (const double accuracy : {1e-2, 1e-3, 1e-4, 1e-6, 1e-8})
          benchmark::RegisterBenchmark(
              ("crossover/" + kind + "/" + std::to_string(static_cast<int>(-std::log10(accuracy) + 0.5)) +
               "_digits/" + std::to_string(n) + "/" + solver)
                  .c_str(),
              [=](benchmark::State& state) { evaluate(state, kind, n, solver, accuracy); })
              ->UseManualTime()
              ->Unit(benchmark::kMillisecond)
              ->Iterations(9);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
