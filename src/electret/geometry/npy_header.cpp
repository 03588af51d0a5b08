#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/geometry/input_text.hpp>
#include <electret/geometry/npy_header.hpp>

namespace electret::npy {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;  // of the values in the file; numpy's own since 1.14

/// What is wrong with the file itself. `read_header` throws it with the file's name.
struct Fault {
  std::string message, allowed;
};

/// Parses the header's dictionary, a Python literal: {'descr': '<f8', 'fortran_order': False, 'shape': (3,
/// 4), }.
class Dictionary {
 public:
  explicit Dictionary(std::string_view text) : text_(text) {}

  Header read() {
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      entry(key);
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!text_.empty()) fail("its dictionary is followed by " + in_quotes(text_));
    for (std::size_t k = 0; k < keys.size(); ++k)
      if (!seen_[k]) fail("its dictionary has no '" + std::string(keys[k]) + "'");
    return std::move(header_);
  }

 private:
  static constexpr std::array<std::string_view, 3> keys{"descr", "fortran_order", "shape"};

  [[noreturn]] static void fail(const std::string& what) {
    throw Fault{"the header of this .npy file cannot be read: " + what,
                "it is a dictionary of descr, fortran_order and shape, as numpy.save writes it"};
  }

  void skip_blanks() {
    const std::size_t first = text_.find_first_not_of(" \t\r\n");
    text_.remove_prefix(std::min(first, text_.size()));
  }
  bool accept(char c) {
    skip_blanks();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("there is no '") + c + "' before " + in_quotes(text_));
  }

  std::string string() {
    skip_blanks();
    if (!text_.starts_with('\'') && !text_.starts_with('"')) fail("no text at " + in_quotes(text_));
    const std::size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) fail("a text has no end: " + in_quotes(text_));
    const std::string_view inside = text_.substr(1, end - 1);
    if (inside.find('\\') != std::string_view::npos) fail("a text with \\: " + in_quotes(inside));
    text_.remove_prefix(end + 1);
    return std::string(inside);
  }

  bool boolean() {
    skip_blanks();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    fail("'fortran_order' is neither True nor False: " + in_quotes(text_));
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> sizes;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      std::uint64_t size = 0;
      const auto [end, code] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (code != std::errc{}) fail("no size at " + in_quotes(text_));
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      if (text_.starts_with('L')) text_.remove_prefix(1);  // Python 2 wrote long integers like this.
      sizes.push_back(size);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return sizes;
  }

  void entry(const std::string& key) {
    const auto found = std::find(keys.begin(), keys.end(), key);
    if (found == keys.end()) fail("an unknown key " + in_quotes(key));
    bool& seen = seen_[static_cast<std::size_t>(found - keys.begin())];
    if (std::exchange(seen, true)) fail("the key " + in_quotes(key) + " twice");
    if (key == "fortran_order") {
      header_.fortran_order = boolean();
    } else if (key == "shape") {
      header_.shape = tuple();
    } else {
      skip_blanks();
      if (text_.starts_with('[')) throw Fault{"this .npy file holds records", types_allowed};
      header_.descr = string();
    }
  }

  static constexpr const char* types_allowed =
      "allowed are arrays of numbers, float64 (<f8) or float32 (<f4)";

  std::string_view text_;
  Header header_;
  std::array<bool, keys.size()> seen_{};
};

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t k = bytes.size(); k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[k]);
  return value;
}

Header read(std::string_view bytes) {
  if (!bytes.starts_with(magic))
    throw Fault{
        bytes.empty() ? "the file is empty" : "this is no .npy file: it does not start with \\x93NUMPY",
        "numpy.save writes such files; tables as text end in .csv"};
  if (bytes.size() < magic.size() + 2) throw Fault{"the file ends within its first bytes", "copy it again"};
  const int major = static_cast<unsigned char>(bytes[magic.size()]);
  const int minor = static_cast<unsigned char>(bytes[magic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0)
    throw Fault{"version " + std::to_string(major) + "." + std::to_string(minor) + " of the .npy format",
                "known are 1.0, 2.0 and 3.0"};
  const std::size_t length_bytes = major == 1 ? 2 : 4, start = magic.size() + 2 + length_bytes;
  const std::size_t length =
      bytes.size() < start ? 0 : little_endian(bytes.substr(magic.size() + 2, length_bytes));
  if (bytes.size() < start || bytes.size() - start < length)
    throw Fault{"the file ends within its header", "copy it again"};
  Header header = Dictionary(bytes.substr(start, length)).read();
  header.data_start = start + length;
  return header;
}

}  // namespace

Header read_header(std::string_view bytes, const std::string& file_name) {
  try {
    return read(bytes);
  } catch (Fault& fault) {
    throw InputError(Finding{{file_name, 0, 0}, std::move(fault.message), std::move(fault.allowed)});
  }
}

std::string header_bytes(std::size_t rows, std::size_t columns) {
  std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                     std::to_string(columns) + "), }";
  const std::size_t before = magic.size() + 4;
  const std::size_t whole = (before + text.size() + 1 + alignment - 1) / alignment * alignment;
  text.resize(whole - before - 1, ' ');
  text += '\n';
  std::string bytes(magic);
  bytes += {'\1', '\0', static_cast<char>(text.size() & 255U), static_cast<char>(text.size() >> 8U)};
  return bytes + text;
}

}  // namespace electret::npy
