#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/scene/words.hpp>
#include <electret/sweep/sweep_folder.hpp>

namespace electret {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw IoError("the folder " + path + " cannot be made: " + error.message(), path);
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path result = fs::absolute(path, error);
  if (error) return path;
  std::string text = result.lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();  // "DIR/." is "DIR/" in its normal form.
  return text;
}

/// The values of all rows as the sweep is told by its inputs.
json identity_json(const SweepPlan& plan) {
  json parts = json::object();
  for (const Fingerprint& each : plan.identity()) parts[each.part] = each.value;
  return parts;
}

/// Takes the name for a new part, whose unfinished file is made: the caller renames it. False if it is taken.
bool take_name(const std::string& part) {
  const std::string unfinished = part + unfinished_part;
  const int made = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (made < 0 && errno == EEXIST) return false;
  if (made < 0) throw IoError("the part " + part + " cannot be made: " + std::strerror(errno), part);
  ::close(made);
  std::error_code error;
  if (!fs::exists(part, error)) return true;
  fs::remove(unfinished, error);  // Whoever had this name has renamed its file.
  return false;
}

/// The file by which a sweep's folder is known.
constexpr const char* marker = "electret-sweep";

/// The files of a folder whose names end so, by name.
std::vector<std::string> files_ending(const std::string& folder, const char* end) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == end) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

/// The fitting job that the sweep began with; `text` is that of its file.
SweptFit swept_fit(const json& known, const std::string& text) {
  SweptFit fit;
  fit.file = known.at("file").get<std::string>();
  Report report;
  fit.job = parse_fit_job(text, fit.file, known.at("folder").get<std::string>(), report);
  report.throw_if_any(fit.file);
  fit.values = known.at("values").get<std::vector<std::string>>();
  fit.logarithmic = known.at("logarithmic").get<std::vector<bool>>();
  // A sweep that began before these were kept goes on as it began.
  fit.place_sizes = known.value("place_sizes", std::vector<double>(fit.values.size(), 0.0));
  return fit;
}

/// One for all sweeps of the process: a design is changed in no time.
std::mutex& design_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "host";
  std::string text = name.data();
  for (char& c : text)
    if (c == '/' || c == '.') c = '-';
  return text.empty() ? "host" : text;
}

bool SweepFolder::exists() const {
  std::error_code error;
  return fs::exists(inputs() + "/sweep.json", error);
}

bool SweepFolder::is_own() const {
  std::error_code error;
  return fs::exists(inputs() + "/" + marker, error);
}

void SweepFolder::begin(const SweepPlan& plan, bool overwrite) const {
  if (!is_own()) {
    check_free();
    if (begin_new(plan)) return;
  }
  const DesignLock lock(*this);
  if (overwrite) {
    remove_files();
    if (begin_new(plan)) return;
  }
  put_beginning_in_place();
  const bool goes_on = exists();
  if (goes_on) check_continues(plan);
  std::optional<SweepDesign> known;
  if (goes_on && runs() > runs_of_job()) known = read_design(design());  // Some were appended.
  const Count of_job = known ? runs_of_job() : plan.design.runs();
  make_folder(parts());
  write_inputs({inputs(), job(), design()}, plan, known ? *known : plan.design, of_job);
}

/// Throws InputError if something other than a sweep, or its beginning in another process, is here.
void SweepFolder::check_free() const {
  std::error_code error;
  if (!fs::exists(path_, error)) return;
  constexpr std::array<std::string_view, 1> beginning{inputs_name};
  if (fs::is_directory(path_, error) && holds_only_unfinished(path_, beginning)) return;
  if (is_own()) return;  // By now.
  throw InputError(Finding{{path_, 0, 0},
                           "it is neither empty nor a sweep",
                           "a sweep needs a new folder, or one of its own; name another with -o"});
}

/// Begins the sweep where none has begun. Several processes may do so at the same time: the folder of inputs
/// comes into place as a whole, and the first one decides. False if another one was first.
bool SweepFolder::begin_new(const SweepPlan& plan) const {
  std::error_code error;
  const bool was_here = fs::exists(path_, error);
  make_folder(path_);
  try {
    Unfinished made(inputs(), Unfinished::Kind::folder);
    const std::string& folder = made.name();
    write_file_whole(folder + "/" + marker, "This folder is written by electret sweep.\n");
    write_inputs({folder, folder + job_name, folder + design_name}, plan, plan.design, plan.design.runs());
    if (is_own()) return false;
    made.put_in_place();
  } catch (const IoError&) {
    if (is_own()) return false;               // What is not empty is not replaced.
    if (!was_here) fs::remove(path_, error);  // Only if it is empty.
    throw;
  }
  put_beginning_in_place();
  make_folder(parts());
  return true;
}

/// The job and the design lie in the folder of inputs until the first process that looks moves them to their
/// places.
void SweepFolder::put_beginning_in_place() const {
  std::error_code ignored;
  for (const char* name : {job_name, design_name}) fs::rename(inputs() + name, path_ + name, ignored);
}

Count SweepFolder::runs_of_job() const {
  const json sweep = json::parse(read_whole_file(inputs() + "/sweep.json"), nullptr, false);
  if (!sweep.is_object() || !sweep.contains("runs_of_job")) return 0;
  return sweep["runs_of_job"].get<Count>();
}

Count SweepFolder::runs() const {
  std::ifstream file(design(), std::ios::binary);
  const auto lines = std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  return lines > 0 ? static_cast<Count>(lines) - 1 : 0;
}

void SweepFolder::set_mapped(const std::vector<ResultColumn>& columns) const {
  json list = json::array();
  for (const ResultColumn& column : columns) list.push_back({{"name", column.name}, {"shape", column.shape}});
  const std::string own = inputs() + "/map.json", text = list.dump(1) + "\n";
  const std::string made = own + "." + host_name() + "." + std::to_string(getpid());
  write_file_whole(made, text);
  std::error_code error, ignored;
  fs::create_hard_link(made, own, error);  // Fails if another process was first.
  if (error && !fs::exists(own, ignored)) fs::rename(made, own, error);
  fs::remove(made, ignored);
  if (read_whole_file(own) != text)
    throw InputError(Finding{{own, 0, 0},
                             "the function gives other results than for the first run",
                             "the same names and shapes for each run"});
}

void SweepFolder::refuse_mapped() const {
  std::error_code error;
  if (fs::exists(inputs() + "/map.json", error))
    throw InputError(Finding{{path_, 0, 0},
                             "the runs of this sweep are calls of a Python function",
                             "Sweep.map of the package electret goes on with it; --status, --show and "
                             "--merge tell of it"});
}

void SweepFolder::remove_files() const {
  std::error_code error;
  for (const char* end : {".h5", unfinished_part})
    for (const std::string& part : files_ending(parts(), end)) fs::remove(part, error);
  fs::remove_all(inputs(), error);
  for (const std::string& each : {design(), results(), table(), summary(), job(), best()})
    fs::remove(each, error);
  for (const char* runs : {"/runs", "/failed"}) fs::remove_all(path_ + runs, error);
  remove_pictures();
}

void SweepFolder::remove_pictures() const {
  std::error_code error;
  for (const std::string& picture : files_ending(path_, ".svg"))
    if (fs::path(picture).filename().string().starts_with("sweep")) fs::remove(picture, error);
}

void SweepFolder::check_continues(const SweepPlan& plan) const {
  const json before = json::parse(read_whole_file(inputs() + "/sweep.json"), nullptr, false);
  std::vector<Finding> findings;
  const json now = identity_json(plan);
  json known = json::object();
  if (before.is_object() && before.contains("identity") && before["identity"].is_object())
    known = before["identity"];
  for (const auto& [part, hash] : now.items())
    if (known.contains(part) ? known[part] != hash : !part.starts_with("the file "))
      findings.push_back({{path_, 0, 0},
                          part + " differs from that of the sweep there",
                          "a sweep goes on with what it began with; --overwrite starts afresh"});
  for (const auto& [part, hash] : known.items())
    if (!now.contains(part))
      findings.push_back({{path_, 0, 0},
                          part + " differs from that of the sweep there",
                          "a sweep goes on with what it began with; --overwrite starts afresh"});
  const SweepDesign there = read_design(design());
  const Count of_job = runs_of_job();
  const bool has_appended = of_job > 0 ? there.runs() > of_job : plan.design.runs() == 0;
  if (has_appended && plan.design.runs() > of_job)
    findings.push_back({{design(), of_job + 2, 0},
                        "the job has more runs than before, and others were appended to it there",
                        "a sweep grows by its job or by appended runs; --overwrite starts afresh"});
  std::optional<Count> run;  // A job of which nothing varies has no keys of its own.
  if (!has_appended)
    run = there.first_difference(plan.design);
  else if (plan.design.runs() > 0)
    run = plan.design.first_difference(there);
  if (run)
    findings.push_back(
        {{design(), *run + 2, 0},
         "run " + std::to_string(*run) +
             (*run < plan.design.runs() ? " would have other values than it has there" : " would be gone"),
         "a sweep may get more runs, but not others; --overwrite starts afresh"});
  if (!findings.empty()) throw InputError(std::move(findings));
}

void SweepFolder::write_inputs(const InputPaths& to, const SweepPlan& plan, const SweepDesign& whole,
                               Count of_job) {
  json files = json::object();
  std::size_t number = 0;
  for (const auto& [path, bytes] : plan.files) {
    const std::string name = std::to_string(number++) + fs::path(path).extension().string();
    write_file_whole(to.inputs + "/" + name, bytes);
    files[path] = name;
  }
  write_file_whole(to.inputs + "/scene.toml", plan.scene_text);
  write_file_whole(to.job, plan.job.text);
  write_design(to.design, whole);
  json sweep{{"job_file", absolute(plan.job_file)},
             {"job_folder", absolute(plan.job.folder)},
             {"scene_file", absolute(plan.scene_file)},
             {"scene_folder", absolute(plan.scene_folder)},
             {"files", files},
             {"vertices", plan.vertices},
             {"runs_of_job", of_job},
             {"gradient_size", plan.gradient_size},
             {"identity", identity_json(plan)}};
  if (plan.fit) {
    write_file_whole(to.inputs + "/fit.toml", plan.fit->job.text);
    sweep["fit"] = {{"file", absolute(plan.fit->file)},
                    {"folder", absolute(plan.fit->job.folder)},
                    {"values", plan.fit->values},
                    {"logarithmic", plan.fit->logarithmic},
                    {"place_sizes", plan.fit->place_sizes}};
  }
  // The last file: with it the sweep has begun.
  write_file_whole(to.inputs + "/sweep.json", sweep.dump(1) + "\n");
}

SweepPlan SweepFolder::plan() const {
  put_beginning_in_place();
  if (!exists())
    throw InputError(Finding{{path_, 0, 0},
                             "there is no sweep here",
                             "allowed: a folder that `electret sweep JOB -o DIR` has made"});
  const json sweep = json::parse(read_whole_file(inputs() + "/sweep.json"), nullptr, false);
  try {
    SweepPlan plan;
    plan.job_file = sweep.at("job_file").get<std::string>();
    Report report;
    plan.job =
        parse_sweep_job(read_whole_file(job()), job(), sweep.at("job_folder").get<std::string>(), report);
    report.throw_if_any(job());
    plan.design = read_design(design());
    check_design_is_whole(plan.design);
    plan.quantities = kept_quantities(plan.job);
    plan.gradient_size = sweep.at("gradient_size").get<std::size_t>();
    plan.vertices = sweep.at("vertices").get<Count>();
    plan.scene_text = read_whole_file(inputs() + "/scene.toml");
    plan.scene_file = sweep.at("scene_file").get<std::string>();
    plan.scene_folder = sweep.at("scene_folder").get<std::string>();
    if (sweep.contains("fit")) plan.fit = swept_fit(sweep.at("fit"), read_whole_file(inputs() + "/fit.toml"));
    for (const auto& [path, name] : sweep.at("files").items())
      plan.files[path] = read_whole_file(inputs() + "/" + name.get<std::string>());
    read_mapped(plan);
    return plan;
  } catch (const json::exception&) {
    throw InputError(Finding{{inputs() + "/sweep.json", 0, 0},
                             "it is damaged",
                             "`electret sweep JOB -o DIR --overwrite` starts afresh"});
  }
}

void SweepFolder::check_design_is_whole(const SweepDesign& read) const {
  const Count of_job = runs_of_job();
  if (read.runs() >= of_job) return;
  throw InputError(Finding{{design(), 0, 0},
                           "it has " + counted(read.runs(), "run", "runs") + ", and the sweep began with " +
                               std::to_string(of_job),
                           "`electret sweep JOB -o DIR` writes it again"});
}

/// What a caller's function gives of each run, if it was fixed.
void SweepFolder::read_mapped(SweepPlan& plan) const {
  const std::string path = inputs() + "/map.json";
  std::error_code error;
  if (!fs::exists(path, error)) return;
  plan.quantities.clear();
  for (const json& each : json::parse(read_whole_file(path))) {
    ResultColumn& column = plan.mapped.emplace_back(
        ResultColumn{each.at("name").get<std::string>(), each.at("shape").get<std::vector<std::uint64_t>>()});
    if (column.shape.empty()) plan.quantities.push_back({column.name, Reduction::last, ""});
  }
}

std::vector<std::string> SweepFolder::part_files() const {
  return files_ending(parts(), ".h5");
}

std::vector<std::string> SweepFolder::part_files_of(int process) const {
  const std::string name = "." + host_name() + "." + std::to_string(process);
  std::vector<std::string> files = part_files();
  std::erase_if(files, [&](const std::string& file) {
    const std::string own = fs::path(file).filename().string();
    return own.find(name + ".h5") == std::string::npos && own.find(name + "-") == std::string::npos;
  });
  return files;
}

std::string SweepFolder::new_part(Count first, Count last) const {
  make_folder(parts());
  const std::string start = parts() + "/" + std::to_string(first) + "-" + std::to_string(last) + "." +
                            host_name() + "." + std::to_string(getpid());
  // A process number may come again, on another machine of the same name, too, and threads share one.
  for (int k = 0;; ++k) {
    std::string name = start + (k == 0 ? "" : "-" + std::to_string(k)) + ".h5";
    if (take_name(name)) return name;
  }
}

DesignLock::DesignLock(const SweepFolder& folder)
    : threads_(design_mutex()),
      descriptor_(::open((folder.inputs() + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

DesignLock::~DesignLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace electret
