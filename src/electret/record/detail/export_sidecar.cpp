#include <nlohmann/json.hpp>

#include <electret/core/version.hpp>
#include <electret/record/detail/charge_series.hpp>
#include <electret/record/detail/export_writers.hpp>
#include <electret/record/export.hpp>
#include <electret/record/trajectory_writer.hpp>

namespace electret {
namespace {

/// JSON that is written while it is made.
class JsonFile {
 public:
  explicit JsonFile(const std::string& path) : file_(path) { file_.write("{"); }

  /// `write` writes the value.
  template <class Write>
  void member(const std::string& name, Write&& write) {
    file_.write(is_first_ ? "\n  " : ",\n  ");
    is_first_ = false;
    value(name);
    file_.write(": ");
    write();
  }
  /// `write(k)` writes the k-th of `count` entries.
  template <class Write>
  void list(std::size_t count, Write&& write) {
    file_.write("[");
    for (std::size_t k = 0; k < count; ++k) {
      if (k > 0) file_.write(", ");
      write(k);
    }
    file_.write("]");
  }
  template <class Numbers>
  void numbers(const Numbers& values) {
    list(std::size(values), [&](std::size_t k) { value(values[k]); });
  }
  template <class Rows>
  void rows(const Rows& values) {
    list(values.size(), [&](std::size_t k) { numbers(values[k]); });
  }
  /// The file is UTF-8, whatever bytes a name holds.
  void value(const std::string& text) {
    file_.write(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  void value(double number) { file_.write_digits(number); }
  template <std::integral Number>
  void value(Number number) {
    file_.write_digits(static_cast<Count>(number));
  }
  void text(std::string_view written) { file_.write(written); }
  void close() {
    file_.write("\n}\n");
    file_.close();
  }

 private:
  OutputFile file_;
  bool is_first_ = true;
};

class SidecarWriter final : public ExportWriter {
 public:
  SidecarWriter(const ExportPlan& plan, ExportFolder& folder)
      : plan_(plan), folder_(folder), charges_(plan.bodies.size()) {}

  void write_frame(std::size_t k, FrameNumbers& numbers) override {
    if (k > 0 && !plan_.run.charges_change()) return;
    for (std::size_t b = 0; b < charges_.size(); ++b) charges_[b].add(plan_.bodies[b].own(numbers.charges()));
  }
  void pass_frame(std::size_t k, FrameNumbers& numbers) override { write_frame(k, numbers); }

  void finish() override {
    springs_ = plan_.run.springs();
    stiffness_ = plan_.run.spring_stiffness();
    rest_length_ = plan_.run.spring_rest_length();
    masses_ = plan_.run.masses();
    groups_ = plan_.run.groups();
    for (std::size_t b = 0; b < charges_.size(); ++b) write_body(plan_.bodies[b], charges_[b]);
  }

 private:
  void write_body(const RunBody& body, const ChargeSeries& charges) const {
    JsonFile json(folder_.path(body.file_name + ".json"));
    json.member("kind", [&] { json.value(std::string("electret export")); });
    json.member("format_version", [&] { json.value(export_format_version); });
    json.member("version", [&] { json.value(std::string(version)); });
    json.member("format", [&] { json.value(plan_.format); });
    json.member("units", [&] {
      json.text(
          "{\"length\": \"m\", \"time\": \"s\", \"mass\": \"kg\", \"charge\": \"C\", \"stiffness\": "
          "\"N/m\"}");
    });
    json.member("body", [&] { json.value(body.name); });
    json.member("time_step", [&] { json.value(plan_.run.time_step()); });
    json.member("frames", [&] { json.numbers(plan_.frames); });
    json.member("times", [&] { json.numbers(plan_.times); });
    json.member("vertices", [&] { json.value(body.count); });
    json.member("points", [&] { json.value(body.shown_count()); });
    json.member("faces", [&] { json.rows(body.shown_faces()); });
    json.member("masses", [&] { json.numbers(body.own(masses_)); });
    write_charges(json, charges);
    write_groups(json, body);
    write_springs(json, body);
    if (body.is_filled()) write_surface(json, body);
    json.close();
  }

  static void write_charges(JsonFile& json, const ChargeSeries& charges) {
    const auto& series = charges.series();
    json.member("charge_series",
                [&] { json.list(series.size(), [&](std::size_t s) { json.numbers(series[s].values); }); });
    json.member("charge_series_of_vertices", [&] { json.numbers(charges.of_vertices()); });
  }

  void write_groups(JsonFile& json, const RunBody& body) const {
    std::vector<std::pair<std::string, std::vector<Index>>> own;
    if (const auto found = groups_.find(link_name(body.name)); found != groups_.end())
      own.assign(found->second.begin(), found->second.end());
    json.member("groups", [&] {
      json.text("{");
      for (std::size_t g = 0; g < own.size(); ++g) {
        if (g > 0) json.text(", ");
        json.value(own[g].first);
        json.text(": ");
        json.list(own[g].second.size(),
                  [&](std::size_t k) { json.value(own[g].second[k] - static_cast<Index>(body.first)); });
      }
      json.text("}");
    });
  }

  /// A spring lies within one body, which is that of its first vertex.
  void write_springs(JsonFile& json, const RunBody& body) const {
    std::vector<std::size_t> own;
    for (std::size_t s = 0; s < springs_.size(); ++s)
      if (const auto i = static_cast<std::size_t>(springs_[s][0]);
          i >= body.first && i < body.first + body.count)
        own.push_back(s);
    const auto of = [&](const std::vector<double>& all) {
      json.list(own.size(), [&](std::size_t k) { json.value(all[own[k]]); });
    };
    json.member("springs", [&] { json.rows(body.springs); });
    json.member("spring_stiffness", [&] { of(stiffness_); });
    json.member("spring_rest_length", [&] { of(rest_length_); });
  }

  static void write_surface(JsonFile& json, const RunBody& body) {
    json.member("surface_corners", [&] { json.rows(body.surface_corners); });
    json.member("surface_weights", [&] { json.rows(body.surface_weights); });
  }

  const ExportPlan& plan_;
  ExportFolder& folder_;
  std::vector<ChargeSeries> charges_;
  std::vector<Edge> springs_;
  std::vector<double> stiffness_, rest_length_, masses_;
  TrajectoryReader::Groups groups_;
};

}  // namespace

std::unique_ptr<ExportWriter> make_sidecar_writer(const ExportPlan& plan, ExportFolder& folder) {
  return std::make_unique<SidecarWriter>(plan, folder);
}

}  // namespace electret
