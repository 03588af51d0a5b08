#include <electret/scene/body_parts.hpp>
#include <electret/scene/report.hpp>
#include <electret/scene/start_findings.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// The scene's own check is of its keys, which have not changed.
void check_starts_of_pins(const Assembly& assembly, Report& report) {
  for (const PinTrack& track : assembly.pin_tracks) {
    if (track.offsets.empty()) continue;
    const Vec3 start = evaluate(track.offsets, 0.0, assembly.scene.time.step);
    if (start == Vec3{}) continue;
    report.add_at({}, track.name + ".offsets",
                  "the offset of " + track.name + " at time 0 is [" + number_text(start.x) + ", " +
                      number_text(start.y) + ", " + number_text(start.z) + "]",
                  "it must be zero: a pin starts at the initial place");
  }
}

}  // namespace

std::vector<Finding> findings_at_start(const Assembly& assembly) {
  Report report;
  if (assembly.scene.bodies.size() + 1 != assembly.body_offsets.size()) return {};
  check_starts_of_pins(assembly, report);
  check_coincidences(assembly, report);
  check_resolution(assembly, report);
  check_body_contact(assembly, report);
  check_contact(assembly, report);
  return report.findings();
}

}  // namespace electret
