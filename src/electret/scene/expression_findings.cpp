#include <electret/scene/expression_findings.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// The place of byte `position` of the text at `key`; the place of the text itself if its characters cannot
/// be counted.
Location place_within(const SourceMap& source, const std::string& key, const std::string& text,
                      std::size_t position) {
  const auto start = source.find(key + ".text");
  if (start == source.end()) return place_of(source, key);
  Location where = start->second;
  for (std::size_t i = 0; i < position; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) ++where.column;
  return where;
}

}  // namespace

void add_expression_findings(Report& report, const SourceMap& source, const std::string& key,
                             const std::string& text, const std::vector<ExpressionError>& errors) {
  for (const ExpressionError& error : errors)
    report.add_at(place_within(source, key, text, error.position), key,
                  error.message + " in expression " + in_quotes(text), error.allowed);
}

}  // namespace electret
