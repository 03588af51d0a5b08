/// \file
/// ddef-error: relative error of `ddef` against its number of grid points m, for several numbers of charges n
/// ([MSC] Fig. 3; v1 Fig. 3 b-d).

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "clouds.hpp"
#include "experiment.hpp"
#include "field_errors.hpp"

namespace electret::experiments {
namespace {

constexpr double claimed_error = 0.15;
constexpr Count converged_at = 100;  // grid points

/// One panel of the figure: where the charges are and where the field is asked.
struct Panel {
  const char* name;
  const char* title;
  std::vector<std::string> charges;  ///< "random", or a mesh's shape.
  bool random_targets;
};

const std::array<Panel, 3> panels{{
    {"random-random", "Random charges, random test points", {"random"}, true},
    {"mesh-random", "Charges of meshes, random test points", {"torus", "duck", "blob"}, true},
    {"mesh-mesh", "Charges of meshes, the field at the charges", {"torus", "duck", "blob"}, false},
}};

struct Sizes {
  std::vector<Count> charges, grid_points;
  Count targets;
};

Sizes sizes(bool quick) {
  if (quick) return {{300, 1000}, {20, 100, 300}, 200};
  return {{1000, 3000, 10000, 30000}, {10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}, 3000};
}

class DdefError {
 public:
  DdefError(const Context& context, Report& report)
      : context_(context),
        report_(report),
        sizes_(sizes(context.quick())),
        table_("errors", {"panel", "charges", "n", "m", "mean", "deviation", "worst", "relative_l2"}) {
    for (const Panel& panel : panels) curves_ += panel.charges.size() * sizes_.charges.size();
  }

  void run() {
    for (const Panel& panel : panels) {
      Chart chart;
      chart.title = panel.title;
      chart.subtitle = "mean of |E − E_direct| / |E_direct| over the test points; q = 8 µC each";
      chart.x = {.label = "grid points m", .logarithmic = true};
      chart.y = {.label = "relative error of the field", .logarithmic = true};
      chart.levels = {{claimed_error, "15 %"}};
      for (std::size_t c = 0; c < panel.charges.size(); ++c)
        for (std::size_t k = 0; k < sizes_.charges.size(); ++k)
          chart.series.push_back(curve(panel, panel.charges[c], sizes_.charges[k], c, k));
      report_.chart(panel.name, chart);
    }
    report_.table(table_, false);
    claims();
    settings();
  }

 private:
  Cloud cloud_of(const std::string& kind, Count n) {
    Cloud cloud = kind == "random" ? random_cloud(n, 1) : mesh_cloud(kind, n);
    if (inputs_.insert({{kind, n}, true}).second)
      report_.input(fmt::format("{}_{}.npy", kind, n), npy_of(cloud));
    return cloud;
  }

  Series curve(const Panel& panel, const std::string& kind, Count n, std::size_t mesh, std::size_t size) {
    static constexpr std::array<Marker, 4> markers{Marker::circle, Marker::square, Marker::triangle,
                                                   Marker::diamond};
    const Cloud cloud = cloud_of(kind, n);
    std::optional<VectorArray> targets;
    if (panel.random_targets) targets = random_points(cloud.positions, sizes_.targets, 2);
    const VectorArray reference = reference_of(cloud, targets, context_.threads());
    Series series;
    series.name = kind == "random" ? fmt::format("n = {}", n) : fmt::format("{}, n = {}", kind, n);
    series.colour = static_cast<int>(panel.charges.size() > 1 ? mesh : size);
    series.marker = markers[size % markers.size()];
    for (const Count m : sizes_.grid_points) {
      context_.progress(fmt::format("{}: {}, n = {}, m = {}", panel.name, kind, n, m), part());
      const VectorArray field = field_of(cloud, targets, ddef_options(m), context_.threads());
      const Spread error = spread_of(relative_errors(field, reference));
      table_.add({std::string(panel.name), kind, static_cast<Count>(cloud.size()), m, error.mean,
                  error.deviation, error.worst, relative_l2(field, reference)});
      series.x.push_back(static_cast<double>(m));
      series.y.push_back(error.mean);
      note(kind, panel, n, m, error.mean);
      ++done_;
    }
    return series;
  }

  [[nodiscard]] double part() const {
    return static_cast<double>(done_) / static_cast<double>(curves_ * sizes_.grid_points.size());
  }

  /// Keeps what the claims are about.
  void note(const std::string& kind, const Panel& panel, Count n, Count m, double mean) {
    if (mean > worst_) {
      worst_ = mean;
      worst_case_ = fmt::format("{}, {}, n = {}, m = {}", panel.name, kind, n, m);
    }
    auto& [sum, count] = means_[m];
    sum += mean;
    ++count;
  }
  [[nodiscard]] double mean_at(Count m) const { return means_.at(m).first / means_.at(m).second; }

  void claims() {
    report_.claim({"all examples stay below 15 % relative error", worst_ < claimed_error,
                   fmt::format("at most {:.1f} % ({})", 100.0 * worst_, worst_case_)});
    // Converged: more grid points neither help nor harm by more than a factor of two.
    double low = mean_at(converged_at), high = low;
    for (const auto& [m, sum] : means_) {
      if (m < converged_at) continue;
      low = std::min(low, mean_at(m));
      high = std::max(high, mean_at(m));
    }
    const double before = mean_at(sizes_.grid_points.front());
    report_.claim(
        {"the error converges at about 100 grid points", high <= 2.0 * low,
         fmt::format("mean over all curves {:.1f} % at m = {}, from m = 100 on between {:.1f} % and {:.1f} % "
                     "(converged: within a factor of two)",
                     100.0 * before, sizes_.grid_points.front(), 100.0 * low, 100.0 * high)});
  }

  void settings() {
    report_.setting("charges", "8 µC each, as in the first version of the paper");
    report_.setting("n", fmt::format("{}", fmt::join(sizes_.charges, ", ")));
    report_.setting("m",
                    fmt::format("{}, the box's 8 corners not counted", fmt::join(sizes_.grid_points, ", ")));
    report_.setting(
        "meshes",
        "torus, duck and blob of `generate` with their default shape (the paper's are not published)");
    report_.setting("random charges", "uniform in a cube");
    report_.setting("random test points",
                    fmt::format("{} uniform in the charges' bounding box", sizes_.targets));
    report_.setting("error", "mean over the test points of |E − E_direct| / |E_direct|, E_direct in float64");
    report_.command("electret field inputs/" + fmt::format("torus_{}.npy", sizes_.charges.back()) +
                    " --solver ddef --grid-points 1000 --verify 1000 -o field.npy");
  }

  const Context& context_;
  Report& report_;
  Sizes sizes_;
  Table table_;
  std::size_t curves_ = 0, done_ = 0;
  double worst_ = 0.0;
  std::string worst_case_;
  std::map<Count, std::pair<double, int>> means_;
  std::map<std::pair<std::string, Count>, bool> inputs_;
};

}  // namespace

void ddef_error(const Context& context, Report& report) {
  DdefError(context, report).run();
}

}  // namespace electret::experiments
