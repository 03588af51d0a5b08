#pragma once
/// \file
/// What one vertex feels of the triangles near to it: each face, edge and corner once.

#include <span>
#include <vector>

#include <electret/contact/touching_pair.hpp>

namespace electret {

/// The energy of a vertex v and a surface is
///
///   Σ_T κ_T b(d(v,T)) - Σ_e (m_e - 1) κ_e b(d(v,e)) + Σ_p κ_p' b(d(v,p))
///
/// over the triangles T, the edges e with m_e ≥ 2 of them, κ_e being their mean κ, and the corners p, with
/// κ_p' so that the terms at p have the mean κ of its triangles as their sum. This is inclusion and
/// exclusion: over a flat face one term is left, whichever triangles it consists of, because the closest
/// point of a triangle beside it is on the edge that both have. Each term is once continuously
/// differentiable. The edge of two triangles is no nearer than either, so that a hollow pushes at least as
/// much as one of its faces.
///
/// Triangles that a pair may not have, such as those that share v, do not count for m_e and κ_p' either.
/// Nearer than the reach are all triangles of an edge or of a corner that is. So the near ones tell all.
class VertexTerms {
 public:
  /// Appends to `out` the terms of a vertex whose pairs with triangles are `near`: all that are nearer than
  /// their one reach, ascending, at the places `x` (n×3, m). Each term has one of the pairs, the first with
  /// its closest feature, and the pairs ascend. Appends to `parts` of which stiffnesses it consists.
  void append(std::span<const TouchingPair> near, VectorView x, std::vector<TouchingPair>& out,
              std::vector<StiffnessPart>& parts);

 private:
  /// A face, an edge or a corner.
  using Key = std::array<Index, 3>;
  struct Term {
    Key key{};
    std::size_t pair = 0;  ///< Which of the near ones stands for it.
    PairFeature feature = PairFeature::inner;
    bool is_closest = false;  ///< To the vertex, of a whole triangle.
    int count = 0;            ///< The sum of the factors, were all stiffnesses alike.
  };
  /// An edge or a corner of one of the near triangles.
  struct Part {
    Key key{};
    std::size_t pair = 0;
    PairFeature feature = PairFeature::inner;
  };

  void find_parts(std::span<const TouchingPair> near);
  void take_edge(std::span<const TouchingPair> near, VectorView x, std::span<const Part> edge);
  void take_corner(std::span<const TouchingPair> near, VectorView x, std::span<const Part> corner);
  void add_shared(std::span<const Part> parts, std::size_t term, double factor);
  std::size_t term_of(const Key& key, std::size_t pair, PairFeature feature);
  void write(std::span<const TouchingPair> near, VectorView x, std::vector<TouchingPair>& out,
             std::vector<StiffnessPart>& parts);

  std::size_t size_ = 0;  ///< Of the near pairs.
  std::vector<Term> terms_;
  std::vector<double> factors_;  ///< terms × pairs: of each κ in each term.
  std::vector<Part> edges_, corners_;
  std::vector<std::size_t> order_;
};

}  // namespace electret
