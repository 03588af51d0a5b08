/// The fast multipole method's expansion kernel by order, arithmetic and instruction set.
///
///   bench_fmm_kernels [--benchmark_filter=…]
/// It runs on one thread. `ns_a_pair` is the time of one pair of cells in one direction, including the time
/// to move the cells' numbers in and out. `Gfma` counts only the multiply-adds of the product, in 10⁹ per
/// second. `one_target`: the pairs of a register belong to one cell, as most do. `many_targets`: they are
/// added to their cells one by one. `softened`: the same by Taylor series of 1/ρ.

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <electret/core/instruction_set.hpp>
#include <electret/field/fmm/kernels.hpp>

namespace {

using namespace electret;

constexpr int cells = 2048;

template <class T>
struct Data {
  std::vector<T> moments, locals;
  std::vector<fmm::FarBatch<T>> batches;
};

/// Batches as a walk makes them: runs of one target, sources from a neighbourhood.
template <class T>
Data<T> make_data(int order, int numbers, int width) {
  const int stride = (numbers + fmm::max_lanes - 1) / fmm::max_lanes * fmm::max_lanes;
  Data<T> data;
  data.moments.resize(static_cast<std::size_t>(cells) * static_cast<std::size_t>(stride));
  data.locals.resize(data.moments.size());
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  for (T& m : data.moments) m = static_cast<T>(value(random));
  int target = 0;
  for (int b = 0; b < 256; ++b) {
    fmm::FarBatch<T> batch;
    batch.count = width;
    batch.order = order;
    batch.softening_squared = T{1};
    for (int l = 0; l < width; ++l) {
      if (random() % 6 == 0) target = (target + 1) % cells;
      const int source = (target + static_cast<int>(random() % 64)) % cells;
      batch.moments[l] = data.moments.data() + static_cast<std::ptrdiff_t>(source) * stride;
      batch.locals[l] = data.locals.data() + static_cast<std::ptrdiff_t>(target) * stride;
      for (auto& axis : batch.offset) axis[l] = static_cast<T>(2.0 + value(random));
      batch.target_scale[l] = batch.source_scale[l] = T{0.5};
    }
    data.batches.push_back(batch);
  }
  return data;
}

/// Multiply-adds of one pair: four exchanges of x and z, four turns about z, and the sum along z.
double products(int order) {
  double sum = 0.0;
  for (int n = 0; n <= order; ++n) {
    const int highest = std::min(n, order - n);
    for (int g = 0; g < 4; ++g) {
      const int partner = fmm::partner(n, g), all = fmm::group_size(n, partner);
      sum += 2.0 * fmm::group_size(n, g) * (all + fmm::group_size(highest, partner));
    }
    sum += 4.0 * 2 * (2 * n + 1);
    for (int k = 0; k <= order - n; ++k) sum += 2 * std::min(n, k) + 1;
  }
  return sum;
}

/// Those of Taylor series: a power times a power, of all that total order admits.
double softened_products(int order) {
  double sum = 1.0;
  for (int k = 1; k <= 6; ++k) sum = sum * (order + k) / k;
  return sum;
}

enum class Kind { one_target, many_targets, softened };

template <class T>
void far_pairs(benchmark::State& state, direct::InstructionSet set, int order, Kind kind) {
  const auto& kernels = fmm::kernels(set).of<T>();
  const bool softened = kind == Kind::softened;
  Data<T> data = make_data<T>(order, softened ? fmm::powers(order) : fmm::coefficients(order), kernels.width);
  struct alignas(64) Line {
    T values[64 / sizeof(T)];
  };
  std::vector<Line> sums(static_cast<std::size_t>(fmm::lane_sums_stride * kernels.width) * sizeof(T) / 64);
  if (kind == Kind::one_target)
    for (auto& batch : data.batches) batch.sums = sums[0].values;
  const auto sum = (softened ? kernels.taylor : kernels.harmonic).m2l;
  for (auto _ : state)
    for (const auto& batch : data.batches) sum(batch);
  const double pairs = static_cast<double>(data.batches.size()) * kernels.width;
  state.counters["ns_a_pair"] = benchmark::Counter(pairs * static_cast<double>(state.iterations()) * 1e-9,
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["Gfma"] =
      benchmark::Counter(pairs * (softened ? softened_products(order) : products(order)) *
                             static_cast<double>(state.iterations()) * 1e-9,
                         benchmark::Counter::kIsRate);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  using direct::InstructionSet;
  for (const InstructionSet set : {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512}) {
    if (!is_supported(set)) continue;
    const std::string name = fmm::kernels(set).instruction_set;
    for (int order : {3, 4, 5, 6, 8, 10, 12, 15, 18}) {
      const std::string suffix = "/" + name + "/" + std::to_string(order);
      for (const auto& [kind, title] :
           {std::pair(Kind::one_target, "one_target"), std::pair(Kind::many_targets, "many_targets"),
            std::pair(Kind::softened, "softened")}) {
        if (kind == Kind::softened && order > fmm::max_taylor_order) continue;
        const std::string name_of_kind = title;
        benchmark::RegisterBenchmark(
            (name_of_kind + "/float32" + suffix).c_str(),
            [=, kind = kind](benchmark::State& s) { far_pairs<float>(s, set, order, kind); });
        benchmark::RegisterBenchmark(
            (name_of_kind + "/float64" + suffix).c_str(),
            [=, kind = kind](benchmark::State& s) { far_pairs<double>(s, set, order, kind); });
      }
    }
  }
  benchmark::RunSpecifiedBenchmarks();
}
