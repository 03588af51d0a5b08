#pragma once
/// \file
/// `[[ball_contact]]`.

#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// `[[ball_contact]]`: balls that push each other where they touch ([DiffPD] §7.5).
struct BallContactOptions {
  std::vector<std::string> bodies{};  ///< Two or more.
  double radius = 0.0;                ///< m, > 0.
  std::vector<double> stiffnesses{};  ///< N/m, ≥ 0, one per ball.
  std::vector<double> frictions{};    ///< ≥ 0, one per ball. Empty: 0.
};

/// One `[[ball_contact]]`.
struct BallContactTrack {
  double radius = 0.0;                         ///< m.
  std::vector<double> stiffnesses, frictions;  ///< One each per ball.
  std::vector<std::size_t> bodies;             ///< The balls.
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind ball_radius, ball_stiffnesses, ball_frictions;
}

/// The table itself.
SceneTable ball_contact_table();

}  // namespace electret
