#include <bit>
#include <cmath>
#include <cstring>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/geometry/input_text.hpp>
#include <electret/geometry/npy.hpp>
#include <electret/geometry/npy_header.hpp>
#include <electret/geometry/read.hpp>

namespace electret {
namespace {

static_assert(std::endian::native == std::endian::little, "the values are copied as the file has them");

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text = "(";
  for (std::size_t k = 0; k < shape.size(); ++k) text += (k > 0 ? ", " : "") + std::to_string(shape[k]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

class NpyReader {
 public:
  NpyReader(std::string_view bytes, const std::string& file_name, std::size_t columns)
      : bytes_(bytes), file_name_(file_name), columns_(columns) {}

  NpyTable read() {
    const npy::Header header = npy::read_header(bytes_, file_name_);
    const std::size_t size = check_kind(header);
    bytes_.remove_prefix(header.data_start);
    check_length(header, size);
    NpyTable table{static_cast<std::size_t>(header.shape[0]), columns_, {}};
    table.values = size == sizeof(double) ? values<double>() : values<float>();
    check_finite(table.values);
    return table;
  }

 private:
  [[noreturn]] void fail(const std::string& message, const std::string& allowed) const {
    throw InputError(Finding{{file_name_, 0, 0}, message, allowed});
  }

  /// Bytes of a value.
  [[nodiscard]] std::size_t check_kind(const npy::Header& header) const {
    if (header.descr != "<f8" && header.descr != "<f4")
      fail("the array's numbers are of type " + in_quotes(header.descr),
           "allowed are float64 (<f8) and float32 (<f4)");
    const std::string wanted = "(n, " + std::to_string(columns_) + ")";
    if (header.shape.size() != 2 || header.shape[1] != columns_)
      fail("the array's shape is " + shape_text(header.shape), "expected " + wanted);
    if (header.fortran_order)
      fail("the array is in Fortran order",
           "numpy.save(file, numpy.ascontiguousarray(array)) writes C order");
    return header.descr == "<f8" ? sizeof(double) : sizeof(float);
  }

  void check_length(const npy::Header& header, std::size_t size) const {
    const std::size_t row = columns_ * size, held = bytes_.size() / row;
    if (header.shape[0] > held)
      fail("the file ends after " + std::to_string(held) + " of " + std::to_string(header.shape[0]) + " rows",
           "copy it again");
    const std::size_t rest = bytes_.size() - static_cast<std::size_t>(header.shape[0]) * row;
    if (rest > 0)
      fail(std::to_string(rest) + " bytes after the array of shape " + shape_text(header.shape),
           "a file holds one array and nothing else");
  }

  template <class Real>
  [[nodiscard]] std::vector<double> values() const {
    std::vector<double> result(bytes_.size() / sizeof(Real));
    for (std::size_t k = 0; k < result.size(); ++k) {
      Real value;
      std::memcpy(&value, bytes_.data() + k * sizeof(Real), sizeof(Real));
      result[k] = static_cast<double>(value);
    }
    return result;
  }

  void check_finite(const std::vector<double>& values) const {
    input::Findings findings(file_name_);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (!std::isfinite(values[k]))
        findings.add(0, 0,
                     "the value in row " + std::to_string(k / columns_) + ", column " +
                         std::to_string(k % columns_) + " is " + (std::isnan(values[k]) ? "NaN" : "infinite"),
                     "values are finite numbers");
    findings.throw_if_any();
  }

  std::string_view bytes_;
  const std::string& file_name_;
  std::size_t columns_;
};

}  // namespace

NpyTable parse_npy(std::string_view bytes, const std::string& file_name, std::size_t columns) {
  require_argument(columns > 0, "an array of no columns");
  return NpyReader(bytes, file_name, columns).read();
}

NpyTable read_npy(const std::string& path, std::size_t columns) {
  return parse_npy(read_whole_file(path), path, columns);
}

std::string npy_file(ScalarView values, std::size_t columns) {
  require_argument(columns > 0 && values.size() % columns == 0, "npy_file: whole rows");
  std::string bytes = npy::header_bytes(values.size() / columns, columns);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return bytes;
}

bool is_npy_name(std::string_view path) {
  constexpr std::string_view ending = ".npy";
  if (path.size() < ending.size()) return false;
  const std::string_view last = path.substr(path.size() - ending.size());
  for (std::size_t k = 0; k < ending.size(); ++k) {
    const char c = last[k] >= 'A' && last[k] <= 'Z' ? static_cast<char>(last[k] - 'A' + 'a') : last[k];
    if (c != ending[k]) return false;
  }
  return true;
}

}  // namespace electret
