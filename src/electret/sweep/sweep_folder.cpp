#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/core/version.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/scene/words.hpp>
#include <electret/sweep/sweep_folder.hpp>

namespace electret {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "host";
  std::string text = name.data();
  for (char& c : text)
    if (c == '/' || c == '.') c = '-';
  return text.empty() ? "host" : text;
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw IoError("the folder " + path + " cannot be made: " + error.message(), path);
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path result = fs::absolute(path, error);
  return error ? path : result.lexically_normal().string();
}

/// The values of all rows as the sweep is told by its inputs.
json identity_json(const SweepPlan& plan) {
  json parts = json::object();
  for (const Fingerprint& each : plan.identity()) parts[each.part] = each.value;
  return parts;
}

/// The end of a part's name until a reader can open it: a process that is killed meanwhile leaves no part.
constexpr const char* unfinished_part = ".new";

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

/// Whether the folder holds nothing.
bool is_empty_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error) && fs::is_empty(path, error);
}

}  // namespace

bool SweepFolder::exists() const {
  std::error_code error;
  return fs::exists(inputs() + "/sweep.json", error);
}

void SweepFolder::begin(const SweepPlan& plan, bool overwrite) const {
  std::error_code error;
  const bool is_own = fs::exists(inputs() + "/" + marker, error);
  if (fs::exists(path_, error) && !is_own && !is_empty_folder(path_))
    throw InputError(Finding{{path_, 0, 0},
                             "it is neither empty nor a sweep",
                             "a sweep needs a new folder, or one of its own; name another with -o"});
  if (exists() && !overwrite) check_continues(plan);
  if (overwrite && is_own) remove_files();
  make_folder(inputs());
  // The first file: what is found here from now on is the sweep's own.
  write_file_whole(inputs() + "/" + marker, "This folder is written by electret sweep.\n");
  make_folder(parts());
  write_inputs(plan);
}

void SweepFolder::remove_files() const {
  std::error_code error;
  for (const char* end : {".h5", ".new"})
    for (const std::string& part : files_ending(parts(), end)) fs::remove(part, error);
  fs::remove_all(inputs(), error);
  for (const std::string& each : {design(), results(), table(), summary(), job()}) fs::remove(each, error);
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
  if (const auto run = read_design(design()).first_difference(plan.design))
    findings.push_back(
        {{design(), *run + 2, 0},
         "run " + std::to_string(*run) +
             (*run < plan.design.runs() ? " would have other values than it has there" : " would be gone"),
         "a sweep may get more runs, but not others; --overwrite starts afresh"});
  if (!findings.empty()) throw InputError(std::move(findings));
}

void SweepFolder::write_inputs(const SweepPlan& plan) const {
  json files = json::object();
  std::size_t number = 0;
  for (const auto& [path, bytes] : plan.files) {
    const std::string name = std::to_string(number++) + fs::path(path).extension().string();
    write_file_whole(inputs() + "/" + name, bytes);
    files[path] = name;
  }
  write_file_whole(inputs() + "/scene.toml", plan.scene_text);
  write_file_whole(job(), plan.job.text);
  write_file_whole(design(), design_text(plan.design));
  const json sweep{{"job_file", absolute(plan.job_file)},
                   {"job_folder", absolute(plan.job.folder)},
                   {"scene_file", absolute(plan.scene_file)},
                   {"scene_folder", absolute(plan.scene_folder)},
                   {"files", files},
                   {"vertices", plan.vertices},
                   {"gradient_size", plan.gradient_size},
                   {"identity", identity_json(plan)}};
  // The last file: with it the sweep has begun.
  write_file_whole(inputs() + "/sweep.json", sweep.dump(1) + "\n");
}

SweepPlan SweepFolder::plan() const {
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
    plan.quantities = kept_quantities(plan.job.keep);
    plan.gradient_size = sweep.at("gradient_size").get<std::size_t>();
    plan.vertices = sweep.at("vertices").get<Count>();
    plan.scene_text = read_whole_file(inputs() + "/scene.toml");
    plan.scene_file = sweep.at("scene_file").get<std::string>();
    plan.scene_folder = sweep.at("scene_folder").get<std::string>();
    for (const auto& [path, name] : sweep.at("files").items())
      plan.files[path] = read_whole_file(inputs() + "/" + name.get<std::string>());
    return plan;
  } catch (const json::exception&) {
    throw InputError(Finding{{inputs() + "/sweep.json", 0, 0},
                             "it is damaged",
                             "`electret sweep JOB -o DIR --overwrite` starts afresh"});
  }
}

std::vector<std::string> SweepFolder::part_files() const {
  return files_ending(parts(), ".h5");
}

std::string SweepFolder::new_part(Count first, Count last) const {
  make_folder(parts());
  const std::string start = parts() + "/" + std::to_string(first) + "-" + std::to_string(last) + "." +
                            host_name() + "." + std::to_string(getpid());
  std::error_code error;
  // A process number may come again.
  for (int k = 0;; ++k) {
    const std::string name = start + (k == 0 ? "" : "-" + std::to_string(k)) + ".h5";
    if (!fs::exists(name, error)) return name;
  }
}

PartWriter::PartWriter(const SweepFolder& folder, const SweepPlan& plan, Count first, Count last)
    : plan_(plan),
      path_(folder.new_part(first, last)),
      table_(path_ + unfinished_part, plan.columns(),
             {{"version", version},
              {"instructions", name_of(instruction_set())},
              {"host", host_name()},
              {"identity", plan.common_hash()}}) {
  std::error_code error;
  fs::rename(path_ + unfinished_part, path_, error);
  if (error) throw IoError("the part " + path_ + " cannot be made: " + error.message(), path_);
}

SweepStatus PartWriter::run(Count run, const std::stop_token& stop) {
  table_.begin(run);
  try {
    const SweepRow row = sweep_run(plan_, run, meshes_, stop);
    add(row);
    return row.status;
  } catch (const Cancelled&) {
    table_.begin(taken_back(run));
    throw;
  }
}

void PartWriter::add(const SweepRow& row) {
  table_.add(row.run, row.values, row.note);
}

}  // namespace electret
