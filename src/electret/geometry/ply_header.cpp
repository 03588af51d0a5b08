#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include <electret/geometry/ply_header.hpp>

namespace electret::ply {
namespace {

using input::Word;

struct TypeRow {
  std::string_view name, old_name;
  int size;
  double lowest, highest;
};
// In the order of Type.
constexpr std::array<TypeRow, 8> types = {{{"int8", "char", 1, -128.0, 127.0},
                                           {"uint8", "uchar", 1, 0.0, 255.0},
                                           {"int16", "short", 2, -32768.0, 32767.0},
                                           {"uint16", "ushort", 2, 0.0, 65535.0},
                                           {"int32", "int", 4, -2147483648.0, 2147483647.0},
                                           {"uint32", "uint", 4, 0.0, 4294967295.0},
                                           {"float32", "float", 4, 0.0, 0.0},
                                           {"float64", "double", 8, 0.0, 0.0}}};

std::optional<Type> type_called(std::string_view name) {
  for (std::size_t t = 0; t < types.size(); ++t)
    if (name == types[t].name || name == types[t].old_name) return static_cast<Type>(t);
  return std::nullopt;
}

class HeaderReader {
 public:
  HeaderReader(input::Cursor& cursor, input::Findings& findings, Header& header)
      : cursor_(cursor), findings_(findings), header_(header) {}

  bool read() {
    cursor_.next_statement();
    cursor_.words(words_);
    if (words_.size() != 1 || words_[0].text != "ply")
      return fail(1, 1, "not a PLY file", "the first line is \"ply\"");
    while (cursor_.next_statement()) {
      cursor_.words(words_);
      if (words_.empty() || words_[0].text == "comment" || words_[0].text == "obj_info") continue;
      if (words_[0].text == "end_header") return finish();
      line();
      // A text that is no header at all would give one finding per line.
      if (unknown_ > 5) return fail(words_[0].line, 1, "this is not a PLY header", "");
    }
    return fail(cursor_.line(), 0, "the file ends inside its header", "the header ends with \"end_header\"");
  }

 private:
  bool fail(Count line, Count column, std::string message, std::string allowed) {
    findings_.add(line, column, std::move(message), std::move(allowed));
    return good_ = false;
  }

  void line() {
    const Word& key = words_[0];
    if (key.text == "format") return format();
    if (key.text == "element") return element();
    if (key.text == "property") return property();
    ++unknown_;
    fail(key.line, key.column, "unknown header line " + in_quotes(key.text),
         "a header has format, comment, obj_info, element, property and end_header");
  }

  void format() {
    const std::string_view name = words_.size() > 1 ? words_[1].text : "";
    if (name == "ascii")
      header_.format = Format::ascii;
    else if (name == "binary_little_endian")
      header_.format = Format::little_endian;
    else if (name == "binary_big_endian")
      header_.format = Format::big_endian;
    else
      fail(words_[0].line, words_.size() > 1 ? words_[1].column : words_[0].column,
           "unknown format " + in_quotes(name), "ascii, binary_little_endian or binary_big_endian");
    if (words_.size() != 3 || words_[2].text != "1.0")
      fail(words_.back().line, words_.back().column, "a format line that does not end with its version",
           "the version is 1.0");
    has_format_ = true;
  }

  void element() {
    Element element;
    element.line = words_[0].line;
    if (words_.size() == 3) {
      const auto count = input::integer(words_[2].text);
      if (!count || *count < 0)
        fail(words_[2].line, words_[2].column, in_quotes(words_[2].text) + " is not a count",
             "elements are counted by a whole number");
      element.count = count.value_or(0);
      element.name = words_[1].text;
      if (header_.find(element.name) != nullptr)
        fail(words_[1].line, words_[1].column, "element " + in_quotes(element.name) + " twice",
             "each element is declared once");
    } else {
      fail(words_[0].line, words_[0].column, "an element line without name and count", "element NAME COUNT");
    }
    header_.elements.push_back(std::move(element));
  }

  void property() {
    const Word& first = words_[0];
    if (header_.elements.empty()) {
      fail(first.line, first.column, "a property before any element",
           "properties follow their element's line");
      return;
    }
    const bool is_list = words_.size() > 1 && words_[1].text == "list";
    if (words_.size() != (is_list ? 5U : 3U)) {
      fail(first.line, first.column, "a property line with " + std::to_string(words_.size()) + " words",
           "property TYPE NAME, or property list COUNT_TYPE TYPE NAME");
      return;
    }
    const auto value = type(words_[words_.size() - 2]);
    const auto count = is_list ? type(words_[2]) : std::optional(Type::uint8);
    if (count && !is_integer(*count))
      fail(words_[2].line, words_[2].column, "a list counted by " + in_quotes(words_[2].text),
           "a list's length has an integer type");
    Element& element = header_.elements.back();
    if (element.find(words_.back().text) >= 0)
      fail(words_.back().line, words_.back().column, "property " + in_quotes(words_.back().text) + " twice",
           "an element's properties have different names");
    if (value && count)
      element.properties.push_back({std::string(words_.back().text), *value, is_list, *count, first.line});
  }

  std::optional<Type> type(const Word& word) {
    const auto result = type_called(word.text);
    if (!result)
      fail(word.line, word.column, "unknown type " + in_quotes(word.text),
           "char, uchar, short, ushort, int, uint, float, double (or int8 … float64)");
    return result;
  }

  bool finish() {
    if (!has_format_) fail(words_[0].line, 1, "a header without a format line", "format ascii 1.0");
    for (const Element& element : header_.elements)
      if (element.properties.empty() && element.count > 0 && good_)
        fail(element.line, 1, "element " + in_quotes(element.name) + " has no property", "");
    return good_;
  }

  input::Cursor& cursor_;
  input::Findings& findings_;
  Header& header_;
  std::vector<Word> words_;
  bool has_format_ = false;
  bool good_ = true;
  int unknown_ = 0;
};

}  // namespace

int size_of(Type type) {
  return types[static_cast<std::size_t>(type)].size;
}

bool is_integer(Type type) {
  return type != Type::float32 && type != Type::float64;
}

double lowest(Type type) {
  return types[static_cast<std::size_t>(type)].lowest;
}

double highest(Type type) {
  return types[static_cast<std::size_t>(type)].highest;
}

int Element::find(std::string_view property_name) const {
  const auto found = std::find_if(properties.begin(), properties.end(),
                                  [&](const Property& p) { return p.name == property_name; });
  return found == properties.end() ? -1 : static_cast<int>(found - properties.begin());
}

const Element* Header::find(std::string_view element_name) const {
  const auto found = std::find_if(elements.begin(), elements.end(),
                                  [&](const Element& e) { return e.name == element_name; });
  return found == elements.end() ? nullptr : &*found;
}

bool read_header(input::Cursor& cursor, input::Findings& findings, Header& header) {
  return HeaderReader(cursor, findings, header).read();
}

}  // namespace electret::ply
