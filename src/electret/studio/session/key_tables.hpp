#pragma once
/// \file
/// The key-framed quantities of a scene's text, as the timeline shows them: charges of groups, external
/// charges, pins, loads, activations of muscles, motions of obstacles. What they are is told by the schema:
/// tables with `times` and rows that have one value for each of them.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <electret/scene/document.hpp>
#include <electret/scene/edit.hpp>
#include <electret/studio/session/events.hpp>

namespace electret::studio {

/// All tables of a scene's text that have, or may have, key-frames, in the text's order.
[[nodiscard]] std::vector<KeyTable> key_tables(const Node& root);

/// Those of a scene's text; none of one that is no TOML.
[[nodiscard]] std::vector<KeyTable> key_tables_of(const std::string& text);

/// Whether a key or an assignment is one of a key-framed quantity: times, values, interpolation, or the
/// constant in their place.
[[nodiscard]] bool is_of_keys(const std::string& text);
/// Whether it is one of `table` ("body.0.pin.1").
[[nodiscard]] bool is_of_keys(const std::string& text, const std::string& table);

/// The list of tables that may have keys in which a key or an assignment is: "body.0.pin" of
/// "body.0.pin.1.group", of "body.0.pin.1" and of itself; "" of others.
[[nodiscard]] std::string list_of_keys(const std::string& text);

/// The schema's table of such a key ("body.pin"); "" of other keys.
[[nodiscard]] std::string table_of_keys(const std::string& text);

/// The edits that make `after` of `before`, which differ in times, values, constants and interpolation.
/// Without times there is no interpolation. `before` is of the text.
[[nodiscard]] std::vector<TextEdit> edits_of_keys(const KeyTable& before, const KeyTable& after);

/// What is wrong with what a page asks `table` to become; "" if it may be tried. Only what no checker would
/// see: names of lanes, and how many numbers there are.
[[nodiscard]] std::string why_no_keys(const KeyTable& table, const KeyTable& wanted);

/// The last time (s), `from` or one of a key, between which and `from` two tables have the same values, but
/// for rounding; absent if they always have them after `from`. At the time itself they may be the same,
/// unless one of them has the interpolation `step`.
[[nodiscard]] std::optional<double> first_difference(const KeyTable& a, const KeyTable& b, double from = 0.0);

/// The time to so few digits that it is exact to 1e-10 `step` (s).
[[nodiscard]] double rounded_time(double time, double step);

/// What was set at a time, for a lane: one number a column.
struct KeySample {
  double time = 0.0;  ///< s.
  std::vector<double> values;
};

/// The table with `samples`, ascending in time, as keys of `lane`, in place of its keys between the first and
/// the last of them. What was there before holds until the first one; a lane without keys gets the
/// interpolation `step`. `step` is the time step, s: another interpolation gets a key a step before each
/// sample, so that values hold until it.
[[nodiscard]] KeyTable with_samples(KeyTable table, const std::string& lane,
                                    const std::vector<KeySample>& samples, double step);

}  // namespace electret::studio
