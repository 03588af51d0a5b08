#include <random>
#include <string>

#include <gtest/gtest.h>

#include <electret/core/text.hpp>

namespace electret {
namespace {

TEST(Printable, LeavesOrdinaryTextAsItIs) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("Größe 3 µm, 電荷 🧲 \\x1b"), "Größe 3 µm, 電荷 🧲 \\x1b");
}

TEST(Printable, ShowsControlCharactersByTheirBytes) {
  EXPECT_EQ(printable("a\nb\tc\r\x1b[31m\x7f"), R"(a\x0ab\x09c\x0d\x1b[31m\x7f)");
  EXPECT_EQ(printable(std::string_view("\0", 1)), R"(\x00)");
  EXPECT_EQ(printable("\u0085\u009b31m"), R"(\xc2\x85\xc2\x9b31m)");
  EXPECT_EQ(printable("a\u2028b\u202eb"), R"(a\xe2\x80\xa8b\xe2\x80\xaeb)");
}

TEST(Printable, ShowsWhatIsNotUtf8ByItsBytes) {
  EXPECT_EQ(printable("Gr\xf6\xdf"
                      "e"),
            R"(Gr\xf6\xdfe)");
  EXPECT_EQ(printable("\xc3"), R"(\xc3)");                          // cut off
  EXPECT_EQ(printable("\xc0\xaf"), R"(\xc0\xaf)");                  // overlong "/"
  EXPECT_EQ(printable("\xe0\x80\xaf"), R"(\xe0\x80\xaf)");          // overlong, 3 bytes
  EXPECT_EQ(printable("\xf0\x80\x80\xaf"), R"(\xf0\x80\x80\xaf)");  // overlong, 4 bytes
  EXPECT_EQ(printable("\xed\xa0\x80"), R"(\xed\xa0\x80)");          // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), R"(\xf4\x90\x80\x80)");  // beyond U+10FFFF
  EXPECT_EQ(printable("\xe9\x9b"
                      "a"),
            R"(\xe9\x9ba)");
  EXPECT_EQ(printable("\xf4\x8f\xbf\xbd"), "\xf4\x8f\xbf\xbd");  // U+10FFFD is valid
}

TEST(Printable, OfRandomBytesIsPrintableAlready) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string bytes(random() % 12, ' ');
    for (char& c : bytes) c = static_cast<char>(random() % 256);
    const std::string once = printable(bytes);
    EXPECT_EQ(printable(once), once);
    for (const char c : once) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
  }
}

TEST(InQuotes, CutsBetweenCharacters) {
  EXPECT_EQ(in_quotes("a\nb\x7f"), R"("a\x0ab\x7f")");
  EXPECT_EQ(in_quotes("é"), "\"é\"");
  EXPECT_EQ(in_quotes(std::string(5000, 'x')), "\"" + std::string(120, 'x') + "…\"");
  EXPECT_EQ(in_quotes("ééé", 4), "\"éé…\"");
  EXPECT_EQ(in_quotes("ééé", 3), "\"é…\"");
  EXPECT_EQ(in_quotes("ééé", 6), "\"ééé\"");
}

TEST(Sizes, AreSaidInTheUnitThatFits) {
  EXPECT_EQ(bytes_text(999.0), "999 B");
  EXPECT_EQ(bytes_text(999.6), "1 kB");
  EXPECT_EQ(bytes_text(1.234e9), "1.23 GB");
  EXPECT_EQ(bytes_text(4.73e19), "47.3 EB");
}

TEST(LinesOf, AreWithoutTheirEnds) {
  EXPECT_EQ(lines_of(""), std::vector<std::string>{});
  EXPECT_EQ(lines_of("a=1"), std::vector<std::string>{"a=1"});
  EXPECT_EQ(lines_of("a=1\n\nb = 2\n"), (std::vector<std::string>{"a=1", "", "b = 2"}));
}

}  // namespace
}  // namespace electret
