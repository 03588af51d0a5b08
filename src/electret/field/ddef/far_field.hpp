#pragma once
/// \file
/// F(v): what the charges not near a grid vertex sum to there [MSC eq. 9].

#include <electret/field/ddef/charges.hpp>
#include <electret/field/ddef/workspaces.hpp>

namespace electret::ddef {

/// Sums in float32 or float64 (T). Sources are taken in chunks of tetrahedra that lie together; vertices far
/// from all of a chunk meet it whole, the few others its tetrahedra one by one, so that nothing branches
/// inside the sums. Chunks are dealt to a fixed number of parts, each with sums of its own, which are added
/// in order: the same bits for any number of threads.
template <class T>
class FarField {
 public:
  /// The sums at all grid vertices.
  const std::vector<VertexSums>& evaluate(const SumTask& task, Threads& threads);
  [[nodiscard]] const std::vector<VertexSums>& sums() const { return sums_; }

 private:
  struct Workspace {
    std::vector<Count> touched_at, near_at;  ///< A vertex's last chunk, tetrahedron that it is near to.
    std::vector<Index> touched, others;
    Arrays<T> targets;
    Count stamp = 0;
  };
  void add_chunk(const SumTask& task, const Chunk& chunk, Workspace& w, VertexSums* sums) const;
  void add_sources(const SumTask& task, Count begin, Count end, const std::vector<Index>& vertices,
                   Workspace& w, VertexSums* sums) const;

  Workspaces<Workspace> workspaces_;
  std::vector<VertexSums> part_sums_, sums_;
};

extern template class FarField<float>;
extern template class FarField<double>;

}  // namespace electret::ddef
