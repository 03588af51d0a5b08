#include <filesystem>
#include <fstream>

#include <geometry/findings.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/geometry/csv.hpp>

namespace electret {
namespace {

using ::testing::ElementsAre;

TEST(Csv, ReadsAHeaderAndRows) {
  const NumericTable table = parse_numeric_csv("x,y,z,q\n1,2.5,-3e-6,+4\n0.1,.2,3.,4e2\n", "file");
  EXPECT_THAT(table.columns, ElementsAre("x", "y", "z", "q"));
  EXPECT_THAT(table.values, ElementsAre(1.0, 2.5, -3e-6, 4.0, 0.1, 0.2, 3.0, 400.0));
  EXPECT_EQ(table.rows(), 2U);
  EXPECT_EQ(table(1, 2), 3.0);
  EXPECT_EQ(table.column("z"), 2U);
  EXPECT_EQ(table.column("w"), std::nullopt);
}

TEST(Csv, AcceptsCrlfSpacesQuotesCommentsAndBlankLines) {
  const NumericTable table = parse_numeric_csv(
      "\xEF\xBB\xBF# made by hand\r\n\r\n \"mass\" , \" charge (C) \"\r\n 1 ,\t2 \r\n  # "
      "between\r\n3,4\r\n\r\n",
      "file");
  EXPECT_THAT(table.columns, ElementsAre("mass", "charge (C)"));
  EXPECT_THAT(table.values, ElementsAre(1.0, 2.0, 3.0, 4.0));
  EXPECT_THAT(table.lines, ElementsAre(4, 6));
}

TEST(Csv, NeedsNoNewlineAtTheEndAndNoRows) {
  EXPECT_THAT(parse_numeric_csv("m\n7", "file").values, ElementsAre(7.0));
  EXPECT_EQ(parse_numeric_csv("m", "file").rows(), 0U);
}

TEST(Csv, ReadsTexts) {
  const TextTable table = parse_text_csv("\"a\",b\n x y , \"z\" \n,2\n", "file");
  EXPECT_THAT(table.columns, ElementsAre("a", "b"));
  ASSERT_EQ(table.rows(), 2U);
  EXPECT_EQ(table(0, 0).text, "x y");
  EXPECT_EQ(table(0, 1).text, "z");
  EXPECT_EQ(table(0, 1).column, 8);
  EXPECT_EQ(table(1, 0).text, "");
  EXPECT_EQ(table(1, 1).text, "2");
  EXPECT_THAT(table.lines, ElementsAre(2, 3));
  EXPECT_EQ(table.column("b"), 1U);
  EXPECT_THROW(parse_text_csv("a,b\n1\n", "file"), InputError);
  EXPECT_THROW(parse_text_csv("a,a\n", "file"), InputError);
}

TEST(Csv, FindsWhatIsMalformedAndWhere) {
  const std::vector<Malformed> table = {
      {"", 0, 0, "no header"},
      {"\n# x\n\n", 0, 0, "no header"},
      {"1,2\n3,4\n", 1, 1, "numbers, not the columns' names"},
      {"# x,y\n1,1\n", 2, 1, "lines that start with # are comments"},
      {"x,,y\n", 1, 3, "without a name"},
      {"x,y,\n", 1, 5, "without a name"},
      {"x,\"\",y\n", 1, 3, "without a name"},
      {"x, x\n", 1, 4, "\"x\" twice"},
      {"x,y\n1\n", 2, 1, "1 value in this row"},
      {"x,y\n1,2\n1,2, 3\n", 3, 6, "the header line names 2"},
      {"x,y\n1,2,\n", 2, 5, "3 values"},
      {"x,y\n1,\n", 2, 3, "an empty value"},
      {"x,y\n,1\n", 2, 1, "an empty value"},
      {"x,y\n1, a\n", 2, 4, "\"a\" is not a number"},
      {"x,y\n1,2 3\n", 2, 3, "\"2 3\" is not a number"},
      {"x,y\n\"1\",2\n", 2, 1, "not a number"},
      {"x,y\n1;2\n", 2, 1, "1 value"},
      {"x;y\n1;2\n", 2, 1, "\"1;2\" is not a number; values are finite numbers, separated by commas"},
      {"x\ty\n1\t2\n", 2, 1, "separated by commas"},
      {"x y\n1 2\n", 2, 1, "separated by commas"},
      {"x,y\nnan,2\n", 2, 1, "not finite"},
      {"x,y\n1,-Inf\n", 2, 3, "not finite"},
      {"x,y\n1,1e999\n", 2, 3, "too large"},
      {"x,y\n# 1\n1,0x1\n", 3, 3, "not a number"},
  };
  for (const Malformed& row : table)
    expect_first(findings_of([&] { parse_numeric_csv(row.text, "file"); }), row);
}

TEST(Csv, FindsEverything) {
  const auto findings = findings_of([] { parse_numeric_csv("x,y\na,b\n1,2\n3\n4,c\n", "file"); });
  std::vector<Count> lines;
  for (const Finding& finding : findings) lines.push_back(finding.where.line);
  EXPECT_THAT(lines, ElementsAre(2, 2, 4, 5));
}

TEST(Csv, ReadsFiles) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "electret_test_table.csv";
  std::ofstream(path) << "m\n1\n2\n";
  EXPECT_EQ(read_numeric_csv(path.string()).rows(), 2U);
  std::filesystem::remove(path);
  const auto findings = findings_of([&] { read_numeric_csv(path.string()); });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].where.file, path.string());
}

}  // namespace
}  // namespace electret
