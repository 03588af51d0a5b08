// Two lines side by side push each other as two that cross do, and turn into such without a jump.

#include <cmath>

#include <gtest/gtest.h>

#include "contact/pair_clusters.hpp"

namespace electret::test {
namespace {

constexpr double reach = 0.3;

/// Two edges of length 2 at the distance 0.2, the second one turned by `angle` about their common
/// perpendicular, and shifted along itself.
class TwoEdges {
 public:
  explicit TwoEdges(bool are_lines, double shift = 0.0) : shift_(shift) {
    constants_.pair = {PairKind::edge_edge, {0, 1, 2, 3}};
    constants_.are_lines = are_lines;
    constants_.stiffness = 3.0;
    constants_.threshold = mollifier_threshold({2, 0, 0}, {2, 0, 0});
  }
  double energy(double angle, double distance = 0.2) {
    const Vec3 along{std::cos(angle), std::sin(angle), 0.0}, middle{0.0, 0.0, distance};
    const VectorArray x{
        {-1, 0, 0}, {1, 0, 0}, middle + (shift_ - 1.0) * along, middle + (shift_ + 1.0) * along};
    Threads threads(1);
    ListedPairs pairs({constants_}, reach, threads);
    return pairs.potential.evaluate(x);
  }

 private:
  double shift_;
  PairConstants constants_;
};

TEST(LineEnds, PushAsCrossingLinesDo) {
  const double crossing = TwoEdges(true).energy(1.0);
  EXPECT_NEAR(crossing, 3.0 * pair_repulsion(0.2, reach).value, 1e-15);
  EXPECT_NEAR(TwoEdges(true).energy(0.0), crossing, 1e-12 * crossing);
  EXPECT_NEAR(TwoEdges(true, 0.7).energy(0.0), 0.5 * crossing, 1e-12 * crossing)
      << "two of four ends are beside";
}

TEST(LineEnds, BelongToLinesAlone) {
  EXPECT_EQ(TwoEdges(false).energy(0.0), 0.0) << "edges of surfaces have faces beside them";
  EXPECT_EQ(TwoEdges(true).energy(0.5), TwoEdges(false).energy(0.5));
}

/// At sin² = 1e-3 the law of crossing edges alone begins.
TEST(LineEnds, FadeWithoutAJump) {
  TwoEdges lines(true, 0.2);
  const double border = std::asin(std::sqrt(1e-3)), full = lines.energy(1.0);
  for (double angle = 0.0; angle < 1.3 * border; angle += 0.002)
    EXPECT_NEAR(lines.energy(angle + 0.0005), lines.energy(angle), 0.08 * full) << angle;
  EXPECT_NEAR(lines.energy(border * (1.0 - 1e-9)), lines.energy(border * (1.0 + 1e-9)), 1e-8 * full);
}

TEST(LineEnds, KeepLinesFromPassing) {
  TwoEdges lines(true, 0.2);
  for (const double distance : {1e-3, 1e-6, 1e-9})
    EXPECT_GT(lines.energy(0.0, distance),
              0.25 * 3.0 * 0.25 * reach * reach * std::log(reach / (2.0 * distance)));
}

}  // namespace
}  // namespace electret::test
