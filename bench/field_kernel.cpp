/// How fast the direct solver sums pairs, and how near that is to what the processor's ports allow.
///
///   bench_field_kernel [--benchmark_filter=…]
///
/// Each row is one evaluation (positions set, field summed) on one thread: `pairs/s` counts ordered pairs,
/// `port_limit` the pairs/s of the float32 kernel's arithmetic alone (below), `of_limit` their ratio. The
/// limit is measured beside each row, in CPU time, so that a change of clock touches both alike. The rows
/// `products` sum field, potential, Jᵀz and charge gradient in one pass, which is one-sided; `of_field` is
/// their time over that of the one-sided field and potential, the two measured in turn, and `of_bare_field`
/// over that of the field alone.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>

#include <benchmark/benchmark.h>

#include <electret/core/instruction_set.hpp>
#include <electret/field/direct/direct.hpp>

namespace {

using namespace electret;
using direct::Arithmetic;
using direct::InstructionSet;

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

#ifdef __x86_64__
// The arithmetic of one source on one register of targets in the plain float32 kernel without potential, on
// registers that wait for nothing: 3 differences, 3 fused multiply-adds for ρ², the estimate of 1/ρ, 5
// operations for q ρ⁻³, 3 fused multiply-adds to the sums. No loads, no loop, no tracking of close pairs.
// Twelve destinations, so that a chain through one register is too short to wait for.
#define MIX(REG, RSQRT, A, B, C, D, E, F)                                                                \
  "vsubps %%" REG "0, %%" REG "1, %%" REG A "\n vfmadd213ps %%" REG "0, %%" REG "1, %%" REG B            \
  "\n"                                                                                                   \
  "vsubps %%" REG "0, %%" REG "1, %%" REG C "\n vfmadd213ps %%" REG "0, %%" REG "1, %%" REG D            \
  "\n"                                                                                                   \
  "vsubps %%" REG "0, %%" REG "1, %%" REG E "\n vfmadd213ps %%" REG "0, %%" REG "1, %%" REG F "\n" RSQRT \
  " %%" REG "0, %%" REG A "\n vmulps %%" REG "0, %%" REG "1, %%" REG C                                   \
  "\n"                                                                                                   \
  "vfmadd213ps %%" REG "0, %%" REG "1, %%" REG B "\n vmulps %%" REG "0, %%" REG "1, %%" REG E            \
  "\n"                                                                                                   \
  "vmulps %%" REG "0, %%" REG "1, %%" REG A "\n vmulps %%" REG "0, %%" REG "1, %%" REG C                 \
  "\n"                                                                                                   \
  "vfmadd213ps %%" REG "0, %%" REG "1, %%" REG D "\n vfmadd213ps %%" REG "0, %%" REG "1, %%" REG F       \
  "\n vfmadd213ps %%" REG "0, %%" REG "1, %%" REG B "\n"
#define TWO_MIXES(REG, RSQRT) \
  MIX(REG, RSQRT, "2", "3", "4", "5", "6", "7") MIX(REG, RSQRT, "8", "9", "10", "11", "12", "13")
#define CLOBBERED                                                                                            \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", \
      "xmm13"

constexpr int repetitions = 200000, mixes = 4;

void mix_avx2() {
  asm volatile("vpxor %%xmm0, %%xmm0, %%xmm0\n vpxor %%xmm1, %%xmm1, %%xmm1\n" ::: CLOBBERED);
  for (int k = 0; k < repetitions; ++k)
    asm volatile(TWO_MIXES("ymm", "vrsqrtps") TWO_MIXES("ymm", "vrsqrtps")::: CLOBBERED);
  asm volatile("vzeroupper" ::: CLOBBERED);
}

void mix_avx512() {
  asm volatile("vpxor %%xmm0, %%xmm0, %%xmm0\n vpxor %%xmm1, %%xmm1, %%xmm1\n" ::: CLOBBERED);
  for (int k = 0; k < repetitions; ++k)
    asm volatile(TWO_MIXES("zmm", "vrsqrt14ps") TWO_MIXES("zmm", "vrsqrt14ps")::: CLOBBERED);
  asm volatile("vzeroupper" ::: CLOBBERED);
}

/// Pairs/s that the ports allow; the best of some runs of about 3 ms.
double port_limit(InstructionSet set) {
  const auto mix = set == InstructionSet::avx512 ? mix_avx512 : mix_avx2;
  const int lanes = set == InstructionSet::avx512 ? 16 : 8;
  double best = 1e9;
  for (int run = 0; run < 12; ++run) {
    const double start = cpu_seconds();
    mix();
    best = std::min(best, cpu_seconds() - start);
  }
  return static_cast<double>(lanes) * mixes * repetitions / best;
}
#else
double port_limit(InstructionSet) {
  return 0.0;
}
#endif

/// A cube of charges.
struct Charges {
  VectorArray positions;
  std::vector<double> charges;
  explicit Charges(int n) {
    for (int i = 0; i < n; ++i) {
      const double k = i + 0.5;  // an additive recurrence: evenly spread, no close pairs
      const auto part = [k](double step) { return 2.0 * (k * step - std::floor(k * step)) - 1.0; };
      positions.push_back({part(0.8191725133961645), part(0.6710436067037893), part(0.5497004779019703)});
      charges.push_back(i % 2 == 0 ? 1e-6 : -1e-6);
    }
  }
};

void evaluate(benchmark::State& state, InstructionSet set, Arithmetic arithmetic, bool with_potential) {
  const auto n = static_cast<int>(state.range(0));
  const Charges cloud(n);
  Threads threads(1);
  const auto solver = direct::make_direct_field_solver({}, threads, set, arithmetic);
  VectorArray field(cloud.positions.size());
  std::vector<double> potential(with_potential ? cloud.positions.size() : 0);
  const double limit = set == InstructionSet::portable ? 0.0 : port_limit(set);
  double best = 1e9;
  for (auto _ : state) {
    const double start = cpu_seconds();
    constexpr int pairs_a_sample = 20'000'000;
    const int times = std::max(1, pairs_a_sample / (n * n));
    for (int k = 0; k < times; ++k) {
      solver->prepare(cloud.positions);
      solver->field(cloud.charges, field, potential);
      benchmark::DoNotOptimize(field.data());
    }
    const double seconds = (cpu_seconds() - start) / times;
    best = std::min(best, seconds);
    state.SetIterationTime(seconds);
  }
  const double rate = static_cast<double>(n) * n / best;
  state.counters["pairs/s"] = rate;
  state.counters["best_us"] = 1e6 * best;
  if (limit > 0.0) {
    state.counters["port_limit"] = limit;
    state.counters["of_limit"] = rate / limit;
  }
}

/// Field and derivative products in one pass beside the one-sided field, in turn.
void evaluate_products(benchmark::State& state, InstructionSet set, Arithmetic arithmetic) {
  const auto n = static_cast<int>(state.range(0));
  Charges cloud(n);
  cloud.charges[0] = 0.0;  // forbids the symmetric sum
  Threads threads(1);
  const auto solver = direct::make_direct_field_solver({}, threads, set, arithmetic);
  const VectorArray& z = cloud.positions;
  VectorArray field(z.size()), product(z.size());
  std::vector<double> potential(z.size()), gradient(z.size());
  double best[3] = {1e9, 1e9, 1e9};  // field, field and potential, products
  for (auto _ : state) {
    constexpr int pairs_a_sample = 20'000'000;
    const int times = std::max(1, pairs_a_sample / (n * n));
    double seconds = 0.0;
    for (int what = 0; what < 3; ++what) {
      const double start = cpu_seconds();
      for (int k = 0; k < times; ++k) {
        solver->prepare(cloud.positions);
        if (what == 2)
          solver->field_and_products(cloud.charges, z, field, potential, product, gradient);
        else
          solver->field(cloud.charges, field, what == 1 ? ScalarSpan(potential) : ScalarSpan());
        benchmark::DoNotOptimize(field.data());
        benchmark::DoNotOptimize(product.data());
      }
      seconds = (cpu_seconds() - start) / times;
      best[what] = std::min(best[what], seconds);
    }
    state.SetIterationTime(seconds);
  }
  state.counters["pairs/s"] = static_cast<double>(n) * n / best[2];
  state.counters["best_us"] = 1e6 * best[2];
  state.counters["of_field"] = best[2] / best[1];
  state.counters["of_bare_field"] = best[2] / best[0];
}

void register_all() {
  for (const auto set : {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512}) {
    if (!is_supported(set)) continue;
    for (const auto& [arithmetic, name] : {std::pair{Arithmetic::float32, "float32"},
                                           std::pair{Arithmetic::float32_compensated, "float32_compensated"},
                                           std::pair{Arithmetic::float64, "float64"}}) {
      const std::string title = std::string(direct::kernels(set).instruction_set) + "/" + name;
      const auto in_microseconds = [](auto* rows) {
        return rows->UseManualTime()->Iterations(30)->Unit(benchmark::kMicrosecond);
      };
      for (const bool potential : {false, true})
        in_microseconds(
            benchmark::RegisterBenchmark((title + (potential ? "/field+potential" : "/field")).c_str(),
                                         evaluate, set, arithmetic, potential))
            ->Arg(145)
            ->Arg(1000)
            ->Arg(5000);
      in_microseconds(
          benchmark::RegisterBenchmark((title + "/products").c_str(), evaluate_products, set, arithmetic))
          ->Arg(1000)
          ->Arg(10000)
          ->Iterations(10);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  register_all();
  benchmark::RunSpecifiedBenchmarks();
}
