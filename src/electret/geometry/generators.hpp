#pragma once
/// \file
/// Shapes made from parameters: `generate = { shape = "torus", vertices = 145 }` in a scene.
///
/// \code
///   electret::Mesh torus = electret::generate({"torus", {{"vertices", 145.0}}});
/// \endcode
///
/// One table, shapes(), holds every shape and parameter; checking, the scene reader and the documentation
/// read it. Each shape has a file of its own in generators/ with a typed options struct. Deterministic: the
/// same parameters give the same bits.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

enum class ParameterKind { number, integer, choice, triple, file };  ///< A triple is three integers.

/// Numbers and integers; choices and paths of files; triples.
using ParameterValue = std::variant<double, std::string, std::vector<double>>;
using ParameterValues = std::map<std::string, ParameterValue>;

/// One row of the table: a parameter of a shape.
struct ShapeParameter {
  std::string_view name;
  ParameterKind kind = ParameterKind::number;
  std::optional<ParameterValue> default_value;  ///< None: follows from the others (said in the description),
  bool is_required = false;                     ///< or must be given.
  double minimum = 0.0;                         ///< Of each number.
  double maximum = 0.0;                         ///< Of each number.
  bool minimum_excluded = false;                ///< The value must be greater than the minimum.
  std::vector<std::string_view> choices;        ///< Choices only.
  std::string_view unit;                        ///< "m", or empty.
  std::string_view description;
};

/// What is wrong with one parameter; the caller adds where.
struct ParameterFinding {
  std::string parameter;  ///< Its name as given; "shape" for an unknown shape.
  std::string message;    ///< What is wrong, quoting name and value.
  std::string allowed;    ///< What is allowed instead.
};

/// A shape: its parameters, the groups its meshes have, and how it is made.
struct Shape {
  std::string_view name;
  std::string_view description;
  std::vector<ShapeParameter> parameters;
  std::vector<std::string_view> groups;
  Mesh (*build)(const ParameterValues&);  ///< Of values that passed the checks.
  /// Contradictions between parameters that are each in range; may be null.
  std::vector<ParameterFinding> (*contradictions)(const ParameterValues&) = nullptr;
  /// Instead of `build`: made from the mesh in the file that the parameter "surface" names. What is wrong
  /// with that is added to the findings, and the mesh is then of no use.
  Mesh (*build_within)(const ParameterValues&, const Mesh& surface,
                       std::vector<ParameterFinding>& findings) = nullptr;
};

/// What a scene's `generate` table says; parameters not named have their defaults.
struct GeneratorSpec {
  std::string shape;
  ParameterValues parameters;
};

/// All shapes, in the order of the documentation.
std::span<const Shape> shapes();

/// The shape called `name`, or null.
const Shape* find_shape(std::string_view name);

/// Everything wrong with `spec`: unknown shape or parameter, wrong kind, out of range, contradictions.
std::vector<ParameterFinding> generator_findings(const GeneratorSpec& spec);

/// The mesh. Throws InputError with all of generator_findings (without a place: the caller knows it). A shape
/// that is made from a surface reads its file, as `read_mesh` does.
Mesh generate(const GeneratorSpec& spec);

/// The same of a shape with `build_within`, from a surface that was read; what is wrong is added to
/// `findings`.
Mesh generate_within(const GeneratorSpec& spec, const Mesh& surface, std::vector<ParameterFinding>& findings);

}  // namespace electret
