#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <electret/core/errors.hpp>
#include <electret/core/version.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/scene/write.hpp>
#include <electret/sweep/sweep_fit_run.hpp>
#include <electret/sweep/sweep_tables.hpp>

namespace electret {
namespace {

using nlohmann::json;

constexpr std::size_t most_columns = 24;  // Of fitted values in runs.csv, as in a fit's own table.
constexpr std::size_t minima_told = 100;  // Minima in summary.json.

/// A cell of the header; names of groups may hold anything.
std::string header_cell(const std::string& name) {
  if (name.find_first_of(",\"") == std::string::npos) return name;
  std::string text;
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return '"' + text + '"';
}

std::string header(const SweepPlan& plan, const SweepResults& results) {
  std::string text = "run,status";
  for (const std::string& key : plan.design.keys()) text += "," + header_cell(key);
  for (const Quantity& quantity : plan.quantities) text += "," + quantity.name;
  if (!results.losses.empty()) text += ",loss";
  if (!plan.fit) return text + "\n";
  text += ",gradient_norm,evaluations,end,minimum";
  for (std::size_t v = 0; v < std::min(plan.fit->values.size(), most_columns); ++v)
    text += "," + header_cell("fitted." + plan.fit->values[v]);
  return text + "\n";
}

/// How a fit ended, and where.
std::string fit_cells(const SweepPlan& plan, const SweepResults& results, std::size_t row) {
  const auto end = fit_end_of(results.ends[row]);
  const int minimum = results.minima.of[row];
  std::string text =
      fmt::format(",{:.17g},{:.0f},{},{}", results.gradient_norms[row], results.evaluations[row],
                  end ? to_string(*end) : "", minimum < 0 ? "" : std::to_string(minimum + 1));
  const std::size_t count = plan.fit->values.size();
  for (std::size_t v = 0; v < std::min(count, most_columns); ++v)
    text += fmt::format(",{:.17g}", results.fitted[row * count + v]);
  return text;
}

json values_by_name(const SweptFit& fit, const std::vector<double>& values) {
  json by_name = json::object();
  for (std::size_t v = 0; v < values.size(); ++v) by_name[fit.values[v]] = values[v];
  return by_name;
}

json minima_json(const SweepPlan& plan, const SweepResults& results) {
  json minima = json::array();
  for (const FitMinimum& each : results.minima.minima) {
    if (minima.size() == minima_told) break;
    minima.push_back({{"fits", each.fits},
                      {"loss", each.loss},
                      {"run", each.run},
                      {"values", values_by_name(*plan.fit, each.values)}});
  }
  return minima;
}

std::string row_text(const SweepPlan& plan, const SweepResults& results, std::size_t row) {
  const std::size_t count = plan.quantities.size();
  std::string text = fmt::format("{},{}", results.runs[row], name_of(results.status[row]));
  for (std::size_t k = 0; k < plan.design.keys().size(); ++k)
    (text += ",") += plan.design.value(results.runs[row], k);
  for (std::size_t q = 0; q < count; ++q)
    text += fmt::format(",{:.17g}", results.quantities[row * count + q]);
  if (!results.losses.empty()) text += fmt::format(",{:.17g}", results.losses[row]);
  if (plan.fit) text += fit_cells(plan, results, row);
  return text + "\n";
}

}  // namespace

void write_sweep_table(const std::string& path, const SweepPlan& plan, const SweepResults& results) {
  constexpr std::size_t piece_size = 1 << 16;
  std::size_t row = 0;
  std::string piece = header(plan, results);
  write_file_in_pieces(path, [&] {
    while (row < results.runs.size() && piece.size() < piece_size) piece += row_text(plan, results, row++);
    return std::exchange(piece, {});
  });
}

std::string sweep_summary_text(const SweepPlan& plan, const SweepResults& results) {
  json counts = json::object();
  for (const SweepStatus status : all_statuses)
    counts[name_of(status)] = std::count(results.status.begin(), results.status.end(), status);
  std::vector<std::string> faults;
  for (const Finding& finding : results.faults) faults.push_back(to_string(finding));
  json summary{{"job_file", plan.job_file},
               {"runs", plan.design.runs()},
               {"missing", plan.design.runs() - static_cast<Count>(results.runs.size())},
               {"status", counts},
               {"digest", results.digest},
               {"wall_s", results.wall},
               {"cpu_s", results.cpu},
               {"parts", results.parts},
               {"instruction_sets", results.sets},
               {"faults", faults},
               {"version", version}};
  if (plan.fit) {
    summary["distinct_minima"] = results.minima.minima.size();
    summary["minima"] = minima_json(plan, results);
    summary["fits_elsewhere"] = results.minima.elsewhere;
    summary["best"] = results.best ? json(*results.best) : json();
  }
  return summary.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string best_scene_text(const SweepPlan& plan, const SweepResults& results, const std::string& folder) {
  require(results.best.has_value(), "no fit is the best one");
  const auto row = static_cast<std::size_t>(
      std::lower_bound(results.runs.begin(), results.runs.end(), *results.best) - results.runs.begin());
  const std::size_t count = plan.fit->values.size();
  MeshStore meshes;
  FitPlan fit = fit_of_run(plan, plan.design.overrides(*results.best), meshes).plan;
  write_values(fit.assembly, fit.parameters, ScalarView(results.fitted).subspan(row * count, count));
  std::vector<Parameter> changed;
  for (const FitParameter& each : fit.parameters) changed.push_back(each.parameter);
  return scene_text(fit.assembly, changed, folder);
}

}  // namespace electret
