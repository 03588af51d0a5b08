/// \file
/// Scenes: from a file, a text or a tree of values to an assembly, and what is known of one.

#include "scene.hpp"

#include <tuple>
#include <utility>

#include <pybind11/stl.h>

#include <electret/core/text.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/field/solver.hpp>
#include <electret/record/disk_need.hpp>
#include <electret/record/memory_need.hpp>
#include <electret/scene/edit.hpp>
#include <electret/scene/overlaps.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/scene/warnings.hpp>
#include <electret/scene/write.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "field_function.hpp"
#include "gil.hpp"
#include "guard.hpp"
#include "node.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

using Overrides = std::vector<std::string>;

FileReader reader_of(MemoryFiles files) {
  return [files = std::move(files)](const std::string& path) {
    const auto found = files.find({path});
    return found == files.end() ? read_regular_file(path) : found->second;
  };
}

template <class Load>
SharedAssembly loaded(Load&& load) {
  const DefaultFloats floats;
  const ReleasedGil release;
  return std::make_shared<const Assembly>(load());
}

SharedAssembly load_text(const std::string& text, const FileName& name, const FileName& folder,
                         const Overrides& overrides, const MemoryFiles& files) {
  return loaded([&] { return load_scene_text(text, name.bytes, folder.bytes, overrides, reader_of(files)); });
}

SharedAssembly load_tree(const py::dict& tree, const FileName& folder, const Overrides& overrides,
                         const MemoryFiles& files) {
  const Node root = node_of(tree);
  return loaded([&] { return load_scene_tree(root, folder.bytes, overrides, reader_of(files)); });
}

/// A text's tables as a dict, overrides applied. Throws InputError for what is not TOML.
py::object tree_of(const std::string& text, const FileName& name, const Overrides& overrides) {
  std::vector<Finding> findings;
  const Document document(text, name.bytes, overrides, findings);
  if (!findings.empty()) throw InputError(std::move(findings));
  return value_of(document.root());
}

std::string line_of(const py::handle& value) {
  Node root;
  root.members.push_back({"value", {}, node_of(value, "value")});
  Node list;  // A list of one keeps a table on one line.
  list.kind = Node::Kind::array;
  list.items.push_back(root.members.front().node);
  root.members.front().node = list.items.front().kind == Node::Kind::table ? list : list.items.front();
  if (list.items.front().kind == Node::Kind::table)
    throw py::type_error("a table cannot be set as one value; set its keys one by one");
  std::string text = toml_text(root);
  return text.substr(std::string("value = ").size(), text.size() - std::string("value = ").size() - 1);
}

using Edits = std::vector<std::tuple<std::string, std::string, std::string>>;

TextEdit edit_of(const std::string& kind, const std::string& key, const std::string& text) {
  if (kind == "set") return TextEdit::set(key, text);
  if (kind == "append") return TextEdit::append(key, lines_of(text));
  if (kind == "rename") return TextEdit::rename(key, text);
  return TextEdit::remove(key);
}

py::bytes edited(const std::string& text, const FileName& name, const Edits& given) {
  std::vector<TextEdit> edits;
  for (const auto& [kind, key, value] : given) edits.push_back(edit_of(kind, key, value));
  return edited_text(text, name.bytes, edits);
}

py::dict described(const Assembly& assembly) {
  py::dict bodies;
  for (std::size_t b = 0; b < assembly.scene.bodies.size(); ++b) {
    const auto first = static_cast<std::size_t>(assembly.body_offsets[b]);
    const auto end = static_cast<std::size_t>(assembly.body_offsets[b + 1]);
    double mass = 0.0, charge = 0.0;
    for (std::size_t i = first; i < end; ++i) mass += assembly.masses[i], charge += assembly.charges[i];
    py::dict body;
    body["vertices"] = end - first;
    body["springs"] = assembly.body_spring_offsets[b + 1] - assembly.body_spring_offsets[b];
    body["mass"] = mass;
    body["charge"] = charge;
    bodies[py::str(assembly.scene.bodies[b].name)] = body;
  }
  py::dict result;
  result["name"] = assembly.scene.name;
  result["bodies"] = bodies;
  result["vertices"] = assembly.masses.size();
  result["springs"] = assembly.springs.size();
  result["elements"] = assembly.tetrahedra.size() + assembly.hexahedra.size();
  result["integrator"] = assembly.scene.integrator.method;
  result["field_solver"] = assembly.scene.coulomb
                               ? to_string(field_solver_choice(*assembly.scene.coulomb,
                                                               static_cast<Count>(assembly.masses.size())))
                               : std::string();
  result["time_step"] = assembly.scene.time.step;
  result["steps"] = assembly.scene.time.steps;
  return result;
}

py::list parameter_table(const Assembly& assembly) {
  py::list list;
  for (const Parameter& parameter : parameters(assembly)) {
    py::dict row;
    row["name"] = parameter.name;
    row["unit"] = parameter.unit;
    row["rows"] = parameter.rows();
    row["columns"] = parameter.columns;
    row["is_list"] = parameter.is_list;
    row["is_logarithmic"] = parameter.scale == ParameterScale::logarithmic;
    const NumberRange range = parameter.range_in(assembly);
    row["minimum"] = range.minimum;
    row["maximum"] = range.maximum;
    row["minimum_excluded"] = range.minimum_excluded;
    row["maximum_excluded"] = range.maximum_excluded;
    const bool is_narrower =
        range.minimum != parameter.range.minimum || range.maximum != parameter.range.maximum;
    row["range_of_each"] = is_narrower ? to_string(parameter.range) : std::string();
    row["values"] = copied(ScalarView(parameter.read(assembly)));
    list.append(row);
  }
  return list;
}

/// The names of parameters that hold a number which one named before holds, too.
std::vector<std::string> overlapping_names(const Assembly& assembly, const std::vector<std::string>& names) {
  const std::vector<Parameter> all = parameters(assembly);
  std::vector<Parameter> named;
  for (const std::string& name : names)
    for (const Parameter& each : all)
      if (each.name == name) named.push_back(each);
  std::vector<std::string> found;
  for (const std::size_t k : overlapping(assembly, named)) found.push_back(named[k].name);
  return found;
}

py::list schema() {
  py::list tables;
  for (const SchemaTable& table : scene_schema()) {
    py::dict keys;
    for (const SchemaRow& row : table.rows)
      if (!row.is_later)
        keys[py::str(row.key)] =
            py::make_tuple(row.type == "number" && !row.choices.empty() ? "number or word" : row.type,
                           row.unit, row.description, row.is_required);
    tables.append(py::make_tuple(table.name, table.is_repeated, keys));
  }
  return tables;
}

using TableNumbers = std::vector<std::pair<std::string, std::size_t>>;

/// The text of a scene of the folder `from` that is to be a file in the folder `to`. The meshes of the tables
/// `beside` are files of `to`, and named so already.
std::string moved_toml_text(const py::dict& tree, const FileName& from, const FileName& to,
                            const TableNumbers& beside) {
  const Node root = node_of(tree);
  Node moved = with_moved_paths(root, from.bytes, to.bytes);
  for (Node::Member& member : moved.members)
    for (const auto& [table, number] : beside)
      if (member.key == table)
        set_member(member.node.items.at(number), "mesh",
                   root.member(table)->node.items.at(number).member("mesh")->node);
  return toml_text(moved);
}

}  // namespace

void bind_scene(py::module_& module) {
  py::class_<Assembly, std::shared_ptr<Assembly>>(module, "Assembly");
  module.def("load_text", [](const std::string& text, const FileName& name, const FileName& folder,
                             const Overrides& overrides, const MemoryFiles& files) {
    return std::const_pointer_cast<Assembly>(load_text(text, name, folder, overrides, files));
  });
  module.def("load_tree", [](const py::dict& tree, const FileName& folder, const Overrides& overrides,
                             const MemoryFiles& files) {
    return std::const_pointer_cast<Assembly>(load_tree(tree, folder, overrides, files));
  });
  module.def("set_field_function",
             [](Assembly& assembly, std::size_t field, py::function value, const py::object& product) {
               assembly.fields.at(field).function = field_function(std::move(value), product);
             });
  module.def("tree_of", tree_of);
  module.def("toml_text", [](const py::dict& tree) { return toml_text(node_of(tree)); });
  module.def("moved_toml_text", moved_toml_text);
  module.def("toml_line", line_of);
  module.def("toml_value", [](const py::handle& value) { return toml_value(node_of(value, "value")); });
  module.def("toml_pair", [](const std::string& key, const py::handle& value) {
    return toml_key(key) + " = " + toml_value(node_of(value, "value"));
  });
  module.def("edited_text", edited);
  module.def("describe", described);
  module.def("parameter_table", parameter_table);
  module.def("overlapping", overlapping_names);
  module.def("scene_warnings", [](const Assembly& assembly) {
    py::list list;
    for (const Warning& warning : scene_warnings(assembly)) list.append(shown(to_string(warning)));
    return list;
  });
  module.def("schema", schema);
}

}  // namespace electret::python
