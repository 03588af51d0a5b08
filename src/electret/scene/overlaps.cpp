#include <map>
#include <utility>

#include <electret/scene/lumped_masses.hpp>
#include <electret/scene/overlaps.hpp>

namespace electret {
namespace {

/// The rows of the assembly's arrays that are taken so far.
class Claims {
 public:
  explicit Claims(const Assembly& assembly) : assembly_(assembly) {}

  /// Takes all that `parameter` sets. False if some of it is taken already.
  bool take(const Parameter& parameter) {
    bool is_free = true;
    for (const Index member : parameter.members) is_free &= take(rows_[key_of(parameter.source)], member);
    if (parameter.source.kind == &number::rest_positions)
      for (const Index member : parameter.members)
        if (density_of(assembly_, member)) is_free &= take(masses_beside_volumes_, member);
    // A density says how masses follow volumes.
    if (parameter.source.kind == &number::masses && parameter.shares.empty())
      for (const Index member : parameter.members) is_free &= take(masses_beside_volumes_, member);
    return is_free;
  }

 private:
  using Rows = std::vector<bool>;
  static std::pair<const NumberKind*, std::size_t> key_of(const NumberId& id) { return {id.kind, id.index}; }

  static bool take(Rows& rows, Index member) {
    const auto row = static_cast<std::size_t>(member);
    if (row >= rows.size()) rows.resize(row + 1, false);
    const bool is_free = !rows[row];
    rows[row] = true;
    return is_free;
  }

  const Assembly& assembly_;
  std::map<std::pair<const NumberKind*, std::size_t>, Rows> rows_;
  Rows masses_beside_volumes_;
};

}  // namespace

std::vector<std::size_t> overlapping(const Assembly& assembly, const std::vector<Parameter>& list) {
  Claims claims(assembly);
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < list.size(); ++k)
    if (!claims.take(list[k])) found.push_back(k);
  return found;
}

}  // namespace electret
