#pragma once
/// \file
/// Text messages: JSON to commands, events to JSON (docs/studio.md, "The protocol").

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <electret/studio/session/commands.hpp>
#include <electret/studio/session/events.hpp>

namespace electret::studio {

/// The largest message of a page, bytes, and the deepest nesting of its values.
inline constexpr std::size_t most_message_bytes = std::size_t{8} << 20;
inline constexpr int deepest_json = 16;
/// How many pages may be open.
inline constexpr int most_pages = 4;

/// A page has drawn a frame.
struct Drawn {
  std::uint32_t sequence = 0;
};
/// The message is not one of the protocol: the page is closed. `why` is for the close frame.
struct Malformed {
  std::string why;
};
/// A message of the protocol that asks for something that does not exist or is out of range: it is answered.
struct Refused {
  double id = 0.0;
  std::string error;
};

/// `command` with its `id`.
struct Request {
  double id = 0.0;
  Command command;
};

using PageMessage = std::variant<Request, Drawn, Refused, Malformed>;

/// Reads a page's text message. Malformed are: no JSON, deeper than `deepest_json`, numbers beyond float64,
/// no object, no text `t`, no finite number `id` (but for `drawn`).
[[nodiscard]] PageMessage read_message(std::string_view text);

/// The JSON text of an event; empty for those that are binary (bytes.hpp). Numbers that are not finite become
/// null.
[[nodiscard]] std::string write_event(const Event& event);

}  // namespace electret::studio
