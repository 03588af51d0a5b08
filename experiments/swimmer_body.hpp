#pragma once
/// \file
/// Bodies of cubes that swim ([DiffPD] §7.4): the released scripts' starfish and snake, and a starfish and a
/// shark of ours as large as the paper's, which are not released.

#include <memory>
#include <string>
#include <vector>

#include "closed_loop.hpp"
#include "scene_source.hpp"
#include "voxels.hpp"

namespace electret::experiments {

/// A scene, what a network sees of its body and drives in it, and what is asked of it.
struct SwimmerBody {
  SceneSource scene;
  std::string control = "body.swimmer.muscle.0.activations";
  Senses senses;
  std::vector<Cord> cords;
  std::size_t outputs = 1;
  Vec3 forward;                 ///< Where it shall swim.
  double sideways = 1.0;        ///< The weight of the squared speed across.
  std::vector<Index> judged;    ///< The vertices whose mean velocity counts.
  std::vector<char> is_muscle;  ///< Of each cube.
  Mesh mesh;                    ///< As placed.
  double cell = 0.1;            ///< m.

  /// Σ over the frames of -u·v + w |v - (u·v)u|².
  [[nodiscard]] std::unique_ptr<Loss> loss() const;
  /// "80 cubes, 189 vertices".
  [[nodiscard]] std::string size_text() const;
};

/// 20×2×2 cubes, all muscles: row y = 0 against row y = 1. It shall swim to -x.
[[nodiscard]] SwimmerBody script_snake();
/// A cross of two bars of 22×2×2 cubes: in four limbs the lower layer against the upper one. It shall swim
/// up.
[[nodiscard]] SwimmerBody script_starfish();
/// A core of 8×8×4 cubes and four tapering limbs of `length` cubes, 1 m long. 1568 cubes with 17.
[[nodiscard]] SwimmerBody own_starfish(int length);
/// A fish with dorsal and caudal fins, `length` cubes long, 2 m; its rear half is muscle, left against right.
/// It shall swim to -x.
[[nodiscard]] SwimmerBody own_shark(int length);

}  // namespace electret::experiments
