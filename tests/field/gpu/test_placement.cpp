/// Which device computes, with which solver, and what a device refuses.

#include <algorithm>

#include <field/gpu/device_for_tests.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/core/errors.hpp>
#include <electret/field/crossover.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/field/gpu/crossover.hpp>
#include <electret/field/gpu/ddef/solver.hpp>
#include <electret/field/gpu/direct/direct.hpp>
#include <electret/field/gpu/fmm/fmm.hpp>
#include <electret/field/gpu/limits.hpp>
#include <electret/field/gpu/placement.hpp>

namespace electret::test {
namespace {

using gpu::Kind;
using ::testing::AllOf;
using ::testing::HasSubstr;

FieldOptions options_of(const std::string& solver, std::optional<double> accuracy, double softening = 0.0) {
  FieldOptions options;
  options.solver = solver;
  options.accuracy = accuracy;
  options.softening = softening;
  return options;
}

gpu::Facts card(Count memory = Count{8} << 30) {
  gpu::Facts facts;
  facts.name = "A Card";
  facts.platform = "Made Up";
  facts.driver = "1.2";
  facts.kind = Kind::discrete;
  facts.memory = memory;
  facts.largest_buffer = memory / 4;
  return facts;
}

std::string refused(const std::string& solver, const FieldOptions& options, Count charges,
                    const gpu::Facts& facts) {
  try {
    gpu::check_limits(solver, options, charges, facts);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceCrossover, AutoTakesADiscreteGpuByItsRowsAlone) {
  const gpu::AutoRow rows[] = {{1e-3, false, 20000}, {1e-6, false, 10000}, {1e-3, true, 50000}};
  EXPECT_EQ(gpu::auto_crossover(options_of("auto", {}), rows), 10000);
  EXPECT_EQ(gpu::auto_crossover(options_of("fmm", 1e-3), rows), 10000);
  EXPECT_EQ(gpu::auto_crossover(options_of("auto", 1e-5), rows), 10000);
  EXPECT_EQ(gpu::auto_crossover(options_of("auto", 1e-7), rows), std::nullopt);
  EXPECT_EQ(gpu::auto_crossover(options_of("auto", 1e-2, 0.1), rows), 50000);
  EXPECT_EQ(gpu::auto_crossover(options_of("auto", 1e-4, 0.1), rows), std::nullopt);
  EXPECT_EQ(gpu::auto_crossover(options_of("ddef", 1e-3), rows), std::nullopt);
  EXPECT_EQ(gpu::auto_crossover(options_of("direct", {}), rows), std::nullopt) << "float64";
  EXPECT_EQ(gpu::auto_crossover(options_of("direct", 1e-6), rows), std::nullopt);
  EXPECT_EQ(gpu::auto_crossover(options_of("direct", 1e-3), rows), 10000);
  EXPECT_EQ(gpu::auto_crossover(options_of("auto", {}), {}), std::nullopt);
}

TEST(DeviceCrossover, AutoTakesADeviceForManyChargesSoftenedOrNot) {
  for (const double softening : {0.0, 0.1}) {
    EXPECT_EQ(gpu::auto_crossover(options_of("auto", {}, softening)), 100000);
    EXPECT_EQ(gpu::auto_crossover(options_of("auto", 1e-6, softening)), 100000);
    EXPECT_EQ(gpu::auto_crossover(options_of("auto", 9e-7, softening)), std::nullopt);
  }
}

TEST(DeviceCrossover, AutoSolverTakesFmmByTheKindOfDevice) {
  const FieldOptions usual = options_of("auto", {});
  EXPECT_EQ(gpu::fmm_crossover(Kind::discrete, usual), 20000);
  EXPECT_EQ(gpu::fmm_crossover(Kind::integrated, usual), 10000);
  EXPECT_EQ(gpu::fmm_crossover(Kind::processor, usual), fmm_crossover(options_of("auto", 1e-3)));
  EXPECT_EQ(gpu::fmm_crossover(Kind::processor, options_of("auto", 1e-5)),
            fmm_crossover(options_of("auto", 1e-5)));
  for (const Kind kind : {Kind::discrete, Kind::integrated, Kind::processor}) {
    EXPECT_EQ(gpu::fmm_crossover(kind, options_of("auto", {}, 0.1)), 50000);
    EXPECT_EQ(gpu::fmm_crossover(kind, options_of("auto", 1e-3, 0.1)), 50000);
    EXPECT_EQ(gpu::fmm_crossover(kind, options_of("auto", 1e-4, 0.1)), 130000);
  }
  for (const Kind kind : {Kind::discrete, Kind::integrated, Kind::processor})
    for (const auto& [accuracy, charges] :
         {std::pair{1e-6, Count{0}}, {9e-7, std::numeric_limits<Count>::max()}})
      EXPECT_EQ(gpu::fmm_crossover(kind, options_of("auto", accuracy)), charges)
          << "finer than direct sums in float32, or than fmm, too";
}

TEST(DeviceLimits, RefuseAccuraciesThatADeviceDoesNotReach) {
  EXPECT_EQ(refused("direct", options_of("direct", 2e-6), 1000, card()), "");
  EXPECT_EQ(refused("direct", options_of("auto", {}), 1000, card()), "") << "aims at the default";
  EXPECT_EQ(refused("fmm", options_of("fmm", 1e-6), 1000, card()), "");
  for (const std::optional<double> accuracy : {std::optional<double>(), std::optional(1e-6)}) {
    const FieldOptions exact = options_of("direct", accuracy);
    EXPECT_THAT(refused("direct", exact, 1000, card()),
                AllOf(HasSubstr("solver \"direct\" on \"A Card\" sums in float64, which this device lacks"),
                      HasSubstr("2e-6 or more"), HasSubstr("device = \"cpu\"")));
    gpu::Facts capable = card();
    capable.float64 = true;
    EXPECT_EQ(refused("direct", exact, 1000, capable), "");
  }
  EXPECT_THAT(refused("fmm", options_of("fmm", 9e-7), 1000, card()), HasSubstr("1e-6 or more"));
  EXPECT_THAT(refused("ddef", options_of("ddef", 9e-7), 1000, card()), HasSubstr("1e-6 or more"));
}

TEST(DeviceLimits, RefuseWhatDoesNotFit) {
  for (const char* solver : {"direct", "fmm", "ddef"}) {
    const FieldOptions options = options_of(solver, 1e-3);
    const Count need = gpu::memory_need(solver, options, 100000).total;
    EXPECT_GT(need, 100000 * 100) << solver;
    gpu::Facts small = card(need / 4 * 5 + 10);
    small.largest_buffer = need;
    EXPECT_EQ(refused(solver, options, 100000, small), "") << solver;
    small.memory = need;
    EXPECT_THAT(
        refused(solver, options, 100000, small),
        AllOf(HasSubstr("100000 charges with solver \"" + std::string(solver)), HasSubstr("take about"),
              HasSubstr("that it offers of its"), HasSubstr("device = \"cpu\"")))
        << solver;
    small.memory = 10 * need;
    small.largest_buffer = gpu::memory_need(solver, options, 100000).largest_buffer - 1;
    EXPECT_THAT(refused(solver, options, 100000, small), HasSubstr("need a buffer of about")) << solver;
  }
}

TEST(DeviceLimits, NoBufferIsAboveWhatKernelsIndex) {
  EXPECT_EQ(gpu::memory_offered(card(Count{80} << 30)).largest_buffer, Count{1} << 31);
  EXPECT_EQ(gpu::memory_offered(card(1000)).total, 800);
}

TEST(DeviceNames, ChooseTheDeviceThatTheyWereMadeFor) {
  gpu::Facts one = card(), other = card();
  other.name = "A Card XL";
  gpu::Facts cpu = card();
  cpu.kind = Kind::processor;
  const std::vector<gpu::Listed> all = {{other, ""}, {one, ""}, {one, ""}, {cpu, ""}};
  EXPECT_EQ(gpu::choice_of(all, 0), "gpu:A Card XL");
  EXPECT_EQ(gpu::choice_of(all, 1), "gpu:A Card#2");
  EXPECT_EQ(gpu::choice_of(all, 2), "gpu:A Card#3");
  EXPECT_TRUE(gpu::is_first_gpu(all, 0));
  EXPECT_FALSE(gpu::is_first_gpu(all, 1));
  EXPECT_FALSE(gpu::is_first_gpu({{cpu, ""}}, 0)) << "gpu never stands for a CPU";
  EXPECT_TRUE(gpu::is_first_gpu({{cpu, ""}, {one, ""}}, 1));
}

TEST(DeviceNames, OpenWhatIsListed) {
  ELECTRET_NEEDS_DEVICE();
  const auto all = gpu::devices();
  for (std::size_t k = 0; k < all.size(); ++k)
    EXPECT_EQ(gpu::device_facts(gpu::choice_of(all, k)).name, all[k].facts.name);
}

TEST(DeviceChoice, NamesDeviceDriverSolverAndWhy) {
  ELECTRET_NEEDS_DEVICE();
  const gpu::Facts facts = gpu::device_facts(test_device_name());
  FieldOptions options;
  options.device = test_device_name();
  const std::string text = to_string(field_solver_choice(options, 145));
  EXPECT_THAT(text, AllOf(HasSubstr("direct: auto takes it on such a device for fewer than"),
                          HasSubstr("which meets the default accuracy"), HasSubstr("; on " + facts.name),
                          HasSubstr("driver " + facts.driver), HasSubstr("requested by device = ")));
  EXPECT_EQ(field_device_choice(options, 145).name, gpu::device_text(facts));
  Threads threads(1);
  EXPECT_EQ(make_field_solver(options, 145, threads)->name(), "direct");
}

std::unique_ptr<FieldSolver> solver_on(std::string_view name, const FieldOptions& options, Threads& threads,
                                       std::unique_ptr<gpu::Device> device) {
  if (name == "direct") return gpu::make_direct_field_solver(options, threads, std::move(device));
  if (name == "fmm") return gpu::make_device_fmm_field_solver(options, threads, std::move(device));
  return gpu::make_device_ddef_field_solver(options, threads, std::move(device));
}

/// What is told before a run, against the buffers that a solver has for fields and products of its charges.
TEST(DeviceLimits, TellTheMemoryWithinATenth) {
  ELECTRET_NEEDS_DEVICE();
  struct Case {
    const char* solver;
    std::size_t charges;
    double accuracy;
    double softening = 0.0;
    const char* cloud = "cube";
  };
  for (const auto& [name, n, accuracy, softening, kind] : {Case{"direct", 1000, 1e-3},
                                                           {"direct", 5000, 1e-3},
                                                           {"direct", 10000, 1e-3},
                                                           {"direct", 3000, 1e-9},
                                                           {"fmm", 5000, 1e-3},
                                                           {"fmm", 5000, 1e-5},
                                                           {"fmm", 5000, 1e-3, 0.1},
                                                           {"fmm", 5000, 1e-3, 0.0, "torus"},
                                                           {"fmm", 20000, 1e-3, 0.0, "clusters"},
                                                           {"ddef", 5000, 1e-3}}) {
    if (std::string_view(name) == "ddef" && !ddef_available()) continue;
    if (accuracy < 1e-6 && !gpu::device_facts(test_device_name()).float64) continue;
    const Cloud cloud = make_cloud(kind, static_cast<Index>(n), true);
    FieldOptions options = options_of(name, accuracy);
    options.softening = softening;
    Threads threads(2);
    auto device = test_device();
    const gpu::Device& counted = *device;
    const auto solver = solver_on(name, options, threads, std::move(device));
    VectorArray field(n), product(n);
    std::vector<double> potential(n), gradient(n);
    solver->prepare(cloud.positions);
    solver->field_and_products(cloud.charges, cloud.positions, field, potential, product, gradient);
    solver->field(cloud.charges, field, potential);
    const auto told = static_cast<double>(gpu::memory_need(name, options, static_cast<Count>(n)).total);
    EXPECT_NEAR(static_cast<double>(counted.allocated()), told, 0.1 * told)
        << name << ' ' << kind << ' ' << n << ' ' << softening;
  }
}

}  // namespace
}  // namespace electret::test
