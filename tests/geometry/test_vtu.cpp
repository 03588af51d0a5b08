#include <array>
#include <bit>
#include <cstring>

#include <zlib.h>

#include <electret/core/errors.hpp>
#include <electret/geometry/vtu.hpp>

#include "findings.hpp"
#include "volume_files.hpp"

namespace electret {
namespace {

using namespace volume_files;
using ::testing::ElementsAre;

Mesh parse(std::string_view text) {
  return parse_vtu(text, "file");
}

std::string base64(const std::string& bytes) {
  static constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    unsigned bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (k + j < bytes.size() ? static_cast<unsigned char>(bytes[k + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += k + j > bytes.size() ? '=' : digits[bits >> (18 - 6 * j) & 63U];
  }
  return text;
}

/// The ways a file may store its arrays.
struct Way {
  std::string format = "ascii";  ///< Or "binary", "appended".
  bool is_raw = false, is_big_endian = false, is_compressed = false, has_long_header = false;
};

class File {
 public:
  explicit File(Way way) : way_(std::move(way)) {}

  template <class T, class Values>
  void array(const std::string& type, const std::string& name, int components, const Values& values) {
    text += "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
            std::to_string(components) + "\" format=\"" + way_.format + "\"";
    if (way_.format == "appended") {
      text += " offset=\"" + std::to_string(appended.size()) + "\">\n";
      text += "<InformationKey name=\"range\"><Value index=\"0\">1</Value></InformationKey>\n</DataArray>\n";
      appended += packed<T>(values);
      return;
    }
    text += ">\n";
    if (way_.format == "ascii")
      for (const auto value : values) text += std::to_string(value) + "\n ";
    else
      text += "  " + packed<T>(values);
    text += "\n</DataArray>\n";
  }

  std::string text, appended;

 private:
  template <class T>
  std::string raw(T value) const {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    if (way_.is_big_endian != (std::endian::native == std::endian::big))
      std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }

  std::string number(std::size_t value) const {
    return way_.has_long_header ? raw(std::uint64_t{value}) : raw(static_cast<std::uint32_t>(value));
  }

  std::string encoded(const std::string& bytes) const { return way_.is_raw ? bytes : base64(bytes); }

  template <class T, class Values>
  std::string packed(const Values& values) const {
    std::string bytes;
    for (const auto value : values) bytes += raw(static_cast<T>(value));
    if (!way_.is_compressed) return encoded(number(bytes.size()) + bytes);
    constexpr std::size_t block = 64;
    const std::size_t blocks = (bytes.size() + block - 1) / block, last = bytes.size() % block;
    std::string header = number(blocks) + number(block) + number(last), data;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::string part = bytes.substr(b * block, block);
      std::string small(compressBound(part.size()), '\0');
      uLongf length = small.size();
      compress(reinterpret_cast<Bytef*>(small.data()), &length, reinterpret_cast<const Bytef*>(part.data()),
               part.size());
      header += number(length);
      data += small.substr(0, length);
    }
    return encoded(header) + encoded(data);
  }

  Way way_;
};

std::vector<double> flat_corners() {
  std::vector<double> values;
  for (const auto& corner : corners) values.insert(values.end(), corner, corner + 3);
  return values;
}

/// Two pieces: the quadrangle, the hexahedron and its eight points first, then the rest on points of its own.
std::string two_pieces(const Way& way) {
  File file(way);
  const std::vector<double> all = flat_corners();
  const auto piece = [&](int first, int count, const std::vector<int>& connectivity,
                         const std::vector<int>& ends, const std::vector<int>& types,
                         const std::vector<int>& materials) {
    file.text += "<Piece NumberOfPoints=\"" + std::to_string(count) + "\" NumberOfCells=\"" +
                 std::to_string(ends.size()) + "\">\n<PointData>\n";
    file.array<double>("Float64", "mass", 1, std::vector<double>(static_cast<std::size_t>(count), 0.125));
    file.array<double>("Float64", "velocity", 3,
                       std::vector<double>(all.begin() + 3 * first, all.begin() + 3 * (first + count)));
    file.text += "</PointData>\n<CellData>\n";
    file.array<std::int16_t>("Int16", "material", 1, materials);
    file.text += "</CellData>\n<Points>\n";
    file.array<double>("Float64", "Points", 3,
                       std::vector<double>(all.begin() + 3 * first, all.begin() + 3 * (first + count)));
    file.text += "</Points>\n<Cells>\n";
    file.array<std::int32_t>("Int32", "connectivity", 1, connectivity);
    file.array<std::int64_t>("Int64", "offsets", 1, ends);
    file.array<std::uint8_t>("UInt8", "types", 1, types);
    file.text += "</Cells>\n</Piece>\n";
  };
  piece(0, 11, {0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7}, {4, 12}, {9, 12}, {7, 5});
  piece(0, 11, {4, 5, 6, 8, 1, 10, 2, 9, 4, 5, 8}, {4, 8, 11}, {10, 10, 5}, {5, 6, -7});
  std::string text =
      "<?xml version=\"1.0\"?>\n<!-- by hand -->\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\"";
  text += std::string(" byte_order=\"") + (way.is_big_endian ? "BigEndian" : "LittleEndian") + "\"";
  if (way.has_long_header) text += " header_type=\"UInt64\"";
  if (way.is_compressed) text += " compressor=\"vtkZLibDataCompressor\"";
  text += ">\n<UnstructuredGrid>\n" + file.text + "</UnstructuredGrid>\n";
  if (way.format == "appended")
    text += std::string("<AppendedData encoding=\"") + (way.is_raw ? "raw" : "base64") + "\">\n   _" +
            file.appended + "\n</AppendedData>\n";
  return text + "</VTKFile>\n";
}

class VtuFiles : public ::testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Ways, VtuFiles,
                         ::testing::Values(Way{}, Way{"binary"}, Way{"binary", false, true},
                                           Way{"binary", false, false, true},
                                           Way{"binary", false, true, true, true},
                                           Way{"binary", false, false, false, true}, Way{"appended", true},
                                           Way{"appended", true, true},
                                           Way{"appended", true, false, true, true}, Way{"appended", false},
                                           Way{"appended", false, true, true}));

TEST_P(VtuFiles, HoldWhatWasWritten) {
  const Mesh mesh = parse(two_pieces(GetParam()));
  ASSERT_EQ(mesh.vertices.size(), 22U) << "points of the second piece are numbered on";
  for (std::size_t v = 0; v < 22; ++v)
    EXPECT_EQ(mesh.vertices[v], (Vec3{corners[v % 11][0], corners[v % 11][1], corners[v % 11][2]})) << v;
  EXPECT_THAT(mesh.hexahedra, ElementsAre(Hexahedron{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_THAT(mesh.tetrahedra, ElementsAre(Tetrahedron{15, 16, 17, 19}, Tetrahedron{12, 21, 13, 20}));
  EXPECT_THAT(mesh.element_groups.at("material=5"), ElementsAre(0, 2));
  EXPECT_THAT(mesh.element_groups.at("material=6"), ElementsAre(1));
  EXPECT_THAT(mesh.groups.at("material=7"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(mesh.groups.at("material=-7"), ElementsAre(15, 16, 19));
  EXPECT_THAT(mesh.attributes.at("mass"), ::testing::Each(0.125));
  EXPECT_EQ(mesh.attributes.at("mass").size(), 22U);
  for (std::size_t v = 0; v < 22; ++v)
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_EQ(mesh.attributes.at(std::array{"vx", "vy", "vz"}[axis])[v], corners[v % 11][axis]) << v;
}

TEST_P(VtuFiles, CutAnywhereThrowNothingElse) {
  cut_anywhere(two_pieces(GetParam()), parse);
}

/// A file of one point and one vertex, with words in it exchanged.
std::string point_with(const std::string& from, const std::string& to) {
  std::string text =
      "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n"
      "<Piece NumberOfPoints=\"1\" NumberOfCells=\"1\">\n<Points>\n"
      "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n0 0.5 "
      "0\n</DataArray>\n</Points>\n<Cells>\n"
      "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0</DataArray>\n"
      "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">1</DataArray>\n"
      "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">1</DataArray>\n"
      "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return text;
}

/// The same with a line instead of the vertex.
std::string line_from(int first, int second) {
  std::string text = point_with("offsets\" format=\"ascii\">1", "offsets\" format=\"ascii\">2");
  const auto exchange = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  exchange("ascii\">0<", "ascii\">" + std::to_string(first) + " " + std::to_string(second) + "<");
  exchange("types\" format=\"ascii\">1", "types\" format=\"ascii\">3");
  return text;
}

TEST(Vtu, FaultsAreLocated) {
  EXPECT_EQ(parse(point_with("", "")).vertices.size(), 1U);
  expect_faults(
      {{"", "no well-formed XML"},
       {"{}", "file:1:1: error: no well-formed XML"},
       {"<a/>", "the file is \"a\""},
       {point_with("</Cells>", ""), "file:14:3: error: no well-formed XML: mismatched tag"},
       {"<!DOCTYPE a [<!ENTITY b \"c\">]>\n<a/>", "a document type is declared"},
       {point_with("UnstructuredGrid", "PolyData"), "a VTK file of type \"PolyData\""},
       {point_with("LittleEndian", "Middle"), "byte_order \"Middle\""},
       {point_with("byte_order", "compressor=\"vtkLZ4DataCompressor\" a"),
        "compressor \"vtkLZ4DataCompressor\" is not read"},
       {point_with("byte_order", "header_type=\"Int8\" a"), "header_type \"Int8\""},
       {point_with("NumberOfPoints=\"1\"", ""), "file:3: error: <Piece> has no number NumberOfPoints"},
       {point_with("NumberOfPoints=\"1\"", "NumberOfPoints=\"99999999\""),
        "holds fewer than 299999997 numbers"},
       {point_with("NumberOfCells=\"1\"", "NumberOfCells=\"-1\""), "<Piece> has no number NumberOfCells"},
       {point_with("Components=\"3\"", "Components=\"2\""), "points of 2 numbers"},
       {point_with("0.5", "x.5"), "file:6:3: error: array \"\": \"x.5\" is not a number"},
       {point_with("0.5", "inf"), "a coordinate is not finite"},
       {point_with("0 0.5 0", "0 0.5 0 7"), "file:6:9: error: array \"\" holds more than 3 numbers"},
       {point_with("Float64", "Float16"), "is of type \"Float16\""},
       {point_with("\"Int32\" Name=\"offsets", "\"Float32\" Name=\"offsets"),
        "\"offsets\" is of type \"Float32\""},
       {point_with("\"types", "\"kinds"), "<Cells> has no array \"types\""},
       {point_with("ascii\">\n0 0.5 0", "binary\">!!!!"), "it holds fewer bytes than its header says"},
       {point_with("ascii\">\n0 0.5 0", "binary\">/////w=="), "it holds fewer bytes than its header says"},
       {point_with("ascii\">\n0 0.5 0", "binary\">AAAAAA=="), "holds 0 bytes; allowed: 3 numbers of 8"},
       {point_with("ascii\">\n0 0.5 0", "appended\" offset=\"0\">"),
        "file:5: error: array \"\": it holds fewer bytes"},
       {point_with("ascii\">\n0 0.5 0", "appended\">"), "has no offset into <AppendedData>"},
       {point_with("ascii\">\n0 0.5 0", "hex\">"), "has the format \"hex\""},
       {point_with(">0</Data", ">1</Data"), "cell 0: point -1 is not there"},
       {line_from(0, 0), "file:11: error: cell 0: point 0 is two of its corners; the corners of"},
       {point_with("\"ascii\">1</Data", "\"ascii\">2</Data"), "holds fewer than 2 numbers"},
       {point_with("\"ascii\">1</Data", "\"ascii\">-4</Data"),
        "file:11: error: array \"offsets\": cell 0 ends at -4; allowed: 0 to "},
       {point_with("</UnstructuredGrid>",
                   "</UnstructuredGrid><AppendedData encoding=\"hex\">_</AppendedData>"),
        "<AppendedData> without a known encoding"}},
      parse);
}

TEST(Vtu, OffsetsNeitherDecreaseNorExceedTheFile) {
  const auto ends_at = [](const std::string& offsets, const std::string& connectivity) {
    std::string text = point_with("NumberOfCells=\"1\"", "NumberOfCells=\"2\"");
    const auto exchange = [&](const std::string& from, const std::string& to) {
      text.replace(text.find(from), from.size(), to);
    };
    exchange("\"types\" format=\"ascii\">1", "\"types\" format=\"ascii\">1 1");
    exchange("\"offsets\" format=\"ascii\">1", "\"offsets\" format=\"ascii\">" + offsets);
    exchange("\"ascii\">0</Data", connectivity + "</Data");
    return text;
  };
  EXPECT_EQ(parse(ends_at("1 2", "\"ascii\">0 0")).vertices.size(), 1U);
  // The eight bytes of each of 2^61 integers are none in 64 bits, as many as the array holds.
  expect_faults({{ends_at("2 1", "\"ascii\">0"), "array \"offsets\": cell 1 ends at 1; allowed: 2 to "},
                 {ends_at("1 -1", "\"ascii\">0"), "array \"offsets\": cell 1 ends at -1"},
                 {ends_at("0 9223372036854775807", "\"ascii\">0"), "cell 1 ends at 9223372036854775807"},
                 {ends_at("0 2305843009213693952", "\"binary\">AAAAAA=="),
                  "array \"offsets\": cell 1 ends at 2305843009213693952"}},
                parse);
  // Corners of a second piece are counted on from those of the first.
  std::string text = point_with("", "");
  const std::size_t begin = text.find("<Piece"), end = text.find("</UnstructuredGrid>");
  std::string second = text.substr(begin, end - begin);
  const std::string last = "\"ascii\">1</Data";
  second.replace(second.find(last), last.size(), "\"ascii\">9223372036854775807</Data");
  expect_faults({{text.insert(end, second), "cell 0 ends at 9223372036854775807"}}, parse);
  // Corners that nobody can count are no second fault.
  EXPECT_EQ(findings_of([&] { parse(ends_at("2 1", "\"ascii\">0")); }).size(), 1U);
}

TEST(Vtu, NothingIsAllocatedForWhatIsNotThere) {
  // A block that claims 4 GB from 8 bytes, and four thousand million blocks.
  const auto packed = [](const std::string& data) {
    std::string text = point_with("byte_order", "compressor=\"vtkZLibDataCompressor\" byte_order");
    const std::string from = "ascii\">\n0 0.5 0";
    return text.replace(text.find(from), from.size(), "binary\">" + data);
  };
  const std::string one("\1\0\0\0\xff\xff\xff\xff\0\0\0\0\x8\0\0\0", 16);
  expect_faults({{packed(base64(one) + base64("12345678")), "block 0 is not 4294967295 bytes packed by zlib"},
                 {packed(base64("\xff\xff\xff\xff" + one)), "it ends within its header"},
                 {packed(base64(one) + base64("123")), "it ends within block 0"}},
                parse);
  // Two blocks of 16 bytes, and one of a megabyte, for the 24 that are wanted.
  const auto blocks = [](std::size_t count, std::size_t size) {
    std::string small(compressBound(size), '\0');
    const std::string zeros(size, '\0');
    uLongf length = small.size();
    compress(reinterpret_cast<Bytef*>(small.data()), &length, reinterpret_cast<const Bytef*>(zeros.data()),
             size);
    small.resize(length);
    std::string header, data;
    const auto number = [&](std::size_t value) {
      for (int shift = 0; shift < 32; shift += 8) header += static_cast<char>(value >> shift & 255U);
    };
    number(count), number(size), number(0);
    for (std::size_t b = 0; b < count; ++b) number(length), data += small;
    return base64(header) + base64(data);
  };
  EXPECT_EQ(parse(packed(blocks(2, 12))).vertices.size(), 1U);
  expect_faults({{packed(blocks(2, 16)), "it unpacks to more than 24 bytes"},
                 {packed(blocks(1, std::size_t{1} << 20)), "it unpacks to more than 24 bytes"}},
                parse);
}

/// `pieces` pieces of 1000 equal points and no cell. Each has an array of its own if `is_apart`; else all
/// name the same bytes.
std::string pieces_of_points(int pieces, bool is_compressed, bool is_apart) {
  File file({"appended", true, false, is_compressed});
  for (int p = 0; p < pieces; ++p) {
    if (!is_apart && p > 0) {
      const std::size_t end = file.text.find("</Piece>") + 8;
      file.text += file.text.substr(0, end) + "\n";
      continue;
    }
    file.text += "<Piece NumberOfPoints=\"1000\" NumberOfCells=\"0\">\n<Points>\n";
    file.array<std::int8_t>("Int8", "Points", 3, std::vector<int>(3000, 1));
    file.text += "</Points>\n<Cells>\n";
    for (const auto* name : {"connectivity", "offsets", "types"})
      file.text += "<DataArray type=\"Int32\" Name=\"" + std::string(name) + "\" format=\"ascii\"/>\n";
    file.text += "</Cells>\n</Piece>";
  }
  return std::string("<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"") +
         (is_compressed ? " compressor=\"vtkZLibDataCompressor\"" : "") + ">\n<UnstructuredGrid>\n" +
         file.text + "</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_" + file.appended +
         "\n</AppendedData>\n</VTKFile>\n";
}

TEST(Vtu, ArraysDoNotShareTheirBytes) {
  for (const bool is_compressed : {false, true}) {
    EXPECT_EQ(parse(pieces_of_points(40, is_compressed, true)).vertices.size(), 40000U);
    const auto findings = findings_of([&] { parse(pieces_of_points(40, is_compressed, false)); });
    ASSERT_EQ(findings.size(), 1U) << "the rest is not unpacked";
    EXPECT_THAT(
        to_string(findings[0]),
        ::testing::HasSubstr("array \"Points\": with the arrays before it, it takes more bytes than"));
    EXPECT_GT(findings[0].where.line, 1);
  }
}

}  // namespace
}  // namespace electret
