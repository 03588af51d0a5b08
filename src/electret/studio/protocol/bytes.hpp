#pragma once
/// \file
/// Binary messages: frames and topologies, little-endian, each behind a head of 64 bytes (docs/studio.md,
/// "The protocol").

#include <cstdint>
#include <string>

#include <electret/studio/session/events.hpp>

namespace electret::studio {

inline constexpr std::uint32_t binary_magic = 0x31434c45;  ///< "ELC1".
inline constexpr std::size_t binary_head = 64;

enum class BinaryKind : std::uint8_t {
  frame = 1,
  topology = 2,
  asked_frame = 3,
  picture = 4,
  gradient = 5,
  field = 6
};

/// What a frame's message has beside positions.
enum FrameFlag : std::uint8_t {
  has_charges = 1,
  has_scalar = 2,
  is_jump = 4,  ///< It is not the step after what the page was sent last.
  has_placements = 8,
  has_external = 16,
  has_hands = 32,
  has_balls = 64
};

/// What a page was sent last: the blocks that it has already, and the frame, which may not be the one before.
struct SentFrame {
  Floats charges{}, scalar{}, placements{}, external{};
  std::uint32_t generation = 0;
  Count step = -1;
};

/// The message of a frame, with those blocks that are not the ones in `sent`, which is brought up to date.
[[nodiscard]] std::string frame_bytes(const Frame& frame, SentFrame& sent);

[[nodiscard]] std::string topology_bytes(const Topology& topology);

/// A frame that was asked for, with all of its blocks. In the place of the sequence it has its number.
[[nodiscard]] std::string asked_frame_bytes(const AskedFrame& asked);
/// The PNG picture after a head that has but its number, in the place of the sequence.
[[nodiscard]] std::string picture_bytes(const TracedPicture& traced);

/// After a head with the number in the place of the sequence: derivatives of points, then of vertices.
[[nodiscard]] std::string gradient_bytes(const VertexGradient& gradient);

/// After a head with the number in the place of the sequence, and the number of points: 3 floats for each.
[[nodiscard]] std::string field_bytes(const FieldValues& values);

/// The message of an event that is binary; empty for others.
[[nodiscard]] std::string event_bytes(const Event& event);

}  // namespace electret::studio
