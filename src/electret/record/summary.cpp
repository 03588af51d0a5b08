#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/core/version.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/summary.hpp>
#include <electret/record/unfinished.hpp>

namespace electret {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::array<std::pair<RunStatus, const char*>, 5> status_names{
    {{RunStatus::running, "running"},
     {RunStatus::done, "done"},
     {RunStatus::interrupted, "interrupted"},
     {RunStatus::diverged, "diverged"},
     {RunStatus::failed, "failed"}}};

RunStatus status_named(const std::string& name) {
  for (const auto& [status, known] : status_names)
    if (name == known) return status;
  throw IoError("unknown status \"" + name + "\"");
}

OrderedJson failure_json(const RunFailure& failure) {
  OrderedJson json;
  if (failure.step) json["step"] = *failure.step;
  if (failure.vertex) json["vertex"] = *failure.vertex;
  json["cause"] = failure.cause;
  if (!failure.advice.empty()) json["advice"] = failure.advice;
  return json;
}

RunFailure failure_of(const OrderedJson& json) {
  RunFailure failure;
  if (json.contains("step")) failure.step = json["step"].get<Count>();
  if (json.contains("vertex")) failure.vertex = json["vertex"].get<Index>();
  failure.cause = json.value("cause", "");
  failure.advice = json.value("advice", "");
  return failure;
}

/// "wall_s.field" is `field` within `wall_s`.
OrderedJson::json_pointer place_of(std::string name) {
  std::replace(name.begin(), name.end(), '.', '/');
  return OrderedJson::json_pointer("/" + name);
}

RunResult result_of(const OrderedJson& json) {
  RunResult r;
  r.status = status_named(json.at("status").get<std::string>());
  r.scene_file = json.value("scene_file", "");  // Runs of earlier versions lack this and others.
  r.overrides = json.value("overrides", r.overrides);
  r.steps = json.at("steps").get<Count>();
  r.time_step = json.value("time_step", 0.0);
  r.changes = json.value("changes", Count{0});
  r.simulated_time = json.value("simulated_time", 0.0);
  r.vertices = json.at("vertices").get<Index>();
  r.springs = json.at("springs").get<Count>();
  r.elements = json.value("elements", Count{0});
  r.integrator = json.at("integrator").get<std::string>();
  r.solver = json.at("solver").get<std::string>();
  r.field_device = json.value("field_device", "");
  r.mean_elastic_iterations = json.at("elastic_iterations").at("mean").get<double>();
  const auto get = [&](const std::string& name, auto& value) {
    if (is_new_sum(name) && !json.contains(place_of(name))) return;  // As above.
    value = json.at(place_of(name)).get<std::remove_reference_t<decltype(value)>>();
  };
  if (json.contains("contact")) r.contact.emplace();
  if (json.contains("body_contact")) r.body_contact.emplace();
  visit(static_cast<RunningSums&>(r), get);
  visit(r.work, get);
  r.largest_energy_change = json.value("largest_energy_change", 0.0);
  const OrderedJson& change = json.at("largest_relative_energy_change");
  r.largest_relative_energy_change =
      change.is_null() ? std::numeric_limits<double>::infinity() : change.get<double>();
  r.energy_jumps = json.at("energy_jumps").get<Count>();
  r.choices = json.at("choices").get<std::vector<std::string>>();
  r.warnings = json.at("warnings").get<std::vector<std::string>>();
  if (json.contains("failure")) r.failure = failure_of(json["failure"]);
  const OrderedJson machine = json.value("machine", OrderedJson::object());
  r.date = machine.value("date", "");
  r.processor = machine.value("processor", "");
  r.threads = machine.value("threads", 0);
  return r;
}

}  // namespace

std::string to_string(RunStatus status) {
  for (const auto& [known, name] : status_names)
    if (status == known) return name;
  throw InternalError("a status without a name");
}

std::string summary_text(const RunResult& r) {
  OrderedJson json;
  json["program"] = "electret";
  json["version"] = version;
  json["instruction_set"] = name_of(instruction_set());
  json["status"] = to_string(r.status);
  json["scene_file"] = r.scene_file;
  json["overrides"] = r.overrides;
  json["steps"] = r.steps;
  json["time_step"] = r.time_step;
  if (r.changes > 0) json["changes"] = r.changes;
  json["simulated_time"] = r.simulated_time;
  json["vertices"] = r.vertices;
  json["springs"] = r.springs;
  json["elements"] = r.elements;
  json["integrator"] = r.integrator;
  json["solver"] = r.solver;
  if (!r.field_device.empty()) json["field_device"] = r.field_device;
  json["elastic_iterations"]["mean"] = r.mean_elastic_iterations;
  const auto put = [&](const std::string& name, const auto& value) { json[place_of(name)] = value; };
  visit(static_cast<const RunningSums&>(r), put);
  visit(r.work, put);
  json["largest_energy_change"] = r.largest_energy_change;
  // If every energy is 0 in every frame, it may be infinite, for which JSON has no number: null.
  json["largest_relative_energy_change"] = r.largest_relative_energy_change;
  json["energy_jumps"] = r.energy_jumps;
  json["choices"] = r.choices;
  json["warnings"] = r.warnings;
  if (r.failure) json["failure"] = failure_json(*r.failure);
  json["machine"] = {{"date", r.date}, {"processor", r.processor}, {"threads", r.threads}};
  // The file is UTF-8, whatever bytes a name or message holds.
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

void write_summary(const std::string& path, const RunResult& result) {
  write_file_whole(path, summary_text(result));
}

RunResult read_summary(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return result_of(OrderedJson::parse(text));
  } catch (const std::exception& error) {
    throw IoError(path + " is not a summary of a run: " + error.what(), path);
  }
}

}  // namespace electret
