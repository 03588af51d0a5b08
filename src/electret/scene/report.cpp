#include <algorithm>
#include <tuple>

#include <electret/scene/report.hpp>
#include <electret/scene/words.hpp>

namespace electret {

Location place_of(const SourceMap& source, const std::string& key) {
  std::string outer = key;
  while (!source.empty()) {
    const auto found = source.find(outer);
    if (found != source.end()) return found->second;
    if (outer.empty()) break;
    const auto dot = outer.rfind('.');
    outer = dot == std::string::npos ? "" : outer.substr(0, dot);
  }
  return {key, 0, 0};
}

void Report::add(const SourceMap& source, const std::string& key, std::string message, std::string allowed) {
  add_at(place_of(source, key), key, std::move(message), std::move(allowed));
}

void Report::add_at(Location where, const std::string& key, std::string message, std::string allowed) {
  add_all({{std::move(where), std::move(message), std::move(allowed)}}, key);
}

void Report::add_all(const std::vector<Finding>& findings, const std::string& key) {
  for (const auto& [where, message, allowed] : findings)
    findings_.push_back(
        {{printable(where.file), where.line, where.column}, printable(message), printable(allowed)});
  if (!key.empty()) bad_.insert(key);
}

bool Report::is_bad(const std::string& key) const {
  if (bad_.contains(key)) return true;
  const auto within = bad_.lower_bound(key + ".");
  return within != bad_.end() && within->starts_with(key + ".");
}

void ListFindings::report_omitted(Report& report, const SourceMap& source, const std::string& key,
                                  const std::string& named, const std::string& allowed) const {
  report_omitted(report, place_of(source, key), key, named, allowed);
}

void Report::throw_if_any(const std::string& first_file) const {
  if (findings_.empty()) return;
  std::vector<Finding> sorted = findings_;
  const auto order = [&](const Finding& f) {
    return std::tuple(f.where.file != first_file, f.where.file, f.where.line == 0, f.where.line,
                      f.where.column);
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Finding& a, const Finding& b) { return order(a) < order(b); });
  throw InputError(std::move(sorted));
}

}  // namespace electret
