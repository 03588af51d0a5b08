#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>

#include <electret/core/digits.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/core/text.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/gpu/ddef/solver.hpp>
#include <electret/field/gpu/direct/direct.hpp>
#include <electret/field/gpu/fmm/fmm.hpp>
#include <electret/field/gpu/self_test.hpp>
#include <electret/field/gpu/verdicts.hpp>

namespace electret::gpu {
namespace {

/// The same numbers everywhere: a linear congruential generator.
class Draw {
 public:
  double unit() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 20260101;
};

/// "2.3e-07".
std::string short_number(double value) {
  return general_text(value, 2);
}

struct Cloud {
  VectorArray positions, vectors;
  std::vector<double> charges;
};

Cloud cloud_of(std::size_t n) {
  Draw draw;
  Cloud cloud;
  const auto vector = [&] {
    const double x = draw.unit(), y = draw.unit(), z = draw.unit();
    return Vec3{x, y, z};
  };
  for (std::size_t i = 0; i < n; ++i) {
    cloud.positions.push_back(vector());
    cloud.vectors.push_back(vector() - Vec3{0.5, 0.5, 0.5});
    cloud.charges.push_back((i % 2 == 0 ? 1e-6 : -1e-6) * (0.5 + draw.unit()));
  }
  return cloud;
}

struct Sums {
  VectorArray field, product;
  std::vector<double> potential, gradient;
};

Sums sums_of(FieldSolver& solver, const Cloud& cloud) {
  const std::size_t n = cloud.positions.size();
  Sums sums{VectorArray(n), VectorArray(n), std::vector<double>(n), std::vector<double>(n)};
  solver.prepare(cloud.positions);
  solver.field(cloud.charges, sums.field, sums.potential);
  solver.products(cloud.charges, cloud.vectors, sums.product, sums.gradient);
  return sums;
}

/// NaN where a result is not finite: no comparison passes then.
double error_of(VectorView values, VectorView expected) {
  double difference = 0.0, magnitude = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference += squared_norm(values[i] - expected[i]);
    magnitude += squared_norm(expected[i]);
  }
  return std::sqrt(difference / magnitude);
}

double error_of(ScalarView values, ScalarView expected) {
  double difference = 0.0, magnitude = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference += (values[i] - expected[i]) * (values[i] - expected[i]);
    magnitude += expected[i] * expected[i];
  }
  return std::sqrt(difference / magnitude);
}

void compare(const std::string& solver, double accuracy, const Sums& sums, const Sums& expected,
             std::vector<SelfTestRow>& rows) {
  const std::string what = solver + " at " + short_number(accuracy) + ": ";
  rows.push_back({what + "field", error_of(sums.field, expected.field), accuracy});
  rows.push_back({what + "potential", error_of(sums.potential, expected.potential), accuracy});
  rows.push_back({what + "Jacobian product", error_of(sums.product, expected.product), accuracy});
  rows.push_back({what + "charge gradient", error_of(sums.gradient, expected.gradient), accuracy});
}

/// Taylor series: a tenth of the cloud's edge is far beyond a leaf's neighbours.
void compare_softened(std::string_view name, const Cloud& cloud, Threads& threads,
                      std::vector<SelfTestRow>& rows) {
  FieldOptions options;
  options.softening = 0.1;
  const auto reference =
      direct::make_direct_field_solver(options, threads, instruction_set(), direct::Arithmetic::float64);
  options.accuracy = 1e-2;
  const auto solver = make_device_fmm_field_solver(options, threads, open_device(name));
  compare("softened fmm", 1e-2, sums_of(*solver, cloud), sums_of(*reference, cloud), rows);
}

/// The method promises no accuracy on such clouds, but the device must compute what the CPU does.
void compare_ddef(std::string_view name, const Cloud& cloud, Threads& threads,
                  std::vector<SelfTestRow>& rows) {
  if (!ddef_available()) return;
  FieldOptions options;
  options.accuracy = 1e-3;
  const auto on_cpu = make_ddef_field_solver(options, threads);
  const auto solver = make_device_ddef_field_solver(options, threads, open_device(name));
  compare("ddef", 1e-3, sums_of(*solver, cloud), sums_of(*on_cpu, cloud), rows);
}

}  // namespace

std::vector<SelfTestRow> self_test(std::string_view name) {
  constexpr std::size_t charges = 2000;
  const Cloud cloud = cloud_of(charges);
  Threads threads;
  const auto reference =
      direct::make_direct_field_solver({}, threads, instruction_set(), direct::Arithmetic::float64);
  const Sums expected = sums_of(*reference, cloud);
  std::vector<SelfTestRow> rows;
  FieldOptions options;
  for (const double accuracy : {1e-3, 2e-6}) {
    options.accuracy = accuracy;
    const auto solver = make_direct_field_solver(options, threads, open_device(name));
    compare("direct sums", accuracy, sums_of(*solver, cloud), expected, rows);
  }
  // Finer accuracies use longer texts, which take some drivers half a minute to compile.
  options.accuracy = 1e-3;
  const auto fmm = make_device_fmm_field_solver(options, threads, open_device(name));
  compare("fmm", 1e-3, sums_of(*fmm, cloud), expected, rows);
  compare_softened(name, cloud, threads, rows);
  compare_ddef(name, cloud, threads, rows);
  return rows;
}

double pair_rate(std::string_view name) {
  using Clock = std::chrono::steady_clock;
  Threads threads;
  FieldOptions options;
  options.accuracy = 1e-3;
  const auto solver = make_direct_field_solver(options, threads, open_device(name));
  std::size_t charges = 2048;
  for (;; charges *= 2) {
    const Cloud cloud = cloud_of(charges);
    VectorArray field(charges);
    solver->prepare(cloud.positions);
    solver->field(cloud.charges, field, {});
    const auto start = Clock::now();
    solver->field(cloud.charges, field, {});
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    constexpr std::size_t most = std::size_t{1} << 19;
    if (seconds > 0.3 || charges == most)
      return static_cast<double>(charges) * static_cast<double>(charges) / seconds;
  }
}

void require_self_test(std::string_view name) {
  const Facts facts = device_facts(name);
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static auto& passed = *new std::map<std::string, bool>;
  const std::string key = verdict_key(facts);
  if (passed[key] || was_passed(key)) return;
  std::vector<Finding> findings;
  for (const SelfTestRow& row : self_test(name))
    if (!row.passed())
      findings.push_back(
          {{},
           in_quotes(facts.name) + " (driver " + facts.driver + ") computes wrongly: " + row.what +
               " has an error of " + short_number(row.error) + ", allowed " + short_number(row.allowed),
           "take device = \"cpu\", or another driver; electret devices --check repeats the test"});
  if (!findings.empty()) throw InputError(std::move(findings));
  passed[key] = true;
  keep_passed(key);
}

}  // namespace electret::gpu
