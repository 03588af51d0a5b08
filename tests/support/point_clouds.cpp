#include <cmath>
#include <limits>
#include <stdexcept>

#include <support/point_clouds.hpp>

namespace electret::test {
namespace {

constexpr double pi = 3.14159265358979323846;

/// SplitMix64: standard distributions differ between libraries, this does not.
class Random {
 public:
  explicit Random(unsigned seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}
  /// In [0, 1).
  double unit() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  double symmetric() { return 2.0 * unit() - 1.0; }
  double normal() { return std::sqrt(-2.0 * std::log(1.0 - unit())) * std::cos(2.0 * pi * unit()); }
  Vec3 in_cube() { return {symmetric(), symmetric(), symmetric()}; }
  Vec3 gaussian() { return {normal(), normal(), normal()}; }

 private:
  std::uint64_t state_;
};

Vec3 on_torus(Random& random) {
  const double u = 2.0 * pi * random.unit(), v = 2.0 * pi * random.unit();
  const double ring = 1.0 + 0.4 * std::cos(v);
  return {ring * std::cos(u), ring * std::sin(u), 0.4 * std::sin(v)};
}

/// A bumpy closed surface.
Vec3 on_blob(Random& random) {
  Vec3 d = random.gaussian();
  d *= 1.0 / norm(d);
  return (1.0 + 0.2 * std::sin(4.0 * d.x) * std::cos(5.0 * d.y)) * d;
}

Vec3 in_clusters(Random& random, const VectorArray& centres) {
  const auto c = static_cast<std::size_t>(random.unit() * static_cast<double>(centres.size()));
  const double sigma = std::pow(10.0, -3.0 + 2.0 * static_cast<double>(c) / 19.0);
  return centres[c] + sigma * random.gaussian();
}

Vec3 point(const std::string& kind, Random& random, const VectorArray& centres) {
  if (kind == "cube") return random.in_cube();
  if (kind == "torus") return on_torus(random);
  if (kind == "blob") return on_blob(random);
  if (kind == "clusters") return in_clusters(random, centres);
  if (kind == "line") return random.symmetric() * Vec3{0.3, -0.5, 0.7};
  if (kind == "plane") return random.symmetric() * Vec3{1, 0.2, 0} + random.symmetric() * Vec3{0, 0.4, 1};
  if (kind == "far clusters")
    return (random.unit() < 0.5 ? Vec3{-5e5, 0, 0} : Vec3{5e5, 1e5, 0}) + random.in_cube();
  throw std::invalid_argument("no such cloud: " + kind);
}

/// Points of a cube's or a square's lattice row by row, the last row perhaps not full; equal charges where
/// they are positive.
Cloud regular_cloud(const std::string& kind, int n, bool mixed, unsigned seed) {
  Random random(seed);
  const int side = static_cast<int>(std::ceil(kind == "sheet" ? std::sqrt(static_cast<double>(n))
                                                              : std::cbrt(static_cast<double>(n)) - 1e-9));
  Cloud cloud{kind + (mixed ? ", mixed" : ", positive") + ", n = " + std::to_string(n), {}, {}};
  for (int i = 0; i < n; ++i) {
    cloud.positions.push_back({static_cast<double>(i % side), static_cast<double>(i / side % side),
                               static_cast<double>(i / side / side)});
    cloud.charges.push_back(mixed ? 1e-6 * random.symmetric() : 1e-6);
  }
  return cloud;
}

}  // namespace

const std::vector<std::string>& cloud_kinds() {
  static const std::vector<std::string> kinds = {"cube", "torus", "blob",        "clusters",
                                                 "line", "plane", "far clusters"};
  return kinds;
}

const std::vector<std::string>& regular_kinds() {
  static const std::vector<std::string> kinds = {"lattice", "sheet"};
  return kinds;
}

Cloud make_cloud(const std::string& kind, int n, bool mixed, unsigned seed) {
  if (kind == "lattice" || kind == "sheet") return regular_cloud(kind, n, mixed, seed);
  Random random(seed);
  VectorArray centres;
  for (int c = 0; c < 20; ++c) centres.push_back(random.in_cube());
  Cloud cloud{kind + (mixed ? ", mixed" : ", positive") + ", n = " + std::to_string(n), {}, {}};
  for (int i = 0; i < n; ++i) {
    cloud.positions.push_back(point(kind, random, centres));
    const double sign = mixed && random.unit() < 0.5 ? -1.0 : 1.0;
    cloud.charges.push_back(sign * 1e-6 * (0.5 + 0.5 * random.unit()));
  }
  return cloud;
}

VectorArray random_vectors(int n, unsigned seed) {
  Random random(seed);
  VectorArray vectors;
  for (int i = 0; i < n; ++i) vectors.push_back(random.in_cube());
  return vectors;
}

namespace {

double ratio(double difference, double magnitude) {
  if (difference == 0.0) return 0.0;
  return magnitude > 0.0 ? std::sqrt(difference / magnitude) : std::numeric_limits<double>::infinity();
}

}  // namespace

double relative_error(VectorView a, VectorView b) {
  double difference = 0.0, magnitude = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += squared_norm(a[i] - b[i]);
    magnitude += squared_norm(b[i]);
  }
  return ratio(difference, magnitude);
}

double relative_error(ScalarView a, ScalarView b) {
  double difference = 0.0, magnitude = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    magnitude += b[i] * b[i];
  }
  return ratio(difference, magnitude);
}

}  // namespace electret::test
