/// Quantities against sums done by hand.

#include <cmath>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/sweep/quantities.hpp>

namespace electret::test {
namespace {

TEST(Quantities, AreReadFromTheirWords) {
  const auto quantity = parse_quantity("q", "time of max of kinetic");
  ASSERT_TRUE(quantity);
  EXPECT_EQ(quantity->reduction, Reduction::time_of_largest);
  EXPECT_EQ(quantity->column, "kinetic");
  EXPECT_EQ(parse_quantity("q", "rms of force_of_floor_x")->column, "force_of_floor_x");
  for (const char* wrong :
       {"", "kinetic", "max", "max of", "max of ", "median of kinetic", " max of kinetic", "of kinetic"})
    EXPECT_FALSE(parse_quantity("q", wrong)) << wrong;
}

TEST(Quantities, AreThoseOfTheFrames) {
  std::vector<Quantity> quantities;
  for (const char* words : {"first", "last", "min", "max", "mean", "rms", "time of max"})
    quantities.push_back(*parse_quantity(words, std::string(words) + " of b"));
  QuantityGatherer gatherer(quantities, {"time", "a", "b"});
  for (const double value : gatherer.values()) EXPECT_TRUE(std::isnan(value));
  const std::vector<double> b{-3.0, 4.0, 1.0, 4.0};
  for (std::size_t k = 0; k < b.size(); ++k) gatherer.add({0.5 * static_cast<double>(k), 7.0, b[k]});
  const std::vector<double> wanted{-3.0, 4.0, -3.0, 4.0, 1.5, std::sqrt(42.0 / 4.0), 0.5};
  EXPECT_EQ(gatherer.values(), wanted);
}

TEST(Quantities, NeedTheirColumn) {
  try {
    QuantityGatherer({*parse_quantity("end", "last of totl")}, {"time", "total"});
    FAIL() << "no column is missing";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"total\"?"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace electret::test
