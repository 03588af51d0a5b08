#pragma once
/// \file
/// The types of numbers in VTK's files, and the conversion of bytes to numbers.

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

/// The type that a word in legacy files names: "unsigned_char", "vtktypeint64", …, in upper or lower case.
std::optional<NumberType> legacy_type(std::string_view word);
/// The type that an attribute `type` in XML files names: "UInt8", "Float64", ….
std::optional<NumberType> xml_type(std::string_view word);

/// Adds the numbers in `bytes` to `values`. `bytes` holds a whole number of them.
void decode(std::string_view bytes, NumberType type, bool big_endian, std::vector<double>& values);
/// The same for integers. Reals are rounded towards 0; a number that no 64-bit integer holds gives -1.
void decode(std::string_view bytes, NumberType type, bool big_endian, std::vector<std::int64_t>& values);

}  // namespace electret::vtk
