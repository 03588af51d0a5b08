#include <chrono>

#include <gtest/gtest.h>

#include <electret/dynamics/simulator.hpp>

#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

/// Where the time went is counted once: the parts are not more than the whole.
TEST(StepTimings, PartsAreWithinTheWhole) {
  for (const char* method : {"verlet", "imex"}) {
    NetworkOptions options;
    options.method = method;
    Simulator run = simulator(random_network(options));
    const StepTimings before = run.system().timings;  // of the first energies
    const auto start = std::chrono::steady_clock::now();
    run.run(50);
    const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const StepTimings after = run.system().timings;
    const double field = after.field - before.field, elastic = after.elastic - before.elastic;
    EXPECT_GT(field, 0.0) << method;
    EXPECT_GT(elastic, 0.0) << method;
    EXPECT_LE(field + elastic, whole) << method;
  }
}

/// Energies between steps compute the field that the next step uses: it counts as field all the same.
TEST(StepTimings, CountTheFieldOfEnergies) {
  Simulator run = simulator(random_network({}));
  run.run(1);
  const StepTimings before = run.system().timings;
  static_cast<void>(run.energies());
  const StepTimings after = run.system().timings;
  EXPECT_GT(after.field, before.field);
  EXPECT_GT(after.elastic, before.elastic);
}

}  // namespace
}  // namespace electret::test
