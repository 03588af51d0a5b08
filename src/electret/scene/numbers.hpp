#pragma once
/// \file
/// The numbers of an Assembly by which a loss can be differentiated, and the derivatives.
///
/// A number belongs to a kind, and each table's file in scene/tables/ names the kinds that the table brings:
/// `number::muscle_stiffness`, `number::load_forces`, …. `numbers` reaches the numbers of a kind in an
/// assembly and in its gradient alike. Parameters are made of them (parameters.hpp).

#include <cstddef>
#include <span>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

struct Assembly;

/// `count` doubles that are `stride` doubles apart. They belong to the object that was passed to `numbers`.
template <class Double>
struct Numbers {
  Double* first = nullptr;
  std::size_t count = 0;
  std::size_t stride = 1;
  Double& operator[](std::size_t k) const { return first[k * stride]; }
};

/// A kind of numbers. An assembly has one array of them for each track, external charge, field, …; it has
/// just one of those that belong to all vertices, all springs or the whole scene.
struct NumberKind {
  std::size_t columns = 1;  ///< 3 for vectors.
  /// How many arrays of this kind `assembly` has.
  std::size_t (*arrays)(const Assembly& assembly) = nullptr;
  /// The array `index`.
  Numbers<const double> (*of)(const Assembly& assembly, std::size_t index) = nullptr;
  /// Called before the numbers are written: makes those that a scene may leave out. Null: nothing to do.
  void (*make)(Assembly& assembly) = nullptr;
};

/// One array of numbers: the array `index` of a kind.
struct NumberId {
  const NumberKind* kind = nullptr;
  std::size_t index = 0;

  NumberId() = default;
  NumberId(const NumberKind& of, std::size_t which = 0) : kind(&of), index(which) {}  // NOLINT
};

/// All kinds, in the order of the scene format's reference.
std::span<const NumberKind* const> number_kinds();

/// The array `id`. In a scene without [gravity], gravity is 0; if its numbers are requested for writing, the
/// scene gets the table. Throws std::invalid_argument if the assembly has no such array.
Numbers<double> numbers(Assembly& assembly, NumberId id);
Numbers<const double> numbers(const Assembly& assembly, NumberId id);

/// ∂ℒ/∂(each number of an Assembly), array by array. Each array has the size of the assembly's.
///   * Rest positions: initial positions and rest lengths are held fixed.
///   * Initial positions: rest lengths are held fixed.
class AssemblyGradient {
 public:
  /// Zeros in the shape of `assembly`.
  static AssemblyGradient zero(const Assembly& assembly);

  /// The derivatives by the array `id`, number by number. Throws std::invalid_argument if the gradient is
  /// that of an assembly without such an array.
  [[nodiscard]] ScalarSpan scalars(NumberId id);
  [[nodiscard]] ScalarView scalars(NumberId id) const;
  /// The same row by row, for a kind of three columns.
  [[nodiscard]] VectorSpan vectors(NumberId id);
  [[nodiscard]] VectorView vectors(NumberId id) const;

 private:
  struct Array {
    std::size_t first = 0;  ///< The row of `rows_` where it begins.
    std::size_t count = 0;  ///< Its numbers.
  };
  [[nodiscard]] const Array& array(NumberId id) const;

  std::vector<std::size_t> first_arrays_;  ///< Kinds + 1: the arrays of each kind.
  std::vector<Array> arrays_;
  VectorArray rows_;  ///< Rows of three numbers, so that arrays of vectors can be seen as such.
};

Numbers<double> numbers(AssemblyGradient& gradient, NumberId id);
Numbers<const double> numbers(const AssemblyGradient& gradient, NumberId id);

}  // namespace electret
