#include <algorithm>
#include <array>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/geometry/generators.hpp>
#include <electret/geometry/generators/blob.hpp>
#include <electret/geometry/generators/box.hpp>
#include <electret/geometry/generators/chain.hpp>
#include <electret/geometry/generators/duck.hpp>
#include <electret/geometry/generators/fill.hpp>
#include <electret/geometry/generators/grid.hpp>
#include <electret/geometry/generators/icosphere_fan.hpp>
#include <electret/geometry/generators/lattice.hpp>
#include <electret/geometry/generators/parameters.hpp>
#include <electret/geometry/generators/sphere.hpp>
#include <electret/geometry/generators/torus.hpp>
#include <electret/geometry/generators/tshirt.hpp>
#include <electret/geometry/read.hpp>

namespace electret {
namespace {

std::string range_of(const ShapeParameter& row) {
  using parameters::written;
  const std::string kind = row.kind == ParameterKind::triple    ? "three whole numbers"
                           : row.kind == ParameterKind::integer ? "a whole number"
                                                                : "a number";
  if (row.minimum_excluded && !std::isfinite(row.maximum))
    return kind + " greater than " + written(row.minimum);
  if (!std::isfinite(row.maximum)) return kind + ", at least " + written(row.minimum);
  return kind + " from " + written(row.minimum) + " to " + written(row.maximum);
}

std::string allowed_of(const ShapeParameter& row) {
  if (row.kind == ParameterKind::choice) return "one of " + joined(row.choices);
  if (row.kind == ParameterKind::file) return "a mesh file: " + mesh_extensions();
  return range_of(row);
}

std::string as_written(const ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return parameters::written(*number);
  if (const auto* word = std::get_if<std::string>(&value)) return in_quotes(*word);
  std::string text;
  for (const double number : std::get<std::vector<double>>(value))
    text += (text.empty() ? "" : ", ") + parameters::written(number);
  return "[" + text + "]";
}

bool is_allowed_number(const ShapeParameter& row, double number) {
  if (!std::isfinite(number)) return false;
  if (row.kind != ParameterKind::number && number != std::floor(number)) return false;
  return number <= row.maximum && (row.minimum_excluded ? number > row.minimum : number >= row.minimum);
}

bool is_allowed(const ShapeParameter& row, const ParameterValue& value) {
  if (row.kind == ParameterKind::file) {
    const auto* path = std::get_if<std::string>(&value);
    return path != nullptr && find_mesh_format(*path) != nullptr;
  }
  if (row.kind == ParameterKind::choice) {
    const auto* word = std::get_if<std::string>(&value);
    return word != nullptr && std::find(row.choices.begin(), row.choices.end(), *word) != row.choices.end();
  }
  if (row.kind == ParameterKind::triple) {
    const auto* triple = std::get_if<std::vector<double>>(&value);
    return triple != nullptr && triple->size() == 3 &&
           std::all_of(triple->begin(), triple->end(), [&](double n) { return is_allowed_number(row, n); });
  }
  const double* number = std::get_if<double>(&value);
  return number != nullptr && is_allowed_number(row, *number);
}

}  // namespace

std::span<const Shape> shapes() {
  static const std::array<Shape, 12> table = {
      torus_shape(), sphere_shape(), grid_shape(), lattice_shape(), chain_shape(), blob_shape(),
      duck_shape(),  tshirt_shape(), box_shape(),  voxels_shape(),  fill_shape(),  icosphere_fan_shape()};
  return table;
}

const Shape* find_shape(std::string_view name) {
  for (const Shape& shape : shapes())
    if (shape.name == name) return &shape;
  return nullptr;
}

std::vector<ParameterFinding> generator_findings(const GeneratorSpec& spec) {
  const Shape* shape = find_shape(spec.shape);
  if (shape == nullptr) {
    std::vector<std::string_view> names;
    for (const Shape& known : shapes()) names.push_back(known.name);
    return {{"shape", "unknown shape " + in_quotes(spec.shape), "shapes are " + joined(names)}};
  }
  std::vector<ParameterFinding> findings;
  for (const auto& given : spec.parameters) {
    const std::string& name = given.first;
    const ParameterValue& value = given.second;
    const auto row = std::find_if(shape->parameters.begin(), shape->parameters.end(),
                                  [&](const ShapeParameter& known) { return known.name == name; });
    if (row == shape->parameters.end()) {
      std::vector<std::string_view> names;
      for (const ShapeParameter& known : shape->parameters) names.push_back(known.name);
      findings.push_back({name, "shape " + in_quotes(spec.shape) + " has no parameter " + in_quotes(name),
                          "its parameters are " + joined(names)});
    } else if (!is_allowed(*row, value)) {
      findings.push_back({name, in_quotes(name) + " = " + as_written(value), allowed_of(*row)});
    }
  }
  for (const ShapeParameter& row : shape->parameters)
    if (row.is_required && !spec.parameters.contains(std::string(row.name)))
      findings.push_back(
          {"shape", "shape " + in_quotes(spec.shape) + " needs " + in_quotes(row.name), allowed_of(row)});
  if (findings.empty() && shape->contradictions != nullptr) findings = shape->contradictions(spec.parameters);
  return findings;
}

namespace {

void throw_if_any(std::vector<ParameterFinding> found) {
  std::vector<Finding> findings;
  for (ParameterFinding& finding : found)
    findings.push_back({{}, std::move(finding.message), std::move(finding.allowed)});
  if (!findings.empty()) throw InputError(std::move(findings));
}

}  // namespace

Mesh generate_within(const GeneratorSpec& spec, const Mesh& surface,
                     std::vector<ParameterFinding>& findings) {
  return find_shape(spec.shape)->build_within(spec.parameters, surface, findings);
}

Mesh generate(const GeneratorSpec& spec) {
  throw_if_any(generator_findings(spec));
  const Shape& shape = *find_shape(spec.shape);
  if (shape.build_within == nullptr) return shape.build(spec.parameters);
  std::vector<ParameterFinding> findings;
  const Mesh surface = read_mesh(std::get<std::string>(spec.parameters.at("surface")));
  Mesh mesh = generate_within(spec, surface, findings);
  throw_if_any(std::move(findings));
  return mesh;
}

}  // namespace electret
