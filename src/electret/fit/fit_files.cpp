#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <electret/core/text.hpp>
#include <electret/core/version.hpp>
#include <electret/fit/fit_files.hpp>
#include <electret/fit/job_overrides.hpp>
#include <electret/record/chart.hpp>
#include <electret/record/colour_map.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/scene/write.hpp>

namespace electret {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The files that are replaced as a whole.
constexpr std::array<std::string_view, 8> whole_files{"fit.json", "fitted.toml", "fit.svg",  "fit.png",
                                                      "scan.csv", "scan.svg",    "scan.png", "samples.csv"};
constexpr std::size_t most_columns = 24;  // of values in fit.csv; if there are more, they are in fitted.toml

std::string get(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string exact_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.17g}", value) : "inf";
}

/// A cell of a header, escaped for any name of a body.
std::string cell(const std::string& name) {
  std::string text;
  for (const char c : printable(name)) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return '"' + text + '"';
}

Json state_at(const std::string& path) {
  const Json state = Json::parse(get(path), nullptr, false);
  return state.is_object() ? state : Json::object();
}

/// The value of that name in what may be any file; null if there is none.
Json value_in(const Json& state, const std::string& name) {
  return state.is_object() ? state.value(name, Json()) : Json();
}

/// "" if it is no text.
std::string text_in(const Json& state, const std::string& name) {
  const Json value = value_in(state, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

/// Whether a logarithmic scale can show them.
bool are_positive(const std::vector<double>& losses) {
  return std::all_of(losses.begin(), losses.end(), [](double loss) { return loss > 0.0; });
}

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json json_of(const FitOutcome& outcome) {
  return {{"loss", number_or_null(outcome.loss)},
          {"evaluations", outcome.evaluations},
          {"end", to_string(outcome.end)},
          {"converged", has_converged(outcome.end)}};
}

/// The losses with reversed signs: of each value that was tried alone, by name, and of all together.
Json json_of(const SignAmbiguity& signs, const std::vector<FitParameter>& parameters) {
  const auto names = value_names(parameters);
  Json out = {{"loss", signs.loss}, {"all_reversed", number_or_null(signs.together)}};
  for (std::size_t k = 0; k < signs.tried.size(); ++k)
    out["reversed"][names[signs.tried[k]]] = number_or_null(signs.losses[k]);
  out["ambiguous"] = Json::array();
  for (const std::size_t k : signs.ambiguous()) out["ambiguous"].push_back(names[signs.tried[k]]);
  return out;
}

}  // namespace

std::vector<std::string> value_names(const std::vector<FitParameter>& parameters) {
  std::vector<std::string> names;
  for (const FitParameter& each : parameters)
    for (std::size_t k = 0; k < each.parameter.size(); ++k)
      names.push_back(printable(each.parameter.name) +
                      (each.parameter.size() > 1 ? fmt::format("[{}]", k) : ""));
  return names;
}

double mean_of_samples(const std::vector<double>& losses) {
  double sum = 0.0, count = 0.0;
  for (const double loss : losses)
    if (std::isfinite(loss)) sum += loss, count += 1.0;
  return count > 0.0 ? sum / count : std::numeric_limits<double>::infinity();
}

std::size_t diverged_samples(const std::vector<double>& losses) {
  return static_cast<std::size_t>(
      std::count_if(losses.begin(), losses.end(), [](double loss) { return !std::isfinite(loss); }));
}

FitFiles::FitFiles(std::string directory, const std::string& job_file, const FitJob& job, const FitPlan& plan,
                   FitMode mode)
    : directory_(std::move(directory)),
      job_file_(printable(fs::absolute(job_file).lexically_normal().string())),
      plan_(plan) {
  const Scene& scene = plan.assembly.scene;
  identity_ = std::string(version) + "\n" + job.text + "\n" + scene.text;
  for (const std::string& key : scene.overrides) identity_ += "\n" + key;
  for (const std::string& text : job.overrides)
    if (text.starts_with(start_key)) identity_ += "\n" + text;
  check(mode);
  if (mode == FitMode::resume) {
    read_known();
    read_samples();
  }
}

void FitFiles::check(FitMode mode) {
  std::error_code error;
  const Location where{directory_, 0, 0};
  if (!fs::exists(directory_, error)) return;
  if (!fs::is_directory(directory_, error))
    throw InputError(Finding{where, "is a file", "give -o a folder that is new, empty or holds a fit"});
  if (holds_only_unfinished(directory_, whole_files)) return;
  if (!fs::exists(file("fit.json"), error))
    throw InputError(
        Finding{where, "holds something other than a fit", "give -o a folder that is new or empty"});
  const Json state = state_at(file("fit.json"));
  if (mode == FitMode::overwrite) return;
  if (const std::string job = text_in(state, "job"); job != job_file_)
    throw InputError(Finding{where, "holds a fit of another job, " + in_quotes(job),
                             "give -o another folder, or --overwrite to replace it"});
  const std::string status = text_in(state, "status");
  const bool is_finished = status == "done";
  if (!is_finished && mode == FitMode::fresh)
    throw InputError(Finding{where,
                             status == "failed" ? "holds a fit that failed" : "holds an unfinished fit",
                             "--resume goes on with it, --overwrite replaces it"});
  if (mode != FitMode::resume) return;
  if (text_in(state, "identity") != identity_)
    throw InputError(Finding{where,
                             "holds a fit that began before its job, its scene or this program changed",
                             "--overwrite starts afresh"});
  has_ended_ = is_finished;
  if (has_ended_) check_whole();
}

/// Throws InputError if a file of the ended fit is gone.
void FitFiles::check_whole() const {
  std::error_code error;
  std::string gone;
  for (const char* name :
       {"fitted.toml", "fit.csv", "fit.svg", "fit.png", "scan.csv", "scan.svg", "scan.png", "samples.csv"})
    if ((!plan_.scans.empty() || !std::string_view(name).starts_with("scan")) &&
        (!plan_.samples.empty() || std::string_view(name) != "samples.csv") && !fs::exists(file(name), error))
      gone += (gone.empty() ? "" : ", ") + std::string(name);
  if (!gone.empty())
    throw InputError(Finding{{directory_, 0, 0},
                             "holds a fit that has finished already and has lost " + gone,
                             "--overwrite runs the fit again"});
}

std::vector<std::pair<std::string, std::string>> FitFiles::ended_rows() const {
  const Json state = state_at(file("fit.json"));
  const auto numeric = [](const Json& value) {
    return value.is_number() ? fmt::format("{:.9g}", value.get<double>()) : std::string("inf");
  };
  std::vector<std::pair<std::string, std::string>> rows;
  for (const FitParameter& each : plan_.parameters) {
    const Json values = value_in(value_in(state, "values"), each.parameter.name);
    if (values.is_array() && values.size() == 1)
      rows.emplace_back(each.parameter.name, numeric(values[0]) + " " + each.parameter.unit);
  }
  rows.emplace_back("loss", numeric(value_in(state, "loss")));
  if (const Json samples = value_in(state, "samples"); value_in(samples, "relative_loss").is_number())
    rows.emplace_back("loss / mean of the samples", numeric(value_in(samples, "relative_loss")));
  rows.emplace_back(ended_well() ? "ended" : "not converged", text_in(state, "end"));
  return rows;
}

bool FitFiles::ended_well() const {
  return value_in(state_at(file("fit.json")), "converged") == true;
}

/// Of the loss, the variables and the gradient of one evaluation.
std::size_t FitFiles::record_bytes() const {
  return (1 + 2 * plan_.options.starts.front().size()) * sizeof(double);
}

void FitFiles::read_known() {
  const std::string bytes = get(file("evaluations.bin"));
  const std::size_t n = plan_.options.starts.front().size(), record = record_bytes();
  for (std::size_t at = 0; at + record <= bytes.size(); at += record) {
    std::vector<double> numbers(1 + 2 * n);
    std::copy_n(bytes.data() + at, record, reinterpret_cast<char*>(numbers.data()));
    KnownEvaluation& known = known_.emplace_back();
    known.loss = numbers[0];
    known.variables.assign(numbers.begin() + 1, numbers.begin() + 1 + static_cast<std::ptrdiff_t>(n));
    known.gradient.assign(numbers.begin() + 1 + static_cast<std::ptrdiff_t>(n), numbers.end());
  }
}

/// Takes the losses of samples.csv; a kill may have cut its last line.
void FitFiles::read_samples() {
  if (plan_.samples.empty() || has_ended_) return;
  std::istringstream lines(get(file("samples.csv")));
  std::string line;
  std::getline(lines, line);  // The header.
  std::vector<double> losses;
  while (std::getline(lines, line) && !lines.eof()) {
    const auto comma = line.find(',');
    if (comma == std::string::npos) return;
    const std::string loss = line.substr(comma + 1, line.find(',', comma + 1) - comma - 1);
    double value = std::numeric_limits<double>::infinity();
    if (loss != "inf" &&
        std::from_chars(loss.data(), loss.data() + loss.size(), value).ptr != loss.data() + loss.size())
      return;
    losses.push_back(value);
  }
  if (losses.size() <= plan_.samples.size()) known_samples_ = std::move(losses);
}

void FitFiles::begin_samples() {
  samples_.open(file("samples.csv"), std::ios::binary | std::ios::trunc);
  samples_ << "sample,loss";
  const auto names = value_names(plan_.parameters);
  for (std::size_t k = 0; k < std::min(names.size(), most_columns); ++k) samples_ << ',' << cell(names[k]);
  samples_ << '\n';
  for (std::size_t s = 0; s < known_samples_.size(); ++s) keep_sample(s, known_samples_[s]);
}

void FitFiles::keep_sample(std::size_t sample, double loss) {
  const std::vector<double>& values = plan_.samples[sample];
  samples_ << sample + 1 << ',' << exact_text(loss);
  for (std::size_t k = 0; k < std::min(values.size(), most_columns); ++k)
    samples_ << ',' << exact_text(values[k]);
  samples_ << '\n' << std::flush;
  if (!samples_) throw IoError(directory_ + " could not be written to: is the disk full?");
}

void FitFiles::begin() {
  lock_.emplace(directory_, "fit");
  const std::string evaluations = file("evaluations.bin");
  std::error_code error;
  // A fit that goes on keeps its evaluations, so that it may be killed again at any time. Those of another
  // fit go before fit.json says that this one is running.
  if (known_.empty())
    fs::remove(evaluations, error);
  else
    fs::resize_file(evaluations, known_.size() * record_bytes(), error);
  if (error) throw IoError(directory_ + " cannot be written to: " + error.message());
  write_state("running", nullptr);
  for (const std::string_view name : whole_files)
    if (name != "fit.json") fs::remove(directory_ + "/" + std::string(name), error);
  remove_unfinished(directory_, whole_files);
  table_.open(file("fit.csv"), std::ios::binary | std::ios::trunc);
  evaluations_.open(evaluations, std::ios::binary | std::ios::app);
  if (!table_ || !evaluations_) throw IoError(directory_ + " cannot be written to");
  table_ << "start,duration,evaluation,loss,gradient_norm";
  const auto names = value_names(plan_.parameters);
  for (std::size_t k = 0; k < std::min(names.size(), most_columns); ++k) table_ << ',' << cell(names[k]);
  table_ << '\n';
}

void FitFiles::add(const FitEvaluation& evaluation) {
  const double duration = static_cast<double>(evaluation.steps) * plan_.assembly.scene.time.step;
  table_ << evaluation.start << ',' << exact_text(duration) << ',' << evaluation.evaluation << ','
         << exact_text(evaluation.loss) << ',' << exact_text(evaluation.gradient_norm);
  for (std::size_t k = 0; k < std::min(evaluation.values.size(), most_columns); ++k)
    table_ << ',' << exact_text(evaluation.values[k]);
  table_ << '\n' << std::flush;
  if (!evaluation.is_replayed) keep(evaluation);
  if (!table_ || !evaluations_) throw IoError(directory_ + " could not be written to: is the disk full?");
  rows_.push_back({evaluation.start,
                   evaluation.steps,
                   evaluation.evaluation,
                   evaluation.loss,
                   evaluation.gradient_norm,
                   {},
                   {},
                   {},
                   0,
                   false});
}

/// Adds a record to evaluations.bin.
void FitFiles::keep(const FitEvaluation& evaluation) {
  const auto write = [&](const double* numbers, std::size_t count) {
    evaluations_.write(reinterpret_cast<const char*>(numbers),
                       static_cast<std::streamsize>(count * sizeof(double)));
  };
  write(&evaluation.loss, 1);
  write(evaluation.variables.data(), evaluation.variables.size());
  write(evaluation.gradient.data(), evaluation.gradient.size());
  evaluations_.flush();
}

void FitFiles::interrupted() {
  write_state("interrupted", nullptr);
}

void FitFiles::failed(const std::string& cause) {
  try {
    write_state("failed", nullptr, {}, cause);
  } catch (const std::exception&) {  // The disk is full: what the fit failed of says more.
  }
}

void FitFiles::write_state(const char* status, const FitResult* result, const AfterFit& after,
                           const std::string& cause) const {
  const Identifiability& found = after.identifiability;
  Json state;
  state["status"] = status;
  state["job"] = job_file_;
  if (!cause.empty()) state["cause"] = printable(cause);
  if (result != nullptr) {
    const FitOutcome& best = result->outcomes[result->best];
    state["loss"] = best.loss;
    state["gradient_norm"] = best.gradient_norm;
    state["end"] = to_string(best.end);
    state["converged"] = has_converged(best.end);
    if (!after.samples.empty()) {
      const double mean = mean_of_samples(after.samples);
      state["samples"] = {
          {"count", after.samples.size()},
          {"diverged", diverged_samples(after.samples)},
          {"mean_loss", number_or_null(mean)},
          {"best_loss", number_or_null(*std::min_element(after.samples.begin(), after.samples.end()))},
          {"relative_loss", mean > 0.0 ? number_or_null(best.loss / mean) : Json()}};
    }
    std::size_t k = 0;
    for (const FitParameter& each : result->parameters)
      for (std::size_t end = k + each.parameter.size(); k < end; ++k)
        state["values"][each.parameter.name].push_back(best.values[k]);
    for (std::size_t s = 0; s < result->outcomes.size(); ++s) {
      Json outcome = json_of(result->outcomes[s]);
      if (s < plan_.options.starts.size())
        state["starts"].push_back(std::move(outcome));
      else
        state["sign_search"] = std::move(outcome);
    }
  }
  if (!after.signs.tried.empty()) state["signs"] = json_of(after.signs, plan_.parameters);
  if (found.products > 0) {
    Json& out = state["identifiability"];
    out["products"] = found.products;
    out["is_whole"] = found.is_whole;
    out["largest_curvature"] = found.largest;
    out["smallest_curvature"] = found.smallest;
    out["slope"] = found.slope;
    std::size_t k = 0;
    for (const FitParameter& each : plan_.parameters)
      for (std::size_t end = k + each.parameter.size(); k < end; ++k)
        out["weakest"][each.parameter.name].push_back(found.weakest[k]);
  }
  state["identity"] = identity_;
  write_file_whole(file("fit.json"), state.dump(1) + "\n");
}

void FitFiles::finish(const FitResult& result, const Assembly& fitted, const AfterFit& after) {
  table_.close();
  evaluations_.close();
  std::vector<Parameter> changed;
  for (const FitParameter& each : result.parameters) changed.push_back(each.parameter);
  write_file_whole(file("fitted.toml"), scene_text(fitted, changed, directory_));
  draw_losses();
  if (!plan_.scans.empty()) write_scan(after.scan, result);
  write_state("done", &result, after);
  std::error_code error;
  fs::remove(file("evaluations.bin"), error);
}

/// Draws the loss over the runs, with one curve per start and one for the search for signs.
void FitFiles::draw_losses() const {
  Chart chart;
  chart.title = "Fit of " + fs::path(job_file_).stem().string();
  chart.x = {.label = "runs with their gradient"};
  chart.y = {.label = "loss", .logarithmic = true};
  const std::size_t starts = plan_.options.starts.size(),
                    curves = starts + (plan_.options.signs.trials > 0 ? 1 : 0);
  for (std::size_t s = 0; s < curves; ++s) {
    Series series;
    series.marker = Marker::none;
    series.colour = static_cast<int>(s);
    if (curves > 1) series.name = s < starts ? fmt::format("start {}", s + 1) : "search for signs";
    double run = 0.0;
    for (const FitEvaluation& row : rows_) {
      if (row.start != s) continue;
      series.x.push_back(++run);
      series.y.push_back(row.loss);
    }
    chart.y.logarithmic = chart.y.logarithmic && are_positive(series.y);
    chart.series.push_back(std::move(series));
  }
  write_file_whole(file("fit.svg"), chart_svg(chart));
  write_file_whole(file("fit.png"), chart_png(chart));
}

void FitFiles::write_scan(const std::vector<double>& losses, const FitResult& result) const {
  const ScanAxis& first = plan_.scans[0];
  const std::size_t columns = first.points.size();
  std::string text =
      cell(first.name) + (plan_.scans.size() > 1 ? "," + cell(plan_.scans[1].name) : "") + ",loss\n";
  for (std::size_t k = 0; k < losses.size(); ++k) {
    text += exact_text(first.points[k % columns]);
    if (plan_.scans.size() > 1) text += "," + exact_text(plan_.scans[1].points[k / columns]);
    text += "," + exact_text(losses[k]) + "\n";
  }
  write_file_whole(file("scan.csv"), text);
  const std::string title = "Loss around the fit";
  if (plan_.scans.size() == 1) {
    Chart chart;
    chart.title = title;
    chart.x = {.label = printable(first.name)};
    chart.y = {.label = "loss", .logarithmic = are_positive(losses)};
    chart.series.push_back({.x = first.points, .y = losses, .marker = Marker::none});
    chart.series.push_back({.name = "fitted",
                            .x = {result.values()[first.value]},
                            .y = {result.outcomes[result.best].loss},
                            .colour = 1});
    write_file_whole(file("scan.svg"), chart_svg(chart));
    write_file_whole(file("scan.png"), chart_png(chart));
    return;
  }
  ColourMap map;
  map.title = title;
  map.x_label = printable(first.name), map.y_label = printable(plan_.scans[1].name);
  map.x = first.points, map.y = plan_.scans[1].points;
  const bool is_logarithmic = are_positive(losses);
  map.value_label = is_logarithmic ? "log10 of the loss" : "loss";
  for (std::size_t row = 0; row < map.y.size(); ++row) {
    auto& values = map.value.emplace_back();
    for (std::size_t column = 0; column < columns; ++column)
      values.push_back(is_logarithmic ? std::log10(losses[row * columns + column])
                                      : losses[row * columns + column]);
  }
  write_file_whole(file("scan.svg"), colour_map_svg(map));
  write_file_whole(file("scan.png"), colour_map_png(map));
}

}  // namespace electret
