/// The fast multipole method's kernels of near pairs by arithmetic and instruction set, one-sided and mutual.
///
///   bench_fmm_near_kernels [--benchmark_filter=…]
///
/// One thread. Leaves of 14 to 40 points against 640 near charges and themselves; mutual kernels meet half of
/// these, for both. `ordered_pairs` a second: what a one-sided sum would have to compute for the same sums.

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <electret/core/instruction_set.hpp>
#include <electret/field/fmm/kernels.hpp>

namespace {

using namespace electret;

constexpr int near_charges = 640, most = 40;

template <class T>
struct Data {
  using Array = std::vector<T>;
  std::array<Array, 3> points, low, vectors;
  std::array<Array, 8> sums, columns;
  Array charges;
  std::vector<int> counts;

  Data() {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> value(-1.0, 1.0);
    const std::size_t room = near_charges + most + 2 * fmm::max_lanes;
    const auto fill = [&](Array& array, double size) {
      array.resize(room);
      for (T& x : array) x = static_cast<T>(size * value(random));
    };
    for (auto& axis : points) fill(axis, 1.0);
    for (auto& axis : low) fill(axis, 1e-8);
    for (auto& axis : vectors) fill(axis, 1.0);
    charges.assign(room, T{1});
    for (auto& array : sums) array.assign(room, T{0});
    for (auto& array : columns) array.assign(room, T{0});
    for (int k = 0; k < 400; ++k)
      counts.push_back(14 + static_cast<int>(random() % static_cast<unsigned>(most - 13)));
  }
  static fmm::LeafSums<T> view(std::array<Array, 8>& arrays, bool potential, bool products) {
    fmm::LeafSums<T> out;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      out.field[axis] = arrays[axis].data();
      if (products) out.product[axis] = arrays[3 + axis].data();
    }
    if (potential) out.potential = arrays[6].data();
    if (products) out.charge_product = arrays[7].data();
    return out;
  }
};

template <class T>
void near_pairs(benchmark::State& state, T (*kernel)(const fmm::NearTask<T>&), int width, bool mutual,
                bool potential, bool products) {
  Data<T> data;
  fmm::NearTask<T> task;
  task.sources = {data.points[0].data(), data.points[1].data(), data.points[2].data(),
                  data.low[0].data(),    data.low[1].data(),    data.low[2].data()};
  task.targets = task.sources;
  task.charges = task.target_charges = data.charges.data();
  task.u = task.z = {data.vectors[0].data(), data.vectors[1].data(), data.vectors[2].data()};
  task.sums = Data<T>::view(data.sums, potential, products);
  task.columns = Data<T>::view(data.columns, potential, products);
  const auto whole = [width](int n) { return (n + width - 1) / width * width; };
  double pairs = 0.0;
  for (const int count : data.counts) pairs += static_cast<double>(count) * (near_charges + count - 1);
  for (auto _ : state)
    for (const int count : data.counts) {
      task.count = count;
      task.own = whole(count);
      task.source_count = task.own + whole(mutual ? near_charges / 2 : near_charges);
      benchmark::DoNotOptimize(kernel(task));
    }
  state.counters["ordered_pairs"] =
      benchmark::Counter(pairs * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

template <class T>
void add(const std::string& name, T (*kernel)(const fmm::NearTask<T>&), int width, bool mutual,
         bool potential, bool products) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    near_pairs<T>(state, kernel, width, mutual, potential, products);
  });
}

template <class T>
void add_all(const std::string& suffix, const fmm::ExpansionKernels<T>& k) {
  constexpr bool float32 = sizeof(T) == sizeof(float);
  const char* const accurate = float32 ? "compensated/" : "";
  for (const bool potential : {false, true}) {
    const std::string end = suffix + (potential ? "/potential" : "");
    const int p = potential ? 1 : 0;
    if (float32) {
      add<T>("one_sided/plain/" + end, k.near_plain[p], k.width, false, potential, false);
      add<T>("mutual/plain/" + end, k.mutual.plain[p], k.width, true, potential, false);
      add<T>("mutual/estimated/" + end, k.mutual.estimated[p], k.width, true, potential, false);
    }
    add<T>(std::string("one_sided/") + accurate + end, k.near[p], k.width, false, potential, false);
    add<T>(std::string("mutual/") + accurate + end, k.mutual.near[p], k.width, true, potential, false);
    add<T>(std::string("mutual/") + accurate + "products/" + end, k.mutual.products[p], k.width, true,
           potential, true);
  }
  add<T>(std::string("one_sided/") + accurate + "products/" + suffix, k.near[2], k.width, false, false, true);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  using direct::InstructionSet;
  for (const InstructionSet set : {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512}) {
    if (!is_supported(set)) continue;
    const fmm::Kernels& kernels = fmm::kernels(set);
    const std::string name = kernels.instruction_set;
    add_all<float>("float32/" + name, kernels.float32);
    add_all<double>("float64/" + name, kernels.float64);
  }
  benchmark::RunSpecifiedBenchmarks();
}
