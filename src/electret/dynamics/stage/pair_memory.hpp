#pragma once
/// \file
/// What surfaces that touch keep in a method's memory: the list of pairs with their anchors.

#include <vector>

#include <electret/contact/pair_friction.hpp>
#include <electret/dynamics/memory_layout.hpp>

namespace electret {

/// Rows of kind, four vertices, feature, edge and the two numbers of the slip (m), ascending by pair.
inline constexpr std::string_view pair_memory_name = "pair_anchors";
inline constexpr std::size_t numbers_per_anchor = 9;

/// The array's place in a method's layout.
MemoryArray pair_memory_layout();
/// How many there are in `memory`, and number k of them. Throws InternalError for numbers that no run writes.
std::size_t count_anchors(const MethodMemory& memory);
PairAnchor read_anchor(const MethodMemory& memory, std::size_t vertices, std::size_t k);
/// anchors ← those of `memory`.
void read_anchors(const MethodMemory& memory, std::size_t vertices, std::vector<PairAnchor>& anchors);
void write_anchors(std::span<const PairAnchor> anchors, MethodMemory& memory);
/// The slips' cotangents: two numbers per row of the list, in the slips' places.
InFrame slip_of(std::span<const double> rows, std::size_t row);
void set_slip(std::span<double> rows, std::size_t row, const InFrame& slip);

}  // namespace electret
