#pragma once
/// \file
/// Whether two findings say the same.

#include <algorithm>
#include <vector>

#include <electret/core/errors.hpp>

namespace electret {

[[nodiscard]] inline bool is_same_place(const Location& a, const Location& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/// Whether both say the same of the same place.
[[nodiscard]] inline bool is_same(const Finding& a, const Finding& b) {
  return a.message == b.message && is_same_place(a.where, b.where);
}

[[nodiscard]] inline bool has_same(const std::vector<Finding>& findings, const Finding& finding) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& each) { return is_same(each, finding); });
}

}  // namespace electret
