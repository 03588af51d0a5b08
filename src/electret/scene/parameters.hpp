#pragma once
/// \file
/// The parameter registry: the numbers of a scene that can be changed by name, and differentiated by.
/// `--wrt`, fits, Python and the docs read it. Its rows are those of the tables in
/// scene/tables/.
///
/// \code
///   electret::Parameter k = electret::find_parameter(assembly, "body.knot.stiffness");
///   k.write(assembly, std::vector{12.5});                 // every spring of the body: 12.5 N/m
///   const std::vector<double> slope = k.pull(gradient);   // ∂ℒ/∂k from ∂ℒ/∂(each spring's stiffness)
/// \endcode

#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/assembly.hpp>
#include <electret/scene/schema.hpp>

namespace electret {

struct SceneTable;
struct NumberRow;
struct NumberKey;

/// The scale on which an optimiser should move a parameter. It is logarithmic if all values are positive and
/// must stay so.
enum class ParameterScale { linear, logarithmic };

/// A parameter of one assembly. Its values are rows × columns numbers of one array of the assembly. `members`
/// are the rows of that array that it covers. Either each member has values of its own, or all members share
/// one row of values (`is_common`).
///
/// `read`, `write` and `pull` throw std::invalid_argument if the parameter names numbers that the assembly or
/// gradient does not have, because it was made from another assembly.
struct Parameter {
  std::string name;  ///< "body.knot.charge[tip]".
  std::string key;   ///< The scene's key from which it was made; "" if there is none.
  std::string unit;
  NumberRange range;           ///< The range of each value.
  ParameterScale scale{};      ///< For the values in the assembly it was made from.
  NumberId source;             ///< The array that holds its numbers.
  std::size_t columns = 1;     ///< 3 for vectors.
  std::vector<Index> members;  ///< Rows of the array.
  bool is_common = false;      ///< One row of values for all members.
  /// For densities, each mass is share (a volume) × value. Empty: each number is the value itself.
  std::vector<double> shares;
  bool is_list = false;  ///< Written as a list of rows even if there is only one.

  [[nodiscard]] std::size_t rows() const { return is_common ? 1 : members.size(); }
  [[nodiscard]] std::size_t size() const { return rows() * columns; }

  /// The current values, row by row. If members share one value but differ in the assembly, it is their mean.
  [[nodiscard]] std::vector<double> read(const Assembly& assembly) const;
  /// The range of each value in which all numbers of `assembly` that it sets stay in `range`. It is narrower
  /// than `range` if members share one value but differ in the assembly.
  [[nodiscard]] NumberRange range_in(const Assembly& assembly) const;
  /// Sets the values. Throws std::invalid_argument unless there are `size()` of them. Their range is not
  /// checked. If members share one value but differ in the assembly, all are shifted by the same amount, so
  /// that their mean becomes the value. If rest positions move, the masses of bodies with a density follow.
  void write(Assembly& assembly, ScalarView values) const;
  /// ∂ℒ/∂values from ∂ℒ/∂(the assembly's numbers). This is the transpose of `write`'s derivative.
  [[nodiscard]] std::vector<double> pull(const AssemblyGradient& gradient) const;

 private:
  void write_numbers(Assembly& assembly, ScalarView values) const;
};

/// Whether the values of `parameter` are places, whose size says only where the origin is. Offsets are
/// lengths with a 0 of their own.
bool is_place(const Parameter& parameter);

/// The typical size of `values` of `parameter`, a parameter of `assembly`: their root mean square. Places are
/// measured from their mean, axis by axis, because where the origin is says nothing. If that leaves 0, as of
/// a single place, the size is that of the scene for lengths (the root mean square of the coordinates of all
/// vertices and external charges, measured from their mean), and else a size usual for the unit.
double typical_size(const Assembly& assembly, const Parameter& parameter, ScalarView values);

/// A row of the registry: one kind of parameter.
struct ParameterRow {
  std::string pattern;  ///< "body.NAME.charge[GROUP]".
  /// "" without a unit, or if the unit depends on the formula in which the scene uses the parameter
  /// (constants of electric fields).
  std::string unit;
  NumberRange range;
  std::string description;
  const SceneTable* table = nullptr;  ///< The table that has the key.
  const NumberRow* number = nullptr;
  const NumberKey* key = nullptr;

  /// The parameters of this kind in `assembly`, without their scales. Those without members have no effect.
  [[nodiscard]] std::vector<Parameter> find(const Assembly& assembly) const;
};

/// All kinds of parameters, in the order of the documentation.
const std::vector<ParameterRow>& parameter_rows();

/// The table of docs/parameters.md: one line per kind.
std::string parameter_reference();

/// All parameters of `assembly`, grouped by kind.
std::vector<Parameter> parameters(const Assembly& assembly);

/// The parameter called `name`. If `assembly` has none, throws InputError, which names similar ones.
Parameter find_parameter(const Assembly& assembly, std::string_view name);

}  // namespace electret
