#include <charconv>
#include <cmath>
#include <filesystem>

#include <electret/geometry/read.hpp>
#include <electret/scene/schema_rows.hpp>
#include <electret/scene/table_reader.hpp>
#include <electret/sweep/job.hpp>

namespace electret {
namespace {

using schema::row;

SchemaTable sweep_table() {
  return {.name = "sweep",
          .is_required = true,
          .description = "The scene that is run, or the fit that is made, again and again.",
          .rows = {row<&SweepTable::scene>("scene").says("Scene file, relative to the job file."),
                   row<&SweepTable::fit>("fit").says(
                       "In place of a scene: a fitting job, relative to the job file. Each run is "
                       "`electret fit` of it from one start."),
                   row<&SweepTable::set>("set").says("`KEY=VALUE` settings for every run, as with `--set`."),
                   row<&SweepTable::unset>("unset").says("Keys to remove from the scene, as with `--unset`."),
                   row<&SweepTable::method>("method")
                       .one_of({"random", "sobol"})
                       .says("How sampled keys are sampled: independent random points, or Sobol' points, "
                             "which fill the ranges more evenly."),
                   row<&SweepTable::samples>("samples")
                       .at_least(0)
                       .at_most(10'000'000)
                       .says("Number of points of the sampled keys, the same points for each combination of "
                             "the listed keys. More samples keep the first ones."),
                   row<&SweepTable::seed>("seed").at_least(0).says("Seed of the points."),
                   row<&SweepTable::table>("table").path().says(
                       "In place of `[[vary]]`: a CSV file, relative to the job file. Its columns are named "
                       "by keys, each row is a run.")},
          .alternatives = {{{"scene", "fit"}, true, false}}};
}

SchemaTable vary_table() {
  return {
      .name = "vary",
      .is_repeated = true,
      .description =
          "A key that differs from run to run. Listed keys (`values`, or `range` with `points`) make a grid, "
          "in which the last one changes fastest. Sampled keys (`range` alone, or `normal`) share one set of "
          "points.",
      .rows = {row<&VaryTable::key>("key").says(
                   "Any key of `--set`, such as `body.0.charge`; with `fit` also `start.PARAMETER`, the "
                   "`start` of that `[[parameter]]`."),
               row<&VaryTable::keys>("keys").says("Several keys, which all get the same value."),
               row<&VaryTable::values>("values").says("Listed: the values."),
               row<&VaryTable::range>("range")
                   .in_words("2 numbers, the smaller one first")
                   .says("Sampled between these; or, with `points`, listed from one to the other."),
               row<&VaryTable::points>("points")
                   .at_least(2)
                   .at_most(10'000'000)
                   .standard("none")
                   .says("Number of listed values from one end of `range` to the other."),
               row<&VaryTable::scale>("scale")
                   .one_of({"linear", "log"})
                   .says("Whether values of `range` are even on a linear or on a logarithmic scale."),
               row<&VaryTable::normal>("normal")
                   .in_words("2 numbers: mean, standard deviation > 0")
                   .says("Sampled from a normal distribution."),
               row<&VaryTable::together>("together")
                   .says("Listed keys with the same text here advance together and count as one.")},
      .alternatives = {{{"key", "keys"}, true, false}, {{"values", "range", "normal"}, true, false}}};
}

SchemaTable keep_table() {
  return {
      .name = "keep",
      .description = "What is kept of each run.",
      .rows = {
          row<&KeepTable::quantities>("quantities")
              .standard("the last total and radius_of_gyration")
              .says("Numbers by name, each such as `\"max of kinetic\"`: `first`, `last`, `min`, `max`, "
                    "`mean`, `rms` or `time of max` of a column of energy.csv or observables.csv over the "
                    "run's frames."),
          row<&KeepTable::loss>("loss").says("A loss, as for `electret gradient --loss`; files are relative "
                                             "to the job file."),
          row<&KeepTable::gradient>("gradient")
              .says("Parameters by which the loss is differentiated, as for `--wrt`."),
          row<&KeepTable::frames>("frames").at_least(0).at_most(100'000).says(
              "Positions at so many times, evenly over the run, the last one at its end."),
          row<&KeepTable::velocities>("velocities").says("Velocities at the same times, too."),
          row<&KeepTable::precision>("precision")
              .one_of({"single", "double"})
              .says("How positions and velocities are stored."),
          row<&KeepTable::directories>("directories")
              .one_of({"none", "failed", "all"})
              .says("Of which runs the folder stays that `electret run` or `electret fit` would make: in "
                    "`runs/RUN` of all, in `failed/RUN` of those that are not `done`.")}};
}

SchemaTable limits_table() {
  return {.name = "limits",
          .description = "When a run, or the sweep, is given up.",
          .rows = {
              row<&LimitsTable::wall>("wall")
                  .in_words("text such as `\"90s\"`, `\"10min\"`, `\"2h\"`")
                  .standard("none")
                  .says("A run that takes longer ends as `timeout`."),
              row<&LimitsTable::attempts>("attempts")
                  .at_least(1)
                  .at_most(100)
                  .says("A run that takes its process down so often is `lost`."),
              row<&LimitsTable::failures>("failures")
                  .at_least(0)
                  .at_most(1)
                  .says("The sweep stops when more than this share of at least 20 runs has no result."),
              row<&LimitsTable::resumable>("resumable")
                  .says("For runs of minutes and more: each is an ordinary run or fit in `runs/RUN` while it "
                        "lasts, and goes on in another process after a stop or a kill."),
              row<&LimitsTable::cpu_hours>("cpu_hours")
                  .above(0)
                  .standard("none")
                  .says("No further runs are given out once all together have taken so many hours of "
                        "processor time.")}};
}

const std::vector<SchemaTable>& sweep_schema() {
  static const std::vector<SchemaTable> schema{sweep_table(), vary_table(), keep_table(), limits_table()};
  return schema;
}

/// Findings about one `[[vary]]` that no single key has.
class VaryCheck {
 public:
  VaryCheck(SweepJob& job, Report& report) : job_(job), report_(report) {}

  void check(const VaryTable& vary, const std::string& key) {
    if (!vary.range.empty()) range(vary, key);
    if (!vary.normal.empty() && (vary.normal.size() != 2 || !(vary.normal[1] > 0.0)))
      fault(key + ".normal", "\"normal\" is no mean with a standard deviation",
            "allowed: 2 numbers, the second one > 0");
    if (vary.points > 0 && vary.range.empty() && !report_.is_bad(key + ".range"))
      fault(key + ".points", "\"points\" without \"range\"", "give the range that they divide");
    if (vary.scale == "log" && vary.range.empty() && !report_.is_bad(key + ".range"))
      fault(key + ".scale", "\"scale\" without \"range\"", "only a range has a scale");
    if (!vary.together.empty() && !vary.is_listed() && !report_.is_bad(key + ".values"))
      fault(key + ".together", "sampled keys cannot advance together", "allowed with listed values only");
  }

 private:
  void range(const VaryTable& vary, const std::string& key) {
    if (vary.range.size() != 2)
      fault(key + ".range", "\"range\" has " + counted(vary.range.size(), "number", "numbers"),
            "allowed: 2 numbers, the smaller one first");
    else if (!(vary.range[0] < vary.range[1]))
      fault(key + ".range",
            "the range from " + number_text(vary.range[0]) + " to " + number_text(vary.range[1]) +
                " does not ascend",
            "allowed: 2 numbers, the smaller one first");
    else if (vary.scale == "log" && !(vary.range[0] > 0.0))
      fault(key + ".range", "a logarithmic scale from " + number_text(vary.range[0]),
            "allowed: two numbers > 0, or scale = \"linear\"");
  }

  void fault(const std::string& key, std::string wrong, std::string allowed) {
    report_.add(job_.source, key, std::move(wrong), std::move(allowed));
  }

  SweepJob& job_;
  Report& report_;
};

/// Where each item of `set` and `unset` stands: "sweep.set.0".
void note_items(const Document& document, SourceMap& source) {
  const Node::Member* sweep = document.root().member("sweep");
  for (const char* list : {"set", "unset"})
    if (const auto* member = sweep != nullptr ? sweep->node.member(list) : nullptr; member != nullptr)
      for (std::size_t k = 0; k < member->node.items.size(); ++k)
        source[std::string("sweep.") + list + "." + std::to_string(k)] =
            document.locate(member->node.items[k].place);
}

}  // namespace

SweepJob parse_sweep_job(const std::string& text, const std::string& file_name, const std::string& folder,
                         Report& report) {
  SweepJob job;
  job.text = text;
  job.folder = folder;
  std::vector<Finding> findings;
  const Document document(text, file_name, {}, findings);
  report.add_all(findings, "");
  if (!document.is_readable()) return job;
  const ReadContext context{document, report, job.source};
  const Node& root = document.root();
  job.source[""] = document.locate(root.place);
  TableReader reader(sweep_schema(), context);
  reader.unknown_keys(root, "", "", {});
  reader.one("", root, "sweep", job.sweep);
  reader.many<VaryTable>("", root, "vary", job.vary, [](auto&, auto&, auto&) {});
  reader.one("", root, "keep", job.keep);
  reader.one("", root, "limits", job.limits);
  note_items(document, job.source);
  VaryCheck check(job, report);
  for (std::size_t k = 0; k < job.vary.size(); ++k) check.check(job.vary[k], "vary." + std::to_string(k));
  if (!job.limits.wall.empty() && !duration_of(job.limits.wall))
    report.add(job.source, "limits.wall", in_quotes(job.limits.wall) + " is no time",
               "allowed: a number > 0 with its unit, such as \"90s\", \"10min\", \"2h\"");
  return job;
}

std::optional<double> duration_of(std::string_view text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number) || !(number > 0.0)) return std::nullopt;
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit == "s") return number;
  if (unit == "min") return 60.0 * number;
  if (unit == "h") return 3600.0 * number;
  return std::nullopt;
}

SweepJob read_sweep_job(const std::string& path, Report& report) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return parse_sweep_job(read_whole_file(path), path, folder.empty() ? "." : folder, report);
}

std::string sweep_job_reference() {
  std::string text;
  for (const SchemaTable& table : sweep_schema()) text += table_reference(table);
  return text;
}

}  // namespace electret
