#pragma once
/// \file
/// The parameter registry: what of a scene may be changed by name, and differentiated by. `--wrt`, fits,
/// Python and the docs read it; a further parameter is one row of parameter_rows.cpp.
///
/// \code
///   electret::Parameter k = electret::find_parameter(assembly, "body.knot.stiffness");
///   k.write(assembly, std::vector{12.5});                 // every spring of the body: 12.5 N/m
///   const std::vector<double> slope = k.pull(gradient);   // ∂ℒ/∂k from ∂ℒ/∂(each spring's stiffness)
/// \endcode

#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/assembly_gradient.hpp>
#include <electret/scene/schema.hpp>

namespace electret {

/// The scale on which an optimiser should move a parameter: logarithm where all values are and stay positive.
enum class ParameterScale { linear, logarithmic };

/// A parameter of one assembly. Its values are rows × columns numbers of one array of the assembly: either
/// one by one, or a single row that all `members` have in common.
struct Parameter {
  std::string name;  ///< "body.knot.charge[tip]".
  std::string unit;
  NumberRange range;           ///< What each value may be.
  ParameterScale scale{};      ///< For the values of the assembly it was made of.
  NumberSource source;         ///< The array its numbers are in.
  std::size_t columns = 1;     ///< 3 for vectors.
  std::vector<Index> members;  ///< Rows of the array.
  bool is_common = false;      ///< One row of values for all members.
  std::vector<double> shares;  ///< Each member's number is its share of the value; empty: the value itself.
  bool is_list = false;        ///< Written as a list of rows even where there is one.

  [[nodiscard]] std::size_t rows() const { return is_common ? 1 : members.size(); }
  [[nodiscard]] std::size_t size() const { return rows() * columns; }

  /// The values now, row by row; the mean where members that have one value in common differ.
  [[nodiscard]] std::vector<double> read(const Assembly& assembly) const;
  /// Sets the values (`size()`, else InternalError; their range is the caller's care). Members that differ
  /// but have one value in common are all moved by the same amount, so that their mean is the value. Rest
  /// positions take the masses of bodies with a density along.
  void write(Assembly& assembly, ScalarView values) const;
  /// ∂ℒ/∂values from ∂ℒ/∂(the assembly's numbers): the transpose of `write`'s derivative.
  [[nodiscard]] std::vector<double> pull(const AssemblyGradient& gradient) const;

 private:
  void write_numbers(Assembly& assembly, ScalarView values) const;
};

/// How large `values` of `parameter` are: their root mean square; where all are 0 what is usual for the unit.
double typical_size(const Parameter& parameter, ScalarView values);

/// A row of the registry: a kind of parameter.
struct ParameterRow {
  std::string pattern;  ///< "body.NAME.charge[GROUP]".
  std::string unit;     ///< "" for what has no unit or that of the scene's formula.
  NumberRange range;
  std::string description;
  bool is_list = false;  ///< One row per vertex, spring or key.
  /// Those that `assembly` has: name, source, columns, members, is_common; the registry adds the rest.
  std::vector<Parameter> (*find)(const Assembly& assembly);
};

/// All kinds, in the order of the documentation.
const std::vector<ParameterRow>& parameter_rows();

/// The table of docs/parameters.md: one line per kind.
std::string parameter_reference();

/// All parameters of `assembly`, kind by kind.
std::vector<Parameter> parameters(const Assembly& assembly);

/// The parameter called `name`. Throws InputError with close names if `assembly` has none.
Parameter find_parameter(const Assembly& assembly, std::string_view name);

}  // namespace electret
