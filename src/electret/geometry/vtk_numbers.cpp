#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include <electret/geometry/vtk_numbers.hpp>

namespace electret::vtk {
namespace {

using Kind = NumberType::Kind;

struct Row {
  std::string_view word;
  NumberType type;
};
constexpr std::array<Row, 17> legacy_rows = {{{"char", {Kind::signed_integer, 1}},
                                              {"signed_char", {Kind::signed_integer, 1}},
                                              {"unsigned_char", {Kind::unsigned_integer, 1}},
                                              {"short", {Kind::signed_integer, 2}},
                                              {"unsigned_short", {Kind::unsigned_integer, 2}},
                                              {"int", {Kind::signed_integer, 4}},
                                              {"unsigned_int", {Kind::unsigned_integer, 4}},
                                              {"long", {Kind::signed_integer, 8}},
                                              {"unsigned_long", {Kind::unsigned_integer, 8}},
                                              {"long_long", {Kind::signed_integer, 8}},
                                              {"unsigned_long_long", {Kind::unsigned_integer, 8}},
                                              {"vtkidtype", {Kind::signed_integer, 4}},
                                              {"vtktypeint32", {Kind::signed_integer, 4}},
                                              {"vtktypeint64", {Kind::signed_integer, 8}},
                                              {"vtktypeuint64", {Kind::unsigned_integer, 8}},
                                              {"float", {Kind::real, 4}},
                                              {"double", {Kind::real, 8}}}};
constexpr std::array<Row, 10> xml_rows = {{{"Int8", {Kind::signed_integer, 1}},
                                           {"UInt8", {Kind::unsigned_integer, 1}},
                                           {"Int16", {Kind::signed_integer, 2}},
                                           {"UInt16", {Kind::unsigned_integer, 2}},
                                           {"Int32", {Kind::signed_integer, 4}},
                                           {"UInt32", {Kind::unsigned_integer, 4}},
                                           {"Int64", {Kind::signed_integer, 8}},
                                           {"UInt64", {Kind::unsigned_integer, 8}},
                                           {"Float32", {Kind::real, 4}},
                                           {"Float64", {Kind::real, 8}}}};

template <class Rows>
std::optional<NumberType> found_in(const Rows& rows, std::string_view word) {
  for (const Row& row : rows)
    if (row.word == word) return row.type;
  return std::nullopt;
}

std::int64_t as_integer(double value) {
  return value > -9.2e18 && value < 9.2e18 ? static_cast<std::int64_t>(value) : -1;
}
std::int64_t as_integer(std::uint64_t value) {
  return value <= 0x7fffffffffffffffULL ? static_cast<std::int64_t>(value) : -1;
}
std::int64_t as_integer(std::int64_t value) {
  return value;
}

template <class From, class To>
void decode_as(std::string_view bytes, bool is_swapped, std::vector<To>& values) {
  values.reserve(values.size() + bytes.size() / sizeof(From));
  for (std::size_t place = 0; place + sizeof(From) <= bytes.size(); place += sizeof(From)) {
    std::array<char, sizeof(From)> raw;
    std::memcpy(raw.data(), bytes.data() + place, sizeof(From));
    if (is_swapped) std::reverse(raw.begin(), raw.end());
    From value;
    std::memcpy(&value, raw.data(), sizeof(From));
    if constexpr (std::is_same_v<To, double>)
      values.push_back(static_cast<double>(value));
    else if constexpr (std::is_floating_point_v<From>)
      values.push_back(as_integer(static_cast<double>(value)));
    else if constexpr (std::is_signed_v<From>)
      values.push_back(as_integer(std::int64_t{value}));
    else
      values.push_back(as_integer(std::uint64_t{value}));
  }
}

template <class To>
void decode_any(std::string_view bytes, NumberType type, bool big_endian, std::vector<To>& values) {
  const bool is_swapped = big_endian != (std::endian::native == std::endian::big);
  const bool is_signed = type.kind == Kind::signed_integer;
  if (type.kind == Kind::real)
    return type.size == 4 ? decode_as<float>(bytes, is_swapped, values)
                          : decode_as<double>(bytes, is_swapped, values);
  switch (type.size) {
    case 1:
      return is_signed ? decode_as<std::int8_t>(bytes, is_swapped, values)
                       : decode_as<std::uint8_t>(bytes, is_swapped, values);
    case 2:
      return is_signed ? decode_as<std::int16_t>(bytes, is_swapped, values)
                       : decode_as<std::uint16_t>(bytes, is_swapped, values);
    case 4:
      return is_signed ? decode_as<std::int32_t>(bytes, is_swapped, values)
                       : decode_as<std::uint32_t>(bytes, is_swapped, values);
    default:
      return is_signed ? decode_as<std::int64_t>(bytes, is_swapped, values)
                       : decode_as<std::uint64_t>(bytes, is_swapped, values);
  }
}

}  // namespace

std::optional<NumberType> legacy_type(std::string_view word) {
  std::string small(word);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return found_in(legacy_rows, small);
}

std::optional<NumberType> xml_type(std::string_view word) {
  return found_in(xml_rows, word);
}

void decode(std::string_view bytes, NumberType type, bool big_endian, std::vector<double>& values) {
  decode_any(bytes, type, big_endian, values);
}

void decode(std::string_view bytes, NumberType type, bool big_endian, std::vector<std::int64_t>& values) {
  decode_any(bytes, type, big_endian, values);
}

}  // namespace electret::vtk
