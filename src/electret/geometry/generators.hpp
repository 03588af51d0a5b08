#pragma once
/// \file
/// Shapes that are made from parameters: `generate = { shape = "torus", vertices = 145 }` in a scene.
///
/// \code
///   electret::Mesh torus = electret::generate({"torus", {{"vertices", 145.0}}});
/// \endcode
///
/// A single table, shapes(), holds every shape and parameter. The checks, the scene reader and the
/// documentation read it. Each shape has a file of its own in generators/, with a typed options struct.
/// Generators are deterministic: the same parameters give the same bits.

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

/// double for numbers and integers, string for choices and paths of files, vector for triples.
using ParameterValue = std::variant<double, std::string, std::vector<double>>;
using ParameterValues = std::map<std::string, ParameterValue>;

/// One row of the table: a parameter of a shape.
struct ShapeParameter {
  std::string_view name;
  ParameterKind kind = ParameterKind::number;
  /// None: the parameter is required, or other parameters give its value (see `description`).
  std::optional<ParameterValue> default_value;
  bool is_required = false;               ///< It must be given.
  double minimum = 0.0;                   ///< Of each number.
  double maximum = 0.0;                   ///< Of each number.
  bool minimum_excluded = false;          ///< The value must be greater than the minimum.
  std::vector<std::string_view> choices;  ///< For choices only.
  std::string_view unit;                  ///< "m", or empty.
  std::string_view description;
};

/// What is wrong with one parameter. The caller adds the location.
struct ParameterFinding {
  std::string parameter;  ///< Its name as given; "shape" for an unknown shape.
  std::string message;    ///< What is wrong, quoting name and value.
  std::string allowed;    ///< What is allowed instead.
};

/// A shape: its parameters, the groups of its meshes, and the function that makes it.
struct Shape {
  std::string_view name;
  std::string_view description;
  std::vector<ShapeParameter> parameters;
  std::vector<std::string_view> groups;
  Mesh (*build)(const ParameterValues&);  ///< The values have passed the checks.
  /// Finds contradictions between parameters that are each in range; may be null.
  std::vector<ParameterFinding> (*contradictions)(const ParameterValues&) = nullptr;
  /// Replaces `build` for shapes that are made from the mesh in the file that the parameter "surface" names.
  /// Adds what is wrong with that mesh to the findings; if there are any, the returned mesh is of no use.
  Mesh (*build_within)(const ParameterValues&, const Mesh& surface,
                       std::vector<ParameterFinding>& findings) = nullptr;
};

/// What a scene's `generate` table says. Parameters that are not named have their defaults.
struct GeneratorSpec {
  std::string shape{};
  ParameterValues parameters{};
};

/// All shapes in the order of the documentation.
std::span<const Shape> shapes();

/// The shape called `name`, or null.
const Shape* find_shape(std::string_view name);

/// Everything that is wrong with `spec`: unknown shape or parameter, wrong kind, out of range,
/// contradictions.
std::vector<ParameterFinding> generator_findings(const GeneratorSpec& spec);

/// The mesh. Throws InputError with all of generator_findings, without a location, which only the caller
/// knows. A shape that is made from a surface reads that file as `read_mesh` does.
Mesh generate(const GeneratorSpec& spec);

/// The same for a shape with `build_within`, from a surface that has been read. Adds what is wrong to
/// `findings`.
Mesh generate_within(const GeneratorSpec& spec, const Mesh& surface, std::vector<ParameterFinding>& findings);

}  // namespace electret
