#pragma once
/// \file
/// Pictures with words: the time, the scale of charges' colours; several of them side by side.

#include <string>
#include <vector>

#include <electret/render/image.hpp>

namespace electret {

struct PictureLabels {
  std::string caption = {};     ///< In the lower left corner: "t = 0.25 s". Empty: none.
  double largest_charge = 0.0;  ///< C, at the ends of the scale on the right; 0: no scale.
};

/// A PNG picture of the image's size.
[[nodiscard]] std::string labelled_png(const Image& image, const PictureLabels& labels);

/// Images of one size, `captions` under them, in rows of `columns`, with the scale of charges' colours on
/// the right: a PNG picture. Throws InternalError unless there is an image, a caption for each, and one size.
[[nodiscard]] std::string strip_png(const std::vector<Image>& images,
                                    const std::vector<std::string>& captions, int columns,
                                    double largest_charge);

}  // namespace electret
