#pragma once
/// \file
/// NumPy's array files (`.npy`, format versions 1 to 3): tables of numbers in binary.
///
/// Reading takes arrays of two dimensions in C order, of little-endian float64 or float32 (`<f8`, `<f4`).
/// Writing makes `<f8` in format version 1, as `numpy.save` would.
///
/// A file consists of "\x93NUMPY", two bytes of version, the length of the header (2 bytes in version 1, 4
/// from 2 on, little-endian), the header, and the values. The header is a Python dictionary with the keys
/// descr, fortran_order and shape. Spaces pad it to a multiple of 64 bytes of file, and a newline ends it.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// An array of two dimensions.
struct NpyTable {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;  ///< rows×columns, row-major, all finite.
};

/// Reads a file that must hold an array of shape (n, `columns`). Throws InputError with what is wrong and
/// what is allowed: unreadable file, no .npy file, unknown version, bad header, another type of number,
/// Fortran order, another shape, fewer or more bytes than the shape says. Values that are not finite are all
/// reported (the first 50, and the number of further ones). Rows and columns count from 0.
/// Throws std::invalid_argument if `columns` is 0.
NpyTable read_npy(const std::string& path, std::size_t columns);

/// The same for bytes in memory. Findings call them `file_name`.
NpyTable parse_npy(std::string_view bytes, const std::string& file_name, std::size_t columns);

/// The bytes of a file that holds `values` (rows×columns, row-major) as float64. Throws
/// std::invalid_argument unless the number of values is a multiple of `columns` > 0.
std::string npy_file(ScalarView values, std::size_t columns);

/// Whether a path ends in ".npy", in upper or lower case.
bool is_npy_name(std::string_view path);

}  // namespace electret
