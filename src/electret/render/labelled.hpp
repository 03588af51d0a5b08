#pragma once
/// \file
/// Pictures with labels (the time, and the colour scale of the charges), one alone or several side by side.

#include <string>
#include <vector>

#include <electret/render/image.hpp>

namespace electret {

struct PictureLabels {
  std::string caption = {};     ///< In the lower left corner, such as "t = 0.25 s"; empty: none.
  double largest_charge = 0.0;  ///< C; the ends of the colour scale on the right. 0: no scale.
};

/// The caption of a picture of `time` (s): "t = 0.25 s".
[[nodiscard]] std::string time_caption(double time);

/// A PNG picture of the image's size. Throws std::invalid_argument if the image has no or not all pixels.
[[nodiscard]] std::string labelled_png(const Image& image, const PictureLabels& labels);

/// A PNG picture of several images in rows of `columns`, with their captions below and the colour scale of
/// the charges on the right. Throws std::invalid_argument unless there is at least one image, all
/// have one size, there is one caption per image, and there is at least one column.
[[nodiscard]] std::string strip_png(const std::vector<Image>& images,
                                    const std::vector<std::string>& captions, int columns,
                                    double largest_charge);

}  // namespace electret
