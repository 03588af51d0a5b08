#include <filesystem>

#include <electret/fit/job.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/schema_rows.hpp>
#include <electret/scene/table_reader.hpp>

namespace electret {
namespace {

using schema::row;

SchemaTable fit_table() {
  return {.name = "fit",
          .is_required = true,
          .description = "The scene whose parameters are fitted.",
          .rows = {row<&FitTable::scene>("scene").required().says("Scene file, relative to the job file."),
                   row<&FitTable::set>("set").says("`KEY=VALUE` settings for the scene, as with `--set`."),
                   row<&FitTable::unset>("unset").says("Keys to remove from the scene, as with `--unset`.")}};
}

SchemaTable parameter_table() {
  return {.name = "parameter",
          .is_repeated = true,
          .is_required = true,
          .description = "A parameter to fit ([parameters.md](parameters.md)).",
          .rows = {row<&FitParameterTable::name>("name").required().says(
                       "Name of the parameter, such as `body.cloth.stiffness`."),
                   row<&FitParameterTable::start>("start").says(
                       "Value at the start, the same for all values of a list. Numbers that share one value "
                       "keep their differences. Default: the scene's values."),
                   row<&FitParameterTable::minimum>("minimum").says("Smallest value allowed."),
                   row<&FitParameterTable::maximum>("maximum").says("Largest value allowed."),
                   row<&FitParameterTable::scale>("scale")
                       .one_of({"auto", "linear", "logarithmic"})
                       .says("Scale on which values move; `auto` is `logarithmic` if they cannot be negative "
                             "and are not 0."),
                   row<&FitParameterTable::prior_weight>("prior_weight")
                       .at_least(0)
                       .says("Weight of an added loss: the mean squared distance from `prior`, relative to "
                             "the values' size at the start."),
                   row<&FitParameterTable::prior>("prior").says(
                       "Value to stay near. Default: the values at the start.")}};
}

SchemaTable loss_table() {
  return {.name = "loss",
          .is_repeated = true,
          .is_required = true,
          .description = "A loss; the fit minimises the sum of all.",
          .rows = {row<&FitLossTable::of>("of").required().says("One of " + written_loss_forms() +
                                                                "; files are relative to the job file."),
                   row<&FitLossTable::weight>("weight").says("Factor of this loss.")}};
}

SchemaTable optimiser_table() {
  return {
      .name = "optimiser",
      .description = "The method that looks for the smallest loss, and when it ends.",
      .rows = {row<&OptimiserOptions::method>("method")
                   .one_of(optimisers)
                   .says("`lbfgs`: L-BFGS; `mma`: moving asymptotes; `adam`."),
               row<&OptimiserOptions::evaluations>("evaluations")
                   .at_least(1)
                   .says("Most runs per start and horizon."),
               row<&OptimiserOptions::gradient_tolerance>("gradient_tolerance")
                   .at_least(0)
                   .says("The search has converged when the gradient is at most this fraction of the first "
                         "gradient."),
               row<&OptimiserOptions::change_tolerance>("change_tolerance")
                   .at_least(0)
                   .says("The search also ends when the last ten improvements together changed the loss by "
                         "less than "
                         "this fraction."),
               row<&OptimiserOptions::loss_tolerance>("loss_tolerance")
                   .at_least(0)
                   .says("The search also ends when the loss is at most this. 0: no such end."),
               row<&OptimiserOptions::rate>("rate").above(0).says(
                   "`adam` only: the first step of each variable.")}};
}

SchemaTable starts_table() {
  return {.name = "starts",
          .description =
              "Several starts: the first as written, the others random; or all random, with `best_of`.",
          .rows = {row<&FitStartsTable::count>("count").at_least(1).at_most(100000).says("Number of starts."),
                   row<&FitStartsTable::spread>("spread").above(0).says(
                       "A random start multiplies or divides a value by up to this factor. On a linear scale "
                       "it adds or subtracts up to this times the size of the parameter's values."),
                   row<&FitStartsTable::signs>("signs")
                       .one_of({"kept", "random"})
                       .says("`random`: in random starts, values that may have either sign get a random "
                             "sign, and `spread` is a factor of their size."),
                   row<&FitStartsTable::sample>("sample")
                       .one_of({"spread", "limits"})
                       .says("`limits`: random starts lie anywhere between the parameters' limits, evenly on "
                             "their scale; `spread` and `signs` have no effect then."),
                   row<&FitStartsTable::best_of>("best_of").at_least(0).at_most(100000).says(
                       "With `sample = \"limits\"`: so many random starts are each run once, without a "
                       "gradient, and those `count` with the smallest losses are fitted. 0: none."),
                   row<&FitStartsTable::seed>("seed").at_least(0).says("Seed of the random numbers.")}};
}

SchemaTable horizons_table() {
  return {.name = "horizons",
          .description = "Shorter runs to fit first, each from the result of the one before.",
          .rows = {row<&FitHorizonsTable::durations>("durations")
                       .unit("s")
                       .above(0)
                       .required()
                       .says("Ascending durations; the fit adds the scene's whole duration as the last.")}};
}

SchemaTable signs_table() {
  return {.name = "signs",
          .description =
              "Values that may have either sign, such as charges: a search for better signs, and a report of "
              "which signs the loss determines.",
          .rows = {row<&FitSignsTable::trials>("trials").at_least(0).says(
                       "Most trials of a search from the best start's result; each reverses the signs of one "
                       "value and its nearest neighbours and fits again. 0: no search."),
                   row<&FitSignsTable::evaluations>("evaluations").at_least(2).says("Most runs per trial."),
                   row<&FitSignsTable::seed>("seed").at_least(0).says("Seed of the random numbers."),
                   row<&FitSignsTable::tried>("tried").at_least(0).says(
                       "How many values get their sign reversed after the fit, each alone in one run, the "
                       "smallest values first. 0: none.")}};
}

SchemaTable identifiability_table() {
  return {.name = "identifiability",
          .description = "After the fit, looks for combinations of values that the loss does not determine.",
          .rows = {row<&FitIdentifiabilityTable::products>("products")
                       .at_least(0)
                       .at_most(10000)
                       .says("Most gradients to spend on it. With as many gradients as there are values "
                             "it finds every combination. 0: none.")}};
}

SchemaTable scan_table() {
  return {.name = "scan",
          .is_repeated = true,
          .description = "Draws the loss over one parameter; two of these tables draw it over two.",
          .rows = {row<&FitScanTable::parameter>("parameter")
                       .required()
                       .says("A fitted parameter that has one value."),
                   row<&FitScanTable::from>("from").required().says("First value."),
                   row<&FitScanTable::to>("to").required().says("Last value."),
                   row<&FitScanTable::points>("points").at_least(2).at_most(1000).says(
                       "Number of points, evenly spaced.")}};
}

const std::vector<SchemaTable>& job_schema() {
  static const std::vector<SchemaTable> schema{fit_table(),       parameter_table(),       loss_table(),
                                               optimiser_table(), starts_table(),          horizons_table(),
                                               signs_table(),     identifiability_table(), scan_table()};
  return schema;
}

}  // namespace

FitJob parse_fit_job(const std::string& text, const std::string& file_name, const std::string& folder,
                     Report& report) {
  FitJob job;
  job.text = text;
  job.folder = folder;
  std::vector<Finding> findings;
  const Document document(text, file_name, {}, findings);
  report.add_all(findings, "");
  if (document.is_readable()) {
    const ReadContext context{document, report, job.source};
    const Node& root = document.root();
    job.source[""] = document.locate(root.place);
    TableReader reader(job_schema(), context);
    const auto as_read = [](auto&, auto&, auto&) {};
    reader.unknown_keys(root, "", "", {});
    reader.one("", root, "fit", job.fit);
    reader.many<FitParameterTable>("", root, "parameter", job.parameters, as_read);
    reader.many<FitLossTable>("", root, "loss", job.losses, as_read);
    reader.one("", root, "optimiser", job.optimiser);
    reader.one("", root, "starts", job.starts);
    reader.one("", root, "horizons", job.horizons);
    reader.one("", root, "signs", job.signs);
    reader.one("", root, "identifiability", job.identifiability);
    reader.many<FitScanTable>("", root, "scan", job.scans, as_read);
    if (job.scans.size() > 2)
      report.add(job.source, "scan.2", "a third [[scan]]", "one parameter makes a curve, two a map");
  }
  return job;
}

FitJob parse_fit_job(const std::string& text, const std::string& file_name, const std::string& folder) {
  Report report;
  FitJob job = parse_fit_job(text, file_name, folder, report);
  report.throw_if_any(file_name);
  return job;
}

FitJob read_fit_job(const std::string& path, Report& report) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return parse_fit_job(read_whole_file(path), path, folder.empty() ? "." : folder, report);
}

FitJob read_fit_job(const std::string& path) {
  Report report;
  FitJob job = read_fit_job(path, report);
  report.throw_if_any(path);
  return job;
}

std::string fit_job_reference() {
  std::string text;
  for (const SchemaTable& table : job_schema()) text += table_reference(table);
  return text;
}

}  // namespace electret
