#pragma once
/// \file
/// Edits of a scene's text, and what they change in a scene that runs.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <electret/scene/document.hpp>
#include <electret/scene/edit.hpp>
#include <electret/scene/tables/changes.hpp>

namespace electret::studio {

/// What makes the scene of `after` from that of `before`: a change's `set` and `unset`, at step 0. Of a list
/// of numbers only the items are named that differ, if they are few.
[[nodiscard]] Change difference(const Node& before, const Node& after);

/// The body, by its number or name, whose charges a key or an assignment sets, or which it gives a group;
/// nothing if it does neither.
[[nodiscard]] std::optional<std::string> charged_body(const std::string& text);

/// The number of the external charge whose charge, place or width a key or an assignment sets, "" of one that
/// adds, removes or replaces external charges; nothing if it does none of this.
[[nodiscard]] std::optional<std::string> external_of_key(const std::string& text);

/// Adds a change to those that are made already, ascending by step. Where the last one has the same step, it
/// takes up what can be said in one.
void add_change(Change change, std::vector<Change>& changes);

/// The changes as an override of the list of all: "change=[…]", or one that removes it.
[[nodiscard]] std::string changes_override(const std::vector<Change>& changes);

// What is asked of charges and groups, as edits of the text whose tree is `root`. `body` is the body's
// number.

/// Whether two groups of the body have vertices in common.
using SharesVertices = std::function<bool(const std::string&, const std::string&)>;
/// The charge of each vertex of a body, or of one of its groups (C). It takes the place of key-frames. The
/// group's entry becomes the last one if later ones charge the same vertices, and stays in its place else.
[[nodiscard]] std::vector<TextEdit> set_charge(const Node& root, std::size_t body,
                                               const std::optional<std::string>& group, double charge,
                                               const SharesVertices& shares);
/// The charge of each vertex of a body, one by one (n, C).
[[nodiscard]] std::vector<TextEdit> set_charges(const Node& root, std::size_t body,
                                                const std::vector<double>& charges);
/// The same from a file.
[[nodiscard]] std::vector<TextEdit> set_charges_file(const Node& root, std::size_t body,
                                                     const std::string& file);
/// Where the charge of a group is in the text: "body.0.group_charge.1"; "" if it is nowhere.
[[nodiscard]] std::string charge_table(const Node& root, std::size_t body, const std::string& group);
/// The charge of an external charge (C), or its place (m), or both. They take the place of key-frames.
[[nodiscard]] std::vector<TextEdit> set_external(const Node& root, std::size_t number,
                                                 const std::optional<double>& charge,
                                                 const std::optional<Vec3>& position);
/// A new group of some vertices of a body, which are counted from its first.
[[nodiscard]] std::vector<TextEdit> add_group(std::size_t body, const std::string& name,
                                              std::vector<Index> vertices);

}  // namespace electret::studio
