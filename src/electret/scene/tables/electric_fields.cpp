#include <electret/scene/expression_findings.hpp>
#include <electret/scene/messages.hpp>
#include <electret/scene/tables/electric_fields.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind field_constants =
    numbers_of_tracks<&Assembly::fields, &FieldExpression::constants>();
}  // namespace number

namespace {

/// Each constant is a parameter, by its name.
void by_name(const Assembly& a, std::vector<Parameter>& found) {
  std::vector<Parameter> named;
  for (const Parameter& field : found)
    for (const Index constant : field.members) {
      Parameter& p = named.emplace_back(field);
      p.name = "electric_field." + std::to_string(p.source.index) + "." +
               a.fields[p.source.index].constant_names[static_cast<std::size_t>(constant)];
      p.members = {constant};
    }
  found = std::move(named);
}

void check_field(SceneChecking& checking, const ElectricField& field, const std::string& key) {
  if (checking.report.is_bad(key)) return;
  std::vector<std::string> names;
  for (const auto& [name, value] : field.constants) {
    if (!is_constant_name(name))
      return checking.add(key + ".constants", "a constant cannot be called " + in_quotes(name),
                          allowed_constant_names());
    names.push_back(name);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<ExpressionError> errors;
    Expression::parse(field.expression[i], names, errors);
    const std::string own = key + ".expression." + std::to_string(i);
    add_expression_findings(checking.report, checking.scene.source, own, field.expression[i], errors);
  }
}

std::optional<FieldExpression> field_track(Assembling&, const ElectricField& field, const std::string&) {
  FieldExpression parsed = parsed_field(field);
  return parsed.components[0].empty() ? std::nullopt : std::optional(std::move(parsed));
}

void check_field_track(const Assembly&, const FieldExpression& field) {
  require_argument(field.constants.size() == field.constant_names.size(),
                   "assembly: a field's constants are not as many as their names");
}

/// The values of the constants are the assembly's: a fit changes them there.
void identify_fields(const SceneTable& table, const Assembly& assembly, Identity& to) {
  Hash& hash = to.part("electric fields");
  for (std::size_t f = 0; f < assembly.fields.size(); ++f) {
    ElectricField field = assembly.scene.electric_fields[f];
    const FieldExpression& parsed = assembly.fields[f];
    for (std::size_t c = 0; c < parsed.constants.size(); ++c)
      field.constants[parsed.constant_names[c]] = parsed.constants[c];
    hash.add_rows(table.schema, &field);
  }
}

}  // namespace

FieldExpression parsed_field(const ElectricField& field) {
  FieldExpression parsed;
  for (const auto& [name, value] : field.constants) {
    parsed.constant_names.push_back(name);
    parsed.constants.push_back(value);
  }
  std::vector<ExpressionError> errors;
  for (std::size_t i = 0; i < 3; ++i)
    parsed.components[i] = Expression::parse(field.expression[i], parsed.constant_names, errors);
  if (!errors.empty()) parsed.components = {};
  return parsed;
}

SceneTable electric_field_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "electric_field",
      .is_repeated = true,
      .description = "A field given by formulas (see Expressions).",
      .rows = {row<&ElectricField::expression>("expression")
                   .unit("N/C")
                   .required()
                   .says("The components, in x, y, z (m), t (s) and the constants."),
               row<&ElectricField::constants>("constants").says("Named numbers: `{ a = 2.0 }`.")}};
  table.called = "electric_field.I";
  table.numbers = {
      {.kind = &number::field_constants,
       .per = Per::own,
       .keys = {NumberKey("constants", "Named constant of an electric field.").as("NAME").then(by_name)},
       .names_of = [](const Assembly& a, std::size_t k) -> const std::vector<std::string>& {
         return a.fields[k].constant_names;
       }}};
  table.read = read_each<&Scene::electric_fields>;
  table.check = check_each<&Scene::electric_fields, check_field>;
  table.assemble = add_each<&Scene::electric_fields, &Assembly::fields, field_track>;
  table.check_assembly = check_tracks<&Assembly::fields, check_field_track>;
  table.identify = identify_fields;
  return table;
}

}  // namespace electret
