#pragma once
/// \file
/// Inputs: everything that acts on the bodies from outside at one time, as flat arrays. The scene's schedule
/// fills them once per step. A caller may write them instead (dragging with the mouse, closed-loop control).
///
/// Code that keeps a result that depends on inputs compares them with `same_inputs`. That function goes
/// through the list of fields below, so a new field is compared everywhere. Without the field's line in
/// `input_values` and its row in `input_fields`, nothing compiles. Derivatives and controls go through the
/// same list.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/geometry/placement.hpp>

namespace electret {

/// An external charge at one time: a point charge (width 0) or a Gaussian ball.
struct PlacedCharge {
  Vec3 position;        ///< m.
  double charge = 0.0;  ///< C.
  double width = 0.0;   ///< σ, m.
};

/// A grab at one time: a spring and a damper from a target to the weighted mean of some vertices
/// (force/grab.hpp).
struct PlacedGrab {
  Vec3 target;                  ///< p, m.
  double stiffness = 0.0;       ///< k, N/m, ≥ 0.
  double damping = 0.0;         ///< c, N s/m, ≥ 0. If k and c are 0, the grab does not act.
  std::vector<Index> vertices;  ///< Global indices.
  std::vector<double> weights;  ///< One per vertex, ≥ 0; they sum to 1.
};

struct Inputs {
  double time = 0.0;                           ///< s.
  std::vector<double> charges;                 ///< n, C.
  std::vector<PlacedCharge> external_charges;  ///< In the scene's order; a mesh has one per vertex.
  VectorArray pin_positions;                   ///< m, of the pinned vertices (System::pins' order).
  VectorArray loads;                           ///< n×3, N: forces on the vertices; empty if none.
  std::vector<double> activations;             ///< Target stretch of each muscle element; may be empty.
  std::vector<Placement> placements;           ///< Of the obstacles, in the scene's order.
  std::vector<PlacedGrab> grabs;  ///< The scene's, in its order, and then any that a caller brings.
};

/// The loss's derivatives with respect to `Inputs`, in the same shapes. Loads are n×3 here even if the inputs
/// have none.
struct InputGradients {
  struct External {
    Vec3 position;
    double charge = 0.0;
  };
  struct Grab {
    Vec3 target;
    double stiffness = 0.0;
    double damping = 0.0;
  };
  std::vector<double> charges;
  std::vector<External> external_charges;
  VectorArray pin_positions;
  VectorArray loads;
  std::vector<double> activations;
  std::vector<Placement> placements;
  std::vector<Grab> grabs;

  /// Zeros in the shape of `inputs`.
  static InputGradients zero(const Inputs& inputs);
};

/// What reads a field of Inputs. A set of these is their sum.
enum InputUse : unsigned {
  read_by_forces = 1,         ///< Explicit forces read it.
  read_by_potentials = 2,     ///< Their potential energies read it too.
  read_by_elastic = 4,        ///< Elastic energies read it.
  read_through_positions = 8  ///< It only prescribes positions.
};

/// Rows of numbers in an array of Inputs or of InputGradients. Row r has its numbers in one piece.
template <class Double>
struct InputRows {
  Double* first = nullptr;
  std::size_t count = 0, stride = 1;
  Double& operator()(std::size_t row, std::size_t column) const { return first[row * stride + column]; }
};

/// One field of Inputs, and what it is to a caller that differentiates by it or drives it by a name
/// (driven_inputs.hpp). Rows of values and of derivatives have the same order of numbers.
struct InputField {
  std::string_view name;
  unsigned uses = 0;    ///< A sum of InputUse.
  bool is_sum = false;  ///< What several sources say adds up. It may be empty: then nothing of the kind acts.
  bool is_open = false;     ///< A caller may bring any number of rows after the scene's.
  std::size_t columns = 0;  ///< The first numbers of a row, by which there are derivatives; 0: none.
  InputRows<const double> (*values)(const Inputs&) = nullptr;
  InputRows<const double> (*derivatives)(const InputGradients&) = nullptr;
  void (*resize)(InputGradients&, std::size_t rows) = nullptr;
};

namespace detail {

template <class Row>
InputRows<const double> rows_in(const std::vector<Row>& values) {
  static_assert(sizeof(Row) % sizeof(double) == 0);
  return {reinterpret_cast<const double*>(values.data()), values.size(), sizeof(Row) / sizeof(double)};
}

template <class Row>
Row row_of(std::vector<Row> InputGradients::*);

/// The field whose arrays are `values` and `derivatives`.
template <auto values, auto derivatives>
constexpr InputField field_of(std::string_view name, unsigned uses, bool is_sum = false,
                              bool is_open = false) {
  return {name,
          uses,
          is_sum,
          is_open,
          sizeof(row_of(derivatives)) / sizeof(double),
          [](const Inputs& inputs) { return rows_in(inputs.*values); },
          [](const InputGradients& by) { return rows_in(by.*derivatives); },
          [](InputGradients& by, std::size_t rows) { (by.*derivatives).resize(rows); }};
}

}  // namespace detail

namespace input {
inline constexpr InputField time{"time", read_by_forces};
inline constexpr InputField charges = detail::field_of<&Inputs::charges, &InputGradients::charges>(
    "charges", read_by_forces + read_by_potentials);
inline constexpr InputField external_charges =
    detail::field_of<&Inputs::external_charges, &InputGradients::external_charges>(
        "external_charges", read_by_forces + read_by_potentials);
inline constexpr InputField pin_positions =
    detail::field_of<&Inputs::pin_positions, &InputGradients::pin_positions>("pin_positions",
                                                                             read_through_positions);
inline constexpr InputField loads =
    detail::field_of<&Inputs::loads, &InputGradients::loads>("loads", read_by_forces, true);
inline constexpr InputField activations =
    detail::field_of<&Inputs::activations, &InputGradients::activations>("activations", read_by_elastic);
inline constexpr InputField placements = detail::field_of<&Inputs::placements, &InputGradients::placements>(
    "placements", read_by_forces + read_by_potentials);
inline constexpr InputField grabs = detail::field_of<&Inputs::grabs, &InputGradients::grabs>(
    "grabs", read_by_forces + read_by_potentials, false, true);
}  // namespace input

/// The fields, in the order of `input_values`.
inline constexpr std::array<const InputField*, 8> input_fields{
    &input::time,  &input::charges,     &input::external_charges, &input::pin_positions,
    &input::loads, &input::activations, &input::placements,       &input::grabs};

/// The rows of a field.
InputRows<double> rows_of(const InputField& field, Inputs& inputs);
InputRows<double> rows_of(const InputField& field, InputGradients& gradients);

/// Whether `gradients` have the shapes of `inputs`, or more rows where a caller may bring some.
bool have_shapes_of(const InputGradients& gradients, const Inputs& inputs);

/// Adds `factor` times the derivatives by the fields that any of `uses` reads.
void add_scaled(const InputGradients& from, double factor, unsigned uses, InputGradients& to);

/// References to all members of `inputs`.
template <class SomeInputs>
auto input_values(SomeInputs& inputs) {
  auto& [time, charges, external_charges, pin_positions, loads, activations, placements, grabs] = inputs;
  return std::tie(time, charges, external_charges, pin_positions, loads, activations, placements, grabs);
}
static_assert(std::tuple_size_v<decltype(input_values(std::declval<Inputs&>()))> == input_fields.size(),
              "every field of Inputs has its row in input_fields");

/// Calls visit(field, member) for every field; for several inputs, visit(field, one member per input).
template <class Visit, class... SomeInputs>
void visit_inputs(Visit&& visit, SomeInputs&... inputs) {
  const auto one = [&]<std::size_t k>() { visit(*input_fields[k], std::get<k>(input_values(inputs))...); };
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    (one.template operator()<k>(), ...);
  }
  (std::make_index_sequence<input_fields.size()>{});
}

/// Whether `a` and `b` hold the same bits in all fields that any of `uses` (a sum of InputUse) reads.
bool same_inputs(const Inputs& a, const Inputs& b, unsigned uses);

/// Copies the fields that any of `uses` reads.
void copy_inputs(const Inputs& from, Inputs& to, unsigned uses);

/// The first field of `given` whose size differs from that in `known`, inputs of the same system; "" if there
/// is none. Loads may be empty or n×3 in either, and grabs may be any number.
std::string_view wrong_size(const Inputs& given, const Inputs& known);

/// By how much the sum of a grab's weights may differ from 1. Weights of seven significant digits pass.
inline constexpr double grab_weight_tolerance = 1e-6;

/// What is wrong with the first of `grabs` that cannot be computed with in a system of `vertices` vertices:
/// an index out of range, weights that are not as many as vertices, below 0 or do not sum to 1, a stiffness
/// or damping below 0, or a number that is not finite. "" if there is nothing.
std::string wrong_grab(const std::vector<PlacedGrab>& grabs, std::size_t vertices);

}  // namespace electret
