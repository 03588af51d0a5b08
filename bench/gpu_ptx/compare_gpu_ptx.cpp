/// The same kernels through OpenCL and as PTX through NVIDIA's driver: times and results of whole solvers.
///
///   bench_gpu_ptx --texts FOLDER [--device gpu:NAME]       writes the programs' texts, for make_ptx.py
///   bench_gpu_ptx --ptx FOLDER [--device gpu:NAME] [--json FILE] [--repeats N]
///                 [--most CHARGES] [--charges CHARGES] [--rows ROWS]
///
/// --most leaves out larger rows, --charges gives every row so many charges, --rows takes the first rows
/// alone. Each row has a solver on both sides with the same charges. Both evaluate in turn: positions, field,
/// then field and derivative products. Times are medians, by events of the device for kernels, by the host's
/// clock for whole calls. An event of the driver interface lies between two launches, so that kernels of
/// microseconds seem longer there; whole calls are timed without events. Where there is no driver of
/// NVIDIA's, the program says so and exits with 0.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include <support/point_clouds.hpp>

#include <electret/field/gpu/fmm/m2l_text.hpp>
#include <electret/field/gpu/kernel_texts.hpp>

#include "../gpu_rows.hpp"
#include "device.hpp"
#include "driver.hpp"

namespace {

using namespace electret;
using bench::Row;
using Clock = std::chrono::steady_clock;

struct Settings {
  std::string device = "gpu", texts, ptx, json;
  Count most = 1'000'000, charges = 0, rows = 100;
  int repeats = 5;
};

struct Results {
  explicit Results(std::size_t n) : field(n), product(n), potential(n), gradient(n) {}
  VectorArray field, product;
  std::vector<double> potential, gradient;
};

/// The charges of a row, and what is asked of them.
struct Problem {
  explicit Problem(const Row& row)
      : cloud(test::make_cloud(row.cloud, static_cast<int>(row.charges), false)),
        z(test::random_vectors(static_cast<int>(row.charges), 3)) {}
  test::Cloud cloud;
  VectorArray z;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One side of the comparison: a solver whose device keeps times, and one whose device keeps none.
struct Side {
  Side(std::unique_ptr<gpu::Device> with_times, std::unique_ptr<gpu::Device> without, const Row& row,
       Threads& threads)
      : device(*with_times),
        timed(bench::solver_on(std::move(with_times), row, threads)),
        plain(bench::solver_on(std::move(without), row, threads)),
        results(static_cast<std::size_t>(row.charges)) {}

  static void field(FieldSolver& solver, const Problem& problem, Results& to) {
    solver.prepare(problem.cloud.positions);
    solver.field(problem.cloud.charges, to.field, to.potential);
  }
  static void both(FieldSolver& solver, const Problem& problem, Results& to) {
    solver.field_and_products(problem.cloud.charges, problem.z, to.field, to.potential, to.product,
                              to.gradient);
  }

  void warm(const Problem& problem) {
    for (FieldSolver* solver : {timed.get(), plain.get()}) {
      field(*solver, problem, results);
      both(*solver, problem, results);
    }
    (void)device.timings();
  }
  void evaluate(const Problem& problem) {
    const auto start = Clock::now();
    field(*plain, problem, results);
    total.push_back(seconds_since(start));
    const auto again = Clock::now();
    both(*plain, problem, results);
    products.push_back(seconds_since(again));
    field(*timed, problem, results);
    keep_times(field_kernels);
    both(*timed, problem, results);
    keep_times(product_kernels);
  }

  using Kernels = std::map<std::string, std::pair<Count, std::vector<double>>>;
  void keep_times(Kernels& kernels) {
    for (const gpu::Timing& timing : device.timings()) {
      auto& [count, seconds] = kernels[timing.what];
      count = timing.count;
      seconds.push_back(timing.seconds);
    }
  }

  gpu::Device& device;
  std::unique_ptr<FieldSolver> timed, plain;
  Results results;
  std::vector<double> total, products;
  Kernels field_kernels, product_kernels;
};

/// The largest difference by the root mean square of `of`; 0 means the same bits.
double difference(const VectorArray& a, const VectorArray& of) {
  double most = 0.0, sum = 0.0;
  for (std::size_t i = 0; i < of.size(); ++i) {
    most = std::max(most, norm(a[i] - of[i]));
    sum += dot(of[i], of[i]);
    if (!std::isfinite(norm(a[i]))) return INFINITY;
  }
  return most == 0.0 ? 0.0 : most / std::sqrt(sum / static_cast<double>(of.size()));
}

bool is_copy(const std::string& what) {
  return what == "upload" || what == "download" || what == "copy" || what == "fill";
}

/// Prints the kernels of one pass and returns them as JSON. Small ones are only in the JSON.
std::string print_kernels(const char* pass, Side::Kernels& opencl, Side::Kernels& ptx) {
  double all = 0.0, all_ptx = 0.0;
  for (const auto& [what, times] : opencl)
    if (!is_copy(what)) all += bench::median(times.second), all_ptx += bench::median(ptx[what].second);
  std::printf("  %-28s        %10.4f %10.4f  %.3f\n", pass, 1e3 * all, 1e3 * all_ptx, all / all_ptx);
  std::string json;
  for (const auto& [what, times] : opencl) {
    const double seconds = bench::median(times.second), of_ptx = bench::median(ptx[what].second);
    if (!is_copy(what) && seconds > 0.02 * all)
      std::printf("    %-28s %4ldx %10.4f %10.4f  %.3f\n", what.c_str(), static_cast<long>(times.first),
                  1e3 * seconds, 1e3 * of_ptx, seconds / of_ptx);
    char text[256];
    std::snprintf(text, sizeof text, "%s\"%s\":[%ld,%.6g,%.6g]", json.empty() ? "" : ",", what.c_str(),
                  static_cast<long>(times.first), seconds, of_ptx);
    json += text;
  }
  return json;
}

std::string measure(const Row& row, const Settings& settings, const gpu::Facts& facts) {
  Threads threads;
  const Problem problem(row);
  const auto opencl_device = [&](bool timed) { return gpu::open_device(settings.device, timed); };
  const auto ptx_device = [&](bool timed) { return ptx::open_device(facts, settings.ptx, timed); };
  Side opencl(opencl_device(true), opencl_device(false), row, threads);
  Side ptx(ptx_device(true), ptx_device(false), row, threads);
  opencl.warm(problem);
  ptx.warm(problem);
  for (int k = 0; k < settings.repeats; ++k) {
    opencl.evaluate(problem);
    ptx.evaluate(problem);
  }
  const double field = difference(ptx.results.field, opencl.results.field),
               product = difference(ptx.results.product, opencl.results.product);
  const double total = bench::median(opencl.total), of_ptx = bench::median(ptx.total),
               both = bench::median(opencl.products), both_of_ptx = bench::median(ptx.products);
  std::printf("%s %s %ld accuracy %g softening %g: largest difference of fields %.2e, of products %.2e%s\n",
              row.solver.c_str(), row.cloud.c_str(), static_cast<long>(row.charges), row.accuracy,
              row.softening, field, product, field == 0.0 && product == 0.0 ? " (the same bits)" : "");
  std::printf("  milliseconds                           OpenCL        PTX  OpenCL / PTX\n");
  std::printf("  %-28s        %10.4f %10.4f  %.3f\n", "positions and field, total", 1e3 * total, 1e3 * of_ptx,
              total / of_ptx);
  std::printf("  %-28s        %10.4f %10.4f  %.3f\n", "field and products, total", 1e3 * both,
              1e3 * both_of_ptx, both / both_of_ptx);
  char text[512];
  std::snprintf(text, sizeof text,
                R"({"solver":"%s","cloud":"%s","charges":%ld,"accuracy":%g,"softening":%g,"difference":%.3g,)"
                R"("products_difference":%.3g,"total_s":[%.6g,%.6g],"both_s":[%.6g,%.6g])",
                row.solver.c_str(), row.cloud.c_str(), static_cast<long>(row.charges), row.accuracy,
                row.softening, field, product, total, of_ptx, both, both_of_ptx);
  std::string json = text;
  json += ",\"kernels\":{" + print_kernels("kernels of field", opencl.field_kernels, ptx.field_kernels);
  json += "},\"product_kernels\":{" +
          print_kernels("kernels of field and products", opencl.product_kernels, ptx.product_kernels) + "}}";
  std::fflush(stdout);
  return json;
}

/// What matters most comes first, in case that the time ends.
std::vector<Row> rows_of(const Settings& settings) {
  std::vector<Row> rows = {{"direct", "cube", 100'000, 1e-3},    {"fmm", "cube", 1'000'000, 1e-3},
                           {"ddef", "cube", 200'000, 1e-3},      {"direct", "cube", 100'000, 1e-5},
                           {"fmm", "cube", 100'000, 1e-3},       {"fmm", "cube", 1'000'000, 1e-6},
                           {"fmm", "cube", 100'000, 1e-3, 0.03}, {"direct", "cube", 100'000, 1e-12},
                           {"fmm", "clusters", 1'000'000, 1e-3}, {"direct", "cube", 1'000, 1e-3},
                           {"fmm", "cube", 10'000, 1e-3}};
  for (Row& row : rows)
    if (settings.charges > 0) row.charges = settings.charges;
  std::erase_if(rows, [&](const Row& row) { return row.charges > settings.most; });
  if (static_cast<Count>(rows.size()) > settings.rows) rows.resize(static_cast<std::size_t>(settings.rows));
  return rows;
}

/// Runs small rows on an OpenCL device, which writes every program that it makes. A CPU behind OpenCL makes
/// fewer M2L texts than a GPU, so all of them are written besides.
void write_texts(const Settings& settings) {
  std::filesystem::create_directories(settings.texts);
  setenv("ELECTRET_KERNEL_DUMP", settings.texts.c_str(), 1);
  Threads threads;
  for (Row row : rows_of({})) {
    row.charges = row.softening > 0.0 ? 20'000 : 2'000;
    const Problem problem(row);
    Results results(static_cast<std::size_t>(row.charges));
    const auto solver = bench::solver_on(gpu::open_device(settings.device), row, threads);
    Side::field(*solver, problem, results);
    Side::both(*solver, problem, results);
  }
  constexpr int most_orders = 16;
  for (int p = 1; p <= most_orders; ++p)
    (void)gpu::text_of({{"geometry.cl", "m2l.cl"}, {{"ORDER", std::to_string(p)}}, gpu::m2l_text(p)});
}

void compare(const Settings& settings) {
  const gpu::Facts facts = gpu::device_facts(settings.device);
  std::printf("%s, driver %s, %s\n", facts.name.c_str(), facts.driver.c_str(), facts.version.c_str());
  std::string json;
  for (const Row& row : rows_of(settings)) {
    try {
      json += (json.empty() ? "[\n" : ",\n") + measure(row, settings, facts);
    } catch (const std::exception& error) {
      std::printf("%s %s %ld: %s\n", row.solver.c_str(), row.cloud.c_str(), static_cast<long>(row.charges),
                  error.what());
    }
    if (!settings.json.empty()) std::ofstream(settings.json) << json << "\n]\n";
  }
  const ptx::LoadingTimes loading = ptx::loading_times();
  std::printf("the driver loaded %ld programs of PTX in %.2f s (summed over threads)\n",
              static_cast<long>(loading.programs), loading.seconds);
}

Settings settings_of(int count, char** words) {
  Settings settings;
  const std::map<std::string, std::string*> texts = {{"--device", &settings.device},
                                                     {"--texts", &settings.texts},
                                                     {"--ptx", &settings.ptx},
                                                     {"--json", &settings.json}};
  const std::map<std::string, Count*> numbers = {
      {"--most", &settings.most}, {"--charges", &settings.charges}, {"--rows", &settings.rows}};
  for (int k = 1; k < count; k += 2) {
    const std::string word = words[k];
    if (k + 1 == count) throw std::runtime_error("bench_gpu_ptx: " + word + " needs a value");
    if (const auto text = texts.find(word); text != texts.end())
      *text->second = words[k + 1];
    else if (const auto number = numbers.find(word); number != numbers.end())
      *number->second = std::max(1L, std::stol(words[k + 1]));
    else if (word == "--repeats")
      settings.repeats = std::max(1, std::stoi(words[k + 1]));
    else
      throw std::runtime_error("bench_gpu_ptx: unknown option " + word);
  }
  if (settings.texts.empty() == settings.ptx.empty())
    throw std::runtime_error("bench_gpu_ptx: give --texts FOLDER or --ptx FOLDER");
  return settings;
}

}  // namespace

int main(int count, char** words) {
  try {
    const Settings settings = settings_of(count, words);
    if (!settings.texts.empty())
      write_texts(settings);
    else if (ptx::driver())
      compare(settings);
    else
      std::printf("skipped: %s\n", ptx::why_no_driver().c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
