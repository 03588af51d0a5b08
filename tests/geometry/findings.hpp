#pragma once
/// \file
/// What a reader found wrong, for the tests of malformed input.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>

namespace electret {

/// The findings `read` throws; none if it does not throw.
template <class Read>
std::vector<Finding> findings_of(Read&& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.findings();
  }
  return {};
}

/// One malformed input: what is read and what the first finding must say and where.
struct Malformed {
  std::string text;
  Count line, column;
  std::string word;
};

/// Checks that `findings` start with the expected one.
inline void expect_first(const std::vector<Finding>& findings, const Malformed& row) {
  SCOPED_TRACE(row.text);
  ASSERT_FALSE(findings.empty()) << "nothing was found wrong";
  EXPECT_EQ(findings[0].where.line, row.line) << to_string(findings[0]);
  EXPECT_EQ(findings[0].where.column, row.column) << to_string(findings[0]);
  EXPECT_NE(to_string(findings[0]).find(row.word), std::string::npos) << to_string(findings[0]);
  for (const Finding& finding : findings) EXPECT_EQ(finding.where.file, "file");
}

}  // namespace electret
