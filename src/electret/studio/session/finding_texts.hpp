#pragma once
/// \file
/// What findings and warnings of the library are in the document.

#include <electret/core/errors.hpp>
#include <electret/core/warning.hpp>
#include <electret/studio/session/events.hpp>

namespace electret::studio {

[[nodiscard]] inline DocumentFinding document_finding(const Finding& finding) {
  return {"error", finding.where.line, finding.where.column, finding.where.file, to_string(finding)};
}

/// `severity` is "warning" or "note".
[[nodiscard]] inline DocumentFinding document_finding(const Warning& warning, const char* severity) {
  return {severity, warning.where.line, warning.where.column, warning.where.file,
          to_string(warning, severity)};
}

}  // namespace electret::studio
