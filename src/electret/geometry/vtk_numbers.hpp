#pragma once
/// \file
/// The types of numbers in VTK's files, and numbers from bytes.

#include <optional>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::vtk {

struct NumberType {
  enum class Kind { signed_integer, unsigned_integer, real };
  Kind kind = Kind::real;
  std::size_t size = 8;  ///< Bytes.
};

/// Of a word of legacy files: "unsigned_char", "vtktypeint64", …, in any case of letters.
std::optional<NumberType> legacy_type(std::string_view word);
/// Of an attribute `type` in XML files: "UInt8", "Float64", ….
std::optional<NumberType> xml_type(std::string_view word);

/// The numbers that `bytes`, a whole number of them, hold, added to `values`.
void decode(std::string_view bytes, NumberType type, bool big_endian, std::vector<double>& values);
/// The same of integers; reals are rounded towards 0, and what is no 64-bit integer is -1.
void decode(std::string_view bytes, NumberType type, bool big_endian, std::vector<std::int64_t>& values);

}  // namespace electret::vtk
