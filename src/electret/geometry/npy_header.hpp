#pragma once
/// \file
/// The header of a .npy file: the type and shape of the array, and where its values start.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace electret::npy {

/// The contents of a header.
struct Header {
  std::string descr;  ///< "<f8"; "[…" for a structured type, whose parts are not read.
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_start = 0;  ///< Bytes before the values.
};

/// Reads the header of `bytes`. Throws InputError, located in `file_name`, if there is none.
Header read_header(std::string_view bytes, const std::string& file_name);

/// The bytes that precede the values of a C-ordered float64 array rows×columns, in format version 1.
std::string header_bytes(std::size_t rows, std::size_t columns);

}  // namespace electret::npy
