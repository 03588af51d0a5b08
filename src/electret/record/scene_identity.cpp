#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include <electret/record/run_arrays.hpp>
#include <electret/record/scene_identity.hpp>

namespace electret {
namespace {

/// The arrays that the trajectory holds: one fingerprint per part, of all its arrays together.
std::vector<Fingerprint> array_parts(const Assembly& assembly) {
  const TrajectoryHeader header = trajectory_header(assembly);
  std::vector<std::pair<std::string, Hash>> parts;
  for (const RunArray& array : run_arrays()) {
    if (std::string_view(array.name) == "pins") continue;  // Their tracks have a fingerprint.
    if (parts.empty() || parts.back().first != array.part) parts.emplace_back(array.part, Hash());
    std::visit([&](const auto& values) { parts.back().second.add(values); }, array.of(header));
    if (parts.back().first == "bodies") parts.back().second.add(header.body_names);
  }
  std::vector<Fingerprint> result;
  for (const auto& [part, hash] : parts) result.push_back({part, hash.text()});
  return result;
}

}  // namespace

std::vector<Fingerprint> scene_identity(const System& system) {
  return scene_identity(system.assembly, system.time_step);
}

std::vector<Fingerprint> scene_identity(const Assembly& assembly, double time_step) {
  std::vector<Fingerprint> identity = {{"time.step", Hash().add(time_step).text()}};
  for (auto& parts : {tables_identity(assembly), array_parts(assembly)})
    identity.insert(identity.end(), parts.begin(), parts.end());
  return identity;
}

std::vector<std::string> changed_parts(const std::vector<Fingerprint>& before,
                                       const std::vector<Fingerprint>& now) {
  std::vector<std::string> changed;
  for (const Fingerprint& part : now)
    if (std::find(before.begin(), before.end(), part) == before.end()) changed.push_back(part.part);
  for (const Fingerprint& part : before)  // For example, a driven run's inputs are not part of the scene.
    if (std::none_of(now.begin(), now.end(),
                     [&](const Fingerprint& other) { return other.part == part.part; }))
      changed.push_back(part.part);
  return changed;
}

}  // namespace electret
