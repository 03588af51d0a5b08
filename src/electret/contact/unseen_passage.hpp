#pragma once
/// \file
/// Whether vertices have gone through obstacles in a step that nothing refused.

#include <optional>

#include <electret/contact/contact_set.hpp>

namespace electret {

/// The vertices that went through obstacles in a step.
struct UnseenPassage {
  ContactPassage deepest;
  Count vertices = 0;  ///< That went through any obstacle.
};

/// Looks for ways through obstacles' shapes (way_through_thin) in the last step of `contacts`, from `from` to
/// `to` (n×3 of all vertices, m). The step pushed none of these vertices back, because it sees obstacles from
/// its end alone. Nothing if there are none.
[[nodiscard]] std::optional<UnseenPassage> unseen_passage(const ContactSet& contacts, VectorView from,
                                                          VectorView to);

}  // namespace electret
