#pragma once
// Block matrices of spring networks and of random elements, and a dense double copy to compare with.

#include <Eigen/Dense>
#include <random>
#include <string>
#include <vector>

#include <electret/linear/block_matrix.hpp>

namespace electret::test {

/// A network of springs at rest positions: what a block system is made from.
struct Network {
  std::string name;
  VectorArray rest;
  std::vector<Edge> springs;
  std::vector<Index> pins;
  std::vector<Index> body_offsets;  ///< bodies + 1.

  [[nodiscard]] Index size() const { return static_cast<Index>(rest.size()); }
  [[nodiscard]] BlockPattern pattern() const;
  [[nodiscard]] std::vector<char> held() const;
};

/// An a×b×c lattice of unit steps with springs to all neighbours (diagonals, too).
Network lattice(Index a, Index b, Index c);
/// Chains, sheets, solids, several bodies, loose vertices, pins.
std::vector<Network> networks();

/// M + stiffness·Σ n nᵀ (+ transverse part) over the springs at rest; masses 1 … 2.
BlockMatrix spring_hessian(const Network& network, const BlockPattern& pattern, double stiffness,
                           double transverse = 0.3);

Eigen::MatrixXd dense(const BlockMatrix& matrix);
Eigen::VectorXd dense(VectorView x);
VectorArray vectors_of(const Eigen::VectorXd& x);
std::vector<Padded32> padded(VectorView x);
VectorArray unpadded(const std::vector<Padded32>& x);

}  // namespace electret::test
