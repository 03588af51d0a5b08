#include <algorithm>
#include <cmath>

#include <electret/geometry/number_flow.hpp>
#include <electret/geometry/vtk_grid.hpp>
#include <electret/geometry/vtk_numbers.hpp>
#include <electret/geometry/vtu.hpp>
#include <electret/geometry/vtu_bytes.hpp>
#include <electret/geometry/vtu_document.hpp>

namespace electret {
namespace {

using vtu::DataArray;
using vtu::Piece;

class VtuReader {
 public:
  VtuReader(std::string_view bytes, const std::string& file)
      : findings_(file),
        document_(vtu::parse_document(bytes, findings_)),
        most_numbers_(static_cast<std::int64_t>(bytes.size() * vtu::most_growth)),
        unclaimed_(bytes.size()) {}

  Mesh read() {
    storage();
    if (document_.pieces.empty()) findings_.add(0, 0, "the file has no <Piece>", "at least one is required");
    findings_.throw_if_any();
    for (const Piece& piece : document_.pieces) add(piece);
    findings_.throw_if_any();
    return vtk::mesh_of(grid_, findings_);
  }

 private:
  void storage() {
    const auto attribute = [&](const char* name, const char* otherwise) {
      const auto found = document_.file.find(name);
      return found == document_.file.end() ? std::string(otherwise) : found->second;
    };
    const std::string order = attribute("byte_order", "LittleEndian");
    const std::string header = attribute("header_type", "UInt32");
    const std::string packing = attribute("compressor", "");
    if (order != "LittleEndian" && order != "BigEndian")
      findings_.add(1, 0, "byte_order " + in_quotes(order), "allowed: LittleEndian, BigEndian");
    if (header != "UInt32" && header != "UInt64")
      findings_.add(1, 0, "header_type " + in_quotes(header), "allowed: UInt32, UInt64");
    if (!packing.empty() && packing != "vtkZLibDataCompressor")
      findings_.add(1, 0, "compressor " + in_quotes(packing) + " is not read",
                    "allowed: vtkZLibDataCompressor, or none");
    storage_ = {order == "BigEndian", header == "UInt64" ? std::size_t{8} : std::size_t{4}, !packing.empty()};
  }

  /// An attribute that is a count; anything else is a finding.
  std::int64_t count_of(const Piece& piece, const char* name) {
    const auto found = piece.attributes.find(name);
    const auto value = found == piece.attributes.end() ? std::nullopt : input::integer(found->second);
    if (value && *value >= 0 && *value <= 2147483647) return *value;
    findings_.add(piece.line, 0, "<Piece> has no number " + std::string(name), "allowed: 0 to 2147483647");
    return 0;
  }

  void add(const Piece& piece) {
    const std::int64_t points = count_of(piece, "NumberOfPoints"), cells = count_of(piece, "NumberOfCells");
    const auto first_point = static_cast<std::int64_t>(grid_.points.size());
    const auto first_corner = static_cast<std::int64_t>(grid_.connectivity.size());
    add_points(piece, points);
    const auto ends = offsets(piece, cells), types = integers(piece, "types", cells);
    if (static_cast<std::int64_t>(ends.size()) == cells)
      for (const std::int64_t corner : integers(piece, "connectivity", ends.empty() ? 0 : ends.back()))
        grid_.connectivity.push_back(corner < 0 || corner >= points ? -1 : corner + first_point);
    for (const std::int64_t end : ends) grid_.ends.push_back(end + first_corner);
    grid_.types.insert(grid_.types.end(), types.begin(), types.end());
    const bool is_first = &piece == document_.pieces.data();
    add_arrays(piece.point_data, points, is_first, grid_.point_arrays);
    add_arrays(piece.cell_data, cells, is_first, grid_.cell_arrays);
  }

  void add_points(const Piece& piece, std::int64_t count) {
    if (piece.points.size() != 1) {
      findings_.add(piece.line, 0, "<Points> holds " + std::to_string(piece.points.size()) + " arrays",
                    "allowed: one");
      return;
    }
    const DataArray& array = piece.points.front();
    if (array.attribute("NumberOfComponents", "1") != "3")
      return findings_.add(array.line, 0,
                           "points of " + array.attribute("NumberOfComponents", "1") + " numbers",
                           "allowed: NumberOfComponents=\"3\"");
    const auto values = numbers<double>(array, 3 * count);
    if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
      findings_.add(array.line, 0, "a coordinate is not finite", "allowed: finite numbers");
    for (std::size_t k = 0; k + 2 < values.size(); k += 3)
      grid_.points.push_back({values[k], values[k + 1], values[k + 2]});
  }

  /// Where the corners of each cell end in the piece's connectivity. If an offset is less than the one before
  /// it, or more than the file can hold, adds a finding and returns none.
  std::vector<std::int64_t> offsets(const Piece& piece, std::int64_t cells) {
    std::vector<std::int64_t> ends = integers(piece, "offsets", cells);
    std::int64_t begin = 0;
    for (std::size_t c = 0; c < ends.size(); ++c) {
      if (ends[c] < begin || ends[c] > most_numbers_) {
        findings_.add(cell_array(piece, "offsets")->line, 0,
                      "array \"offsets\": cell " + std::to_string(c) + " ends at " + std::to_string(ends[c]),
                      "allowed: " + std::to_string(begin) + " to " + std::to_string(most_numbers_));
        return {};
      }
      begin = ends[c];
    }
    return ends;
  }

  static const DataArray* cell_array(const Piece& piece, const char* name) {
    for (const DataArray& array : piece.cells)
      if (array.attribute("Name") == name) return &array;
    return nullptr;
  }

  std::vector<std::int64_t> integers(const Piece& piece, const char* name, std::int64_t count) {
    if (const DataArray* array = cell_array(piece, name)) {
      if (grid_.line == 0) grid_.line = array->line;
      return numbers<std::int64_t>(*array, count);
    }
    if (count > 0)
      findings_.add(piece.line, 0, "<Cells> has no array " + in_quotes(name),
                    "required: connectivity, offsets, types");
    return {};
  }

  void add_arrays(const std::vector<DataArray>& arrays, std::int64_t tuples, bool is_first,
                  std::vector<vtk::Array>& all) {
    for (const DataArray& array : arrays) {
      const std::string name = array.attribute("Name");
      if (array.attribute("type") == "String" || array.attribute("type") == "Bit") continue;
      const auto components = input::integer(array.attribute("NumberOfComponents", "1"));
      if (!components || *components < 1 || *components > 1'000'000) {
        findings_.add(array.line, 0, "array " + in_quotes(name) + " has no number of components",
                      "allowed: 1 or more");
        continue;
      }
      const auto values = numbers<double>(array, tuples * *components);
      const auto found = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.name == name; });
      if (found != all.end())
        found->values.insert(found->values.end(), values.begin(), values.end());
      else if (is_first)
        all.push_back({name, static_cast<std::size_t>(*components), values});
    }
  }

  /// The array's `count` numbers. If it has more or fewer, adds a finding and returns none.
  template <class T>
  std::vector<T> numbers(const DataArray& array, std::int64_t count) {
    const std::string name = "array " + in_quotes(array.attribute("Name"));
    const auto type = vtk::xml_type(array.attribute("type"));
    const std::string format = array.attribute("format", "ascii");
    std::vector<T> values;
    if (!type) {
      findings_.add(array.line, 0, name + " is of type " + in_quotes(array.attribute("type")),
                    "allowed: Int8 to UInt64, Float32, Float64");
    } else if (std::is_integral_v<T> && type->kind == vtk::NumberType::Kind::real) {
      findings_.add(array.line, 0, name + " is of type " + in_quotes(array.attribute("type")),
                    "allowed: Int8 to UInt64");
    } else if (format == "ascii") {
      values = numbers_of_text<T>(array, count);
    } else if (format == "binary") {
      values = numbers_of_bytes<T>(array, count, *type, {array.text, true});
    } else if (format == "appended") {
      const auto offset = input::integer(array.attribute("offset"));
      if (!offset || *offset < 0 || *offset > static_cast<std::int64_t>(document_.appended.size()))
        findings_.add(array.line, 0, name + " has no offset into <AppendedData>", "");
      else
        values = numbers_of_bytes<T>(
            array, count, *type,
            {document_.appended.substr(static_cast<std::size_t>(*offset)), document_.is_appended_base64});
    } else {
      findings_.add(array.line, 0, name + " has the format " + in_quotes(format),
                    "allowed: ascii, binary, appended");
    }
    return values;
  }

  template <class T>
  std::vector<T> numbers_of_text(const DataArray& array, std::int64_t count) {
    const std::string name = "array " + in_quotes(array.attribute("Name"));
    std::vector<T> values;
    if (count > static_cast<std::int64_t>(array.text.size() / 2 + 1)) {
      findings_.add(array.line, 0, name + " holds fewer than " + std::to_string(count) + " numbers", "");
      return values;
    }
    input::Cursor cursor(array.text, {});
    input::NumberFlow flow(cursor, findings_, {array.text_line, array.text_column});
    values.reserve(static_cast<std::size_t>(count));
    for (std::int64_t k = 0; k < count; ++k)
      if constexpr (std::is_same_v<T, double>)
        values.push_back(flow.any_real(name.c_str()));
      else
        values.push_back(flow.integer(name.c_str()));
    if (flow.word()) flow.add(name + " holds more than " + std::to_string(count) + " numbers", "");
    return values;
  }

  template <class T>
  std::vector<T> numbers_of_bytes(const DataArray& array, std::int64_t count, vtk::NumberType type,
                                  const vtu::Encoded& encoded) {
    const std::string name = "array " + in_quotes(array.attribute("Name"));
    std::vector<T> values;
    if (count == 0 && array.text.empty() && array.attribute("format") == "binary") return values;
    const std::size_t wanted = static_cast<std::size_t>(count) * type.size;
    const vtu::Unpacked unpacked = vtu::unpacked(encoded, storage_, wanted);
    claim(array, unpacked.stored);
    if (!unpacked.fault.empty()) {
      findings_.add(array.line, 0, name + ": " + unpacked.fault, "");
    } else if (unpacked.bytes.size() != wanted) {
      findings_.add(array.line, 0, name + " holds " + std::to_string(unpacked.bytes.size()) + " bytes",
                    "allowed: " + std::to_string(count) + " numbers of " + std::to_string(type.size));
    } else {
      vtk::decode(unpacked.bytes, type, storage_.big_endian, values);
    }
    return values;
  }

  /// Counts the bytes that an array takes of the file. If arrays name the same bytes again and again, a small
  /// file unpacks to any amount of memory; this is a finding, which is thrown.
  void claim(const DataArray& array, std::size_t stored) {
    if (stored > unclaimed_) {
      findings_.add(array.line, 0,
                    "array " + in_quotes(array.attribute("Name")) +
                        ": with the arrays before it, it takes more bytes than the file has",
                    "arrays in bytes of their own, instead of one <DataArray> like another");
      findings_.throw_if_any();
    }
    unclaimed_ -= stored;
  }

  input::Findings findings_;
  vtu::Document document_;
  std::int64_t most_numbers_;  ///< No array of the file holds more.
  std::size_t unclaimed_;      ///< How many of the file's bytes no array has taken.
  vtu::Storage storage_;
  vtk::Grid grid_;
};

}  // namespace

Mesh parse_vtu(std::string_view bytes, const std::string& file_name) {
  return VtuReader(bytes, file_name).read();
}

}  // namespace electret
