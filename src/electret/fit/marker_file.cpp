#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <electret/fit/marker_file.hpp>
#include <electret/fit/run_steps.hpp>
#include <electret/geometry/csv.hpp>
#include <electret/geometry/embedding.hpp>
#include <electret/geometry/input_text.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// The least weight of a corner with which an element still carries a point: markers on a surface may lie a
/// little outside of the elements.
constexpr double least_weight = -0.1;
constexpr const char* forms =
    "allowed: BODY[VERTEX], BODY.GROUP, or BODY(X Y Z), a point of a solid at rest, m";

/// The body whose name `text` begins with, the longest one, if one of the characters of a marker follows.
std::optional<std::size_t> body_of(const Assembly& assembly, std::string_view text) {
  std::optional<std::size_t> found;
  std::size_t longest = 0;
  for (std::size_t b = 0; b < assembly.scene.bodies.size(); ++b) {
    const std::string& name = assembly.scene.bodies[b].name;
    if (!text.starts_with(name) || text.size() <= name.size() || name.size() < longest) continue;
    if (std::string_view("[.(").find(text[name.size()]) == std::string_view::npos) continue;
    found = b;
    longest = name.size();
  }
  return found;
}

/// The elements of body `b`, with its vertices at rest, numbered from its first.
Mesh solid_of(const Assembly& a, std::size_t b) {
  const Count first = a.body_offsets[b], end = a.body_offsets[b + 1];
  Mesh mesh;
  mesh.vertices.assign(a.rest_positions.begin() + first, a.rest_positions.begin() + end);
  const auto add = [&](const auto& all, auto& own) {
    for (auto element : all) {
      if (element[0] < first || element[0] >= end) continue;
      for (Index& v : element) v -= static_cast<Index>(first);
      own.push_back(element);
    }
  };
  add(a.tetrahedra, mesh.tetrahedra);
  add(a.hexahedra, mesh.hexahedra);
  return mesh;
}

/// What is wrong with a marker, or the marker.
struct ReadMarker {
  BodyMarker marker{};
  std::string fault{}, allowed{};
};

class MarkerReader {
 public:
  explicit MarkerReader(const Assembly& assembly) : assembly_(assembly) {}

  ReadMarker read(std::string_view text) {
    const auto body = body_of(assembly_, text);
    if (!body) return {{}, "unknown marker " + in_quotes(text), forms};
    const std::string& name = assembly_.scene.bodies[*body].name;
    const std::string_view rest = text.substr(name.size());
    if (rest.front() == '.') return group(text);
    const char last = rest.front() == '[' ? ']' : ')';
    if (rest.size() < 2 || rest.back() != last) return {{}, "unknown marker " + in_quotes(text), forms};
    const std::string_view inside = rest.substr(1, rest.size() - 2);
    return last == ']' ? vertex(*body, inside) : point(*body, inside);
  }
  /// The groups that were read.
  [[nodiscard]] const std::vector<std::string>& groups() const { return groups_; }

 private:
  [[nodiscard]] ReadMarker group(std::string_view text) {
    std::vector<Index> vertices = vertices_of_group(assembly_, text);
    if (vertices.empty()) return {{}, "there is no group " + in_quotes(text), known_groups(assembly_)};
    groups_.emplace_back(text);
    const double share = 1.0 / static_cast<double>(vertices.size());
    std::vector<double> weights(vertices.size(), share);
    return {{std::move(vertices), std::move(weights)}};
  }

  [[nodiscard]] ReadMarker vertex(std::size_t b, std::string_view text) const {
    const Count count = assembly_.body_offsets[b + 1] - assembly_.body_offsets[b];
    const auto number = input::integer(input::trimmed(text));
    if (!number || *number < 0 || *number >= count)
      return {{},
              fmt::format("body {} has no vertex {}", in_quotes(assembly_.scene.bodies[b].name), text),
              fmt::format("allowed: 0 … {}", count - 1)};
    return {{{static_cast<Index>(assembly_.body_offsets[b] + *number)}, {1.0}}};
  }

  [[nodiscard]] ReadMarker point(std::size_t b, std::string_view text) {
    Vec3 place;
    input::Cursor cursor(text, {});
    for (int axis = 0; axis < 3; ++axis) {
      const auto word = cursor.word();
      const auto number = word ? input::number(word->text) : input::Number{0.0, "none"};
      if (!number.fault.empty())
        return {{}, "a marker's point is " + in_quotes(text), "allowed: three numbers, m"};
      place[axis] = number.value;
    }
    if (cursor.word()) return {{}, "a marker's point is " + in_quotes(text), "allowed: three numbers, m"};
    const std::string& name = assembly_.scene.bodies[b].name;
    const Mesh& solid = solids_.try_emplace(b, solid_of(assembly_, b)).first->second;
    if (solid.element_count() == 0)
      return {{}, "body " + in_quotes(name) + " has no volume elements that could carry a point", forms};
    const Embedding tied = embed(solid, {&place, 1});
    const auto corners = solid.element(static_cast<std::size_t>(tied.elements[0]));
    ReadMarker read;
    const Vec3& first = solid.vertices[static_cast<std::size_t>(corners[0])];
    Vec3 carried;
    double size = 0.0;
    bool is_held = true;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const double weight = tied.weights[0][k];
      const Vec3& corner = solid.vertices[static_cast<std::size_t>(corners[k])];
      is_held &= weight >= least_weight;
      carried += weight * corner;
      size = std::max(size, norm(corner - first));
      read.marker.vertices.push_back(corners[k] + static_cast<Index>(assembly_.body_offsets[b]));
      read.marker.weights.push_back(weight);
    }
    // Far from all elements nothing is tied, and the weights are those of another place.
    is_held &= norm(carried - place) <= 1e-6 * size;
    if (!is_held)
      return {{},
              fmt::format("no element of body {} holds the point {} at rest", in_quotes(name), text),
              "allowed: points within the body, m, as the scene places it"};
    return read;
  }

  const Assembly& assembly_;
  std::map<std::size_t, Mesh> solids_;
  std::vector<std::string> groups_;
};

/// One row of a file: where a marker was seen, in up to three coordinates.
struct SeenRow {
  Count step = 0;
  std::size_t marker = 0, camera = 0;
  std::array<double, 3> coordinates{};
  std::array<bool, 3> is_measured{};
  double weight = 0.0;
};

/// What kind of file is read.
struct FileForm {
  std::vector<std::string> coordinates;  ///< The names of their columns.
  bool has_cameras = false;
};

class FileReading {
 public:
  FileReading(const std::string& path, const Assembly& assembly, FileForm form)
      : path_(path),
        assembly_(assembly),
        form_(std::move(form)),
        table_(parse_text_csv(read_whole_file(path), path)),
        findings_(path),
        reader_(assembly) {}

  void read() {
    find_columns();
    findings_.throw_if_any();
    for (row_ = 0; row_ < table_.rows(); ++row_) read_row();
    findings_.throw_if_any();
    if (rows_.empty())
      throw InputError(
          Finding{{path_, 0, 0},
                  fmt::format("none of its {} is within the run", counted(table_.rows(), "row", "rows")),
                  fmt::format("allowed: times up to {:g} s",
                              static_cast<double>(assembly_.scene.time.steps) * assembly_.scene.time.step)});
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const SeenRow& a, const SeenRow& b) { return a.step < b.step; });
  }

  /// In the order of steps.
  [[nodiscard]] const std::vector<SeenRow>& rows() const { return rows_; }
  [[nodiscard]] std::vector<BodyMarker> markers() { return std::move(markers_); }
  /// The groups among them.
  [[nodiscard]] const std::vector<std::string>& groups() const { return reader_.groups(); }

 private:
  [[nodiscard]] std::optional<std::size_t> column(const std::string& name) {
    const auto found = table_.column(name);
    if (!found)
      findings_.add(1, 1, fmt::format("there is no column \"{}\"", name),
                    "expected columns time, marker, " + joined(form_.coordinates) + " and weight");
    return found;
  }
  void find_columns() {
    time_ = column("time").value_or(0), marker_ = column("marker").value_or(0);
    for (const std::string& name : form_.coordinates) coordinates_.push_back(column(name).value_or(0));
    weight_ = column("weight").value_or(0);
    if (!form_.has_cameras) return;
    const auto& cameras = assembly_.scene.cameras;
    camera_ = table_.column("camera");
    if (cameras.empty())
      findings_.add(1, 1, "the scene has no camera that could have seen the markers",
                    "allowed: scenes with a [[camera]]");
    else if (!camera_ && cameras.size() > 1)
      findings_.add(1, 1, "there is no column \"camera\"",
                    "expected one, because the scene has " + std::to_string(cameras.size()) + " cameras");
  }

  [[nodiscard]] const TextTable::Cell& cell(std::size_t column) const { return table_(row_, column); }
  void fault(std::size_t column, std::string wrong, std::string allowed) {
    findings_.add(table_.lines[row_], cell(column).column, std::move(wrong), std::move(allowed));
  }
  /// The number in a cell; nothing, and a finding, if there is none.
  std::optional<double> number(std::size_t column) {
    const auto [value, wrong] = input::number(cell(column).text);
    if (wrong.empty()) return value;
    fault(column, cell(column).text.empty() ? "an empty value" : wrong, "allowed: a finite number");
    return std::nullopt;
  }

  void read_row() {
    SeenRow seen;
    const auto step = step_of_row();
    const auto index = marker_of_row();
    const auto camera = camera_of_row();
    bool is_good = step && index && camera, is_any = false;
    for (std::size_t axis = 0; axis < coordinates_.size(); ++axis) {
      seen.is_measured[axis] = !cell(coordinates_[axis]).text.empty();
      if (!seen.is_measured[axis]) continue;
      is_any = true;
      const auto value = number(coordinates_[axis]);
      is_good &= value.has_value();
      seen.coordinates[axis] = value.value_or(0.0);
    }
    if (!is_any)
      fault(coordinates_[0], "the row has no coordinate",
            fmt::format("allowed: at least one of {}", joined_with_and(form_.coordinates)));
    const auto given = number(weight_);
    if (given && *given < 0.0)
      fault(weight_, fmt::format("the weight {:g} is negative", *given), "allowed: ≥ 0");
    if (!is_good || !is_any || !given || *step > assembly_.scene.time.steps) return;
    seen.step = *step;
    seen.marker = *index;
    seen.camera = *camera;
    seen.weight = *given;
    rows_.push_back(seen);
  }

  static std::string joined_with_and(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t k = 0; k < names.size(); ++k)
      text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
    return text;
  }

  /// The step of the row's time. A time beyond the run need not be that of a step.
  std::optional<Count> step_of_row() {
    const auto at = number(time_);
    if (!at) return std::nullopt;
    const TimeOptions& run = assembly_.scene.time;
    if (*at / run.step > static_cast<double>(run.steps) + step_tolerance) return run.steps + 1;
    const auto step = step_ending_at(*at, run);
    if (!step)
      fault(time_, fmt::format("no step of the run ends at {} s", *at),
            fmt::format("allowed: multiples of the scene's step, {} s", assembly_.scene.time.step));
    return step;
  }

  std::optional<std::size_t> marker_of_row() {
    const std::string& text = cell(marker_).text;
    const auto [known, is_new] = known_.try_emplace(text, std::nullopt);
    if (!is_new) return known->second;
    ReadMarker read = reader_.read(text);
    if (!read.fault.empty()) {
      fault(marker_, std::move(read.fault), std::move(read.allowed));
      return std::nullopt;
    }
    known->second = markers_.size();
    markers_.push_back(std::move(read.marker));
    return known->second;
  }

  std::optional<std::size_t> camera_of_row() {
    if (!camera_) return 0;
    const std::string& name = cell(*camera_).text;
    std::vector<std::string> names;
    for (const CameraOptions& camera : assembly_.scene.cameras) names.push_back(camera.name);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    fault(*camera_, "the scene has no camera " + in_quotes(name), suggestion(name, names));
    return std::nullopt;
  }

  const std::string& path_;
  const Assembly& assembly_;
  FileForm form_;
  TextTable table_;
  input::Findings findings_;
  MarkerReader reader_;
  std::size_t time_ = 0, marker_ = 0, weight_ = 0;  ///< Columns.
  std::vector<std::size_t> coordinates_;
  std::optional<std::size_t> camera_;
  std::size_t row_ = 0;
  std::map<std::string, std::optional<std::size_t>> known_;  ///< A marker at fault has no number.
  std::vector<BodyMarker> markers_;
  std::vector<SeenRow> rows_;
};

std::string name_of(const Assembly& assembly, const NamedGroup& group) {
  return assembly.scene.bodies[group.body].name + "." + group.name;
}

}  // namespace

MarkerTargets read_markers(const std::string& path, const Assembly& assembly) {
  FileReading file(path, assembly, {{"x", "y", "z"}});
  file.read();
  MarkerTargets result{file.markers(), {}, file.groups()};
  for (const SeenRow& row : file.rows())
    result.targets.push_back({row.step, row.marker, row.coordinates, row.is_measured, row.weight});
  return result;
}

PixelTargets read_pixels(const std::string& path, const Assembly& assembly) {
  FileReading file(path, assembly, {{"u", "v"}, true});
  file.read();
  PixelTargets result{file.markers(), {}, file.groups()};
  for (const SeenRow& row : file.rows())
    result.targets.push_back({row.step,
                              row.marker,
                              row.camera,
                              {row.coordinates[0], row.coordinates[1]},
                              {row.is_measured[0], row.is_measured[1]},
                              row.weight});
  return result;
}

std::vector<Index> vertices_of_group(const Assembly& assembly, std::string_view name) {
  for (const NamedGroup& group : assembly.groups)
    if (name_of(assembly, group) == name) return group.vertices;
  return {};
}

std::string known_groups(const Assembly& assembly) {
  if (assembly.groups.empty()) return "the scene has no groups; [[body.group]] makes one";
  std::vector<std::string> names;
  for (const NamedGroup& group : assembly.groups) names.push_back(name_of(assembly, group));
  return "allowed: " + joined(names);
}

}  // namespace electret
