#pragma once
/// \file
/// A PLY file's header: its format, elements and properties.

#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/geometry/input_text.hpp>

namespace electret::ply {

enum class Format { ascii, little_endian, big_endian };
enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

/// The number of bytes of one value.
int size_of(Type type);
bool is_integer(Type type);
/// The smallest and largest value of an integer type.
double lowest(Type type);
double highest(Type type);

struct Property {
  std::string name;
  Type type = Type::float32;  ///< Of the value, or of a list's items.
  bool is_list = false;
  Type count_type = Type::uint8;  ///< For lists: the type of their length.
  Count line = 0;                 ///< In the header.
};

/// One `element` of the header and its properties, in the order of the body.
struct Element {
  std::string name;
  Count count = 0;
  std::vector<Property> properties;
  Count line = 0;  ///< In the header.

  /// The property called `name`, or -1.
  [[nodiscard]] int find(std::string_view property_name) const;
};

struct Header {
  Format format = Format::ascii;
  std::vector<Element> elements;
  [[nodiscard]] const Element* find(std::string_view element_name) const;
};

/// Reads up to and including the `end_header` line; the cursor stays at its end. Adds what is wrong to
/// `findings`. Returns false if the body cannot be read because of it.
bool read_header(input::Cursor& cursor, input::Findings& findings, Header& header);

}  // namespace electret::ply
