#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>

namespace electret {
namespace {

std::string joined(const std::vector<Finding>& findings) {
  std::string text;
  for (const auto& finding : findings) {
    if (!text.empty()) text += '\n';
    text += to_string(finding);
  }
  return text;
}

std::string described(Count step, Index vertex, const std::string& cause, const std::string& advice) {
  std::string text = "diverged at step " + std::to_string(step);
  if (vertex >= 0) text += ", vertex " + std::to_string(vertex);
  text += ": " + printable(cause);
  if (!advice.empty()) text += "; " + printable(advice);
  return text;
}

}  // namespace

std::string to_string(const Location& where) {
  std::string text = printable(where.file);
  if (where.line > 0) text += ":" + std::to_string(where.line);
  if (where.line > 0 && where.column > 0) text += ":" + std::to_string(where.column);
  return text;
}

std::string to_string(const Finding& finding) {
  std::string text = to_string(finding.where);
  if (!text.empty()) text += ": ";
  text += "error: " + printable(finding.message);
  if (!finding.allowed.empty()) text += "; " + printable(finding.allowed);
  return text;
}

IoError::IoError(std::string_view message, std::string path)
    : std::runtime_error(printable(message)), path_(std::move(path)) {}

InputError::InputError(std::vector<Finding> findings)
    : std::runtime_error(joined(findings)), findings_(std::move(findings)) {}

DivergenceError::DivergenceError(Count step, Index vertex, std::string cause, std::string advice)
    : std::runtime_error(described(step, vertex, cause, advice)),
      step_(step),
      vertex_(vertex),
      cause_(std::move(cause)),
      advice_(std::move(advice)) {}

}  // namespace electret
