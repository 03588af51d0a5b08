#pragma once
/// \file
/// The errors of an expression as findings, each at its character.

#include <string>
#include <vector>

#include <electret/scene/expression.hpp>
#include <electret/scene/report.hpp>

namespace electret {

/// Adds a finding for each of the `errors` of the expression `text`, which `key` holds.
void add_expression_findings(Report& report, const SourceMap& source, const std::string& key,
                             const std::string& text, const std::vector<ExpressionError>& errors);

}  // namespace electret
