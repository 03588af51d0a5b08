#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <geometry/findings.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/geometry/npy.hpp>

namespace electret {
namespace {

using ::testing::ElementsAre;

template <class Real>
std::string bytes_of(const std::vector<Real>& values) {
  std::string bytes(values.size() * sizeof(Real), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// A file put together by hand: `dictionary` as it stands, its length in 2 (version 1) or 4 bytes.
std::string file(const std::string& dictionary, const std::string& data, int major = 1, int minor = 0) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(major);
  bytes += static_cast<char>(minor);
  for (int k = 0; k < (major == 1 ? 2 : 4); ++k)
    bytes += static_cast<char>(dictionary.size() >> (8 * k) & 255U);
  return bytes + dictionary + data;
}

std::string dictionary(const std::string& descr, const std::string& order, const std::string& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }    \n";
}

const std::vector<double> eight{1.0, -2.5, 3e-300, 4.0, 5.0, 6.0, 7.0, 1e300};

TEST(Npy, ReadsFloat64OfEveryVersion) {
  for (const int version : {1, 2, 3}) {
    const NpyTable table =
        parse_npy(file(dictionary("'<f8'", "False", "(2, 4)"), bytes_of(eight), version), "file", 4);
    EXPECT_EQ(table.rows, 2U);
    EXPECT_EQ(table.columns, 4U);
    EXPECT_EQ(table.values, eight);
  }
}

TEST(Npy, ReadsFloat32) {
  const std::vector<float> values{0.1F, -2.0F, 3e38F};
  const NpyTable table = parse_npy(file(dictionary("'<f4'", "False", "(1, 3)"), bytes_of(values)), "file", 3);
  EXPECT_THAT(table.values, ElementsAre(0.1F, -2.0F, 3e38F));
}

TEST(Npy, ReadsKeysInAnyOrderAndNoRows) {
  const std::string text = "{\"shape\":(0,3),\"fortran_order\":False,\"descr\":\"<f4\"}";
  const NpyTable table = parse_npy(file(text, ""), "file", 3);
  EXPECT_EQ(table.rows, 0U);
  EXPECT_TRUE(table.values.empty());
  EXPECT_EQ(parse_npy(file(dictionary("'<f8'", "False", "(2L, 4L)"), bytes_of(eight)), "file", 4).values,
            eight);
}

TEST(Npy, WritesWhatItReads) {
  for (const std::size_t columns : {1U, 2U, 4U, 8U}) {
    const std::string bytes = npy_file(eight, columns);
    const NpyTable table = parse_npy(bytes, "file", columns);
    EXPECT_EQ(table.values, eight);
    EXPECT_EQ(table.rows, 8U / columns);
    EXPECT_EQ((bytes.size() - 64) % 64, 0U) << "numpy wants the values at a multiple of 64 bytes";
  }
  EXPECT_EQ(parse_npy(npy_file({}, 4), "file", 4).rows, 0U);
  EXPECT_THROW(npy_file(eight, 0), std::invalid_argument);
  EXPECT_THROW(npy_file(eight, 3), std::invalid_argument);
  EXPECT_THROW(parse_npy(npy_file(eight, 4), "file", 0), std::invalid_argument);
}

TEST(Npy, FindsWhatIsMalformed) {
  const std::string data = bytes_of(eight), good = dictionary("'<f8'", "False", "(2, 4)");
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const std::vector<Malformed> table = {
      {"", 0, 0, "empty"},
      {"x,y,z,q\n1,2,3,4\n", 0, 0, "no .npy file"},
      {"\x93NUMP", 0, 0, "no .npy file"},
      {std::string("\x93NUMPY"), 0, 0, "ends within its first bytes"},
      {file(good, data, 4), 0, 0, "version 4.0"},
      {file(good, data, 0), 0, 0, "version 0.0"},
      {file(good, data, 1, 7), 0, 0, "version 1.7"},
      {file(good, "").substr(0, 9), 0, 0, "ends within its header"},
      {file(good, "").substr(0, 30), 0, 0, "ends within its header"},
      {file("", data), 0, 0, "no '{'"},
      {file("{", data), 0, 0, "no text"},
      {file("{'descr", data), 0, 0, "no end"},
      {file("{'descr' '<f8'}", data), 0, 0, "no ':'"},
      {file("{'descr': '<f8' 'shape': (2, 4)}", data), 0, 0, "no '}'"},
      {file("{'descr': '<f8', 'shape': (2, 4)}", data), 0, 0, "no 'fortran_order'"},
      {file("{'descr': '<f8', 'descr': '<f8'}", data), 0, 0, "twice"},
      {file("{'dscr': '<f8'}", data), 0, 0, "unknown key \"dscr\""},
      {file(good + "x", data), 0, 0, "followed by \"x\""},
      {file(dictionary("'<f8'", "No", "(2, 4)"), data), 0, 0, "neither True nor False"},
      {file(dictionary("'<f8'", "False", "(2, -4)"), data), 0, 0, "no size at \"-4"},
      {file(dictionary("'<f8'", "False", "(2 4)"), data), 0, 0, "no ')'"},
      {file(dictionary("'<f8'", "False", "2"), data), 0, 0, "no '('"},
      {file(dictionary("'<f8'", "False", "(99999999999999999999, 4)"), data), 0, 0, "no size"},
      {file(dictionary("'<i8'", "False", "(2, 4)"), data), 0, 0, "type \"<i8\"; allowed are float64"},
      {file(dictionary("'>f8'", "False", "(2, 4)"), data), 0, 0, "type \">f8\""},
      {file(dictionary("'|O'", "False", "(2, 4)"), data), 0, 0, "type \"|O\""},
      {file(dictionary("[('x', '<f8')]", "False", "(8,)"), data), 0, 0, "records"},
      {file(dictionary("'<f8'", "True", "(2, 4)"), data), 0, 0, "Fortran order"},
      {file(dictionary("'<f8'", "False", "(8,)"), data), 0, 0, "shape is (8,); expected (n, 4)"},
      {file(dictionary("'<f8'", "False", "()"), data), 0, 0, "shape is ()"},
      {file(dictionary("'<f8'", "False", "(4, 2)"), data), 0, 0, "shape is (4, 2)"},
      {file(dictionary("'<f8'", "False", "(1, 2, 4)"), data), 0, 0, "shape is (1, 2, 4)"},
      {file(good, data.substr(0, 63)), 0, 0, "after 1 of 2 rows"},
      {file(dictionary("'<f8'", "False", "(4611686018427387905, 4)"), data), 0, 0,
       "after 2 of 4611686018427387905"},
      {file(good, data + "\n"), 0, 0, "1 bytes after the array"},
      {file(good, data + data), 0, 0, "64 bytes after the array of shape (2, 4)"},
      {file(dictionary("'<f8'", "False", "(1, 4)"), bytes_of<double>({1, 2, nan, 4})), 0, 0,
       "row 0, column 2 is NaN"},
      {file(dictionary("'<f8'", "False", "(1, 4)"), bytes_of<double>({1, -inf, 3, 4})), 0, 0,
       "column 1 is infinite"},
      {file(dictionary("'<f4'", "False", "(1, 4)"), bytes_of<float>({1, 2, 3, NAN})), 0, 0,
       "column 3 is NaN"},
  };
  for (const Malformed& row : table) expect_first(findings_of([&] { parse_npy(row.text, "file", 4); }), row);
}

TEST(Npy, FindsEveryValueThatIsNotFiniteAndCountsTheRest) {
  const std::vector<double> values(400, std::numeric_limits<double>::quiet_NaN());
  const auto findings = findings_of([&] { parse_npy(npy_file(values, 4), "file", 4); });
  ASSERT_EQ(findings.size(), 51U);
  EXPECT_NE(findings[50].message.find("350 more"), std::string::npos);
}

TEST(Npy, ReadsFilesAndKnowsTheirNames) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "electret_test_table.npy";
  std::ofstream(path, std::ios::binary) << npy_file(eight, 4);
  EXPECT_EQ(read_npy(path.string(), 4).values, eight);
  std::filesystem::remove(path);
  const auto findings = findings_of([&] { read_npy(path.string(), 4); });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].where.file, path.string());
  EXPECT_TRUE(is_npy_name("a/b.npy") && is_npy_name("B.NPY") && is_npy_name(".npy"));
  EXPECT_FALSE(is_npy_name("a.npy.csv") || is_npy_name("npy") || is_npy_name(""));
}

}  // namespace
}  // namespace electret
