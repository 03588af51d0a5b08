#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>

#include <electret/geometry/read.hpp>
#include <electret/scene/check.hpp>
#include <electret/scene/expression.hpp>
#include <electret/scene/member_checks.hpp>
#include <electret/scene/messages.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/scene/schema.hpp>
#include <electret/scene/slot.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

class SceneChecker {
 public:
  SceneChecker(Scene& scene, Report& report) : scene_(scene), report_(report) {}

  void check() {
    TimeTable time{scene_.time.step, scene_.time.steps, std::nullopt};
    if (!report_.is_bad_itself("time")) rows("time", "time", &time);
    rows("integrator", "integrator", &scene_.integrator);
    if (scene_.coulomb) {
      rows("coulomb", "coulomb", &*scene_.coulomb);
      rows("coulomb.ddef", "coulomb.ddef", &*scene_.coulomb);
      if (scene_.coulomb->solver == "fmm" && scene_.coulomb->accuracy.value_or(1.0) < best_fmm_accuracy)
        add("coulomb.accuracy", "solver \"fmm\" does not reach \"accuracy\"",
            "allowed with it: 1e-10 or more; \"direct\" sums in float64");
    }
    if (scene_.gravity) rows("gravity", "gravity", &scene_);
    rows("damping", "damping", &scene_.damping);
    rows("output", "output", &scene_.output);
    if (scene_.bodies.empty() && !report_.is_bad("body"))
      add("body", "the scene has no body", "one [[body]] is required");
    std::set<std::string> names;
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      const std::string key = "body." + std::to_string(b);
      Body& body = scene_.bodies[b];
      if (body.name.empty())
        add(key + ".name", "a body has no name", "allowed: a text of at least one character");
      if (!names.insert(body.name).second)
        add(key + ".name", "two bodies are called " + in_quotes(body.name), "names of bodies are unique");
      check_body(body, key);
    }
    for (std::size_t e = 0; e < scene_.external_charges.size(); ++e)
      external_charge(scene_.external_charges[e], "external_charge." + std::to_string(e));
    for (std::size_t f = 0; f < scene_.electric_fields.size(); ++f)
      electric_field(scene_.electric_fields[f], "electric_field." + std::to_string(f));
    for (std::size_t o = 0; o < scene_.obstacles.size(); ++o)
      rows("obstacle", "obstacle." + std::to_string(o), &scene_.obstacles[o]);
    check_obstacles(scene_, report_);
  }

 private:
  void add(const std::string& key, std::string message, std::string allowed) {
    report_.add(scene_.source, key, std::move(message), std::move(allowed));
  }

  bool none_bad(const std::string& key, std::initializer_list<const char*> names) const {
    return std::none_of(names.begin(), names.end(),
                        [&](const char* name) { return report_.is_bad(key + "." + name); });
  }

  /// Checks the ranges, choices and alternatives of one table's members, as its schema has them.
  void rows(const char* name, const std::string& key, void* object) {
    const SchemaTable& table = schema_table(name);
    for (const SchemaRow& row : table.rows) {
      if (row.is_later || report_.is_bad(key + "." + row.key)) continue;
      const Slot slot = row.slot(object);
      const auto number = std::visit(detail::OutOfRange(row.range), slot.target);
      if (number)
        add(key + "." + row.key,
            in_quotes(row.key) + " in " + table.title() + " is " + number_text(*number) + ", out of range",
            allowed_values(row));
      const auto* word = std::get_if<std::string*>(&slot.target);
      if (word != nullptr && !row.choices.empty()) choice(row, key, **word);
    }
    for (const Alternatives& alternatives : table.alternatives) one_of(table, alternatives, key, object);
  }

  void choice(const SchemaRow& row, const std::string& key, const std::string& word) {
    const auto has = [&](const std::vector<std::string>& words) {
      return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (has(row.choices)) return;
    const std::string text = row.key + " " + in_quotes(word);
    add(key + "." + row.key,
        has(row.later_choices) ? text + " is not available in this version" : "unknown " + text,
        allowed_values(row));
  }

  void one_of(const SchemaTable& table, const Alternatives& choice, const std::string& key, void* object) {
    if (table.name == "time") return;  // The member `steps` alone says how long the run is.
    std::vector<std::string> given;
    for (const auto& name : choice.keys) {
      if (report_.is_bad(key + "." + name) || report_.is_bad(key + ".contradiction." + name)) return;
      if (std::visit(detail::IsGiven{}, table.row(name)->slot(object).target)) given.push_back(name);
    }
    const bool has_mesh =
        choice.keys.front() == "mesh" && static_cast<const Body*>(object)->given_mesh.has_value();
    if (given.empty() && choice.one_is_required && !has_mesh)
      add(key + "." + choice.keys.front(), none_of(table, choice), "exactly one of them is required");
    for (std::size_t i = 1; i < given.size(); ++i)
      add(key + "." + given[i], both_of(table, given[0], given[i]), only_one_of(choice));
  }

  void check_body(Body& body, const std::string& key) {
    rows("body", key, &body);
    if (!body.mesh.empty() && !report_.is_bad(key + ".mesh")) mesh_format(body.mesh, key + ".mesh");
    if (body.generate) generator(*body.generate, key + ".generate");
    for (std::size_t s = 0; s < body.springs.size(); ++s) {
      const std::string own = key + ".springs." + std::to_string(s);
      rows("body.springs", own, &body.springs[s]);
      repeated_pairs(body.springs[s].pairs, own + ".pairs");
    }
    std::vector<std::string> names;
    for (std::size_t g = 0; g < body.groups.size(); ++g) {
      const std::string own = key + ".group." + std::to_string(g);
      const std::string& name = body.groups[g].name;
      rows("body.group", own, &body.groups[g]);
      if (report_.is_bad(own + ".name")) continue;
      if (name.empty())
        add(own + ".name", "a group has no name", "allowed: a text of at least one character");
      if (std::find(names.begin(), names.end(), name) != names.end())
        add(own + ".name", "two groups of body " + in_quotes(body.name) + " are called " + in_quotes(name),
            "names of groups are unique within a body");
      names.push_back(name);
    }
    for (std::size_t g = 0; g < body.group_charges.size(); ++g) {
      const std::string own = key + ".group_charge." + std::to_string(g);
      known_group(body.group_charges[g].group, names, body, own);
      if (none_bad(own, {"value", "values", "times"}))
        key_frames(body.group_charges[g].charge, own, "values");
    }
    for (std::size_t p = 0; p < body.pins.size(); ++p) {
      const std::string own = key + ".pin." + std::to_string(p);
      known_group(body.pins[p].group, names, body, own);
      if (none_bad(own, {"offsets", "times"}) && !body.pins[p].offsets.empty())
        pin_offsets(body.pins[p], own);
    }
    element_groups_materials_and_muscles(body, key);
    for (std::size_t l = 0; l < body.loads.size(); ++l)
      load(body.loads[l], names, body, key + ".load." + std::to_string(l));
  }

  void element_groups_materials_and_muscles(Body& body, const std::string& key) {
    std::vector<std::string> names;
    for (std::size_t g = 0; g < body.element_groups.size(); ++g) {
      const std::string own = key + ".element_group." + std::to_string(g);
      const std::string& name = body.element_groups[g].name;
      rows("body.element_group", own, &body.element_groups[g]);
      if (report_.is_bad(own + ".name")) continue;
      if (name.empty())
        add(own + ".name", "an element group has no name", "allowed: a text of at least one character");
      if (std::find(names.begin(), names.end(), name) != names.end())
        add(own + ".name",
            "two element groups of body " + in_quotes(body.name) + " are called " + in_quotes(name),
            "names of element groups are unique within a body");
      names.push_back(name);
    }
    for (std::size_t m = 0; m < body.materials.size(); ++m) {
      const std::string own = key + ".material." + std::to_string(m);
      const Material& material = body.materials[m];
      rows("body.material", own, &body.materials[m]);
      known_element_group(material.group, names, body, own);
      method_for_elements(own + " is a material");
      solver_for(material, own);
    }
    for (std::size_t m = 0; m < body.muscles.size(); ++m)
      muscle(body.muscles[m], names, body, key + ".muscle." + std::to_string(m));
  }

  void known_element_group(const std::string& group, const std::vector<std::string>& names, const Body& body,
                           const std::string& key) {
    if (group.empty() || report_.is_bad(key + ".group") ||
        std::find(names.begin(), names.end(), group) != names.end())
      return;
    add(key + ".group", "body " + in_quotes(body.name) + " has no element group " + in_quotes(group),
        known_by(names, group, "element_group", "elements"));
  }

  void muscle(const Muscle& muscle, const std::vector<std::string>& names, const Body& body,
              const std::string& key) {
    MuscleTable table{muscle.group,       muscle.fibre,      muscle.stiffness,   muscle.activation,
                      muscle.activations, muscle.keys.times, muscle.keys.values, {}};
    rows("body.muscle", key, &table);
    known_element_group(muscle.group, names, body, key);
    if (muscle.fibre == Vec3{} && !report_.is_bad(key + ".fibre"))
      add(key + ".fibre", "\"fibre\" in [[body.muscle]] is [0, 0, 0]: it has no direction",
          "allowed: three numbers that are not all 0");
    const bool is_key_framed = !muscle.keys.times.empty() || !muscle.keys.values.empty();
    if (is_key_framed && none_bad(key, {"values", "times", "activation", "activations"}))
      key_frames(muscle.keys, key, "values");
    method_for_elements(key + " is a muscle");
  }

  void method_for_elements(const std::string& what) {
    if (scene_.integrator.method == "linear_implicit" && !report_.is_bad("integrator.method"))
      add("integrator.method", "method \"linear_implicit\" is for springs alone, and " + what,
          "allowed with elements: " + joined(all_but("linear_implicit", integrator_methods)));
  }

  /// Finds settings that cannot solve for elements.
  void solver_for(const Material& material, const std::string& key) {
    const IntegratorOptions& options = scene_.integrator;
    if (options.elastic_solver == "local_global" && material.model != "projective" &&
        !report_.is_bad("integrator.elastic_solver"))
      add("integrator.elastic_solver",
          "elastic_solver \"local_global\" is for springs and the model \"projective\", and " + key + " is " +
              in_quotes(material.model),
          "allowed: " + joined(all_but("local_global", elastic_solvers)));
  }

  void load(const Load& load, const std::vector<std::string>& groups, const Body& body,
            const std::string& key) {
    LoadTable table{load.group, load.force, load.forces, {}, {}, {}};  // The rows that are the same in both.
    rows("body.load", key, &table);
    if (!load.group.empty()) known_group(load.group, groups, body, key);
    const bool is_key_framed = !load.factor.times.empty() || !load.factor.values.empty();
    if (is_key_framed && none_bad(key, {"values", "times"})) key_frames(load.factor, key, "values");
  }

  void mesh_format(const std::string& file, const std::string& key) {
    if (find_mesh_format(file) != nullptr) return;
    add(key, "the mesh format of " + in_quotes(file) + " is unknown", "allowed: " + mesh_extensions());
  }

  void generator(const GeneratorSpec& spec, const std::string& key) {
    if (report_.is_bad(key)) return;
    std::vector<std::string> names;
    for (const Shape& shape : shapes()) names.emplace_back(shape.name);
    if (find_shape(spec.shape) == nullptr) {
      const std::string close = closest_name(spec.shape, names);
      return add(
          key + ".shape", "unknown shape " + in_quotes(spec.shape),
          (close.empty() ? "" : "did you mean " + in_quotes(close) + "? ") + "allowed: " + joined(names));
    }
    for (const ParameterFinding& finding : generator_findings(spec))
      add(key + "." + finding.parameter, finding.message, finding.allowed);
  }

  void repeated_pairs(const std::vector<Edge>& pairs, const std::string& key) {
    std::set<Edge> seen;
    ListFindings findings;
    const auto fault = [&](std::string message, std::string allowed) {
      if (findings.admit_another()) add(key, std::move(message), std::move(allowed));
    };
    for (const Edge& pair : pairs) {
      const Edge sorted{std::min(pair[0], pair[1]), std::max(pair[0], pair[1])};
      const std::string text = "[" + std::to_string(pair[0]) + ", " + std::to_string(pair[1]) + "]";
      if (pair[0] == pair[1])
        fault("the pair " + text + " joins a vertex to itself", "allowed: pairs of two different vertices");
      else if (!seen.insert(sorted).second)
        fault("the pair " + text + " is written twice", "a pair appears once within one [[body.springs]]");
    }
    findings.report_omitted(report_, scene_.source, key, "\"pairs\" in [[body.springs]]",
                            "allowed: each pair of two different vertices once");
  }

  /// What helps if no table of the body's [[body.TABLE]] has the name `group`. The mesh, which may have it,
  /// is not read yet.
  static std::string known_by(const std::vector<std::string>& names, const std::string& group,
                              const std::string& table, const std::string& members) {
    if (!closest_name(group, names).empty()) return suggestion(group, names);
    return (names.empty() ? "" : suggestion(group, names) + "; ") + "[[body." + table +
           "]] names groups: attribute = " + in_quotes(group) + " there takes the " + members +
           " that the mesh file calls so";
  }

  void known_group(const std::string& group, const std::vector<std::string>& names, const Body& body,
                   const std::string& key) {
    if (report_.is_bad(key + ".group")) return;
    if (std::find(names.begin(), names.end(), group) != names.end()) return;
    add(key + ".group", "body " + in_quotes(body.name) + " has no group " + in_quotes(group),
        known_by(names, group, "group", "vertices"));
  }

  /// Checks that there are as many times as values, increasing and all finite. Returns whether the key-frames
  /// can be evaluated.
  template <class T>
  bool key_frames(const KeyFrames<T>& keys, const std::string& key, const std::string& values_key) {
    if (report_.is_bad(key + "." + values_key)) return false;
    const auto fault = [&](std::string message, std::string allowed) {
      return add(key + "." + values_key, std::move(message), std::move(allowed)), false;
    };
    if (keys.values.empty())
      return fault(in_quotes(values_key) + " is missing", "a value, or times and values");
    const bool are_times = !report_.is_bad(key + ".times") && key_times(keys.times, key + ".times");
    if (keys.values.size() != keys.times.size())
      return fault(in_quotes(values_key) + " has " + counted(keys.values.size(), "entry", "entries") +
                       ", \"times\" has " + std::to_string(keys.times.size()),
                   "allowed: as many as times");
    const auto infinite =
        std::count_if(keys.values.begin(), keys.values.end(), [](const T& value) { return !finite(value); });
    if (infinite > 0)
      return fault(in_quotes(values_key) + " is not finite in " +
                       counted(static_cast<std::size_t>(infinite), "entry", "entries"),
                   "allowed: finite numbers");
    return are_times;
  }

  bool key_times(const std::vector<double>& times, const std::string& key) {
    const std::string allowed = "allowed: strictly increasing finite times";
    ListFindings findings;
    for (std::size_t k = 0; k < times.size(); ++k) {
      if (std::isfinite(times[k]) && (k == 0 || times[k] > times[k - 1])) continue;
      if (!findings.admit_another()) continue;
      add(key,
          "\"times\" does not increase at " + number_text(times[k]) +
              (k > 0 ? " after " + number_text(times[k - 1]) : ""),
          allowed);
    }
    findings.report_omitted(report_, scene_.source, key, "\"times\"", allowed);
    return findings.empty();
  }

  static bool finite(double value) { return std::isfinite(value); }
  static bool finite(const Vec3& value) { return is_finite(value); }

  void pin_offsets(const Pin& pin, const std::string& key) {
    if (!key_frames(pin.offsets, key, "offsets")) return;
    const Vec3 start = evaluate(pin.offsets, 0.0, scene_.time.step);
    if (start == Vec3{}) return;
    add(key + ".offsets",
        "the offset of pin " + in_quotes(pin.group) + " at time 0 is [" + number_text(start.x) + ", " +
            number_text(start.y) + ", " + number_text(start.z) + "]",
        "it must be zero: a pin starts at the initial place");
  }

  void external_charge(const ExternalCharge& charge, const std::string& key) {
    ExternalChargeTable table;  // The rows that are the same in both.
    table.mesh = charge.mesh, table.width = charge.width, table.charge = 0.0;
    rows("external_charge", key, &table);
    if (!charge.mesh.empty() && !report_.is_bad(key + ".mesh")) mesh_format(charge.mesh, key + ".mesh");
    const bool has_charges = none_bad(key, {"times", "charge", "charges"});
    const bool has_positions = none_bad(key, {"times", "position", "positions"});
    if (has_charges) key_frames(charge.charge, key, "charges");
    if (has_positions) key_frames(charge.position, key, "positions");
  }

  void electric_field(ElectricField& field, const std::string& key) {
    rows("electric_field", key, &field);
    if (report_.is_bad(key)) return;
    std::vector<std::string> names;
    for (const auto& [name, value] : field.constants) {
      if (!is_constant_name(name))
        return add(key + ".constants", "a constant cannot be called " + in_quotes(name),
                   allowed_constant_names());
      names.push_back(name);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<ExpressionError> errors;
      Expression::parse(field.expression[i], names, errors);
      const std::string own = key + ".expression." + std::to_string(i);
      for (const ExpressionError& error : errors)
        report_.add_at(place_within(own, field.expression[i], error.position), own,
                       error.message + " in expression " + in_quotes(field.expression[i]), error.allowed);
    }
  }

  /// The place of byte `position` of the text at `key`; the place of the text itself if its characters cannot
  /// be counted.
  Location place_within(const std::string& key, const std::string& text, std::size_t position) const {
    const auto start = scene_.source.find(key + ".text");
    if (start == scene_.source.end()) return place_of(scene_.source, key);
    Location where = start->second;
    for (std::size_t i = 0; i < position; ++i)
      if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) ++where.column;
    return where;
  }

  Scene& scene_;
  Report& report_;
};

}  // namespace

void check_scene(Scene& scene, Report& report) {
  SceneChecker(scene, report).check();
}

}  // namespace electret
