#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <tuple>

#include <electret/geometry/read.hpp>
#include <electret/scene/assemble_scene.hpp>
#include <electret/scene/check.hpp>
#include <electret/scene/messages.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/values.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

std::string within(const std::string& key, const std::string& name) {
  return key.empty() ? name : key + "." + name;
}

/// The shortest decimal within `error`, relative, of `value`.
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
      : scene_(scene), context_{document, report, scene.source} {}

  void read() {
    const Node& root = context_.document.root();
    scene_.source[""] = context_.document.locate(root.place);
    for (const auto& [key, by] : context_.document.removed()) scene_.source[key] = by;
    unknown_keys(root, "", "", {});
    TimeTable time;
    one("", root, "scene", scene_);
    one("", root, "time", time);
    one("", root, "integrator", scene_.integrator);
    coulomb(root);
    one("", root, "gravity", scene_);
    one("", root, "damping", scene_.damping);
    one("", root, "output", scene_.output);
    many<Body>("", root, "body", scene_.bodies,
               [&](auto& b, auto& node, auto& key) { finish(b, node, key); });
    many<ExternalChargeTable>("", root, "external_charge", scene_.external_charges,
                              [&](auto& e, auto& node, auto& key) { return finish(e, node, key); });
    many<ElectricField>("", root, "electric_field", scene_.electric_fields, [](auto&, auto&, auto&) {});
    finish(time);
  }

 private:
  /// Reads the table `name` (dotted in the schema) within `node` into `object`, if it is written.
  template <class Object>
  void one(const std::string& key, const Node& node, const std::string& name, Object& object) {
    const SchemaTable& table = schema_table(name);
    const std::string own_key = within(key, name.substr(name.rfind('.') + 1));
    const Node* own = found(node, table, own_key);
    if (own == nullptr) return;
    if (own->kind != Node::Kind::table) return not_a_table(*own, table, own_key);
    rows(table, *own, own_key, &object);
  }

  /// Reads the repeated table `name` within `node`: each into a Table, which `finish` completes.
  template <class Table, class Object, class Finish>
  void many(const std::string& key, const Node& node, const std::string& name, std::vector<Object>& objects,
            Finish finish) {
    const SchemaTable& table = schema_table(name);
    const std::string own_key = within(key, name.substr(name.rfind('.') + 1));
    const Node* own = found(node, table, own_key);
    if (own == nullptr) return;
    if (!own->is_table_list()) return not_a_table(*own, table, own_key);
    for (std::size_t i = 0; i < own->items.size(); ++i) {
      const std::string item_key = within(own_key, std::to_string(i));
      context_.source[item_key] = context_.document.locate(own->items[i].place);
      Table object;
      rows(table, own->items[i], item_key, &object);
      if constexpr (std::is_same_v<Table, Object>) {
        finish(object, own->items[i], item_key);
        objects.push_back(std::move(object));
      } else {
        objects.push_back(finish(object, own->items[i], item_key));
      }
    }
  }

  /// The node of a table, its place noted; null if it is not written (a finding if it is required).
  const Node* found(const Node& node, const SchemaTable& table, const std::string& own_key) {
    const Node::Member* member = node.member(table.name.substr(table.name.rfind('.') + 1));
    if (member != nullptr) {
      context_.source[own_key] = context_.document.locate(member->node.place);
      return &member->node;
    }
    if (table.is_required)
      context_.report.add(context_.source, own_key, table.title() + " is missing", "it is required");
    return nullptr;
  }

  void not_a_table(const Node& node, const SchemaTable& table, const std::string& own_key) {
    // In a list of tables, the items that are none are at fault, each where it is written or overridden.
    const auto is_table = [](const Node& item) { return item.kind == Node::Kind::table; };
    const bool is_list = std::any_of(node.items.begin(), node.items.end(), [&](const Node& item) {
      return is_table(item) || item.place.override_number != node.place.override_number;
    });
    for (std::size_t i = 0; table.is_repeated && is_list && i < node.items.size(); ++i)
      if (!is_table(node.items[i]))
        context_.report.add_at(context_.document.locate(node.items[i].place), own_key,
                               in_quotes(within(own_key, std::to_string(i))) + " is " +
                                   context_.document.as_written(node.items[i]) + ", not a table",
                               "it is written " + table.title());
    if (table.is_repeated && is_list) return;
    context_.report.add(context_.source, own_key,
                        in_quotes(table.name) + " is " + context_.document.as_written(node) +
                            (table.is_repeated ? ", not a list of tables" : ", not a table"),
                        "it is written " + table.title());
  }

  /// Reads every row of `table`, then looks for keys it does not know and for contradictions.
  void rows(const SchemaTable& table, const Node& node, const std::string& key, void* object) {
    unknown_keys(node, table.name, key, table.rows);
    for (const SchemaRow& row : table.rows) {
      const Node::Member* member = node.member(row.key);
      const std::string row_key = within(key, row.key);
      if (member == nullptr) {
        if (row.is_required)
          context_.report.add(context_.source, row_key,
                              in_quotes(row.key) + " is missing in " + table.title(),
                              "it is required; " + allowed_values(row));
        continue;
      }
      context_.source[row_key] = context_.document.locate(member->node.place);
      if (row.is_later)
        context_.report.add_at(
            context_.document.locate(member->place), row_key,
            in_quotes(row.key) + " in " + table.title() + " is not available in this version",
            "leave it out");
      else
        read_value(context_, table, row, row_key, member->node, row.slot(object));
    }
    for (const Alternatives& choice : table.alternatives) alternatives(table, choice, node, key);
  }

  void alternatives(const SchemaTable& table, const Alternatives& choice, const Node& node,
                    const std::string& key) {
    std::vector<const Node::Member*> written;
    for (const auto& name : choice.keys)
      if (const auto* member = node.member(name)) written.push_back(member);
    std::stable_sort(written.begin(), written.end(), [](const auto* a, const auto* b) {
      const auto order = [](const Place& p) { return std::tuple(p.override_number, p.line, p.column); };
      return order(a->place) < order(b->place);
    });
    if (written.empty() && choice.one_is_required) {
      const auto removed = std::find_if(choice.keys.begin(), choice.keys.end(), [&](const auto& name) {
        return context_.source.contains(within(key, name));
      });
      const std::string& name = removed == choice.keys.end() ? choice.keys.front() : *removed;
      context_.report.add(context_.source, within(key, name), none_of(table, choice),
                          "exactly one of them is required");
    }
    for (std::size_t i = 1; i < written.size(); ++i)
      context_.report.add_at(context_.document.locate(written[i]->place),
                             within(key, "contradiction." + written[i]->key),
                             both_of(table, written[0]->key, written[i]->key), only_one_of(choice));
  }

  /// Finds what stands in `node` but neither among `rows` nor among the tables within the table `name`.
  void unknown_keys(const Node& node, const std::string& name, const std::string& key,
                    const std::vector<SchemaRow>& rows) {
    std::vector<std::string> known;
    for (const SchemaRow& row : rows) known.push_back(row.key);
    for (const SchemaTable& table : scene_schema()) {
      const auto dot = table.name.rfind('.');
      if ((dot == std::string::npos ? "" : table.name.substr(0, dot)) != name) continue;
      known.push_back(table.name.substr(dot + 1));  // npos + 1 is 0: a top-level table's whole name.
      const Node::Member* member = node.member(known.back());
      if (member != nullptr && table.is_later)
        context_.report.add_at(context_.document.locate(member->node.place), within(key, member->key),
                               table.title() + " is not available in this version", "leave it out");
    }
    const std::string where = name.empty() ? "" : " in " + schema_table(name).title();
    for (const auto& member : node.members)
      if (std::find(known.begin(), known.end(), member.key) == known.end())
        context_.report.add_at(context_.document.locate(member.place), within(key, member.key),
                               "unknown key " + in_quotes(member.key) + where, suggestion(member.key, known));
  }

  void coulomb(const Node& root) {
    const Node::Member* member = root.member("coulomb");
    if (member == nullptr) return;
    FieldOptions options;
    one("", root, "coulomb", options);
    if (member->node.kind == Node::Kind::table) one("coulomb", member->node, "coulomb.ddef", options);
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
      // What was overridden last is at fault.
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
    many<SpringTable>(key, node, "body.springs", body.springs,
                      [&](auto& t, auto& table, auto& own) { finish(t, table, own); });
    many<VertexGroup>(key, node, "body.group", body.groups, [](auto&, auto&, auto&) {});
    many<GroupChargeTable>(key, node, "body.group_charge", body.group_charges,
                           [&](auto& t, auto& table, auto& own) { return finish(t, table, own); });
    many<PinTable>(key, node, "body.pin", body.pins,
                   [&](auto& t, auto& table, auto& own) { return finish(t, table, own); });
    many<LoadTable>(key, node, "body.load", body.loads,
                    [&](auto& t, auto& table, auto& own) { return finish(t, table, own); });
  }

  /// Keys that only one kind of springs has.
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

  /// Key-frames need both times and values, and nothing but key-frames has an interpolation.
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
};

/// Reads and checks; what is wrong goes to `report`. Whether there is anything to go on with.
bool read_into(Scene& scene, std::string_view text, const std::string& file_name, const std::string& folder,
               const std::vector<std::string>& overrides, Report& report) {
  scene.folder = folder;
  scene.text = std::string(text);
  scene.overrides = overrides;
  std::vector<Finding> findings;
  const Document document(scene.text, file_name, overrides, findings);
  report.add_all(findings, "");
  if (!document.is_readable()) return false;
  SceneReader(document, report, scene).read();
  check_scene(scene, report);
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

}  // namespace electret
