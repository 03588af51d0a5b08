#pragma once
/// Faults in a scene, and where a finding must say they are. Each concept's rows have a file of their own.

#include <ostream>
#include <string>
#include <vector>

#include "scene_text.hpp"

namespace electret::test {

/// One fault in `finding_scene`. An @ marks the place where it must be found.
struct FindingRow {
  const char* from;        ///< What is replaced in the scene; "" puts `to` at the end.
  const char* to;          ///< Holds the @, which the scene does not have, if the place is here.
  const char* word;        ///< What the finding says.
  const char* place = "";  ///< "line": only the line of the @ counts. Otherwise, without an @ in `to`, a text
                           ///< of the scene at whose beginning the place is; or, if the scene has no such
                           ///< text, the beginning of the finding.
};

/// GoogleTest's name of a row.
inline void PrintTo(const FindingRow& row, std::ostream* out) {
  *out << row.to;
}

std::vector<FindingRow> syntax_findings();
std::vector<FindingRow> value_findings();
std::vector<FindingRow> body_findings();
std::vector<FindingRow> obstacle_findings();
std::vector<FindingRow> water_findings();
std::vector<FindingRow> camera_findings();
std::vector<FindingRow> ball_findings();
std::vector<FindingRow> grab_findings();
std::vector<FindingRow> file_findings();

/// A valid scene with something of everything.
extern const char* const finding_scene;
/// The scene with a row's fault.
std::string edited(const FindingRow& row);
/// The files that the scene and its faults name.
Files finding_files();

}  // namespace electret::test
