#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <electret/geometry/read.hpp>
#include <electret/scene/assemble_scene.hpp>
#include <electret/scene/check.hpp>
#include <electret/scene/messages.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/table_reader.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/scene/values.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// The shortest decimal whose relative difference from `value` is at most `error`.
std::string short_number(double value, double error) {
  for (int digits = 1; digits < 17; ++digits) {
    std::array<char, 32> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits).ptr;
    double read = 0.0;
    std::from_chars(text.data(), end, read);
    if (std::abs(read - value) <= error * std::abs(value)) return {text.data(), end};
  }
  return number_text(value);
}

class SceneReader {
 public:
  SceneReader(const Document& document, Report& report, Scene& scene)
      : scene_(scene), context_{document, report, scene.source}, tables_(scene_schema(), context_) {}

  void read() {
    const Node& root = context_.document.root();
    scene_.source[""] = context_.document.locate(root.place);
    for (const auto& [key, by] : context_.document.removed()) scene_.source[key] = by;
    tables_.unknown_keys(root, "", "", {});
    TimeTable time;
    tables_.one("", root, "scene", scene_);
    tables_.one("", root, "time", time);
    tables_.one("", root, "integrator", scene_.integrator);
    coulomb(root);
    tables_.one("", root, "gravity", scene_);
    tables_.one("", root, "damping", scene_.damping);
    tables_.one("", root, "output", scene_.output);
    tables_.many<Body>("", root, "body", scene_.bodies,
                       [&](auto& b, auto& node, auto& key) { finish(b, node, key); });
    tables_.many<ExternalChargeTable>("", root, "external_charge", scene_.external_charges,
                                      [&](auto& e, auto& node, auto& key) { return finish(e, node, key); });
    tables_.many<ElectricField>("", root, "electric_field", scene_.electric_fields,
                                [](auto&, auto&, auto&) {});
    tables_.many<Obstacle>("", root, "obstacle", scene_.obstacles, [](auto&, auto&, auto&) {});
    finish(time);
  }

 private:
  void coulomb(const Node& root) {
    const Node::Member* member = root.member("coulomb");
    if (member == nullptr) return;
    FieldOptions options;
    tables_.one("", root, "coulomb", options);
    if (member->node.kind == Node::Kind::table) tables_.one("coulomb", member->node, "coulomb.ddef", options);
    scene_.coulomb = options;
  }

  void finish(const TimeTable& time) {
    scene_.time.step = time.step;
    if (time.steps) scene_.time.steps = *time.steps;
    if (!time.duration || context_.report.is_bad("time")) return;
    const double steps = *time.duration / time.step;
    const double whole = std::round(steps);
    constexpr double most = 9e15;
    if (!(steps < most) || std::abs(steps - whole) > 1e-6) {
      // The overridden one of the two is at fault.
      const bool blame_step = place_of(context_.source, "time.step").line == 0 &&
                              place_of(context_.source, "time.duration").line > 0;
      const double count = std::max(whole, 1.0);
      const std::string such_as = blame_step
                                      ? "\"step\" = " + short_number(*time.duration / count, 1e-7 / count)
                                      : "\"duration\" = " + short_number(count * time.step, 1e-7 / count);
      context_.report.add(context_.source, blame_step ? "time.step" : "time.duration",
                          "\"duration\" = " + number_text(*time.duration) + " is " + number_text(steps) +
                              " steps of \"step\" = " + number_text(time.step),
                          steps < most ? "allowed: a whole number of steps, such as with " + such_as
                                       : "allowed: at most " + number_text(most) + " steps");
      return;
    }
    scene_.time.steps = static_cast<Count>(whole);
  }

  void finish(Body& body, const Node& node, const std::string& key) {
    if (body.name.empty()) body.name = "body" + std::to_string(scene_.bodies.size() + 1);
    tables_.many<SpringTable>(key, node, "body.springs", body.springs,
                              [&](auto& t, auto& table, auto& own) { finish(t, table, own); });
    tables_.many<VertexGroup>(key, node, "body.group", body.groups, [](auto&, auto&, auto&) {});
    tables_.many<GroupChargeTable>(key, node, "body.group_charge", body.group_charges,
                                   [&](auto& t, auto& table, auto& own) { return finish(t, table, own); });
    tables_.many<PinTable>(key, node, "body.pin", body.pins,
                           [&](auto& t, auto& table, auto& own) { return finish(t, table, own); });
    tables_.many<Material>(key, node, "body.material", body.materials, [](auto&, auto&, auto&) {});
    tables_.many<ElementGroup>(key, node, "body.element_group", body.element_groups,
                               [](auto&, auto&, auto&) {});
    tables_.many<MuscleTable>(key, node, "body.muscle", body.muscles,
                              [&](auto& t, auto& table, auto& own) { return finish(t, table, own); });
    tables_.many<LoadTable>(key, node, "body.load", body.loads,
                            [&](auto& t, auto& table, auto& own) { return finish(t, table, own); });
  }

  /// Checks the keys that belong to one kind of springs only.
  void finish(const SpringTable& springs, const Node& node, const std::string& key) {
    if (context_.report.is_bad(key + ".from")) return;
    const auto only_for = [&](const char* name, const char* kind) {
      const Node::Member* member = node.member(name);
      if (member != nullptr && springs.from != kind)
        context_.report.add_at(context_.document.locate(member->place), key + "." + name,
                               in_quotes(name) + " does not go with from = " + in_quotes(springs.from),
                               std::string("it is for from = \"") + kind + "\" only");
    };
    only_for("neighbours", "nearest");
    only_for("pairs", "pairs");
    if (springs.from == "pairs" && node.member("pairs") == nullptr)
      context_.report.add(context_.source, key + ".pairs",
                          "from = \"pairs\" needs \"pairs\" in [[body.springs]]",
                          "write for example pairs = [[0, 1], [1, 2]]");
  }

  GroupCharge finish(const GroupChargeTable& table, const Node& node, const std::string& key) {
    GroupCharge result;
    result.group = table.group;
    times_and(node, key, {"values"}, {"value"});
    result.key_framed = node.member("values") != nullptr;
    if (table.value) result.charge = KeyFrames<double>::constant(*table.value);
    if (result.key_framed) result.charge = {table.times, table.values, table.interpolation};
    return result;
  }

  Pin finish(const PinTable& table, const Node& node, const std::string& key) {
    times_and(node, key, {"offsets"}, {});
    return {table.group, {table.times, table.offsets, table.interpolation}};
  }

  Load finish(const LoadTable& table, const Node& node, const std::string& key) {
    times_and(node, key, {"values"}, {});
    return {table.group, table.force, table.forces, {table.times, table.values, table.interpolation}};
  }

  Muscle finish(const MuscleTable& table, const Node& node, const std::string& key) {
    times_and(node, key, {"values"}, {"activation", "activations"});
    return {table.group,      table.fibre,       table.stiffness,
            table.activation, table.activations, {table.times, table.values, table.interpolation}};
  }

  ExternalCharge finish(const ExternalChargeTable& table, const Node& node, const std::string& key) {
    times_and(node, key, {"charges", "positions"}, {});
    ExternalCharge result;
    result.mesh = table.mesh, result.width = table.width;
    result.charge = KeyFrames<double>::constant(table.charge.value_or(0.0));
    if (node.member("charges") != nullptr) result.charge = {table.times, table.charges, table.interpolation};
    result.position = KeyFrames<Vec3>::constant(table.position.value_or(Vec3{}));
    if (node.member("positions") != nullptr)
      result.position = {table.times, table.positions, table.interpolation};
    return result;
  }

  /// Key-frames need both times and values. Only key-frames have an interpolation.
  void times_and(const Node& node, const std::string& key, const std::vector<std::string>& lists,
                 const std::vector<std::string>& constants) {
    const auto is_written = [&](const std::string& name) { return node.member(name) != nullptr; };
    const bool has_list = std::any_of(lists.begin(), lists.end(), is_written);
    const auto fault = [&](const char* name, std::string message) {
      const Node::Member* member = node.member(name);
      const Location where =
          member != nullptr ? context_.document.locate(member->place) : place_of(context_.source, key);
      context_.report.add_at(where, key + "." + name, std::move(message),
                             "key-frames are times with as many " + joined(lists, " or "));
    };
    if (has_list && !is_written("times")) {
      const auto list = std::find_if(lists.begin(), lists.end(), is_written);
      fault(list->c_str(), in_quotes(*list) + " is written without \"times\"");
    }
    const bool is_constant = std::any_of(constants.begin(), constants.end(), is_written);
    if (is_written("times") && !has_list)
      fault("times", "\"times\" is written without " + joined(lists, " or ") +
                         (is_constant ? ", but with " + joined(constants) : ""));
    if (is_written("interpolation") && !has_list && !is_written("times"))
      fault("interpolation", "\"interpolation\" is written without key-frames");
  }

  Scene& scene_;
  ReadContext context_;
  TableReader tables_;
};

void read_document(Scene& scene, const Document& document, Report& report) {
  SceneReader(document, report, scene).read();
  check_scene(scene, report);
}

/// Reads and checks; findings go to `report`. Returns whether there is anything to go on with.
bool read_into(Scene& scene, std::string_view text, const std::string& file_name, const std::string& folder,
               const std::vector<std::string>& overrides, Report& report) {
  scene.folder = folder;
  scene.text = std::string(text);
  scene.overrides = overrides;
  std::vector<Finding> findings;
  const Document document(scene.text, file_name, overrides, findings);
  report.add_all(findings, "");
  if (!document.is_readable()) return false;
  read_document(scene, document, report);
  return true;
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

Scene parse_scene(std::string_view text, const std::string& file_name, const std::string& folder,
                  const std::vector<std::string>& overrides) {
  Scene scene;
  Report report;
  read_into(scene, text, file_name, folder, overrides, report);
  report.throw_if_any(file_name);
  return scene;
}

Scene read_scene(const std::string& path, const std::vector<std::string>& overrides) {
  return parse_scene(read_whole_file(path), path, folder_of(path), overrides);
}

Assembly load_scene_text(std::string_view text, const std::string& file_name, const std::string& folder,
                         const std::vector<std::string>& overrides, const FileReader& read_file) {
  Scene scene;
  Report report;
  Assembly assembly;
  if (read_into(scene, text, file_name, folder, overrides, report))
    assembly = assemble_scene(std::move(scene), read_file, report);
  report.throw_if_any(file_name);
  return assembly;
}

Assembly load_scene(const std::string& path, const std::vector<std::string>& overrides) {
  return load_scene_text(read_whole_file(path), path, folder_of(path), overrides, read_regular_file);
}

Assembly load_scene_tree(const Node& root, const std::string& folder,
                         const std::vector<std::string>& overrides, const FileReader& read_file) {
  Scene scene;
  scene.folder = folder;
  scene.text = toml_text(root);
  scene.overrides = overrides;
  Report report;
  std::vector<Finding> findings;
  const Document document(root, overrides, findings);
  report.add_all(findings, "");
  read_document(scene, document, report);
  Assembly assembly = assemble_scene(std::move(scene), read_file, report);
  report.throw_if_any("");
  return assembly;
}

}  // namespace electret
