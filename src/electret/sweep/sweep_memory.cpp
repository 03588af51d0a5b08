#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/record/memory_need.hpp>
#include <electret/sweep/sweep_memory.hpp>

namespace electret {
namespace {

using Columns = std::vector<std::size_t>;

class MemoryFinder {
 public:
  explicit MemoryFinder(const SweepPlan& plan) : plan_(plan) {}

  double find() {
    const std::optional<Count> usual = usual_run();
    if (!usual) return most_;
    const double usual_need = most_;
    std::vector<Count> largest(plan_.design.keys().size(), *usual);  // The run of each column's value.
    std::size_t shapes = 1;
    for (const Columns& columns : independent_columns(plan_)) {
      const std::size_t meshes = meshes_.size();
      double most = usual_need;
      std::vector<Count> from(plan_.design.keys().size(), *usual);
      for (const Count run : extremes(columns, *usual)) {
        for (const std::size_t column : columns) from[column] = run;
        const auto found = need(from);
        if (!found || *found <= most) continue;
        most = *found;
        for (const std::size_t column : columns) largest[column] = run;
      }
      if (meshes_.size() > meshes || meshes == most_kept) shapes *= distinct_values(columns);
      shapes = std::min(shapes, most_kept);
    }
    (void)need(largest);
    return most_ + kept_meshes(shapes) + large_design();
  }

 private:
  /// The meshes that a process keeps (`MeshStore`).
  static constexpr std::size_t most_kept = 16;

  /// What the values of all runs take beyond the usual.
  [[nodiscard]] double large_design() const {
    constexpr double usual = 10e6;
    return std::max(static_cast<double>(plan_.design.bytes()) - usual, 0.0);
  }

  /// What the meshes take that a process keeps of earlier runs, if scenes have so many different shapes.
  [[nodiscard]] double kept_meshes(std::size_t shapes) const {
    constexpr double vertex = 150.0;  // With the vertex's share of triangles or tetrahedra.
    if (shapes < 2) return 0.0;
    const std::size_t others = std::min(shapes * most_of_a_scene_, most_kept) - 1;
    return static_cast<double>(others) * vertex * static_cast<double>(most_vertices_);
  }

  /// How many different values the columns have together, at most as many as meshes are kept.
  [[nodiscard]] std::size_t distinct_values(const Columns& columns) const {
    std::set<std::string> seen;
    for (Count run = 0; run < plan_.design.runs() && seen.size() < most_kept; ++run) {
      std::string values;
      for (const std::size_t column : columns) (values += plan_.design.value(run, column)) += ",";
      seen.insert(std::move(values));
    }
    return seen.size();
  }

  /// A run whose scene can be read; nothing if none of the first ones can.
  [[nodiscard]] std::optional<Count> usual_run() {
    constexpr Count most_tried = 100;
    if (plan_.design.runs() == 0) return std::nullopt;
    for (Count k = -1; k < std::min(plan_.design.runs(), most_tried); ++k) {
      const Count run = k < 0 ? plan_.usual_run : k;
      if (!need(std::vector<Count>(plan_.design.keys().size(), run))) continue;
      most_of_a_scene_ = std::max<std::size_t>(meshes_.size(), 1);
      return run;
    }
    return std::nullopt;
  }

  /// The bytes for a scene whose column k has the value of run from[k]; nothing if it cannot be read.
  std::optional<double> need(const std::vector<Count>& from) {
    std::vector<std::string> overrides;
    for (std::size_t k = 0; k < from.size(); ++k)
      overrides.push_back(plan_.design.keys()[k] + "=" + std::string(plan_.design.value(from[k], k)));
    const auto [known, is_new] = known_.try_emplace(plan_.scene_overrides(overrides));
    if (is_new) known->second = need(overrides);
    if (known->second) most_ = std::max(most_, *known->second);
    return known->second;
  }

  [[nodiscard]] std::optional<double> need(const std::vector<std::string>& overrides) {
    const bool has_gradient = plan_.fit || !plan_.job.keep.gradient.empty();
    try {
      const Simulator simulator(compile(scene_of_run(plan_, overrides, meshes_), 1));
      const System& system = simulator.system();
      most_vertices_ = std::max(most_vertices_, static_cast<Count>(system.vertex_count()));
      // As much again for the design and what the process reads and writes.
      return program_memory + (has_gradient ? gradient_memory_need(system, simulator.integrator(), !plan_.fit)
                                            : memory_need(system, simulator.integrator()));
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  /// Runs with the smallest and the largest number of each of these columns, and with each of its first
  /// texts.
  [[nodiscard]] std::set<Count> extremes(const Columns& columns, Count usual) const {
    constexpr std::size_t most_texts = 100;
    std::set<Count> runs;
    for (const std::size_t column : columns) {
      std::set<std::string> texts;
      std::optional<std::pair<double, Count>> smallest, largest;
      for (Count run = 0; run < plan_.design.runs(); ++run) {
        const auto number = plan_.design.number(run, column);
        if (!number || !std::isfinite(*number)) {
          if (texts.size() < most_texts && texts.emplace(plan_.design.value(run, column)).second)
            runs.insert(run);
          continue;
        }
        if (!smallest || *number < smallest->first) smallest = {*number, run};
        if (!largest || *number > largest->first) largest = {*number, run};
      }
      if (smallest) runs.insert({smallest->second, largest->second});
    }
    runs.erase(usual);
    return runs;
  }

  const SweepPlan& plan_;
  MeshStore meshes_;
  double most_ = program_memory;
  Count most_vertices_ = 0;                                          ///< Of a scene that was assembled.
  std::size_t most_of_a_scene_ = 1;                                  ///< Different meshes of the usual scene.
  std::map<std::vector<std::string>, std::optional<double>> known_;  ///< By the scene's overrides.
};

}  // namespace

double memory_of_a_worker(const SweepPlan& plan) {
  return MemoryFinder(plan).find();
}

std::vector<std::vector<std::size_t>> independent_columns(const SweepPlan& plan) {
  std::vector<Columns> all;
  std::map<std::string, std::size_t> together;
  std::size_t column = 0;
  for (const VaryTable& vary : plan.job.vary) {
    auto at = all.size();
    if (!vary.together.empty()) at = together.try_emplace(vary.together, at).first->second;
    if (at == all.size()) all.emplace_back();
    for (std::size_t k = 0; k < vary.all_keys().size(); ++k) all[at].push_back(column++);
  }
  for (; column < plan.design.keys().size(); ++column) all.push_back({column});
  return all;
}

}  // namespace electret
