#pragma once
/// \file
/// What an earlier merge found, against what the parts hold now.

#include <string>
#include <vector>

#include <electret/sweep/sweep_rows.hpp>

namespace electret {

/// The runs that have a result in sweep.h5. It is read before the parts, because both together would fill the
/// memory. A sweep.h5 that is missing, or that cannot be read, has none.
class EarlierResults {
 public:
  /// `runs`: those of the design.
  EarlierResults(const SweepFolder& folder, Count runs);

  /// Throws InputError if some of these runs have no result in the parts any more, because parts were removed
  /// or damaged: a merge would lose them. The finding names these runs and their parts; `rows.faults()` come
  /// with it, because they may say why.
  void check_kept(const SweepRows& rows) const;

 private:
  /// ", from PART, …": whence sweep.h5 had them; empty if it does not say.
  [[nodiscard]] std::string from_parts(const std::vector<Count>& runs) const;

  std::string path_;
  std::vector<bool> has_;  ///< By run.
};

}  // namespace electret
