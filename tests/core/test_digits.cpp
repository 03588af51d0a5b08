#include <clocale>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <electret/core/digits.hpp>

namespace electret {
namespace {

std::string printed(const char* form, int precision, double value) {
  std::vector<char> text(500);
  std::snprintf(text.data(), text.size(), form, precision, value);
  return text.data();
}

TEST(Digits, AreThoseOfPrintf) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value :
       {0.0, -0.0, 1.0, -0.1, 2.5, 0.5, 1e5, 123456.5, 9.9995e-5, 1e-5, 1e300, -1.7976931348623157e308,
        4.9e-324, 3.4e38, 1.0 / 3.0, infinity, -infinity, std::nan("")})
    for (const int precision : {0, 1, 3, 6, 9, 17, 60}) {
      EXPECT_EQ(general_text(value, precision), printed("%.*g", precision, value)) << value;
      EXPECT_EQ(fixed_text(value, precision), printed("%.*f", precision, value)) << value;
      EXPECT_EQ(scientific_text(value, precision), printed("%.*e", precision, value)) << value;
    }
}

/// Of a machine with such a locale: a program's locale changes what printf writes.
TEST(Digits, AreTheSameInALocaleWithADecimalComma) {
  const char* found = nullptr;
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8", "pl_PL.UTF-8"})
    if (found == nullptr) found = std::setlocale(LC_ALL, name);
  if (found == nullptr) GTEST_SKIP() << "the machine has no such locale";
  const std::string written = printed("%.*g", 2, 0.5), ours = general_text(0.5, 2);
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(written, "0,5");
  EXPECT_EQ(ours, "0.5");
}

TEST(Digits, OfNamesAreAsciiLettersAndDigits) {
  for (const char c : {'0', '9', 'a', 'z', 'A', 'Z'}) EXPECT_TRUE(is_ascii_alphanumeric(c)) << c;
  for (const char c : {'/', ':', '@', '[', '`', '{', '_', '\xe4'})
    EXPECT_FALSE(is_ascii_alphanumeric(c)) << c;
}

}  // namespace
}  // namespace electret
