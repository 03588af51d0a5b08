#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include <electret/geometry/ply_body.hpp>

namespace electret::ply {
namespace {

using input::Word;

class AsciiBody final : public Body {
 public:
  AsciiBody(input::Cursor& cursor, input::Findings& findings) : cursor_(cursor), findings_(findings) {}

  bool begin(const Element& element, Count number) override {
    while (cursor_.next_statement()) {
      cursor_.words(words_);
      next_ = 0;
      if (!words_.empty()) return true;
    }
    findings_.add(cursor_.line(), 0,
                  "the file ends before " + element.name + " " + std::to_string(number) + " (counted from 0)",
                  "the header promises " + std::to_string(element.count));
    ended_ = true;
    return false;
  }

  std::optional<double> value(Type type) override {
    if (next_ == words_.size()) {
      findings_.add(words_[0].line, words_[0].column,
                    "a line of " + std::to_string(words_.size()) + " values, which is too few",
                    "one element per line, one value per property");
      return std::nullopt;
    }
    const Word& word = words_[next_++];
    if (!is_integer(type)) {
      const auto [value, fault] = input::number(word.text);
      if (fault.empty()) return value;
      findings_.add(word.line, word.column, fault, "values are finite numbers");
      return std::nullopt;
    }
    const auto whole = input::integer(word.text);
    if (whole && static_cast<double>(*whole) >= lowest(type) && static_cast<double>(*whole) <= highest(type))
      return static_cast<double>(*whole);
    findings_.add(word.line, word.column, in_quotes(word.text) + " does not fit the property's integer type",
                  "");
    return std::nullopt;
  }

  std::optional<Count> length(const Property& list) override {
    const auto count = value(list.count_type);
    if (!count) return std::nullopt;
    if (*count < 0 || *count > static_cast<double>(words_.size() - next_)) {
      fault("list " + in_quotes(list.name) + " of length " + std::to_string(static_cast<Count>(*count)),
            "its line has " + std::to_string(words_.size() - next_) + " values left");
      return std::nullopt;
    }
    return static_cast<Count>(*count);
  }

  void end() override {
    if (next_ < words_.size())
      findings_.add(words_[next_].line, words_[next_].column,
                    std::to_string(words_.size() - next_) + " more values than properties",
                    "one element per line, one value per property");
  }

  [[nodiscard]] PolygonPlace place() const override { return {words_[0].line, words_[0].column}; }
  [[nodiscard]] bool lost() const override { return ended_; }

  void fault(std::string message, std::string allowed) override {
    const Word& word = words_[next_ - 1];
    findings_.add(word.line, word.column, std::move(message), std::move(allowed));
  }

  void finish() override {
    while (cursor_.next_statement()) {
      cursor_.words(words_);
      if (words_.empty()) continue;
      findings_.add(words_[0].line, words_[0].column, "a line after the last element",
                    "the header says how many elements there are");
      return;
    }
  }

 private:
  input::Cursor& cursor_;
  input::Findings& findings_;
  std::vector<Word> words_;  ///< Of the line of the element being read.
  std::size_t next_ = 0;
  bool ended_ = false;
};

std::string_view after_line_end(std::string_view text) {
  if (text.starts_with("\r\n")) return text.substr(2);
  return text.starts_with('\n') ? text.substr(1) : text;
}

class BinaryBody final : public Body {
 public:
  BinaryBody(std::string_view bytes, bool swap, input::Findings& findings)
      : bytes_(bytes), swap_(swap), findings_(findings) {}

  // If the bytes have ended, reading the element's first value finds out.
  bool begin(const Element& element, Count number) override {
    element_ = &element;
    number_ = number;
    return true;
  }

  std::optional<double> value(Type type) override {
    const auto size = static_cast<std::size_t>(size_of(type));
    if (bytes_.size() < size) {
      fault("the file ends inside it", "the header promises " + std::to_string(element_->count));
      lost_ = true;
      return std::nullopt;
    }
    const double result = decoded(type);
    bytes_.remove_prefix(size);
    if (std::isfinite(result)) return result;
    fault(std::isnan(result) ? "a value is not a number (NaN)" : "a value is infinite",
          "values are finite numbers");
    return 0.0;  // The place in the file is still known.
  }

  std::optional<Count> length(const Property& list) override {
    const auto count = value(list.count_type);
    if (!count) return std::nullopt;
    const std::size_t room = bytes_.size() / static_cast<std::size_t>(size_of(list.type));
    if (*count < 0 || *count > static_cast<double>(room)) {
      fault("list " + in_quotes(list.name) + " of length " + std::to_string(static_cast<Count>(*count)),
            "the rest of the file holds at most " + std::to_string(room) + " values");
      lost_ = true;
      return std::nullopt;
    }
    return static_cast<Count>(*count);
  }

  void end() override {}

  [[nodiscard]] PolygonPlace place() const override { return {}; }
  [[nodiscard]] bool lost() const override { return lost_; }

  void fault(std::string message, std::string allowed) override {
    findings_.add(0, 0,
                  element_->name + " " + std::to_string(number_) + " (counted from 0): " + std::move(message),
                  std::move(allowed));
  }

  void finish() override {
    const std::size_t last = bytes_.find_last_not_of(" \t\r\n");
    if (last != std::string_view::npos)
      findings_.add(0, 0, std::to_string(bytes_.size()) + " bytes after the last element",
                    "the header says how many elements there are");
  }

 private:
  template <class T>
  [[nodiscard]] double as() const {
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes_.data(), sizeof(T));
    if (swap_) std::reverse(raw.begin(), raw.end());
    return static_cast<double>(std::bit_cast<T>(raw));
  }

  [[nodiscard]] double decoded(Type type) const {
    switch (type) {
      case Type::int8:
        return as<std::int8_t>();
      case Type::uint8:
        return as<std::uint8_t>();
      case Type::int16:
        return as<std::int16_t>();
      case Type::uint16:
        return as<std::uint16_t>();
      case Type::int32:
        return as<std::int32_t>();
      case Type::uint32:
        return as<std::uint32_t>();
      case Type::float32:
        return as<float>();
      case Type::float64:
        break;
    }
    return as<double>();
  }

  std::string_view bytes_;
  bool swap_;
  input::Findings& findings_;
  const Element* element_ = nullptr;
  Count number_ = 0;
  bool lost_ = false;
};

}  // namespace

std::unique_ptr<Body> open_body(Format format, input::Cursor& cursor, input::Findings& findings) {
  if (format == Format::ascii) return std::make_unique<AsciiBody>(cursor, findings);
  const bool machine_is_little = std::endian::native == std::endian::little;
  const bool swap = (format == Format::little_endian) != machine_is_little;
  return std::make_unique<BinaryBody>(after_line_end(cursor.rest()), swap, findings);
}

bool promises_fit(const Header& header, const input::Cursor& cursor, input::Findings& findings) {
  // A last line without a line end is one byte shorter than its smallest size.
  Count left =
      static_cast<Count>(after_line_end(cursor.rest()).size()) + (header.format == Format::ascii ? 1 : 0);
  for (const Element& element : header.elements) {
    Count smallest = 0;  // Bytes per element; in ascii a value is a digit and a separator, a list a 0.
    for (const Property& property : element.properties)
      smallest += header.format == Format::ascii
                      ? 2
                      : size_of(property.is_list ? property.count_type : property.type);
    if (element.count == 0) continue;
    if (element.count > left / smallest) {
      findings.add(element.line, 1,
                   "the header promises " + std::to_string(element.count) + " of " + in_quotes(element.name) +
                       ", but the rest of the file can hold at most " + std::to_string(left / smallest),
                   "");
      return false;
    }
    left -= element.count * smallest;
  }
  return true;
}

}  // namespace electret::ply
