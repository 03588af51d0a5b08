#include "linear/block_problems.hpp"

#include "linear/scalar_problems.hpp"

namespace electret::test {

BlockPattern Network::pattern() const {
  std::vector<Index> ends;
  for (const Edge& e : springs) ends.insert(ends.end(), e.begin(), e.end());
  const ElementList list{2, ends};
  return BlockPattern::of_elements(size(), {&list, 1});
}

std::vector<char> Network::held() const {
  std::vector<char> result(rest.size(), 0);
  for (const Index v : pins) result[static_cast<std::size_t>(v)] = 1;
  return result;
}

Network lattice(Index a, Index b, Index c) {
  Network network;
  network.name = "lattice " + std::to_string(a) + "x" + std::to_string(b) + "x" + std::to_string(c);
  for (Index z = 0; z < c; ++z)
    for (Index y = 0; y < b; ++y)
      for (Index x = 0; x < a; ++x)
        network.rest.push_back({static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
  network.springs = lattice_pairs(a, b, c, 1);
  network.body_offsets = {0, network.size()};
  return network;
}

namespace {

/// `b` beside `a`, as a body of its own.
Network together(Network a, const Network& b, const Vec3& offset) {
  const Index shift = a.size();
  a.name += " and " + b.name;
  for (const Vec3& x : b.rest) a.rest.push_back(x + offset);
  for (const Edge& e : b.springs) a.springs.push_back({e[0] + shift, e[1] + shift});
  for (const Index v : b.pins) a.pins.push_back(v + shift);
  for (std::size_t k = 1; k < b.body_offsets.size(); ++k) a.body_offsets.push_back(b.body_offsets[k] + shift);
  return a;
}

Network pinned(Network network, std::vector<Index> pins) {
  network.name += " pinned";
  network.pins = std::move(pins);
  return network;
}

/// A vertex of a body that no spring holds.
Network with_loose_vertex(Network network) {
  network.name += " and a loose vertex";
  network.rest.push_back({0.3, 0.4, 0.5});
  network.body_offsets.back() += 1;
  return network;
}

/// Points in a box, each with springs to its next few in a random order.
Network random_network(Index n, unsigned seed) {
  std::mt19937_64 random(seed);
  Network network;
  network.name = "random " + std::to_string(n);
  for (const Vec3& x : random_vectors(static_cast<std::size_t>(n), seed)) network.rest.push_back(3.0 * x);
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 5; ++k) {
      const auto j = static_cast<Index>(random() % static_cast<std::uint64_t>(n));
      if (i != j) network.springs.push_back({i, j});
    }
  network.body_offsets = {0, n};
  return network;
}

}  // namespace

std::vector<Network> networks() {
  const Network vertex = lattice(1, 1, 1);
  return {
      vertex,
      pinned(vertex, {0}),
      lattice(2, 1, 1),
      pinned(lattice(57, 1, 1), {0, 30}),
      pinned(lattice(21, 20, 1), {0, 20}),
      lattice(30, 30, 1),
      pinned(lattice(7, 7, 7), {3, 4, 5, 342}),
      with_loose_vertex(lattice(9, 8, 7)),
      pinned(random_network(300, 5), {7}),
      together(together(pinned(lattice(5, 6, 7), {0, 1}), vertex, {20, 0, 0}), lattice(12, 9, 1), {0, 30, 0}),
      pinned(lattice(2, 2, 1), {0, 1, 2, 3}),
  };
}

BlockMatrix spring_hessian(const Network& network, const BlockPattern& pattern, double stiffness,
                           double transverse) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0.5, 2.0);
  BlockMatrix matrix(pattern);
  Threads threads(1);
  std::vector<double> masses(network.rest.size());
  for (double& m : masses) m = 0.5 + 0.75 * uniform(random);
  matrix.add_diagonal(threads, masses);
  for (const Edge& e : network.springs) {
    Vec3 n = network.rest[static_cast<std::size_t>(e[1])] - network.rest[static_cast<std::size_t>(e[0])];
    n *= 1.0 / norm(n);
    const double k = stiffness * uniform(random);
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column) {
        const double value =
            k * ((1.0 - transverse) * n[row] * n[column] + (row == column ? transverse : 0.0));
        for (int a = 0; a < 2; ++a)
          for (int b = 0; b < 2; ++b)
            matrix.block(pattern.slot(e[static_cast<std::size_t>(a)],
                                      e[static_cast<std::size_t>(b)]))[3 * column + row] +=
                static_cast<float>(a == b ? value : -value);
      }
  }
  return matrix;
}

Eigen::MatrixXd dense(const BlockMatrix& matrix) {
  const BlockPattern& pattern = matrix.pattern();
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(3 * pattern.rows(), 3 * pattern.rows());
  for (Index row = 0; row < pattern.rows(); ++row)
    for (Count k = pattern.offsets()[static_cast<std::size_t>(row)];
         k < pattern.offsets()[static_cast<std::size_t>(row) + 1]; ++k)
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
          a(3 * row + r, 3 * pattern.columns()[static_cast<std::size_t>(k)] + c) = matrix.block(k)[3 * c + r];
  return a;
}

Eigen::VectorXd dense(VectorView x) {
  Eigen::VectorXd result(3 * static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int k = 0; k < 3; ++k) result(3 * static_cast<Eigen::Index>(i) + k) = x[i][k];
  return result;
}

VectorArray vectors_of(const Eigen::VectorXd& x) {
  VectorArray result(static_cast<std::size_t>(x.size() / 3));
  for (std::size_t i = 0; i < result.size(); ++i)
    for (int k = 0; k < 3; ++k) result[i][k] = x(3 * static_cast<Eigen::Index>(i) + k);
  return result;
}

std::vector<Padded32> padded(VectorView x) {
  std::vector<Padded32> result;
  for (const Vec3& v : x) result.push_back(padded32(v));
  return result;
}

VectorArray unpadded(const std::vector<Padded32>& x) {
  VectorArray result;
  for (const Padded32& v : x) result.push_back(electret::unpadded(v));
  return result;
}

}  // namespace electret::test
