#pragma once
/// \file
/// F(v): the sums at a grid vertex over the charges that are not near it [MSC eq. 9].

#include <electret/field/ddef/charges.hpp>
#include <electret/field/ddef/workspaces.hpp>

namespace electret::ddef {

/// Sums in float32 or float64 (T). Sources are taken in chunks of neighbouring tetrahedra. A vertex that is
/// far from all tetrahedra of a chunk sums the chunk as a whole. The few other vertices sum it one
/// tetrahedron at a time, so that nothing branches inside the sums. Chunks are dealt to a fixed number of
/// parts. Each part has sums of its own, which are added in order, so the bits do not depend on the number of
/// threads.
template <class T>
class FarField {
 public:
  /// The sums at all grid vertices.
  const std::vector<VertexSums>& evaluate(const SumTask& task, Threads& threads);
  [[nodiscard]] const std::vector<VertexSums>& sums() const { return sums_; }

 private:
  struct Workspace {
    std::vector<Count> touched_at, near_at;  ///< The last chunk, the last tetrahedron near each vertex.
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
