#include <algorithm>
#include <cstring>
#include <ostream>
#include <random>

#include <geometry/findings.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/geometry/ply.hpp>

namespace electret {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

enum class Format { ascii, little, big };

const char* name_of(Format format) {
  return format == Format::ascii    ? "ascii"
         : format == Format::little ? "binary_little_endian"
                                    : "binary_big_endian";
}

/// Writes a body's values in any of the formats.
class Writer {
 public:
  explicit Writer(Format format) : format_(format) {}

  template <class T>
  Writer& put(T value) {
    if (format_ == Format::ascii) {
      char text[40];
      if constexpr (std::is_floating_point_v<T>)
        std::snprintf(text, sizeof text, "%.17g ", static_cast<double>(value));
      else
        std::snprintf(text, sizeof text, "%lld ", static_cast<long long>(value));
      body_ += text;
      return *this;
    }
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (format_ == Format::big) std::reverse(raw, raw + sizeof(T));  // The tests' machines are little-endian.
    body_.append(raw, sizeof(T));
    return *this;
  }
  Writer& end() {
    if (format_ == Format::ascii) body_ += '\n';
    return *this;
  }
  [[nodiscard]] std::string with(const std::string& header) const {
    return "ply\nformat " + std::string(name_of(format_)) + " 1.0\n" + header + "end_header\n" + body_;
  }

 private:
  Format format_;
  std::string body_;
};

void PrintTo(Format format, std::ostream* out) {
  *out << name_of(format);
}

class Ply : public ::testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(Formats, Ply, ::testing::Values(Format::ascii, Format::little, Format::big),
                         [](const auto& format) { return std::string(name_of(format.param)); });

TEST_P(Ply, ReadsEveryTypeAsAnAttribute) {
  for (const bool old_names : {true, false}) {
    const std::vector<std::string> types =
        old_names
            ? std::vector<std::string>{"char", "uchar", "short", "ushort", "int", "uint", "float", "double"}
            : std::vector<std::string>{"int8",  "uint8",  "int16",   "uint16",
                                       "int32", "uint32", "float32", "float64"};
    std::string header = "comment made here\nobj_info none\nelement vertex 2\n";
    for (std::size_t t = 0; t < types.size(); ++t)
      header += "property " + types[t] + " a" + std::to_string(t) + "\n";
    header += "property double x\nproperty float y\nproperty short z\n";
    Writer writer(GetParam());
    const auto row = [&](auto a, auto b, auto c, auto d, auto e, auto f) {
      writer.put(static_cast<std::int8_t>(a))
          .put(static_cast<std::uint8_t>(b))
          .put(static_cast<std::int16_t>(c));
      writer.put(static_cast<std::uint16_t>(d))
          .put(static_cast<std::int32_t>(e))
          .put(static_cast<std::uint32_t>(f));
    };
    row(-128, 255, -32768, 65535, -2147483647 - 1, 4294967295U);
    writer.put(0.5F).put(0.1).put(1e-300).put(0.25F).put(std::int16_t{-7}).end();
    row(1, 2, 3, 4, 5, 6U);
    writer.put(-7.5F).put(8.25).put(1.0).put(2.0F).put(std::int16_t{3}).end();
    const Mesh mesh = parse_ply(writer.with(header), "file");
    EXPECT_THAT(mesh.vertices, ElementsAre(Vec3{1e-300, 0.25, -7}, Vec3{1, 2, 3}));
    EXPECT_THAT(mesh.attributes,
                UnorderedElementsAre(Pair("a0", ElementsAre(-128, 1)), Pair("a1", ElementsAre(255, 2)),
                                     Pair("a2", ElementsAre(-32768, 3)), Pair("a3", ElementsAre(65535, 4)),
                                     Pair("a4", ElementsAre(-2147483648.0, 5)),
                                     Pair("a5", ElementsAre(4294967295.0, 6)),
                                     Pair("a6", ElementsAre(0.5, -7.5)), Pair("a7", ElementsAre(0.1, 8.25))));
  }
}

TEST_P(Ply, ReadsFacesEdgesAndPassesOverTheRest) {
  const std::string header =
      "element material 2\nproperty list uchar float colours\nproperty int id\n"
      "element face 2\nproperty uchar flag\nproperty list uchar float texcoord\n"
      "property list uint short vertex_index\nproperty double area\n"
      "element vertex 4\nproperty float x\nproperty list ushort int rings\nproperty float y\nproperty float "
      "z\n"
      "element edge 1\nproperty int vertex1\nproperty int vertex2\nproperty uchar red\n"
      "element nothing 0\n";
  Writer writer(GetParam());
  writer.put(std::uint8_t{2}).put(0.5F).put(0.25F).put(7).end();
  writer.put(std::uint8_t{0}).put(8).end();
  writer.put(std::uint8_t{1}).put(std::uint8_t{1}).put(0.5F);
  writer.put(std::uint32_t{3}).put(std::int16_t{0}).put(std::int16_t{1}).put(std::int16_t{2}).put(1.0).end();
  writer.put(std::uint8_t{1}).put(std::uint8_t{0}).put(std::uint32_t{4});
  writer.put(std::int16_t{3}).put(std::int16_t{2}).put(std::int16_t{1}).put(std::int16_t{0}).put(2.0).end();
  for (int v = 0; v < 4; ++v) {
    writer.put(static_cast<float>(v)).put(static_cast<std::uint16_t>(v));
    for (int k = 0; k < v; ++k) writer.put(k);
    writer.put(0.0F).put(1.0F).end();
  }
  writer.put(3).put(0).put(std::uint8_t{9}).end();
  const Mesh mesh = parse_ply(writer.with(header), "file");
  EXPECT_THAT(mesh.vertices, ElementsAre(Vec3{0, 0, 1}, Vec3{1, 0, 1}, Vec3{2, 0, 1}, Vec3{3, 0, 1}));
  EXPECT_THAT(mesh.polygons.offsets, ElementsAre(0, 3, 7));
  EXPECT_THAT(mesh.polygons.indices, ElementsAre(0, 1, 2, 3, 2, 1, 0));
  EXPECT_THAT(mesh.lines, ElementsAre(Edge{3, 0}));
  EXPECT_TRUE(mesh.attributes.empty());
}

TEST_P(Ply, GivesBackRandomMeshes) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t n = 3 + random() % 200, m = random() % 300;
    Mesh wanted;
    Writer writer(GetParam());
    for (std::size_t i = 0; i < n; ++i) {
      const auto number = [&] {
        return std::ldexp(static_cast<double>(random()) - 9e18, static_cast<int>(random() % 80) - 90);
      };
      wanted.vertices.push_back({number(), number(), number()});
      wanted.attributes["charge"].push_back(number());
      writer.put(wanted.vertices[i].x).put(wanted.vertices[i].y).put(wanted.vertices[i].z);
      writer.put(wanted.attributes["charge"][i]).end();
    }
    for (std::size_t f = 0; f < m; ++f) {
      std::vector<Index> corners(n);
      for (std::size_t i = 0; i < n; ++i) corners[i] = static_cast<Index>(i);
      std::shuffle(corners.begin(), corners.end(), random);
      corners.resize(3 + random() % std::min<std::size_t>(6, n - 2));
      wanted.polygons.add(corners);
      writer.put(static_cast<std::uint8_t>(corners.size()));
      for (const Index corner : corners) writer.put(corner);
      writer.end();
    }
    const Mesh mesh = parse_ply(writer.with("element vertex " + std::to_string(n) +
                                            "\nproperty double x\nproperty double y\nproperty double "
                                            "z\nproperty double charge\nelement face " +
                                            std::to_string(m) + "\nproperty list uchar int vertex_indices\n"),
                                "file");
    EXPECT_EQ(mesh.vertices, wanted.vertices);
    EXPECT_EQ(mesh.polygons.offsets, wanted.polygons.offsets);
    EXPECT_EQ(mesh.polygons.indices, wanted.polygons.indices);
    EXPECT_EQ(mesh.attributes, wanted.attributes);
  }
}

const std::string xyz = "property double x\nproperty double y\nproperty double z\n";

TEST_P(Ply, EveryCutOfAFileIsAFinding) {
  Writer writer(GetParam());
  for (int v = 0; v < 3; ++v) writer.put(v + 0.5).put(0.25).put(-1.0).end();
  writer.put(std::uint8_t{3}).put(0).put(1).put(2).end();
  const std::string whole =
      writer.with("element vertex 3\n" + xyz + "element face 1\nproperty list uchar int vertex_index\n");
  EXPECT_EQ(parse_ply(whole, "file").polygons.size(), 1U);
  // Cut down to any shorter length: in ascii all but the last newline and the blank before it are needed.
  const std::size_t needed = whole.size() - (GetParam() == Format::ascii ? 2 : 0);
  for (std::size_t length = 0; length < needed; ++length)
    EXPECT_FALSE(findings_of([&] { parse_ply(whole.substr(0, length), "file"); }).empty()) << length;
}

TEST_P(Ply, AHeaderThatPromisesTooMuchIsAFindingAtOnce) {
  for (const char* count : {"9223372036854775807", "2147483648", "1000000000"}) {
    const auto findings = findings_of([&] {
      parse_ply(Writer(GetParam())
                    .put(0.0)
                    .put(0.0)
                    .put(0.0)
                    .end()
                    .with("element vertex " + std::string(count) + "\n" + xyz),
                "file");
    });
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].where.line, 3);
  }
  // The same of an element that is passed over, and of a list's length.
  Writer writer(GetParam());
  writer.put(0.0).put(0.0).put(0.0).end().put(std::uint32_t{4000000000U}).end();
  const std::string header = "element vertex 1\n" + xyz;
  EXPECT_EQ(findings_of([&] {
              parse_ply(writer.with(header + "element other 900000000000\nproperty list uint double a\n"),
                        "file");
            })[0]
                .where.line,
            7);
  const auto findings = findings_of(
      [&] { parse_ply(writer.with(header + "element other 1\nproperty list uint double a\n"), "file"); });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(to_string(findings[0]).find("length 4000000000"), std::string::npos);
}

TEST_P(Ply, BadValuesAreFoundWithTheirElement) {
  Writer writer(GetParam());
  for (int v = 0; v < 4; ++v) writer.put(v + 0.5).put(0.0).put(0.0).end();
  const auto face = [&](std::vector<int> corners) {
    writer.put(static_cast<std::uint8_t>(corners.size()));
    for (const int corner : corners) writer.put(corner);
    writer.end();
  };
  face({0, 1, 2});
  face({0, 1, 4});
  face({0, -1, 2});
  face({0, 1});
  face({0, 1, 0});
  face({});
  writer.put(0).put(9).end().put(2).put(2).end().put(-1).put(0).end().put(3).put(2).end();
  const auto findings = findings_of([&] {
    parse_ply(
        writer.with("element vertex 4\n" + xyz + "element face 6\nproperty list uchar int vertex_indices\n" +
                    "element edge 4\nproperty int vertex1\nproperty int vertex2\n"),
        "file");
  });
  const std::vector<std::pair<std::string, std::string>> wanted = {{"face 1", "index 4 is out of range"},
                                                                   {"face 2", "index -1 is out of range"},
                                                                   {"face 3", "2 corners"},
                                                                   {"face 4", "vertex 0 twice"},
                                                                   {"face 5", "0 corners"},
                                                                   {"edge 0", "index 9"},
                                                                   {"edge 1", "itself"},
                                                                   {"edge 2", "index -1"}};
  ASSERT_EQ(findings.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const std::string text = to_string(findings[k]);
    EXPECT_NE(text.find(wanted[k].second), std::string::npos) << text;
    if (GetParam() == Format::ascii)
      EXPECT_EQ(findings[k].where.line, 18 + static_cast<Count>(k)) << text;
    else
      EXPECT_NE(text.find(wanted[k].first), std::string::npos) << text;
  }
}

TEST(PlyBinary, NonFiniteValuesAreFound) {
  for (const Format format : {Format::little, Format::big}) {
    Writer writer(format);
    writer.put(0.0).put(std::nan("")).put(HUGE_VAL).put(-HUGE_VALF);
    const auto findings = findings_of(
        [&] { parse_ply(writer.with("element vertex 1\n" + xyz + "property float charge\n"), "file"); });
    ASSERT_EQ(findings.size(), 3U);
    EXPECT_NE(findings[0].message.find("vertex 0 (counted from 0): a value is not a number"),
              std::string::npos);
    EXPECT_NE(findings[1].message.find("infinite"), std::string::npos);
  }
}

TEST(PlyBinary, BytesAfterTheLastElementAreFoundButBlanksAreNot) {
  const std::string file = Writer(Format::little).put(0.0).put(0.0).put(0.0).with("element vertex 1\n" + xyz);
  EXPECT_EQ(parse_ply(file + "\r\n", "file").vertices.size(), 1U);
  EXPECT_EQ(findings_of([&] { parse_ply(file + "x", "file"); }).size(), 1U);
}

TEST(PlyBinary, BodyBytesThatLookLikeLineEndsAreKept) {
  // A body that starts with bytes 0D 0A, after a header with either line end.
  std::string body = "\r\n\n\n\n\n\n\x3f";
  const std::string header =
      "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty double x\n"
      "property uchar y\nproperty uchar z\nend_header\n";
  double wanted = 0.0;
  std::memcpy(&wanted, body.data(), sizeof wanted);
  body += std::string("\x01\x02");
  EXPECT_EQ(parse_ply(header + body, "file").vertices[0], (Vec3{wanted, 1, 2}));
  std::string windows;
  for (const char c : header) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(parse_ply(windows + body, "file").vertices[0], (Vec3{wanted, 1, 2}));
}

const std::string start = "ply\nformat ascii 1.0\n";
const std::string vertex = start + "element vertex 1\n" + xyz;  // Lines 1 to 6.

TEST(PlyAscii, RoundsOnceToDoubleWhateverTheDeclaredType) {
  const Mesh mesh =
      parse_ply(start +
                    "element vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
                    "0.1 +2 1e-60\n",
                "file");
  EXPECT_EQ(mesh.vertices[0], (Vec3{0.1, 2.0, 1e-60}));
}

TEST(PlyAscii, AcceptsCrlfBlankLinesAndNoNewlineAtTheEnd) {
  const Mesh mesh = parse_ply(
      "ply\r\nformat ascii 1.0\r\n\r\nelement vertex 2\r\nproperty float x\r\nproperty float y\r\n"
      "property float z\r\nend_header\r\n1 2 3\r\n\r\n  4\t5 6 \r\n\r\n",
      "file");
  EXPECT_THAT(mesh.vertices, ElementsAre(Vec3{1, 2, 3}, Vec3{4, 5, 6}));
  EXPECT_EQ(parse_ply(vertex + "end_header\n1 2 3", "file").vertices.size(), 1U);
}

TEST(PlyAscii, FindsWhatIsMalformedAndWhere) {
  const std::string face =
      vertex + "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n";
  const std::vector<Malformed> table = {
      {"", 1, 1, "not a PLY file"},
      {"plyx\n", 1, 1, "not a PLY file"},
      {"v 0 0 0\n", 1, 1, "not a PLY file"},
      {"ply\n", 2, 0, "inside its header"},
      {"ply\nend_header\n", 2, 1, "without a format"},
      {"ply\nformat ascii\nend_header\n", 2, 8, "version"},
      {"ply\nformat\nend_header\n", 2, 1, "unknown format"},
      {"ply\nformat binary 1.0\nend_header\n", 2, 8, "unknown format \"binary\""},
      {"ply\nformat xml 1.0\nend_header\n", 2, 8, "unknown format \"xml\""},
      {"ply\nformat ascii 2.0\nend_header\n", 2, 14, "version"},
      {start + "elements vertex 1\nend_header\n", 3, 1, "unknown header line \"elements\""},
      {start + "element vertex\nend_header\n", 3, 1, "NAME COUNT"},
      {start + "element vertex -1\nend_header\n", 3, 16, "\"-1\" is not a count"},
      {start + "element vertex 1e3\nend_header\n", 3, 16, "not a count"},
      {start + "element vertex 99999999999999999999\nend_header\n", 3, 16, "not a count"},
      {start + "element vertex 1\nend_header\n", 3, 1, "no property"},
      {start + "property float x\nend_header\n", 3, 1, "before any element"},
      {start + "element vertex 1\nproperty float\nend_header\n", 4, 1, "2 words"},
      {start + "element vertex 1\nproperty half x\nend_header\n", 4, 10, "unknown type \"half\""},
      {start + "element vertex 1\nproperty list uchar int\nend_header\n", 4, 1, "4 words"},
      {start + "element vertex 1\nproperty list float int a\nend_header\n", 4, 15, "counted by \"float\""},
      {start + "element vertex 1\nproperty list uchar quad a\nend_header\n", 4, 21, "unknown type"},
      {vertex + "property int x\nend_header\n0 0 0 0\n", 7, 14, "property \"x\" twice"},
      {vertex + "element vertex 1\n" + xyz + "end_header\n0 0 0\n0 0 0\n", 7, 9, "element \"vertex\" twice"},
      {start + "element face 0\nproperty list uchar int vertex_indices\nend_header\n", 0, 0, "no vertex"},
      {start + "element vertex 0\n" + xyz + "end_header\n", 3, 1, "no vertex"},
      {start + "element vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n", 3, 1,
       "without property \"z\""},
      {start + "element vertex 1\nproperty list uchar int x\nproperty float y\nproperty float "
               "z\nend_header\n0 0 0\n",
       4, 1, "not a list"},
      {vertex + "element face 1\nproperty int a\nend_header\n0 0 0\n0\n", 7, 1, "vertex_indices"},
      {vertex + "element face 1\nproperty list uchar float vertex_index\nend_header\n0 0 0\n0\n", 8, 1,
       "whole numbers"},
      {vertex + "element face 1\nproperty int vertex_index\nend_header\n0 0 0\n0\n", 8, 1, "list of whole"},
      {vertex + "element edge 1\nproperty int vertex1\nend_header\n0 0 0\n0\n", 7, 1, "vertex2"},
      {vertex + "element edge 1\nproperty float vertex1\nproperty int vertex2\nend_header\n0 0 0\n0 0\n", 8,
       1, "whole number"},
      {vertex + "end_header\n0 0\n", 3, 1, "can hold at most 0"},
      {vertex + "end_header\n0.00000 0\n", 8, 1, "2 values, which is too few"},
      {vertex + "end_header\n0 0 0 0\n", 8, 7, "1 more value"},
      {vertex + "end_header\n0 x 0\n", 8, 3, "\"x\" is not a number"},
      {vertex + "end_header\n0 0 nan\n", 8, 5, "not finite"},
      {vertex + "end_header\n0 1e999 0\n", 8, 3, "too large"},
      {vertex + "end_header\n0 0 0\n1 1 1\n", 9, 1, "after the last element"},
      {vertex + "end_header\n\n\n\n\n\n\n", 14, 0, "ends before vertex 0"},
      {vertex + "property uchar red\nend_header\n0 0 0 256\n", 9, 7, "\"256\" does not fit"},
      {vertex + "property uchar red\nend_header\n0 0 0 1.5\n", 9, 7, "does not fit"},
      {vertex + "property char red\nend_header\n0 0 0 -129\n", 9, 7, "does not fit"},
      {face + "3 0 0\n", 11, 1, "length 3"},
      {face + "2 0 0\n", 11, 5, "2 corners"},
      {face + "3 0 1 2\n", 11, 5, "index 1 is out of range"},
      {face + "x\n", 11, 1, "\"x\" does not fit"},
      {face + "-1 0 0\n", 11, 1, "does not fit"},
      {face + "3 0 0 0 0\n", 11, 7, "vertex 0 twice"},
  };
  for (const Malformed& row : table) expect_first(findings_of([&] { parse_ply(row.text, "file"); }), row);
}

TEST(PlyAscii, AFaultOfAFaceIsToldOnceWhateverListFollows) {
  const auto findings = findings_of([] {
    parse_ply(
        start + "element vertex 3\n" + xyz +
            "element face 1\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n"
            "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 9 0 2 0 0\n",
        "file");
  });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "vertex index 9 is out of range");
}

TEST(PlyAscii, GoesOnAfterABadLine) {
  const auto findings = findings_of(
      [] { parse_ply(start + "element vertex 3\n" + xyz + "end_header\n0 x 0\n0 0 0\ny 0 0\n", "file"); });
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].where.line, 8);
  EXPECT_EQ(findings[1].where.line, 10);
}

TEST(PlyAscii, TextThatIsNoHeaderIsGivenUpSoon) {
  std::string text = "ply\n";
  for (int k = 0; k < 100; ++k) text += "nonsense\n";
  EXPECT_LT(findings_of([&] { parse_ply(text, "file"); }).size(), 10U);
}

TEST(VertexSet, IsAGroupOrWhereAnAttributeIsNotZero) {
  Mesh mesh = parse_ply(
      start + "element vertex 3\n" + xyz + "property uchar left\nend_header\n0 0 0 0\n0 0 0 1\n0 0 0 2\n",
      "file");
  EXPECT_EQ(vertex_set(mesh, "left"), (std::vector<Index>{1, 2}));
  EXPECT_EQ(vertex_set(mesh, "right"), std::nullopt);
  mesh.attributes["signed"] = {-1.0, 0.0, 2.0};
  EXPECT_EQ(vertex_set(mesh, "signed"), (std::vector<Index>{0, 2}));
  mesh.groups["left"] = {0};
  EXPECT_EQ(vertex_set(mesh, "left"), (std::vector<Index>{0}));
}

}  // namespace
}  // namespace electret
