#pragma once
/// \file
/// What a method keeps from step to step, as it declares it (Integrator::memory_layout).

#include <span>
#include <string>
#include <vector>

#include <electret/dynamics/system.hpp>

namespace electret {

/// An array that may be in State::memory.
struct MemoryArray {
  std::string_view name;
  std::size_t count = 0;       ///< Numbers per vertex or in all.
  bool is_per_vertex = false;  ///< Which of the two `count` is.
  /// If true, results depend on the array as on positions: it is always there, and it has derivatives. If
  /// false, it is a start for solves, on which results depend within their tolerance; it may be missing.
  bool is_differentiable = false;
  /// Rows of `count` numbers, as many as the state has, or none: things that come and go. Results depend on
  /// them, and they have derivatives; a missing list is an empty one.
  bool is_list = false;

  /// Numbers in the state of so many vertices; of a list, in one row.
  [[nodiscard]] std::size_t size(std::size_t vertices) const {
    return is_per_vertex ? count * vertices : count;
  }
};

/// The most bytes of all arrays.
double bytes_of(std::span<const MemoryArray> layout, std::size_t vertices);
/// What is wrong with `memory` for a method of that layout: an array of another size. Empty if nothing is.
/// Arrays of other methods do no harm, because no result depends on them.
std::string wrong_memory(const MethodMemory& memory, std::span<const MemoryArray> layout,
                         std::size_t vertices);
/// Whether the array has the size that the layout gives it; true if the layout does not have it.
bool fits(const NamedArrays::Array& array, std::span<const MemoryArray> layout, std::size_t vertices);
/// Removes the arrays that do not fit.
void drop_unfitting(MethodMemory& memory, std::span<const MemoryArray> layout, std::size_t vertices);
/// Removes the arrays that a method of that layout does not keep.
void drop_others(MethodMemory& memory, std::span<const MemoryArray> layout);
/// Whether an array that has derivatives is missing, so that the method has to start anew.
bool is_incomplete(const MethodMemory& memory, std::span<const MemoryArray> layout);

}  // namespace electret
