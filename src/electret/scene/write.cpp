#include <algorithm>
#include <filesystem>
#include <utility>

#include <electret/core/arguments.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/scene/write.hpp>

namespace electret {
namespace {

Node& member_of(Node& table, const std::string& key) {
  for (Node::Member& member : table.members)
    if (member.key == key) return member.node;
  table.members.push_back({key, {}, Node{}});
  return table.members.back().node;
}

/// The item `index` of the lists `key` of all bodies, counted through one body's list after the other.
Node& item_of_bodies(Node& root, const std::string& key, std::size_t index) {
  for (Node& body : member_of(root, "body").items) {
    if (body.member(key) == nullptr) continue;
    auto& items = member_of(body, key).items;
    if (index < items.size()) return items[index];
    index -= items.size();
  }
  throw InternalError("a scene's text has fewer tables [[body." + key + "]] than were read of it");
}

/// If all values are equal, sets `one` to it, else sets `each` to the list. Removes the other of the two, and
/// `also`.
template <class Values, class OneNode, class ListNode>
void set_one_or_each(Node& table, const Values& values, const std::string& one, OneNode&& one_node,
                     const std::string& each, ListNode&& list, std::initializer_list<const char*> also = {}) {
  for (const char* key : also) remove_member(table, key);
  const bool are_equal =
      std::all_of(values.begin(), values.end(), [&](const auto& value) { return value == values.front(); });
  remove_member(table, are_equal ? each : one);
  if (are_equal) {
    set_member(table, one, one_node(values.front()));
  } else {
    set_member(table, each, list(values));
  }
}

class Writer {
 public:
  Writer(const Assembly& assembly, Node root) : assembly_(assembly), root_(std::move(root)) {}

  void write(const Parameter& parameter) {
    const std::size_t k = parameter.source.index;
    switch (parameter.source.kind) {
      case NumberKind::masses:
        if (!parameter.shares.empty())
          return for_bodies(parameter, [&](Node& body, std::size_t, std::size_t) {
            set_member(body, "density", number_node(parameter.read(assembly_).front()));
          });
        return of_vertices(parameter, assembly_.masses, "mass", "masses", {"total_mass", "density"});
      case NumberKind::charges:
        return of_vertices(parameter, assembly_.charges, "charge", "charges", {"total_charge"});
      case NumberKind::stiffnesses:
        return of_springs(parameter, &Spring::stiffness, "stiffness", "stiffnesses", "modulus");
      case NumberKind::rest_lengths:
        return rest_lengths(parameter);
      case NumberKind::rest_positions:
        throw std::invalid_argument("scene_text: a scene has no key for rest positions");
      case NumberKind::initial_positions:
        return for_bodies(parameter, [&](Node& body, std::size_t first, std::size_t count) {
          set_member(body, "initial_positions",
                     rows_node(VectorView(assembly_.initial_positions).subspan(first, count)));
        });
      case NumberKind::initial_velocities:
        return for_bodies(parameter, [&](Node& body, std::size_t first, std::size_t count) {
          set_one_or_each(body, VectorView(assembly_.initial_velocities).subspan(first, count), "velocity",
                          row_node, "velocities", rows_node);
        });
      case NumberKind::charge_track:
        return charge_track(item_of_bodies(root_, "group_charge", k), assembly_.charge_tracks[k]);
      case NumberKind::pin_track:
        return set_member(item_of_bodies(root_, "pin", k), "offsets",
                          rows_node(assembly_.pin_tracks[k].offsets.values));
      case NumberKind::load_forces:
        return load(item_of_bodies(root_, "load", k), assembly_.load_tracks[k]);
      case NumberKind::load_factor:
        return set_member(item_of_bodies(root_, "load", k), "values",
                          list_node(assembly_.load_tracks[k].factor.values));
      case NumberKind::youngs_modulus:
        return set_member(item_of_bodies(root_, "material", k), "youngs_modulus",
                          number_node(parameter.read(assembly_).front()));
      case NumberKind::poissons_ratio:
        return set_member(item_of_bodies(root_, "material", k), "poissons_ratio",
                          number_node(parameter.read(assembly_).front()));
      case NumberKind::muscle_stiffness:
        return set_member(item_of_bodies(root_, "muscle", k), "stiffness",
                          number_node(parameter.read(assembly_).front()));
      case NumberKind::activations:
        return set_one_or_each(item_of_bodies(root_, "muscle", k), assembly_.muscles[k].activations,
                               "activation", number_node, "activations", list_node);
      case NumberKind::activation_keys:
        return set_member(item_of_bodies(root_, "muscle", k), "values",
                          list_node(assembly_.muscles[k].keys.values));
      case NumberKind::external_charge:
        return external(k, "charge", "charges", assembly_.external_charges[k].charge.values, number_node,
                        list_node);
      case NumberKind::external_position:
        return external(k, "position", "positions", assembly_.external_charges[k].position.values, row_node,
                        rows_node);
      case NumberKind::field_constants:
        return constants(k);
      case NumberKind::obstacle_stiffness:
        return set_member(obstacle(k), "stiffness", number_node(assembly_.obstacles[k].stiffness));
      case NumberKind::obstacle_friction:
        return set_member(obstacle(k), "friction", number_node(assembly_.obstacles[k].friction));
      case NumberKind::obstacle_friction_stiffness:
        return set_member(obstacle(k), "friction_stiffness",
                          number_node(assembly_.obstacles[k].friction_stiffness));
      case NumberKind::gravity:
        return set_member(member_of(root_, "gravity"), "acceleration",
                          row_node(assembly_.scene.gravity.value_or(Vec3{})));
      case NumberKind::drag:
        return set_member(member_of(root_, "damping"), "drag", number_node(assembly_.scene.damping.drag));
      case NumberKind::spring_damping:
        return set_member(member_of(root_, "damping"), "spring", number_node(assembly_.scene.damping.spring));
    }
  }

  [[nodiscard]] const Node& root() const { return root_; }

 private:
  /// Calls change(body's table, its first vertex, number of its vertices) for each body that has one of the
  /// members.
  template <class Change>
  void for_bodies(const Parameter& parameter, Change&& change) {
    auto& bodies = member_of(root_, "body").items;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const Count first = assembly_.body_offsets[b], end = assembly_.body_offsets[b + 1];
      if (has_member(parameter, first, end))
        change(bodies[b], static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
    }
  }

  static bool has_member(const Parameter& parameter, Count first, Count end) {
    return std::any_of(parameter.members.begin(), parameter.members.end(),
                       [&](Index i) { return i >= first && i < end; });
  }

  void of_vertices(const Parameter& parameter, const std::vector<double>& all, const char* one,
                   const char* each, std::initializer_list<const char*> also) {
    for_bodies(parameter, [&](Node& body, std::size_t first, std::size_t count) {
      set_one_or_each(body, ScalarView(all).subspan(first, count), one, number_node, each, list_node, also);
    });
  }

  /// Calls change(table, values) for each table of springs that has one of the members.
  template <class Change>
  void for_spring_tables(const Parameter& parameter, double Spring::*number, Change&& change) {
    for (std::size_t t = 0; t + 1 < assembly_.spring_offsets.size(); ++t) {
      const Count first = assembly_.spring_offsets[t], end = assembly_.spring_offsets[t + 1];
      if (!has_member(parameter, first, end)) continue;
      std::vector<double> values;
      for (Count s = first; s < end; ++s)
        values.push_back(assembly_.springs[static_cast<std::size_t>(s)].*number);
      change(item_of_bodies(root_, "springs", t), values);
    }
  }

  void of_springs(const Parameter& parameter, double Spring::*number, const char* one, const char* each,
                  const char* also) {
    for_spring_tables(parameter, number, [&](Node& table, const std::vector<double>& values) {
      set_one_or_each(table, values, one, number_node, each, list_node, {also});
    });
  }

  /// Writes rest lengths one by one, because there is no key for a common one. If a modulus set the
  /// stiffnesses from the earlier lengths, it writes the stiffnesses instead of the modulus.
  void rest_lengths(const Parameter& parameter) {
    for_spring_tables(parameter, &Spring::rest_length, [&](Node& table, const std::vector<double>& values) {
      remove_member(table, "rest_length_scale");
      set_member(table, "rest_lengths", list_node(values));
    });
    for_spring_tables(parameter, &Spring::stiffness, [&](Node& table, const std::vector<double>& values) {
      if (table.member("modulus") != nullptr)
        set_one_or_each(table, values, "stiffness", number_node, "stiffnesses", list_node, {"modulus"});
    });
  }

  static void charge_track(Node& table, const ChargeTrack& track) {
    if (track.key_framed) return set_member(table, "values", list_node(track.charge.values));
    set_member(table, "value", number_node(track.charge.values.front()));
  }

  static void load(Node& table, const LoadTrack& track) {
    if (table.member("forces") != nullptr) return set_member(table, "forces", rows_node(track.forces));
    set_member(table, "force", row_node(track.forces.front()));
  }

  template <class Values, class OneNode, class ListNode>
  void external(std::size_t k, const char* one, const char* each, const Values& values, OneNode&& one_node,
                ListNode&& list) {
    Node& table = member_of(root_, "external_charge").items[k];
    if (table.member(each) != nullptr) return set_member(table, each, list(values));
    set_member(table, one, one_node(values.front()));
  }

  Node& obstacle(std::size_t k) { return member_of(root_, "obstacle").items[k]; }

  void constants(std::size_t k) {
    Node& table = member_of(member_of(root_, "electric_field").items[k], "constants");
    const FieldExpression& field = assembly_.fields[k];
    for (std::size_t c = 0; c < field.constants.size(); ++c)
      set_member(table, field.constant_names[c], number_node(field.constants[c]));
  }

  const Assembly& assembly_;
  Node root_;
};

/// The files that a scene may name, as seen from `folder`.
class Paths {
 public:
  Paths(const std::string& from, const std::string& folder) : from_(from), folder_(folder) {}

  void move(Node& root) const {
    in_items(root, "body", [&](Node& body) {
      in_members(body, {"mesh", "masses", "charges", "velocities", "initial_positions"});
      if (body.member("generate") != nullptr) in_members(member_of(body, "generate"), {"surface"});
      in_items(body, "springs", [&](Node& springs) { in_members(springs, {"stiffnesses", "rest_lengths"}); });
      in_items(body, "load", [&](Node& load) { in_members(load, {"forces"}); });
      in_items(body, "muscle", [&](Node& muscle) { in_members(muscle, {"activations"}); });
    });
    in_items(root, "external_charge", [&](Node& external) { in_members(external, {"mesh"}); });
  }

 private:
  template <class Visit>
  static void in_items(Node& table, const std::string& key, Visit&& visit) {
    if (table.member(key) == nullptr) return;
    for (Node& item : member_of(table, key).items) visit(item);
  }

  void in_members(Node& table, std::initializer_list<const char*> keys) const {
    for (const char* key : keys)
      if (const auto* member = table.member(key); member != nullptr && member->node.kind == Node::Kind::text)
        set_member(table, key, text_node(moved(member->node.text)));
  }

  [[nodiscard]] std::string moved(const std::string& file) const {
    namespace fs = std::filesystem;
    if (fs::path(file).is_absolute()) return file;
    const fs::path whole = fs::weakly_canonical(fs::absolute(fs::path(from_) / file));
    const fs::path seen = whole.lexically_relative(fs::weakly_canonical(fs::absolute(folder_)));
    return seen.empty() ? whole.string() : seen.string();
  }

  std::string from_, folder_;
};

}  // namespace

std::string scene_text(const Assembly& assembly, const std::vector<Parameter>& changed,
                       const std::string& folder) {
  const Scene& scene = assembly.scene;
  if (scene.text.empty())
    throw InputError(Finding{{}, "the scene was read from no file", "give one read from TOML"});
  std::vector<Finding> findings;
  const Document document(scene.text, "", scene.overrides, findings);
  require_argument(findings.empty(), "scene_text: the assembly's text is not that of a scene that was read");
  for (const Parameter& parameter : changed)
    static_cast<void>(parameter.read(assembly));  // Checks that it fits.
  Writer writer(assembly, document.root());
  for (const Parameter& parameter : changed) writer.write(parameter);
  Node root = writer.root();
  Paths(scene.folder, folder).move(root);
  return toml_text(root);
}

}  // namespace electret
