#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include <electret/core/errors.hpp>
#include <electret/core/version.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/summary.hpp>

namespace electret {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<RunStatus, const char*>, 5> names{{{RunStatus::running, "running"},
                                                                  {RunStatus::done, "done"},
                                                                  {RunStatus::interrupted, "interrupted"},
                                                                  {RunStatus::diverged, "diverged"},
                                                                  {RunStatus::failed, "failed"}}};

RunStatus status_named(const std::string& name) {
  for (const auto& [status, known] : names)
    if (name == known) return status;
  throw IoError("unknown status \"" + name + "\"");
}

Json failure_json(const RunFailure& failure) {
  Json json;
  if (failure.step) json["step"] = *failure.step;
  if (failure.vertex) json["vertex"] = *failure.vertex;
  json["cause"] = failure.cause;
  if (!failure.advice.empty()) json["advice"] = failure.advice;
  return json;
}

RunFailure failure_of(const Json& json) {
  RunFailure failure;
  if (json.contains("step")) failure.step = json["step"].get<Count>();
  if (json.contains("vertex")) failure.vertex = json["vertex"].get<Index>();
  failure.cause = json.value("cause", "");
  failure.advice = json.value("advice", "");
  return failure;
}

RunResult result_of(const Json& json) {
  RunResult r;
  r.status = status_named(json.at("status").get<std::string>());
  r.scene_file = json.value("scene_file", "");  // Runs of the first versions have none.
  r.steps = json.at("steps").get<Count>();
  r.frames = json.at("frames").get<Count>();
  r.vertices = json.at("vertices").get<Index>();
  r.springs = json.at("springs").get<Count>();
  r.integrator = json.at("integrator").get<std::string>();
  r.solver = json.at("solver").get<std::string>();
  r.field_evaluations = json.at("field_evaluations").get<Count>();
  r.mean_elastic_iterations = json.at("elastic_iterations").at("mean").get<double>();
  r.max_elastic_iterations = json.at("elastic_iterations").at("max").get<int>();
  r.capped_steps = json.at("capped_steps").get<Count>();
  const Json& wall = json.at("wall_s");
  r.wall_field = wall.at("field").get<double>();
  r.wall_elastic = wall.at("elastic").get<double>();
  r.wall_output = wall.at("output").get<double>();
  r.wall_total = wall.at("total").get<double>();
  const Json& change = json.at("largest_relative_energy_change");
  r.largest_relative_energy_change =
      change.is_null() ? std::numeric_limits<double>::infinity() : change.get<double>();
  r.energy_jumps = json.at("energy_jumps").get<Count>();
  r.work = {json.at("field_work").get<double>(), json.at("keyframe_work").get<double>(),
            json.at("pin_work").get<double>(), json.at("dissipation").get<double>()};
  r.choices = json.at("choices").get<std::vector<std::string>>();
  r.warnings = json.at("warnings").get<std::vector<std::string>>();
  if (json.contains("failure")) r.failure = failure_of(json["failure"]);
  return r;
}

}  // namespace

std::string to_string(RunStatus status) {
  for (const auto& [known, name] : names)
    if (status == known) return name;
  throw InternalError("a status without a name");
}

std::string summary_text(const RunResult& r) {
  Json json;
  json["program"] = "electret";
  json["version"] = version;
  json["status"] = to_string(r.status);
  json["scene_file"] = r.scene_file;
  json["steps"] = r.steps;
  json["frames"] = r.frames;
  json["vertices"] = r.vertices;
  json["springs"] = r.springs;
  json["integrator"] = r.integrator;
  json["solver"] = r.solver;
  json["field_evaluations"] = r.field_evaluations;
  json["elastic_iterations"] = {{"mean", r.mean_elastic_iterations}, {"max", r.max_elastic_iterations}};
  json["capped_steps"] = r.capped_steps;
  json["wall_s"] = {{"field", r.wall_field},
                    {"elastic", r.wall_elastic},
                    {"output", r.wall_output},
                    {"total", r.wall_total}};
  // Infinite, which JSON cannot say, where every energy is 0 at frame 0: null.
  json["largest_relative_energy_change"] = r.largest_relative_energy_change;
  json["energy_jumps"] = r.energy_jumps;
  json["field_work"] = r.work.field_work;
  json["keyframe_work"] = r.work.keyframe_work;
  json["pin_work"] = r.work.pin_work;
  json["dissipation"] = r.work.dissipation;
  json["choices"] = r.choices;
  json["warnings"] = r.warnings;
  if (r.failure) json["failure"] = failure_json(*r.failure);
  // Whatever bytes a name or message holds, the file is UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_summary(const std::string& path, const RunResult& result) {
  write_file_whole(path, summary_text(result));
}

RunResult read_summary(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return result_of(Json::parse(text));
  } catch (const std::exception& error) {
    throw IoError(path + " is not a summary of a run: " + error.what());
  }
}

}  // namespace electret
