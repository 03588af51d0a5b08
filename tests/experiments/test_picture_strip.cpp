#include <string>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <experiments/picture_strip.hpp>

namespace electret::experiments {
namespace {

PictureStrip made_strip() {
  PictureStrip strip;
  strip.columns = {"0 s", "1 s"};
  const VectorArray small{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0.3, 1, 0.3}};
  VectorArray large = small;
  for (Vec3& x : large) x *= 2.0;
  strip.rows = {{"reference", {small, large}, "failed"}, {"imex", {small, small}, "failed"}};
  strip.edges = {{0, 1}, {1, 2}, {0, 2}, {0, 3}};
  return strip;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t number = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++number;
  return number;
}

TEST(PictureStrip, HasAPictureForEachStateAndIsTheSameEveryTime) {
  const std::string svg = picture_strip_svg(made_strip());
  EXPECT_EQ(count(svg, "<image "), 4U);
  EXPECT_EQ(svg, picture_strip_svg(made_strip()));
  EXPECT_EQ(picture_strip_png(made_strip(), 0.5), picture_strip_png(made_strip(), 0.5));
}

TEST(PictureStrip, SaysWhereThereIsNone) {
  PictureStrip strip = made_strip();
  strip.rows[1].pictures[1].clear();
  EXPECT_EQ(count(picture_strip_svg(strip), "<image "), 3U);
  const std::string png = picture_strip_png(strip, 0.5);
  strip.rows[1].missing = "diverged\nat 0.9 s";
  EXPECT_NE(picture_strip_png(strip, 0.5), png);
}

TEST(PictureStrip, ShowsFacesInsteadOfEdges) {
  PictureStrip strip = made_strip();
  const std::string edges = picture_strip_png(strip, 0.5);
  strip.faces = {{0, 1, 2}};
  EXPECT_NE(picture_strip_png(strip, 0.5), edges);
  const std::string without = picture_strip_png(strip, 0.5);
  strip.edges.clear();
  EXPECT_EQ(picture_strip_png(strip, 0.5), without);
}

TEST(PictureStrip, AllPicturesHaveTheFittedRowsScale) {
  PictureStrip strip = made_strip();
  const std::string fitted_to_large = picture_strip_png(strip, 0.5);
  strip.fitted_row = 1;
  EXPECT_NE(picture_strip_png(strip, 0.5), fitted_to_large);
  // What flies away changes no other picture.
  strip = made_strip();
  for (Vec3& x : strip.rows[1].pictures[1]) x += Vec3{1e12, 0, 0};
  EXPECT_NO_THROW((void)picture_strip_png(strip, 0.5));
}

TEST(PictureStrip, RefusesAMissingPicture) {
  PictureStrip strip = made_strip();
  strip.rows[0].pictures.pop_back();
  EXPECT_THROW((void)picture_strip_svg(strip), InternalError);
  strip.rows.clear();
  EXPECT_THROW((void)picture_strip_png(strip, 0.5), InternalError);
}

}  // namespace
}  // namespace electret::experiments
