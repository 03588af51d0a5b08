#pragma once
/// \file
/// What the sources of detail/hdf5.hpp share.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <electret/record/detail/hdf5.hpp>

namespace electret::hdf5 {

/// HDF5's type of a T in memory. T: double, float, std::int32_t or std::int64_t.
template <class T>
[[nodiscard]] Id memory_type();
/// Text of variable length, which is kept in a heap, so that a scene of any length fits.
[[nodiscard]] Handle text_type();
[[nodiscard]] Handle open_dataset(Id file, const std::string& name);
[[nodiscard]] Shape shape_of_dataset(Id dataset);
[[nodiscard]] std::size_t product(const Shape& shape);
/// A space of this shape that cannot grow.
[[nodiscard]] Handle space_of(const Shape& shape);
/// The file's space with row `row` selected, and the row's shape, whose first dimension is 1.
[[nodiscard]] std::pair<Handle, Shape> select_row(Id dataset, std::uint64_t row);
/// The same for `count` rows from `first` on.
[[nodiscard]] std::pair<Handle, Shape> select_rows(Id dataset, std::uint64_t first, std::uint64_t count);

}  // namespace electret::hdf5
