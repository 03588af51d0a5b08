#pragma once
/// \file
/// What an edit of a key of the scene's text does to a scene that runs.
///
/// Charges, key-frames and their constants are inputs of the next step. Whatever else keeps vertices, pins
/// and what is there at the start is done live: the scene is compiled anew, and its state is restored. The
/// rest waits for Reset. The keys tell which of the three it is, before anything is edited.

#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/tables/changes.hpp>

namespace electret::studio {

enum class EditEffect { input, live, reset };
/// "input", "live", "reset".
[[nodiscard]] const char* name_of(EditEffect effect);

/// What setting or removing a key does; `text` is the key, or an assignment of it. Whether a live edit can
/// be had depends on more, such as what touches what.
[[nodiscard]] EditEffect effect_of(const std::string& text);

/// The parts of a key between its dots.
[[nodiscard]] std::vector<std::string_view> parts_of(std::string_view key);

/// Whether a change leaves what holds bodies as stiff and as heavy as before: it sets charges, key-frames,
/// gravity and fields only, or adds groups. Then hands may go on as they are.
[[nodiscard]] bool keeps_grips(const Change& change);

/// Whether a change sets inputs of the next step only.
[[nodiscard]] bool is_of_inputs(const Change& change);

/// Takes out of a change what cannot be done while the scene runs; the keys of what was taken. Where bodies
/// are added, removed or named anew, everything is: the numbers of one would be another's. For the same
/// reason all of a list of pins, loads, muscles, obstacles, pairs or external charges is, if any of it is.
std::vector<std::string> take_what_waits(Change& change);

/// Takes out of a change the keys of what moves or drives bodies, but not of charges; what was taken.
std::vector<std::string> take_keys_of_motion(Change& change);

/// Takes out of a change all but inputs of the next step: the assignments, and the keys that are removed.
std::vector<std::string> take_what_is_live(Change& change);

/// Whether an edit of one key is an edit of the other, too: they are the same, or one holds the other. A body
/// that is not told by its number may be any.
[[nodiscard]] bool are_related(const std::string& one, const std::string& other);

}  // namespace electret::studio
