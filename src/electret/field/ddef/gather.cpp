#include <electret/field/ddef/gather.hpp>

namespace electret::ddef {

void Gather::collect(const SortedPoints& points, std::span<const Index> tetrahedra, Index first) {
  runs_.clear();
  offsets_.resize(tetrahedra.size());
  size_ = 0;
  if (first >= 0) {
    runs_.emplace_back(points.begin(first), points.end(first));
    size_ = points.count(first);
  }
  for (std::size_t k = 0; k < tetrahedra.size(); ++k) {
    const Index t = tetrahedra[k];
    offsets_[k] = t == first ? 0 : size_;
    if (t == first || points.count(t) == 0) continue;
    if (!runs_.empty() && runs_.back().second == points.begin(t))
      runs_.back().second = points.end(t);
    else
      runs_.emplace_back(points.begin(t), points.end(t));
    size_ += points.count(t);
  }
}

}  // namespace electret::ddef
