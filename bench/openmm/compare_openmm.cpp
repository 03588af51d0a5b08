/// \file
/// Electret's direct sum against OpenMM's, without a cut-off, on the CPU, in one run: milliseconds an
/// evaluation of all forces, new positions each time, medians; and how far the two results are apart.
///
///     bench_openmm [--json] [--repeat 5] [--sizes 1000,10000] [--threads 2]

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <OpenMM.h>

#include <electret/field/solver.hpp>

namespace {

using electret::Vec3;
using electret::VectorArray;

constexpr double coulomb_openmm = 138.935456;  // kJ nm / (mol e²): OpenMM's ONE_4PI_EPS0

struct Options {
  bool json = false;
  int repeat = 5;
  int threads = static_cast<int>(std::thread::hardware_concurrency());
  std::vector<int> sizes{1000, 10000};
};

struct Result {
  int n = 0;
  double openmm = 0.0;      ///< ms
  double float32 = 0.0;     ///< ms; accuracy 1e-3 asked.
  double float64 = 0.0;     ///< ms
  double difference = 0.0;  ///< Relative L2 of OpenMM's forces against ours in float64.
  double difference32 = 0.0;
};

double unit(std::mt19937_64& engine) {
  return static_cast<double>(engine() >> 11U) * 0x1p-53;
}

VectorArray random_positions(int n, unsigned seed) {
  std::mt19937_64 engine(seed);
  VectorArray positions(static_cast<std::size_t>(n));
  for (Vec3& x : positions)
    for (int axis = 0; axis < 3; ++axis) x[axis] = 10.0 * unit(engine);  // nm
  return positions;
}

std::vector<double> charges_of(int n) {
  std::mt19937_64 engine(7);
  std::vector<double> charges(static_cast<std::size_t>(n));
  for (double& q : charges) q = 0.5 + 0.5 * unit(engine);  // elementary charges
  return charges;
}

/// OpenMM's sum of charges alone: no periodicity, no cut-off, Lennard-Jones depths of 0.
class OpenMmForces {
 public:
  OpenMmForces(const std::vector<double>& charges, int threads) : integrator_(0.001) {
    auto* forces = new OpenMM::NonbondedForce();  // the system owns it
    forces->setNonbondedMethod(OpenMM::NonbondedForce::NoCutoff);
    for (const double q : charges) {
      system_.addParticle(1.0);
      forces->addParticle(q, 0.1, 0.0);
    }
    system_.addForce(forces);
    context_ = std::make_unique<OpenMM::Context>(
        system_, integrator_, OpenMM::Platform::getPlatformByName("CPU"),
        std::map<std::string, std::string>{{"Threads", std::to_string(threads)}});
  }

  void evaluate(const std::vector<OpenMM::Vec3>& positions) {
    context_->setPositions(positions);
    forces_ = context_->getState(OpenMM::State::Forces).getForces();
  }
  [[nodiscard]] const std::vector<OpenMM::Vec3>& forces() const { return forces_; }

 private:
  OpenMM::System system_;
  OpenMM::VerletIntegrator integrator_;
  std::unique_ptr<OpenMM::Context> context_;
  std::vector<OpenMM::Vec3> forces_;
};

class ElectretField {
 public:
  ElectretField(const std::vector<double>& charges, double accuracy, electret::Threads& threads)
      : charges_(charges), field_(charges.size()) {
    electret::FieldOptions options;
    options.solver = "direct";
    options.constant = coulomb_openmm;
    if (accuracy > 0.0) options.accuracy = accuracy;
    solver_ = electret::make_field_solver(options, static_cast<electret::Count>(charges.size()), threads);
  }

  void evaluate(const VectorArray& positions) {
    solver_->prepare(positions);
    solver_->field(charges_, field_, {});
  }
  [[nodiscard]] Vec3 force(std::size_t i) const { return charges_[i] * field_[i]; }

 private:
  const std::vector<double>& charges_;
  VectorArray field_;
  std::unique_ptr<electret::FieldSolver> solver_;
};

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Result compare(int n, const Options& options, electret::Threads& threads) {
  const auto charges = charges_of(n);
  OpenMmForces theirs(charges, options.threads);
  ElectretField ours32(charges, 1e-3, threads), ours64(charges, 0.0, threads);
  std::vector<double> times, times32, times64;
  for (int k = 0; k <= options.repeat; ++k) {  // the first one warms up
    const VectorArray positions = random_positions(n, static_cast<unsigned>(k + 1));
    std::vector<OpenMM::Vec3> copies;
    for (const Vec3& x : positions) copies.emplace_back(x.x, x.y, x.z);
    times.push_back(milliseconds([&] { theirs.evaluate(copies); }));
    times32.push_back(milliseconds([&] { ours32.evaluate(positions); }));
    times64.push_back(milliseconds([&] { ours64.evaluate(positions); }));
    if (k > 0) continue;
    for (auto* list : {&times, &times32, &times64}) list->clear();
  }
  double size = 0.0, difference = 0.0, difference32 = 0.0;
  for (std::size_t i = 0; i < charges.size(); ++i) {
    const Vec3 f = ours64.force(i);
    const OpenMM::Vec3& g = theirs.forces()[i];
    size += squared_norm(f);
    difference += squared_norm(f - Vec3{g[0], g[1], g[2]});
    difference32 += squared_norm(f - ours32.force(i));
  }
  return {n,
          median(times),
          median(times32),
          median(times64),
          std::sqrt(difference / size),
          std::sqrt(difference32 / size)};
}

void print(const std::vector<Result>& results, const Options& options) {
  if (options.json)
    std::printf("[");
  else
    std::printf(
        "ms an evaluation of all forces, %d thread(s), medians of %d; in brackets OpenMM / Electret\n",
        options.threads, options.repeat);
  for (std::size_t k = 0; k < results.size(); ++k) {
    const Result& r = results[k];
    if (options.json)
      std::printf(
          "%s\n {\"n\": %d, \"threads\": %d, \"openmm_ms\": %.6g, \"direct_float32_ms\": %.6g, "
          "\"direct_float64_ms\": %.6g, \"openmm_difference\": %.3g, \"float32_difference\": %.3g}",
          k > 0 ? "," : "", r.n, options.threads, r.openmm, r.float32, r.float64, r.difference,
          r.difference32);
    else
      std::printf(
          "n = %d: OpenMM %.4g (error %.1e)  direct, accuracy 1e-3 %.4g (%.1f ×, error %.1e)  float64 %.4g "
          "(%.1f ×)\n",
          r.n, r.openmm, r.difference, r.float32, r.openmm / r.float32, r.difference32, r.float64,
          r.openmm / r.float64);
  }
  if (options.json) std::printf("\n]\n");
}

Options options_of(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    const bool has_value = k + 1 < argc;
    if (word == "--json") {
      options.json = true;
    } else if (word == "--repeat" && has_value) {
      options.repeat = std::max(1, std::atoi(argv[++k]));
    } else if (word == "--threads" && has_value) {
      options.threads = std::max(1, std::atoi(argv[++k]));
    } else if (word == "--sizes" && has_value) {
      options.sizes.clear();
      std::istringstream list(argv[++k]);
      for (std::string size; std::getline(list, size, ',');)
        options.sizes.push_back(std::max(2, std::atoi(size.c_str())));
    } else {
      std::fprintf(stderr, "usage: %s [--json] [--repeat 5] [--sizes 1000,10000] [--threads 2]\n", argv[0]);
      std::exit(2);
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = options_of(argc, argv);
  try {
    OpenMM::Platform::loadPluginsFromDirectory(OPENMM_PLUGINS);
    electret::Threads threads(options.threads);
    std::vector<Result> results;
    for (const int n : options.sizes) results.push_back(compare(n, options, threads));
    print(results, options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_openmm: %s\n", error.what());
    return 1;
  }
  return 0;
}
