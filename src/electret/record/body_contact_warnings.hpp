#pragma once
/// \file
/// What a recorded run tells of bodies that touch each other.

#include <string>
#include <string_view>

#include <electret/contact/body_passage.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/record/running_sums.hpp>

namespace electret {

/// That a body went through another one in the step that ended with step `step`, and which step is small
/// enough.
[[nodiscard]] std::string passage_warning(const System& system, const BodyPassage& passage, Count step);

/// Below this part of the thickness the mean distance of parts, weighted by their pushes, is too small for
/// friction to be exact. Measured: a jelly on a slope of 1.1 μ has 97 to 100 % of its acceleration at 0.57
/// and more; on one of 1.01 μ, 77 % where they are pressed to below a half.
inline constexpr double pressed_part = 0.5;
/// Whether parts stood so close after most steps with contact, and at least 100 of them.
[[nodiscard]] bool is_pressed(const BodyContactSums& sums);
[[nodiscard]] std::string pressing_warning(const BodyContactSums& sums);
/// Whether a warning is a pressing_warning.
[[nodiscard]] bool tells_of_pressing(std::string_view text);

}  // namespace electret
