/// \file
/// field-runtime: time and accuracy of every field solver against the number of charges ([MSC] Fig. 7; v1
/// Fig. 3 a).

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/core/stopwatch.hpp>
#include <electret/field/field.hpp>
#include <electret/field/solver.hpp>

#include "clouds.hpp"
#include "experiment.hpp"
#include "field_errors.hpp"

namespace electret::experiments {
namespace {

/// A solver with its settings; one curve of time against n.
struct Method {
  std::string name;
  std::string solver;
  std::optional<double> accuracy;
  Count most_charges;  ///< Beyond, it takes too long to be worth it.
  int colour;
  Marker marker;
};

const std::vector<Method>& methods() {
  static const std::vector<Method> table = {
      {"direct, float64", "direct", std::nullopt, 30'000, 6, Marker::square},
      {"direct, 1e-3", "direct", 1e-3, 100'000, 6, Marker::circle},
      {"ddef, m ≤ 1000", "ddef", 1e-1, 1'000'000, 1, Marker::diamond},
      {"fmm, 1e-2", "fmm", 1e-2, 1'000'000, 5, Marker::circle},
      {"fmm, 1e-3", "fmm", 1e-3, 1'000'000, 0, Marker::circle},
      {"fmm, 1e-4", "fmm", 1e-4, 1'000'000, 2, Marker::circle},
      {"fmm, 1e-6", "fmm", 1e-6, 1'000'000, 3, Marker::circle},
  };
  return table;
}

/// m of `ddef`: the paper's cap of 1000, the solver's rule of thumb n/100 below it.
Count grid_points(Count n) {
  return std::clamp<Count>(n / 100, 20, 1000);
}

struct Sizes {
  std::vector<Count> charges;
  Count verified;  ///< Targets on which the error is measured.
  double seconds;  ///< An evaluation is repeated for about so long.
  int most_repeats;
};

Sizes sizes(bool quick) {
  if (quick) return {{300, 1000, 3000}, 200, 0.02, 5};
  return {{1000, 3000, 10'000, 30'000, 100'000, 300'000, 1'000'000}, 1000, 1.0, 25};
}

struct Measured {
  const Method* method;
  Count n;
  double seconds, error;
};

/// The n from which on the claim about our solvers is made.
constexpr Count claimed_from = 10'000;

/// A float64 sum's last digits are no result of the comparison.
constexpr double smallest_shown_error = 1e-9;

class FieldRuntime {
 public:
  FieldRuntime(const Context& context, Report& report)
      : context_(context),
        report_(report),
        sizes_(sizes(context.quick())),
        table_("times", {"charges", "solver", "n", "m", "seconds", "fastest", "repeats", "relative_l2"}) {
    for (const Method& method : methods()) {
      if (!available(method)) continue;
      for (const Count n : sizes_.charges) total_ += 2.0 * (n <= method.most_charges ? weight(n) : 0.0);
    }
  }

  void run() {
    for (const std::string kind : {"torus", "cube"}) {
      std::vector<Measured> measured;
      for (const Count n : sizes_.charges) {
        const Cloud cloud = kind == "torus" ? mesh_cloud("torus", n) : random_cloud(n, 1);
        report_.input(fmt::format("{}_{}.npy", kind, n), npy_of(cloud));
        for (const Method& method : methods())
          if (n <= method.most_charges && available(method))
            measured.push_back(measure(kind, cloud, n, method));
      }
      report_.chart(kind + "-time", time_chart(kind, measured));
      report_.chart(kind + "-accuracy", accuracy_chart(kind, measured));
      claims(kind, measured);
    }
    report_.table(table_, true);
    settings();
  }

 private:
  static double weight(Count n) { return std::sqrt(static_cast<double>(n)); }

  static bool available(const Method& method) {
    FieldOptions options;
    options.solver = method.solver;
    try {
      return !field_solver_choice(options, 1).empty();
    } catch (const InputError&) {
      return false;
    }
  }

  /// The median time of prepare and field together, the charges moved each time so that nothing can be kept
  /// that a simulation's step would have to make anew; and the error of the last field.
  Measured measure(const std::string& kind, const Cloud& cloud, Count n, const Method& method) {
    context_.progress(fmt::format("{}: n = {}, {}", kind, n, method.name), done_ / total_);
    FieldOptions options;
    options.solver = method.solver;
    options.accuracy = method.accuracy;
    if (method.solver == "ddef") options.ddef_grid_points = grid_points(n);
    const auto solver = make_field_solver(options, n, context_.threads());
    VectorArray field(cloud.size()), positions;
    std::vector<double> potential(cloud.size()), times;
    // A thousandth of the mean distance between neighbours in a box of size 1.
    const double step = 1e-3 / std::cbrt(static_cast<double>(n));
    double spent = 0.0;
    for (int repeat = 0; repeat == 0 || (spent < sizes_.seconds && repeat < sizes_.most_repeats); ++repeat) {
      context_.progress(fmt::format("{}: n = {}, {}", kind, n, method.name), done_ / total_);
      positions = moved(cloud.positions, step, static_cast<unsigned>(repeat + 1));
      double seconds = 0.0;
      {
        const Stopwatch watch(seconds);
        solver->prepare(positions);
        solver->field(cloud.charges, field, potential);
      }
      spent += seconds;
      times.push_back(seconds);
    }
    std::sort(times.begin(), times.end());
    const FieldError error = verify_field(positions, cloud.charges, field, options, sizes_.verified);
    const Measured result{&method, static_cast<Count>(cloud.size()), times[times.size() / 2], error.relative};
    table_.add({kind, method.name, result.n, method.solver == "ddef" ? grid_points(n) : Count{0},
                result.seconds, times.front(), static_cast<Count>(times.size()), result.error});
    done_ += weight(n);
    return result;
  }

  static std::string place(const std::string& kind) {
    return kind == "torus" ? "on a torus's surface" : "uniform in a cube";
  }

  [[nodiscard]] Chart time_chart(const std::string& kind, const std::vector<Measured>& measured) const {
    Chart chart;
    chart.title = "Time of one evaluation of the field";
    chart.subtitle =
        fmt::format("charges {}; tree, grid and evaluation of field and potential; {} thread(s), median",
                    place(kind), context_.threads().count());
    chart.x = {.label = "charges n", .logarithmic = true};
    chart.y = {.label = "time (s)", .logarithmic = true};
    for (const Method& method : methods()) {
      Series series{.name = method.name,
                    .colour = method.colour,
                    .marker = method.marker,
                    .dashed = method.name == "direct, float64"};
      for (const Measured& m : measured) {
        if (m.method != &method) continue;
        series.x.push_back(static_cast<double>(m.n));
        series.y.push_back(m.seconds);
      }
      if (!series.x.empty()) chart.series.push_back(std::move(series));
    }
    return chart;
  }

  /// Points of one n are joined for fmm, whose accuracies are one dial; the n stands beside them.
  [[nodiscard]] Chart accuracy_chart(const std::string& kind, const std::vector<Measured>& measured) const {
    Chart chart;
    chart.title = "Accuracy against time";
    chart.subtitle =
        fmt::format("charges {}; every solver and size; down and to the left is better; {} thread(s)",
                    place(kind), context_.threads().count());
    chart.x = {.label = "time of one evaluation (s)", .logarithmic = true};
    chart.y = {.label = "relative L2 error of the field", .logarithmic = true};
    for (const char* solver : {"fmm", "direct", "ddef"})
      for (const Count n : sizes_.charges) {
        Series series = curve_of(solver, n, measured);
        if (!series.x.empty()) chart.series.push_back(std::move(series));
      }
    return chart;
  }

  static Series curve_of(const std::string& solver, Count n, const std::vector<Measured>& measured) {
    const bool is_fmm = solver == "fmm", is_ddef = solver == "ddef";
    Series series{.name = solver + (is_ddef ? ", m ≤ 1000" : ""),
                  .colour = is_fmm    ? 0
                            : is_ddef ? 1
                                      : 6,
                  .marker = is_fmm    ? Marker::circle
                            : is_ddef ? Marker::diamond
                                      : Marker::square,
                  .line = !is_ddef,
                  .dashed = solver == "direct"};
    for (const Measured& m : measured) {
      // Generated meshes have n only nearly.
      if (m.method->solver != solver || std::abs(m.n - n) > n / 10) continue;
      series.x.push_back(m.seconds);
      series.y.push_back(std::max(m.error, smallest_shown_error));
    }
    series.label = n >= 1'000'000 ? fmt::format("{}M", n / 1'000'000)
                   : n >= 1000    ? fmt::format("{}k", n / 1000)
                                  : std::to_string(n);
    return series;
  }

  /// The fastest measurement of a solver at n with at most that error; 0 where there is none.
  static double fastest(const std::vector<Measured>& measured, const std::string& solver, Count n,
                        double error) {
    double seconds = 0.0;
    for (const Measured& m : measured)
      if (m.method->solver == solver && m.n == n && m.error <= error &&
          (seconds == 0.0 || m.seconds < seconds))
        seconds = m.seconds;
    return seconds;
  }

  void claims(const std::string& kind, const std::vector<Measured>& measured) {
    claim_ddef_against_direct(kind, measured);
    claim_fmm(kind, measured);
  }

  /// The paper's own statement: the approximation is faster than all pairs once there are enough charges.
  void claim_ddef_against_direct(const std::string& kind, const std::vector<Measured>& measured) {
    std::string figure = "this build has no ddef";
    std::optional<bool> good;
    for (const Measured& m : measured) {
      if (m.method->solver != "ddef") continue;
      const double direct = fastest(measured, "direct", m.n, 1.0);
      if (direct == 0.0) continue;
      good = direct > m.seconds;
      figure = fmt::format("{:.2g} times direct's speed at n = {}, the largest n for which direct was run",
                           direct / m.seconds, m.n);
    }
    report_.claim({fmt::format("ddef with m ≤ 1000 is faster than the direct sum of many charges ({})", kind),
                   good, figure});
  }

  /// "Ours below every peer at equal accuracy", of the solvers here: fmm against ddef and direct.
  void claim_fmm(const std::string& kind, const std::vector<Measured>& measured) {
    bool any = false, below = true;
    double least = 0.0;
    for (const Measured& m : measured) {
      if (m.method->solver == "fmm" || m.n < claimed_from) continue;
      const double seconds = fastest(measured, "fmm", m.n, std::max(m.error, 1e-6));
      if (seconds == 0.0) continue;
      least = any ? std::min(least, m.seconds / seconds) : m.seconds / seconds;
      any = true;
      below = below && seconds < m.seconds;
    }
    report_.claim(
        {fmt::format("from n = 10 000 on one of our solvers is below all others at equal accuracy ({})",
                     kind),
         any ? std::optional(below) : std::nullopt,
         any ? fmt::format("fmm is at least {:.2g} times as fast as ddef and direct where its error is no "
                           "larger (or at most 1e-6)",
                           least)
             : why_not_measured()});
  }

  [[nodiscard]] std::string why_not_measured() const {
    const Count most = sizes_.charges.back();
    if (most < claimed_from) return fmt::format("the largest n of this run is {}", most);
    return "this run has no two solvers of one accuracy";
  }

  void settings() {
    FieldOptions direct;
    direct.solver = "direct";
    report_.setting("n", fmt::format("{} (a torus has within 2 % of that)", fmt::join(sizes_.charges, ", ")));
    report_.setting("threads", std::to_string(context_.threads().count()));
    report_.setting("kernels", to_string(field_solver_choice(direct, 1000)));
    report_.setting("time",
                    fmt::format("median over up to {} evaluations (about {} s) of prepare and field with "
                                "potential; all charges move by 1e-3 of their mean distance before each",
                                sizes_.most_repeats, sizes_.seconds));
    report_.setting("ddef", "m = n/100, at least 20, at most 1000 (the paper: capped at 1000)");
    report_.setting(
        "error", fmt::format("relative L2 against the float64 sum on {} charges drawn at random (fixed seed)",
                             sizes_.verified));
    report_.remark(
        "Errors below 1e-9 (float64 sums) are drawn at 1e-9. Peers are measured beside Electret by programs "
        "of their "
        "own: `./dev bench openmm` compares with OpenMM's sum without a cut-off.");
    report_.command(fmt::format(
        "electret field inputs/cube_{}.npy --solver fmm --accuracy 1e-3 --verify 1000 -o field.npy",
        sizes_.charges.back()));
  }

  const Context& context_;
  Report& report_;
  Sizes sizes_;
  Table table_;
  double total_ = 0.0, done_ = 0.0;
};

}  // namespace

void field_runtime(const Context& context, Report& report) {
  FieldRuntime(context, report).run();
}

}  // namespace electret::experiments
