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

enum class BinaryKind : std::uint8_t { frame = 1, topology = 2 };

/// What a frame's message has beside positions.
enum FrameFlag : std::uint8_t {
  has_charges = 1,
  has_scalar = 2,
  is_jump = 4,
  has_placements = 8,
  has_external = 16,
  has_hands = 32,
  has_balls = 64
};

/// The blocks that a page has already.
struct SentBlocks {
  Floats charges, scalar, placements, external;
};

/// The message of a frame, with those blocks that are not the ones in `sent`, which is brought up to date.
[[nodiscard]] std::string frame_bytes(const Frame& frame, SentBlocks& sent);

[[nodiscard]] std::string topology_bytes(const Topology& topology);

}  // namespace electret::studio
