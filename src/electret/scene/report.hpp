#pragma once
/// \file
/// Gathers the findings of reading and assembling a scene. It remembers which keys are at fault, so that one
/// mistake is reported only once.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/scene/scene.hpp>

namespace electret {

class Report {
 public:
  /// Adds a finding at `key` ("body.0.springs.1.stiffness"), and marks the key as bad. The finding is located
  /// at the key's place in the file, else at that of the nearest table around it. In a scene without a file
  /// the key itself is the place.
  void add(const SourceMap& source, const std::string& key, std::string message, std::string allowed);

  /// Adds a finding at a known place, about `key` ("" for none).
  void add_at(Location where, const std::string& key, std::string message, std::string allowed);

  /// Adds all of another reader's findings, about `key`.
  void add_all(const std::vector<Finding>& findings, const std::string& key);

  /// Whether `key`, or something within it, has a finding.
  [[nodiscard]] bool is_bad(const std::string& key) const;

  /// Whether `key` itself has a finding; findings within it do not count.
  [[nodiscard]] bool is_bad_itself(const std::string& key) const { return bad_.contains(key); }

  [[nodiscard]] bool empty() const { return findings_.empty(); }
  /// In the order in which they were added.
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }

  /// Throws InputError with all findings, if there are any: those of `first_file` first, then by file, line
  /// and column. Findings about a file as a whole, such as how many were left out, come after those within
  /// it.
  void throw_if_any(const std::string& first_file) const;

 private:
  std::vector<Finding> findings_;
  std::set<std::string> bad_;
};

/// Limits the findings of one list. A long list may hold the same mistake a thousand times, and the first
/// findings say enough.
class ListFindings {
 public:
  static constexpr int most = 20;

  /// Counts a finding. Returns whether it is among the first ones, which are reported.
  bool admit_another() { return ++count_ <= most; }
  [[nodiscard]] int omitted() const { return count_ > most ? count_ - most : 0; }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  /// If some findings of the list called `named` were not reported, adds a finding that says how many. It is
  /// placed at `last`, the place of the last one reported, so that it comes after the list.
  void report_omitted(Report& report, const Location& last, const std::string& key, const std::string& named,
                      const std::string& allowed) const {
    if (omitted() > 0)
      report.add_at(last, key, named + " has " + std::to_string(omitted()) + " more faults of this kind",
                    allowed);
  }
  /// The same if all are reported at `key`.
  void report_omitted(Report& report, const SourceMap& source, const std::string& key,
                      const std::string& named, const std::string& allowed) const;

 private:
  int count_ = 0;
};

/// The place of `key` in the scene: its own, else that of the nearest table around it, else the key itself as
/// a name.
Location place_of(const SourceMap& source, const std::string& key);

}  // namespace electret
